import { createHash } from 'node:crypto';
import { createHighlighterCore } from 'shiki/core';
import { createOnigurumaEngine } from 'shiki/engine/oniguruma';
import { bundledLanguages } from 'shiki/langs';
import { escapeHtml } from '../../integration/text/escape.ts';
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

/**
 * Kinds of tokens with their grammar scopes. Each kind is a class `sk-<kind>`, whose colors are in `styles/code.css`.
 * Of equally specific scopes the last one wins. Tokens without a listed scope are plain text.
 */
export const tokenKinds: Record<string, string[]> = {
  keyword: [
    'keyword',
    'storage',
    'storage.type',
    'keyword.control',
    'keyword.operator.new',
    'keyword.operator.expression',
    'variable.language',
    'punctuation.definition.keyword',
  ],
  plain: [
    'keyword.operator',
    'storage.modifier.import',
    'storage.type.java',
    'storage.type.annotation',
    'punctuation',
    'meta.embedded',
    'source',
    'variable.other.readwrite',
    'string.unquoted.argument',
  ],
  string: [
    'string',
    'punctuation.definition.string',
    'markup.inline.raw',
    'markup.fenced_code',
    'constant.other.symbol',
    'string.quoted',
    'string punctuation.section.embedded source',
    'string.unquoted.plain.out.yaml',
  ],
  constant: [
    'constant',
    'constant.numeric',
    'constant.language',
    'constant.character',
    'entity.name.constant',
    'variable.other.constant',
    'support.constant',
    'keyword.other.unit',
    'variable.other.enummember',
  ],
  comment: ['comment', 'punctuation.definition.comment', 'string.comment'],
  function: [
    'entity.name.function',
    'support.function',
    'meta.function-call.generic',
    'entity.name.command',
    'support.function.builtin',
    'variable.function',
    'entity.name.function-call',
  ],
  type: [
    'entity.name.type',
    'entity.name.class',
    'entity.name.namespace',
    'support.type',
    'support.class',
    'entity.other.inherited-class',
    'storage.type.primitive',
    'storage.type.numeric',
    'entity.name.scope-resolution',
  ],
  property: [
    'variable.other.property',
    'support.type.property-name',
    'meta.object-literal.key',
    'meta.property-name',
    'variable.parameter',
    'entity.name.tag.yaml',
    'variable.other.object.property',
    'punctuation.support.type.property-name',
    'keyword.other.definition.ini',
    'support.type.property-name.json',
    'constant.other.option',
  ],
  tag: ['entity.name.tag', 'support.class.component'],
  attribute: ['entity.other.attribute-name', 'meta.decorator', 'storage.type.annotation', 'punctuation.decorator'],
  regexp: [
    'string.regexp',
    'constant.regexp',
    'string.regexp constant.character.escape',
    'constant.other.character-class.regexp',
  ],
  variable: [
    'variable.other.normal.shell',
    'punctuation.definition.variable.shell',
    'variable.parameter.positional.shell',
    'variable.other.php',
    'variable.scss',
    'variable.language.this',
  ],
  heading: ['markup.heading', 'markup.heading entity.name', 'entity.name.section'],
  bold: ['markup.bold'],
  italic: ['markup.italic'],
  inserted: ['markup.inserted', 'meta.diff.header.to-file', 'punctuation.definition.inserted'],
  deleted: ['markup.deleted', 'meta.diff.header.from-file', 'punctuation.definition.deleted'],
  changed: ['meta.diff.range', 'meta.diff.header', 'markup.changed'],
};

const kinds = Object.entries(tokenKinds);

/** A theme in which the n-th kind has the color #00000n, so the color of a token identifies its class. */
const placeholderTheme = {
  name: 'carrel',
  type: 'light' as const,
  fg: '#ffffff',
  bg: '#fffffe',
  settings: [
    { settings: { foreground: '#ffffff', background: '#fffffe' } },
    ...kinds.map(([, scope], i) => ({
      scope,
      settings: { foreground: `#0000${(i + 1).toString(16).padStart(2, '0')}` },
    })),
  ],
};

/** Class of a color in the placeholder theme; '' for plain text. */
function classOfColor(color: string): string {
  const [kind] = kinds[Number.parseInt(color.slice(1), 16) - 1] ?? [];
  return kind === undefined || kind === 'plain' ? '' : `sk-${kind}`;
}
