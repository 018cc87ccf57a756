// Tokens from grammars of TextMate, which Shiki runs, for the languages that nothing faster reads. Shiki compiles the patterns of a grammar when it
// first needs them, which takes as long as coloring a thousand blocks.
import { createHighlighterCore, type RegexEngine } from 'shiki/core';
import { bundledLanguages } from 'shiki/langs';
import { rememberLines } from './line-memory.ts';
import { kindsWithScopes, type Token, type Tokenizer } from './token-kinds.ts';

/** Steps back of a regular expression of Oniguruma at one position, after which it does not match: some need exponentially many. */
const mostRetries = 1_000_000;
/** Oniguruma's own limit. */
const defaultRetries = 10_000_000;
// Position of the color's number in a token of vscode-textmate (`EncodedTokenAttributes.getForeground`).
const colorMask = 0b00000000111111111000000000000000;
const colorShift = 15;

let engine: Promise<RegexEngine> | undefined;

export async function openGrammar(language: string): Promise<Tokenizer> {
  const { default: registrations } = await bundledLanguages[language as keyof typeof bundledLanguages]();
  engine ??= import('shiki/engine/oniguruma').then(({ createOnigurumaEngine }) => createOnigurumaEngine({ instantiator }));
  const shiki = await createHighlighterCore({ themes: [theme], langs: [registrations], engine: await engine, warnings: false });
  const kinds = shiki.setTheme(theme.name).colorMap.map((color) => kindsWithScopes[Number.parseInt(color.slice(1), 16) - 1]?.[0]);
  const grammar = shiki.getLanguage(registrations.at(-1)?.name ?? '');
  return rememberLines((line, state) => {
    const { tokens, ruleStack } = grammar.tokenizeLine2(line, state);
    return { tokens: tokensOf(line, tokens, kinds), state: ruleStack };
  });
}

function tokensOf(line: string, encoded: Uint32Array, kinds: (Token['kind'] | undefined)[]): Token[] {
  const tokens: Token[] = [];
  for (let i = 0; i < encoded.length; i += 2) {
    const kind = kinds[((encoded[i + 1] ?? 0) & colorMask) >>> colorShift];
    if (kind && kind !== 'plain') tokens.push({ from: encoded[i]!, to: encoded[i + 2] ?? line.length, kind });
  }
  return tokens;
}

/** Oniguruma with `mostRetries`: the module exports no setter, so its initial value changes in memory. */
async function instantiator(imports?: WebAssembly.Imports): Promise<WebAssembly.Instance> {
  const { wasmBinaryPromise } = await import('shiki/wasm');
  const { instance } = await WebAssembly.instantiate(await wasmBinaryPromise, imports);
  const { memory } = instance.exports;
  const words = new Uint32Array(memory instanceof WebAssembly.Memory ? memory.buffer : []);
  const position = words.indexOf(defaultRetries);
  if (position < 0) throw new Error('Oniguruma does not have the expected limit of retries.');
  words[position] = mostRetries;
  return instance;
}

/** A theme in which the n-th kind has the color #00000n, so the color of a token identifies its kind. */
const theme = {
  name: 'carrel',
  type: 'light' as const,
  fg: '#ffffff',
  bg: '#fffffe',
  settings: [
    { settings: { foreground: '#ffffff', background: '#fffffe' } },
    ...kindsWithScopes.map(([, scope], i) => ({
      scope,
      settings: { foreground: `#0000${(i + 1).toString(16).padStart(2, '0')}` },
    })),
  ],
};
