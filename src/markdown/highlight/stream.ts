// Tokens from CodeMirror's stream modes, which read a line at a time and keep a state between lines.
import { StringStream, type StreamParser } from '@codemirror/streamparser';
import type { Token, TokenKind, Tokenizer } from './token-kinds.ts';

/**
 * Sum of the squared lengths of lines, such as one of 3,000 characters or 900 of 100; further lines are plain text. Modes look at the rest of a line
 * again and again.
 */
const largestSquares = 9_000_000;

/** Width of a tab and of a level of indentation, for the modes that ask. */
const tabWidth = 4;
const indentUnit = 2;

/** Kinds of the names that modes give to tokens; without a name, a token is plain text. */
const kindsOfStyles: Record<string, TokenKind> = {
  ...styles('keyword', 'keyword modifier'),
  ...styles('string', 'string string-2 quote character url link'),
  ...styles('constant', 'number atom bool unit escape'),
  ...styles('comment', 'comment'),
  ...styles('function', 'builtin'),
  ...styles('type', 'type typeName qualifier className namespace'),
  ...styles('property', 'property propertyName'),
  ...styles('tag', 'tag tagName'),
  ...styles('attribute', 'attribute attributeName meta annotation'),
  ...styles('variable', 'variable-2 variable-3 self'),
  ...styles('heading', 'header heading'),
  ...styles('bold', 'strong'),
  ...styles('italic', 'em'),
  ...styles('inserted', 'inserted'),
  ...styles('deleted', 'deleted'),
  ...styles('regexp', 'regexp'),
};

function styles(kind: TokenKind, names: string): Record<string, TokenKind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** What a token is, from the name that the mode gave it, its text, and the line before and after it; undefined keeps the kind of the name. */
export type NameTokens = (style: string, text: string, before: string, after: string) => TokenKind | undefined;

export function streamTokenizer<State>(mode: StreamParser<State>, nameTokens?: NameTokens): Tokenizer {
  return (code) => {
    const tokens: Token[] = [];
    const state = mode.startState?.(indentUnit) ?? ({} as State);
    let at = 0;
    let left = largestSquares;
    for (const line of code.split('\n')) {
      if (line === '') mode.blankLine?.(state, indentUnit);
      else if ((left -= line.length ** 2) >= 0) readLine(line, state, at);
      at += line.length + 1;
    }
    return tokens;

    function readLine(line: string, state: State, start: number): void {
      const stream = new StringStream(line, tabWidth, indentUnit);
      let open: { from: number; style: string } | undefined;
      const close = (to: number) => {
        if (!open) return;
        const kind = kindOf(open.style, line, open.from, to);
        if (kind === 'plain') return;
        const text = line.slice(open.from, to);
        const from = open.from + text.length - text.trimStart().length;
        tokens.push({ from: start + from, to: start + from + text.trim().length, kind });
      };
      while (!stream.eol()) {
        const from = stream.pos;
        const style = readToken(mode, stream, state);
        // Some modes give a word without a name a character at a time.
        const joins = open?.style === style && style === '' && /\w$/.test(line[from - 1] ?? '') && /\w/.test(line[from] ?? '');
        if (joins) continue;
        close(from);
        open = { from, style };
      }
      close(line.length);
    }
  };

  function kindOf(style: string, line: string, from: number, to: number): TokenKind {
    const named = nameTokens?.(style, line.slice(from, to), line.slice(0, from), line.slice(to));
    if (named) return named;
    const kinds = style.split(/[ .]/).map((name) => kindsOfStyles[name]);
    return kinds.findLast((kind) => kind !== undefined) ?? 'plain';
  }
}

/** The name of the next token. A mode may change its state without reading anything, but not forever. */
function readToken<State>(mode: StreamParser<State>, stream: StringStream, state: State): string {
  const from = stream.pos;
  for (let tries = 0; tries < 10; tries++) {
    stream.start = stream.pos;
    const style = mode.token(stream, state) ?? '';
    if (stream.pos > from) return style;
  }
  stream.next();
  return '';
}
