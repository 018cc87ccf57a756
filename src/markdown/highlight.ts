import { hash } from 'node:crypto';
import { createHighlighterCore, type LanguageRegistration, type RegexEngine } from 'shiki/core';
import { bundledLanguages } from 'shiki/langs';
import { escapeHtml } from '../../integration/text/escape.ts';
import { rememberLines } from './line-memory.ts';

/** Highlighted blocks by content, cached between runs. */
export interface HighlightCache {
  get(key: string): string | undefined;
  set(key: string, html: string): void;
}

/** Turns code into HTML with classes. */
export interface CodeHighlighter {
  /** Loads what `highlight` needs for the code of a page: no grammar if the cache has all of it. */
  load(code: Iterable<CodeToHighlight>): Promise<void>;
  /** Escaped HTML of the code, each line complete in itself. A language that is unknown or not loaded is plain text. */
  highlight(code: string, language: string): string;
}

export interface CodeToHighlight {
  language: string;
  /** Exactly what `highlight` is given; undefined if any code in the language may follow. */
  code?: string;
}

/** The names of languages that can be highlighted, or are known to need no colors. */
export function isCodeLanguage(name: string): boolean {
  return name === '' || grammars.has(name) || plainLanguages.has(name);
}

export function codeLanguages(): string[] {
  return [...grammars.keys()];
}

const plainLanguages = new Set('text txt plain plaintext none raw output console mermaid math ansi'.split(' '));

/** Longer code, in characters, is not highlighted. */
const longestCode = 200_000;
/** Steps back of a regular expression of Oniguruma at one position, after which it does not match: some need exponentially many. */
const mostRetries = 1_000_000;
/** Oniguruma's own limit. */
const defaultRetries = 10_000_000;
// Position of the color's number in a token of vscode-textmate (`EncodedTokenAttributes.getForeground`).
const colorMask = 0b00000000111111111000000000000000;
const colorShift = 15;
/** Part of the cache key. Increase it with any change to what `highlight` returns. */
const version = 3;

const grammars = new Map(Object.entries(bundledLanguages));
type GrammarImport = (typeof bundledLanguages)[keyof typeof bundledLanguages];

// Grammars are written for the engine Oniguruma. The other one translates their patterns to JavaScript: that takes as long for the first blocks
// as loading Oniguruma, and half the time for each block after them. In these languages, thousands of blocks of real docs get the same
// tokens. Most other grammars take longer to translate or are not faster.
const translatable = new Set(
  ['python', 'json', 'jsonc', 'yaml', 'bash', 'go', 'rust', 'java', 'toml', 'kotlin', 'dart'].map((name) => grammars.get(name)),
);

// The translation of `\b` knows words in ASCII only.
const otherWords = /(?![\0-\x7f])[\p{L}\p{M}\p{N}\p{Pc}]/u;

// Markdown and its relatives color the code in their blocks if its grammar is loaded, too.
const embedded = 'yaml json bash javascript typescript jsx tsx python go rust java html css diff'.split(
  ' ',
) as (keyof typeof bundledLanguages)[];

/** Loaded grammars with their engines. */
export interface Grammars {
  open(grammar: GrammarImport, isTranslated: boolean): Promise<Tokenize>;
}

export function openGrammars(): Grammars {
  const tokenizers = new Map<string, Promise<Tokenize>>();
  let oniguruma: Promise<RegexEngine> | undefined;
  let javaScript: Promise<RegexEngine> | undefined;
  const openEngine = (isTranslated: boolean): Promise<RegexEngine> =>
    isTranslated
      ? (javaScript ??= import('shiki/engine/javascript').then((engine) => engine.createJavaScriptRegexEngine()))
      : (oniguruma ??= import('shiki/engine/oniguruma').then((engine) => engine.createOnigurumaEngine({ instantiator })));
  return {
    async open(grammar, isTranslated) {
      const { default: registrations } = await grammar();
      const id = `${registrations.at(-1)?.name} ${isTranslated}`;
      let tokenizer = tokenizers.get(id);
      if (!tokenizer)
        tokenizers.set(id, (tokenizer = openEngine(isTranslated).then((engine) => openTokenizer(registrations, engine))));
      return tokenizer;
    },
  };
}

/** Those of the process: what one export has loaded, the next ones use. */
const ofProcess = openGrammars();

export function createCodeHighlighter(cache?: HighlightCache, loaded: Grammars = ofProcess): CodeHighlighter {
  const loading = new Map<string, Promise<void>>();
  // By the name in a fence; a grammar has several names.
  const ready = new Map<string, Tokenize>();
  // The code on the page whose code was loaded last, with its key in the cache and what the cache has of it.
  const onPage = new Map<string, { key: string; html: string | undefined }>();

  const loadGrammar = async (key: string, grammar: GrammarImport, isTranslated: boolean): Promise<void> => {
    ready.set(key, await loaded.open(grammar, isTranslated));
  };

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
      const waiting: Promise<void>[] = [];
      for (const { language, code: text } of code) {
        const grammar = grammars.get(language);
        if (!grammar || (cache && text !== undefined && cachedOf(text, language).html !== undefined)) continue;
        for (const isTranslated of text === undefined ? [true, false] : [isTranslatable(text)]) {
          const engine = isTranslated && translatable.has(grammar);
          const key = keyOf(language, isTranslated);
          let promise = loading.get(key);
          if (!promise) loading.set(key, (promise = loadGrammar(key, grammar, engine)));
          waiting.push(promise);
        }
      }
      await Promise.all(waiting);
    },
    highlight(code, language) {
      if (code.length > longestCode || !grammars.has(language)) return escapeHtml(code);
      const cached = cache && cachedOf(code, language);
      if (cached?.html !== undefined) return cached.html;
      const tokenize = ready.get(keyOf(language, isTranslatable(code)));
      if (!tokenize) return escapeHtml(code);
      const html = tokenize(code);
      if (cached) cache.set(cached.key, (cached.html = html));
      return html;
    },
  };
}

/** Gives code as plain text. */
export const plainHighlighter: CodeHighlighter = { load: async () => {}, highlight: (code) => escapeHtml(code) };

function isTranslatable(code: string): boolean {
  return !otherWords.test(code);
}

function keyOf(language: string, isTranslatable: boolean): string {
  return `${language} ${isTranslatable}`;
}

/** HTML of code. */
type Tokenize = (code: string) => string;

/** Each grammar is loaded apart from the others: what Vue's and Markdown's color depends on which others are loaded. */
async function openTokenizer(registrations: LanguageRegistration[], engine: RegexEngine): Promise<Tokenize> {
  const mayEmbed = registrations.flatMap(({ embeddedLangsLazy }) => embeddedLangsLazy ?? []);
  const shiki = await createHighlighterCore({
    themes: [placeholderTheme],
    langs: [registrations, ...(mayEmbed.length > 0 ? embedded.map((name) => bundledLanguages[name]) : [])],
    engine,
    warnings: false,
  });
  const classes = shiki.setTheme(placeholderTheme.name).colorMap.map((color) => (color ? classOfColor(color) : ''));
  const grammar = shiki.getLanguage(registrations.at(-1)?.name ?? '');
  const linesOf = rememberLines((line, state) => {
    const { tokens, ruleStack } = grammar.tokenizeLine2(line, state);
    return { html: lineHtml(line, tokens, classes), state: ruleStack };
  });
  return (code) => linesOf(code).join('\n');
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
export const tokenKinds: Record<string, string[]> = Object.fromEntries(
  Object.entries({
    keyword: `keyword, storage, storage.type, keyword.control, keyword.operator.new, keyword.operator.expression, variable.language,
    punctuation.definition.keyword`,
    plain: `keyword.operator, storage.modifier.import, storage.type.java, storage.type.annotation, punctuation, meta.embedded,
    source, variable.other.readwrite, string.unquoted.argument`,
    string: `string, punctuation.definition.string, markup.inline.raw, markup.fenced_code, constant.other.symbol, string.quoted,
    string punctuation.section.embedded source, string.unquoted.plain.out.yaml`,
    constant: `constant, constant.numeric, constant.language, constant.character, entity.name.constant, variable.other.constant,
    support.constant, keyword.other.unit, variable.other.enummember`,
    comment: 'comment, punctuation.definition.comment, string.comment',
    function: `entity.name.function, support.function, meta.function-call.generic, entity.name.command, support.function.builtin,
    variable.function, entity.name.function-call`,
    type: `entity.name.type, entity.name.class, entity.name.namespace, support.type, support.class, entity.other.inherited-class,
    storage.type.primitive, storage.type.numeric, entity.name.scope-resolution`,
    property: `variable.other.property, support.type.property-name, meta.object-literal.key, meta.property-name, variable.parameter,
    entity.name.tag.yaml, variable.other.object.property, punctuation.support.type.property-name,
    keyword.other.definition.ini, support.type.property-name.json, constant.other.option`,
    tag: 'entity.name.tag, support.class.component',
    attribute: 'entity.other.attribute-name, meta.decorator, storage.type.annotation, punctuation.decorator',
    regexp: 'string.regexp, constant.regexp, string.regexp constant.character.escape, constant.other.character-class.regexp',
    variable: `variable.other.normal.shell, punctuation.definition.variable.shell, variable.parameter.positional.shell,
    variable.other.php, variable.scss, variable.language.this`,
    heading: 'markup.heading, markup.heading entity.name, entity.name.section',
    bold: 'markup.bold',
    italic: 'markup.italic',
    inserted: 'markup.inserted, meta.diff.header.to-file, punctuation.definition.inserted',
    deleted: 'markup.deleted, meta.diff.header.from-file, punctuation.definition.deleted',
    changed: 'meta.diff.range, meta.diff.header, markup.changed',
  }).map(([kind, scopes]) => [kind, scopes.split(/,\s+/)]),
);

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
