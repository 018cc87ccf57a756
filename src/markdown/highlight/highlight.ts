import { hash } from 'node:crypto';
import { escapeHtml } from '../../../integration/text/escape.ts';
import { codeLanguages, languageOf } from './language.ts';
import { openTokenizer } from './languages.ts';
import type { Token, Tokenizer } from './token-kinds.ts';

/** Highlighted blocks by content, cached between runs. */
export interface HighlightCache {
  get(key: string): string | undefined;
  set(key: string, html: string): void;
}

/** Turns code into HTML with classes. */
export interface CodeHighlighter {
  /** Loads what `highlight` needs for the code of a page: no language if the cache has all of it. */
  load(code: Iterable<CodeToHighlight>): Promise<void>;
  /** Escaped HTML of the code, each line complete in itself. A language that is unknown or not loaded is plain text. */
  highlight(code: string, language: string): string;
}

export interface CodeToHighlight {
  language: string;
  /** Exactly what `highlight` is given; undefined if any code in the language may follow. */
  code?: string;
}

export { codeLanguages };

/** The names of languages that can be highlighted, or are known to need no colors. */
export function isCodeLanguage(name: string): boolean {
  return name === '' || languageOf(name) !== undefined || plainLanguages.has(name);
}

const plainLanguages = new Set('text txt plain plaintext none raw output console mermaid math ansi'.split(' '));

/** Longer code, in characters, is not highlighted. */
const longestCode = 200_000;
/** Part of the cache key. Increase it with any change to what `highlight` returns. */
const version = 5;

export function createCodeHighlighter(cache?: HighlightCache): CodeHighlighter {
  const ready = new Map<string, Tokenizer>();
  // The code on the page whose code was loaded last, with its key in the cache and what the cache has of it.
  const onPage = new Map<string, { key: string; html: string | undefined }>();

  const cachedOf = (code: string, language: string) => {
    const text = `${language}\n${code}`;
    let found = onPage.get(text);
    if (!found) {
      const key = hash('sha256', `${version}\n${text}`, 'base64url');
      onPage.set(text, (found = { key, html: cache?.get(key) }));
    }
    return found;
  };

  return {
    async load(code) {
      onPage.clear();
      const needed = new Set<string>();
      for (const { language: name, code: text } of code) {
        const language = languageOf(name);
        if (language === undefined || ready.has(language)) continue;
        if (cache && text !== undefined && cachedOf(text, language).html !== undefined) continue;
        needed.add(language);
      }
      await Promise.all([...needed].map(async (language) => ready.set(language, await openTokenizer(language))));
    },
    highlight(code, name) {
      const language = languageOf(name);
      if (code.length > longestCode || language === undefined) return escapeHtml(code);
      const cached = cache && cachedOf(code, language);
      if (cached?.html !== undefined) return cached.html;
      const tokenize = ready.get(language);
      if (!tokenize) return escapeHtml(code);
      const html = htmlOf(code, tokenize(code));
      if (cached) cache.set(cached.key, (cached.html = html));
      return html;
    },
  };
}

/** Gives code as plain text. */
export const plainHighlighter: CodeHighlighter = { load: async () => {}, highlight: (code) => escapeHtml(code) };

/** HTML of code. Adjacent tokens of one kind share a span, with the white space between them; no span goes over the end of a line. */
function htmlOf(code: string, tokens: Token[]): string {
  let html = '';
  let at = 0;
  for (let i = 0; i < tokens.length; i++) {
    const { from, kind } = tokens[i]!;
    let { to } = tokens[i]!;
    while (tokens[i + 1]?.kind === kind && !/\S/.test(code.slice(to, tokens[i + 1]!.from))) to = tokens[++i]!.to;
    html += escapeHtml(code.slice(at, from));
    for (const [n, line] of code.slice(from, to).split('\n').entries()) {
      if (n > 0) html += '\n';
      if (line.trim() === '') html += line;
      else html += `<span class="sk-${kind}">${escapeHtml(line)}</span>`;
    }
    at = to;
  }
  return html + escapeHtml(code.slice(at));
}
