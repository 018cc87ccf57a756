// How each language of code is read: by Lezer's parsers, by CodeMirror's stream modes, or, where neither knows it, by a grammar of TextMate.
import type { StreamParser } from '@codemirror/streamparser';
import type { Parser } from '@lezer/common';
import { styleTags, tags } from '@lezer/highlight';
import { bundledLanguagesInfo } from 'shiki/langs';
import { lezerTokenizer, type Refine } from './lezer.ts';
import { between, fenced, type FindRegions, inBraces, matches, outside, together, withRegions } from './regions.ts';
import { type NameTokens, streamTokenizer } from './stream.ts';
import type { Token, Tokenizer } from './token-kinds.ts';

type Open = () => Promise<Tokenizer>;

/** `javascript` for `js`: the language of each name in a fence. */
const languages = new Map(
  bundledLanguagesInfo.flatMap(({ id, aliases = [] }) => [id, ...aliases].map((name) => [name, id] as const)),
);

/** Every name that a fence may give a language that can be colored. */
export function codeLanguages(): string[] {
  return [...languages.keys()];
}

/** The language of a name, under which its tokenizer is kept; undefined for one that is unknown. */
export function languageOf(name: string): string | undefined {
  return languages.get(name);
}

const opened = new Map<string, Promise<Tokenizer>>();

/** Reads the code of a language. Each is loaded once in a process. */
export function openTokenizer(language: string): Promise<Tokenizer> {
  let tokenizer = opened.get(language);
  if (!tokenizer) {
    const open = openers[language] ?? (async () => (await import('./text-mate.ts')).openGrammar(language));
    opened.set(language, (tokenizer = open()));
  }
  return tokenizer;
}

// --- Lezer

const constantName = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Z][A-Z0-9]{2,}$/;

/** Names in capitals are constants, and those with one capital types, where a grammar only sees a name. */
const refineNames: Refine = (text, kind) => {
  if (kind !== 'plain') return kind;
  return constantName.test(text) ? 'constant' : /^[A-Z]\w*[a-z]\w*$/.test(text) ? 'type' : kind;
};
/** `name() {` in an object is a method. */
const refineScript: Refine = (text, kind, after) =>
  kind === 'property' && after.startsWith('(') ? 'function' : refineNames(text, kind, after);
/** `Name:` in a literal is a field. */
const refineGo: Refine = (text, kind, after) =>
  kind === 'plain' && /^:(?!=)/.test(after) ? 'property' : refineNames(text, kind, after);
const refinePhp: Refine = (text, kind) => (text.startsWith('$') ? 'variable' : refineNames(text, kind, ''));
const refineConstants: Refine = (text, kind) => (kind === 'plain' && constantName.test(text) ? 'constant' : kind);
/** `name=` without a space is an argument. */
const refinePython: Refine = (text, kind, after) =>
  kind === 'plain' && /^=[^=\s]/.test(after) ? 'property' : refineNames(text, kind, after);

const lezer =
  (load: () => Promise<Parser>, refine?: Refine): Open =>
  async () =>
    lezerTokenizer(await load(), refine);

const javaScript = (dialect: string) => async () => (await import('@lezer/javascript')).parser.configure({ dialect });
const cpp = async () => (await import('@lezer/cpp')).parser;
// What these grammars do not tell apart.
const phpStatements = lezer(
  async () =>
    (await import('@lezer/php')).parser.configure({
      top: 'Program',
      props: [styleTags({ Name: tags.variableName, 'NewExpression/Name': tags.className })],
    }),
  refinePhp,
);
const go = async () =>
  (await import('@lezer/go')).parser.configure({
    props: [styleTags({ 'CallExpr/SelectorExpr/FieldName': tags.function(tags.propertyName) })],
  });
const rust = async () =>
  (await import('@lezer/rust')).parser.configure({
    props: [
      styleTags({
        'CallExpression/ScopedIdentifier/Identifier': tags.function(tags.variableName),
        'Attribute! InnerAttribute!': tags.meta,
      }),
    ],
  });
const css = async () =>
  (await import('@lezer/css')).parser.configure({
    props: [styleTags({ Callee: tags.function(tags.variableName), KeywordQuery: tags.atom })],
  });
const java = async () =>
  (await import('@lezer/java')).parser.configure({
    props: [
      styleTags({ void: tags.typeName, 'MethodDeclaration/Definition': tags.function(tags.definition(tags.variableName)) }),
    ],
  });

/** HTML with its scripts and styles. */
async function html(): Promise<Tokenizer> {
  const [{ parser }, script, typed, style] = await Promise.all([
    import('@lezer/html'),
    openTokenizer('jsx'),
    openTokenizer('tsx'),
    openTokenizer('css'),
  ]);
  const guests = [
    between(typedScript, /<\/script\s*>/gi, typed),
    between(/<script\b[^>]*>/gi, /<\/script\s*>/gi, script),
    between(/<style\b[^>]*>/gi, /<\/style\s*>/gi, style),
  ];
  return withRegions(lezerTokenizer(parser.configure({ dialect: 'selfClosing' })), together(guests));
}

/** PHP in HTML, or statements alone. */
async function php(): Promise<Tokenizer> {
  const [host, statements] = await Promise.all([openTokenizer('html'), phpStatements()]);
  const inHtml = withRegions(host, between(/<\?(?:php\b|=)/g, /\?>|(?![\s\S])/g, statements));
  return (code) => (/<\?(?:php\b|=)/.test(code) ? inHtml(code) : statements(code));
}

const typedScript = /<script\b(?=[^>]*(?:\blang="?tsx?\b|typescript))[^>]*>/gi;

/** Marks look like what they mark. */
const marks = {
  HeaderMark: tags.heading,
  'InlineCode/CodeMark': tags.monospace,
  'StrongEmphasis/EmphasisMark': tags.strong,
  'Emphasis/EmphasisMark': tags.emphasis,
  'FencedCode/CodeMark ListMark QuoteMark LinkMark TableDelimiter': tags.separator,
};

/** The parser's time grows with the square of the marks between two blank lines, of which real text has far fewer. */
const hasManyMarks = (code: string) =>
  code.split(/\n\s*\n/).some((block) => (block.match(/[[\]`*_~>]|\d[.)]/g)?.length ?? 0) > 5000);

async function markdown(): Promise<Tokenizer> {
  const [{ parser, GFM }, elements, yaml] = await Promise.all([
    import('@lezer/markdown'),
    openTokenizer('html'),
    openTokenizer('yaml'),
  ]);
  const guests = new Map(
    await Promise.all(embedded.map(async (name) => [languageOf(name)!, await openTokenizer(languageOf(name)!)] as const)),
  );
  const inFences = fenced((language) => guests.get(languageOf(language) ?? '') ?? (() => []));
  const text = lezerTokenizer(parser.configure([GFM, { props: [styleTags(marks)] }]));
  return withRegions(
    (code) => (hasManyMarks(code) ? [] : text(code)),
    together([frontmatter(yaml), inFences, between(tagStart, tagEnd, elements, { whole: true })]),
    // Spaces would be indented code.
    'x',
  );
}

// A tag ends before a blank line.
const tagStart = /<(?=\/?[A-Za-z][\w.:-]*[\s/>])/g;
const openTagStart = /<(?=[A-Za-z][\w.:-]*[\s/>])/g;
const tagEnd = /(?<!=)>|\n[ \t]*\n/g;

/** Markdown whose elements and imports are JavaScript. */
async function mdx(): Promise<Tokenizer> {
  const [host, script] = await Promise.all([openTokenizer('markdown'), openTokenizer('jsx')]);
  const find = together([matches(/^(?:import|export)\b.+$/gm, script), between(openTagStart, tagEnd, script, { whole: true })]);
  return withRegions(host, (code) => outside(find(code), inFence(code)), 'x');
}
const inFence = fenced(() => () => []);

const frontmatter = (tokenize: Tokenizer): FindRegions => {
  const find = between(/^---\n/g, /\n---(?![^\n])/g, tokenize);
  return (code) => find(code).slice(0, 1);
};
/** Languages of blocks in Markdown; those of others are plain text there. */
const embedded = 'yaml json bash javascript typescript jsx tsx python go rust java html css diff'.split(' ');

// --- Templates: HTML with expressions

const template =
  (finders: () => Promise<FindRegions[]>): Open =>
  async () => {
    const [host, found] = await Promise.all([openTokenizer('html'), finders()]);
    const find = together(found);
    // An expression may be all of an attribute's value.
    return withRegions(host, (code) => outside(find(code), scriptsAndStyles(code)), '_');
  };

const scriptsAndStyles = between(/<(?:script|style)\b/gi, /<\/(?:script|style)\s*>/gi, () => [], { whole: true });

const jinja: Open = () => mode(async () => (await import('@codemirror/legacy-modes/mode/jinja2')).jinja2, inJinja)();
const moustaches = template(async () => [between(/\{[{%#]/g, /[}%#]\}/g, await jinja(), { whole: true })]);
const vueAttribute = /(?<=\s(?:[:@#]|v-)[\w.:[\]-]*=")[^"\n]+(?=")/g;

async function astro(): Promise<Tokenizer> {
  const [host, script] = await Promise.all([openers['svelte']!(), openTokenizer('typescript')]);
  return withRegions(host, frontmatter(script));
}

const httpLine = /^(?:(?<keyword>[A-Z]+|HTTP\/[\d.]+)(?<string> +\S+)(?<plain>.*)|(?<property>[\w-]+:)(?<value>.*))$/dgm;

const httpHead: Tokenizer = (code) =>
  [...code.matchAll(httpLine)].flatMap(({ indices }) =>
    Object.entries(indices!.groups!).flatMap(([name, range]) => {
      if (!range || name === 'plain') return [];
      const start = code.slice(...range).search(/\S/);
      const kind = name === 'value' ? 'string' : (name as Token['kind']);
      return start < 0 ? [] : [{ from: range[0] + start, to: range[1], kind }];
    }),
  );

/** A request or an answer, whose body is JSON in most docs. */
async function http(): Promise<Tokenizer> {
  return withRegions(httpHead, between(/\n\n(?=[[{])/g, /(?![\s\S])/g, await openTokenizer('json')));
}

// --- Stream modes

const mode =
  (load: () => Promise<StreamParser<unknown>>, nameTokens?: NameTokens): Open =>
  async () =>
    streamTokenizer(await load(), nameTokens);

/** Names that a mode does not tell apart: what is called, types with a capital, and constants. */
const named: NameTokens = (style, text, before, after) => {
  // A name after a dot is no keyword.
  const isMember = before.endsWith('.');
  if (!['', 'variable', 'def', 'type'].includes(style) && !(isMember && style === 'keyword')) return undefined;
  if (!/^[\p{L}_]/u.test(text) || style === 'type') return undefined;
  if (/\b(?:class|enum|interface|object|protocol|record|struct)\s+$/.test(before)) return 'type';
  if (style === 'def') return /^\s*[(<]/.test(after) ? 'function' : /^[A-Z]/.test(text) ? 'type' : 'plain';
  const isNew = /\bnew\s+(?:\w+\.)*$/.test(before);
  if (/^\s*(?:<[\w<>, ?[\]]+>)?\(/.test(after)) return isNew ? 'type' : 'function';
  if (constantName.test(text)) return 'constant';
  if (/^[A-Z]\w*[a-z]/.test(text) && (!isMember || isNew)) return 'type';
  return isMember && style === 'keyword' ? 'plain' : undefined;
};
/** `Name = …` between braces is a property. */
const inCSharp: NameTokens = (style, text, before, after) => {
  if (text === 'when' || text === 'with') return 'keyword';
  return /^\s*=(?![=>])/.test(after) && /^[A-Z]/.test(text) && /(?:^|[{,])\s*$/.test(before)
    ? 'property'
    : named(style, text, before, after);
};
/** A block after a name is the last argument of a call. */
const inKotlin: NameTokens = (style, text, before, after) =>
  (style === 'variable' ? /(?:^\s*|\.)$/ : /\.$/).test(before) && /^\s*\{/.test(after)
    ? 'function'
    : named(style, text, before, after);
const inSwift: NameTokens = (style, text, before, after) => {
  if (style === 'property') return after.startsWith('(') ? 'function' : 'property';
  return after.startsWith(':') && /[(,]\s*$/.test(before) ? 'property' : named(style, text, before, after);
};

/** The first word of a command is what runs. */
const inShell: NameTokens = (style, text, before, after) => {
  // A prompt is `$ ` before a command.
  if (style === 'def') return text.startsWith('$ ') ? 'function' : 'variable';
  if (style === 'attribute') return 'property';
  if (style === 'number') return /(?:^|[\s=])$/.test(before) && /^(?:\s|$|[;|&)])/.test(after) ? 'constant' : 'plain';
  if (style === 'builtin') return isCommand(before) ? 'function' : 'plain';
  if (style === '' && /^[\w./~-]/.test(text)) return isCommand(before) && !after.startsWith('=') ? 'function' : 'plain';
  return undefined;
};
const isCommand = (before: string) =>
  /(?:^|[|;&({`]|\$\()\s*(?:\w+=\S*\s+)*$|(?:^|[\s;])(?:then|do|else|sudo|time|exec|!)\s+$/.test(before);

const yamlConstant = /^\s*(?:true|false|null|~|[-+]?\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?)\s*$/i;
/** Text without quotes is a string, too. */
const inYaml: NameTokens = (style, text, before, after) => {
  if (style === 'atom') return 'property';
  if (style === 'keyword') return 'constant';
  if (style === 'variable') return 'variable';
  if (style === 'meta') return /^[&!*]/.test(text) ? 'type' : 'plain';
  if (style === '' && yamlConstant.test(text) && /(?:^|[\s[,:])$/.test(before) && /^\s*(?:[\],}#]|$)/.test(after))
    return 'constant';
  return style === '' && text.trim() !== '' && !/^[,[\]{}]/.test(text) ? 'string' : undefined;
};
const inJson: NameTokens = (style) => (style === 'string property' ? 'property' : undefined);
const inToml: NameTokens = (style, text) => (style === 'atom' && text.startsWith('[') ? 'type' : undefined);
const inProperties: NameTokens = (style) => (style === 'def' ? 'property' : style === 'quote' ? 'string' : undefined);
const wordSet = (words: string) => Object.fromEntries(words.split(/\s+/).map((word) => [word, true]));

/** What dialects share: the modes of single ones take names such as `id`, `temp` and `timestamp` for keywords. */
const sqlDialect = {
  keywords: wordSet(`add after all alter analyze and any as asc begin before between by cascade case check collate column commit
    conflict constraint create cross database declare default delete desc distinct do drop each else end except execute exists
    explain extension fetch first for foreign from full function grant group having if in index inner insert intersect into is join key
    language lateral left like limit loop materialized merge natural next not nothing nulls of offset on only or order outer over
    partition primary procedure recursive references rename replace restrict return returning returns revoke right rollback row
    rows schema select set some table temporary then to transaction trigger truncate union unique update use using values view when
    where while window with`),
  builtin:
    wordSet(`bigint bigserial binary bit blob bool boolean bytea char character clob date datetime decimal double float float4
    float8 int int2 int4 int8 integer interval json jsonb long longtext mediumint mediumtext money nchar number numeric nvarchar
    precision real serial smallint string text time timestamp timestamptz tinyint unsigned uuid varchar varchar2 varbinary year`),
  atoms: wordSet('false true null unknown'),
  support: wordSet('ODBCdotTable doubleQuote binaryNumber hexNumber'),
  hooks: {
    '`': (stream: { match(pattern: RegExp): unknown }) => {
      stream.match(/^[^`]*`?/);
      return 'string';
    },
  },
};

const inSql: NameTokens = (style, text, before, after) => {
  if (style !== 'keyword' && style !== 'type' && style !== '') return undefined;
  if (before.endsWith('.')) return 'plain';
  if (/^key$/i.test(text)) return /\b(?:primary|foreign|unique)\s+$/i.test(before) ? 'keyword' : 'plain';
  // A type follows the name of its column.
  if (style === 'type') return /[\w"`](?:\s+|::)$|^\s*$/.test(before) ? 'type' : 'plain';
  const isCalled =
    style === '' ? /^\w/.test(text) : !/^(?:as|and|any|in|into|key|on|or|over|some|table|using|values)$/i.test(text);
  return isCalled && after.startsWith('(') && !/\b(?:table|into)\s+$/i.test(before) ? 'function' : undefined;
};
const inJinja: NameTokens = (style) => (style === 'tag' ? 'plain' : undefined);
const inDiff: NameTokens = (style) => (style === 'meta' ? 'changed' : undefined);
const inRuby: NameTokens = (style, text, before, after) => {
  if (style === 'tag' || (style === 'atom' && /^[A-Z]/.test(text))) return 'type';
  if (style === 'propertyName') return 'variable';
  if (style === 'property' || style === 'def') return 'function';
  if (style === 'atom' && text.startsWith(':') && before.endsWith(':')) return 'type';
  return /^(?:true|false|nil)$/.test(text) ? 'constant' : named(style, text, before, after);
};
const inPowerShell: NameTokens = (style, text, before) =>
  style === 'builtin' && before.endsWith('-')
    ? 'plain'
    : style === 'variable' && text.startsWith('$')
      ? 'variable'
      : style === 'variable'
        ? 'plain'
        : undefined;
const inDocker: NameTokens = (style) => (style === 'def' ? 'variable' : undefined);

const clike = (
  name: 'c' | 'csharp' | 'dart' | 'kotlin' | 'scala' | 'objectiveC' | 'objectiveCpp' | 'shader',
  nameTokens = named,
): Open => mode(async () => (await import('@codemirror/legacy-modes/mode/clike'))[name], nameTokens);
const json = mode(async () => (await import('@codemirror/legacy-modes/mode/javascript')).json, inJson);
const properties = mode(async () => (await import('@codemirror/legacy-modes/mode/properties')).properties, inProperties);
const shell = mode(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell, inShell);

const openers: Record<string, Open> = {
  javascript: lezer(javaScript('jsx'), refineScript),
  jsx: lezer(javaScript('jsx'), refineScript),
  typescript: lezer(javaScript('ts'), refineScript),
  tsx: lezer(javaScript('ts jsx'), refineScript),
  python: lezer(async () => (await import('@lezer/python')).parser, refinePython),
  html,
  css: lezer(css),
  postcss: lezer(css),
  scss: lezer(async () => (await import('@lezer/sass')).parser),
  sass: lezer(async () => (await import('@lezer/sass')).parser.configure({ dialect: 'indented' })),
  less: mode(async () => (await import('@codemirror/legacy-modes/mode/css')).less),
  rust: lezer(rust, refineNames),
  go: lezer(go, refineGo),
  java: lezer(java, refineNames),
  c: lezer(cpp, refineConstants),
  cpp: lezer(cpp, refineConstants),
  php,
  xml: lezer(async () => (await import('@lezer/xml')).parser),
  markdown,
  mdx,
  mdc: markdown,

  vue: template(async () => {
    const script = await openTokenizer('typescript');
    return [between(/\{\{/g, /\}\}/g, script), matches(vueAttribute, script)];
  }),
  'vue-html': () => openTokenizer('vue'),
  'angular-html': () => openTokenizer('vue'),
  svelte: template(async () => [inBraces(await openTokenizer('tsx'))]),
  astro,
  erb: template(async () => [between(/<%[=#%-]?/g, /-?%>/g, await openTokenizer('ruby'))]),
  jinja: moustaches,
  twig: moustaches,
  liquid: moustaches,
  handlebars: moustaches,

  json,
  jsonc: json,
  json5: json,
  jsonl: json,
  yaml: mode(async () => (await import('@codemirror/legacy-modes/mode/yaml')).yaml, inYaml),
  toml: mode(async () => (await import('@codemirror/legacy-modes/mode/toml')).toml, inToml),
  ini: properties,
  dotenv: properties,
  shellscript: shell,
  shellsession: shell,
  fish: shell,
  powershell: mode(async () => (await import('@codemirror/legacy-modes/mode/powershell')).powerShell, inPowerShell),
  docker: mode(async () => (await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile, inDocker),
  http,
  diff: mode(async () => (await import('@codemirror/legacy-modes/mode/diff')).diff, inDiff),
  sql: mode(async () => (await import('@codemirror/legacy-modes/mode/sql')).sql(sqlDialect), inSql),
  plsql: mode(async () => (await import('@codemirror/legacy-modes/mode/sql')).plSQL, inSql),
  ruby: mode(async () => (await import('@codemirror/legacy-modes/mode/ruby')).ruby, inRuby),
  csharp: clike('csharp', inCSharp),
  kotlin: clike('kotlin', inKotlin),
  dart: clike('dart'),
  scala: clike('scala'),
  'objective-c': clike('objectiveC'),
  'objective-cpp': clike('objectiveCpp'),
  glsl: clike('shader'),
  hlsl: clike('shader'),
  swift: mode(async () => (await import('@codemirror/legacy-modes/mode/swift')).swift, inSwift),
  groovy: mode(async () => (await import('@codemirror/legacy-modes/mode/groovy')).groovy, named),
  lua: mode(async () => (await import('@codemirror/legacy-modes/mode/lua')).lua, named),
  perl: mode(async () => (await import('@codemirror/legacy-modes/mode/perl')).perl),
  r: mode(async () => (await import('@codemirror/legacy-modes/mode/r')).r, named),
  julia: mode(async () => (await import('@codemirror/legacy-modes/mode/julia')).julia, named),
  haskell: mode(async () => (await import('@codemirror/legacy-modes/mode/haskell')).haskell),
  clojure: mode(async () => (await import('@codemirror/legacy-modes/mode/clojure')).clojure),
  elm: mode(async () => (await import('@codemirror/legacy-modes/mode/elm')).elm),
  fsharp: mode(async () => (await import('@codemirror/legacy-modes/mode/mllike')).fSharp),
  ocaml: mode(async () => (await import('@codemirror/legacy-modes/mode/mllike')).oCaml),
  'common-lisp': mode(async () => (await import('@codemirror/legacy-modes/mode/commonlisp')).commonLisp),
  'emacs-lisp': mode(async () => (await import('@codemirror/legacy-modes/mode/commonlisp')).commonLisp),
  scheme: mode(async () => (await import('@codemirror/legacy-modes/mode/scheme')).scheme),
  racket: mode(async () => (await import('@codemirror/legacy-modes/mode/scheme')).scheme),
  coffee: mode(async () => (await import('@codemirror/legacy-modes/mode/coffeescript')).coffeeScript),
  crystal: mode(async () => (await import('@codemirror/legacy-modes/mode/crystal')).crystal, inRuby),
  d: mode(async () => (await import('@codemirror/legacy-modes/mode/d')).d, named),
  proto: mode(async () => (await import('@codemirror/legacy-modes/mode/protobuf')).protobuf, named),
  protobuf: mode(async () => (await import('@codemirror/legacy-modes/mode/protobuf')).protobuf, named),
  latex: mode(async () => (await import('@codemirror/legacy-modes/mode/stex')).stex),
  tex: mode(async () => (await import('@codemirror/legacy-modes/mode/stex')).stex),
  matlab: mode(async () => (await import('@codemirror/legacy-modes/mode/octave')).octave, named),
  pascal: mode(async () => (await import('@codemirror/legacy-modes/mode/pascal')).pascal, named),
  vb: mode(async () => (await import('@codemirror/legacy-modes/mode/vb')).vb, named),
  verilog: mode(async () => (await import('@codemirror/legacy-modes/mode/verilog')).verilog),
  'system-verilog': mode(async () => (await import('@codemirror/legacy-modes/mode/verilog')).verilog),
  vhdl: mode(async () => (await import('@codemirror/legacy-modes/mode/vhdl')).vhdl),
  tcl: mode(async () => (await import('@codemirror/legacy-modes/mode/tcl')).tcl),
  cypher: mode(async () => (await import('@codemirror/legacy-modes/mode/cypher')).cypher),
  turtle: mode(async () => (await import('@codemirror/legacy-modes/mode/turtle')).turtle),
  gherkin: mode(async () => (await import('@codemirror/legacy-modes/mode/gherkin')).gherkin),
  haxe: mode(async () => (await import('@codemirror/legacy-modes/mode/haxe')).haxe, named),
  pug: mode(async () => (await import('@codemirror/legacy-modes/mode/pug')).pug),
  stylus: mode(async () => (await import('@codemirror/legacy-modes/mode/stylus')).stylus),
  wasm: mode(async () => (await import('@codemirror/legacy-modes/mode/wast')).wast),
};
