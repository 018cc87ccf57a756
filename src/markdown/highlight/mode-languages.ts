// Languages that CodeMirror's stream modes read, and what their tokens do not tell.
import type { StreamParser } from '@codemirror/streamparser';
import { constantName, type Open } from './language.ts';
import { type NameTokens, streamTokenizer } from './stream.ts';

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
const inDiff: NameTokens = (style) => (style === 'meta' ? 'changed' : undefined);
const inRuby: NameTokens = (style, text, before, after) => {
  if (style === 'tag' || (style === 'atom' && /^[A-Z]/.test(text))) return 'type';
  if (style === 'propertyName') return 'variable';
  if (style === 'property' || style === 'def') return 'function';
  if (style === 'atom' && text.startsWith(':') && before.endsWith(':')) return 'type';
  return /^(?:true|false|nil)$/.test(text) ? 'constant' : named(style, text, before, after);
};
const inPowerShell: NameTokens = (style, text, before, after) => {
  if (/^\$(?:true|false|null)$/i.test(text)) return 'constant';
  if (text.startsWith('$')) return 'variable';
  if (style !== 'builtin' && style !== 'variable') return undefined;
  if (/(?:^|[^\w\]$]\s*)\[[\w.]*$/.test(before)) return 'type';
  if (/\bfunction\s+$/i.test(before) || /^[A-Za-z]+-[A-Z]\w*$/.test(text) || (/(?:\.|::)$/.test(before) && after.startsWith('(')))
    return 'function';
  return style === 'builtin' && !before.endsWith('-') ? undefined : 'plain';
};
const inDocker: NameTokens = (style) => (style === 'def' ? 'variable' : undefined);

const clike = (
  name: 'csharp' | 'dart' | 'kotlin' | 'scala' | 'objectiveC' | 'objectiveCpp' | 'shader',
  nameTokens = named,
): Open => mode(async () => (await import('@codemirror/legacy-modes/mode/clike'))[name], nameTokens);
const json = mode(async () => (await import('@codemirror/legacy-modes/mode/javascript')).json, inJson);
const properties = mode(async () => (await import('@codemirror/legacy-modes/mode/properties')).properties, inProperties);
const shell = mode(async () => (await import('@codemirror/legacy-modes/mode/shell')).shell, inShell);

/** What is in the braces of a template. */
export const jinjaExpression = mode(
  async () => (await import('@codemirror/legacy-modes/mode/jinja2')).jinja2,
  (style) => (style === 'tag' ? 'plain' : undefined),
);

/** By the identifier that `languageOf` gives. */
export const modeLanguages: Record<string, Open> = {
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
  less: mode(async () => (await import('@codemirror/legacy-modes/mode/css')).less),
};
