import { escapeHtml } from '../../integration/text/escape-html.ts';
import { createHash } from 'node:crypto';
import { createHighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { classOfColor, placeholderTheme } from './code-theme.ts';
import type { HighlightCache } from './context.ts';

/** Turns code into HTML with classes. */
export interface CodeHighlighter {
  /** Loads the grammars of languages for `highlight`. */
  load(languages: Iterable<string>): Promise<void>;
  /** Escaped HTML of the code, each line complete in itself. A language that is unknown or not loaded is plain text. */
  highlight(code: string, language: string): string;
}

/** Longer code, in characters, is not highlighted. */
const longestCode = 200_000;
const longestLine = 10_000;
/** Timeout for one line in milliseconds: a block that takes longer is plain text. */
const timeout = 2_000;
// Position of the color's number in a token of vscode-textmate (`EncodedTokenAttributes.getForeground`).
const colorMask = 0b00000000111111111000000000000000;
const colorShift = 15;
/** Part of the cache key. Increase it with any change to what `highlight` returns. */
const version = 1;

export async function createCodeHighlighter(cache?: HighlightCache): Promise<CodeHighlighter> {
  const shiki = await createHighlighterCore({
    themes: [placeholderTheme],
    langs: [],
    engine: await createOnigurumaEngine(import('shiki/wasm')),
    warnings: false,
  });
  const classes = shiki.setTheme(placeholderTheme.name).colorMap.map((color) => (color ? classOfColor(color) : ''));
  const grammars = new Map(Object.entries(bundledLanguages));
  const loading = new Map<string, Promise<void>>();
  const ready = new Set<string>();

  const tokenise = (code: string, language: string): string => {
    const grammar = shiki.getLanguage(language);
    let state: Parameters<typeof grammar.tokenizeLine2>[1] = null;
    const lines: string[] = [];
    for (const line of code.split('\n')) {
      if (line.length > longestLine) return escapeHtml(code);
      const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine2(line, state, timeout);
      if (stoppedEarly) return escapeHtml(code);
      state = ruleStack;
      lines.push(lineHtml(line, tokens, classes));
    }
    return lines.join('\n');
  };

  return {
    async load(languages) {
      const waiting: Promise<void>[] = [];
      for (const language of languages) {
        const grammar = grammars.get(language);
        if (ready.has(language) || !grammar) continue;
        let promise = loading.get(language);
        if (!promise) {
          promise = shiki.loadLanguage(grammar).then(() => void ready.add(language));
          loading.set(language, promise);
        }
        waiting.push(promise);
      }
      await Promise.all(waiting);
    },
    highlight(code, language) {
      if (!ready.has(language) || code.length > longestCode) return escapeHtml(code);
      const key = createHash('sha256').update(`${version}\n${language}\n${code}`).digest('base64url');
      let html = cache?.get(key);
      if (html === undefined) {
        html = tokenise(code, language);
        cache?.set(key, html);
      }
      return html;
    },
  };
}

/** HTML of one line. Adjacent tokens of one class share a span; white space joins the token before it. */
function lineHtml(line: string, tokens: Uint32Array, classes: string[]): string {
  let html = '';
  let run = '';
  let runClass = '';
  for (let i = 0; i < tokens.length; i += 2) {
    const text = line.slice(tokens[i], tokens[i + 2]);
    const name = classes[((tokens[i + 1] ?? 0) & colorMask) >>> colorShift] ?? '';
    if (name !== runClass && text.trim()) {
      html += spanOf(run, runClass);
      run = '';
      runClass = name;
    }
    run += text;
  }
  return html + spanOf(run, runClass);
}

function spanOf(text: string, name: string): string {
  if (!text || !name) return escapeHtml(text);
  return `<span class="${name}">${escapeHtml(text)}</span>`;
}
