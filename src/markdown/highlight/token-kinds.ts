// What the tokens of code are. Each kind is a class `sk-<kind>`, whose colors are in `styles/code.css`.

import tokenKinds from './token-kinds.json' with { type: 'json' };

/** A part of a code, from and to a position in it, in UTF-16 code units. Parts are in order and do not overlap. */
export interface Token {
  from: number;
  to: number;
  kind: TokenKind;
}

/** The tokens of a code that are not plain text. */
export type Tokenizer = (code: string) => Token[];

/**
 * Kinds with their scopes in grammars and themes of TextMate. Of equally specific scopes the last one wins. Tokens without a listed scope are
 * plain text.
 */
export const kindsWithScopes = Object.entries(tokenKinds) as [TokenKind, string[]][];

export type TokenKind = keyof typeof tokenKinds;
