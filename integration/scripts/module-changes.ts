// Expressions about URLs in a module become calls of the bundle's runtime, since a module does not have its own URL in the bundle.
import { Visitor, type ESTree } from 'rolldown/utils';
import { lineAt, type Edit } from '../text/edit.ts';
import { mayHoldExternalTexts } from './external-texts.ts';

/** What must change in a module for the bundle, as far as the syntax tree alone shows it. */
export interface ModuleChanges {
  changes: ModuleChange[];
  /** Lines of `new Worker(…)`. */
  workers: number[];
  /** Constant prefixes of computed paths in `import()`: `./pages/` of `./pages/${name}.js`. */
  prefixes: string[];
}

/**
 * A change of the text: to a given text, or to what depends on the module's file: `url` to a call for the URL of a file of the site (where
 * `url` is one), `meta` to that for `import.meta`, `base` to the last argument of a call, which says what a path is relative to.
 */
export type ModuleChange =
  | ({ kind: 'text' } & Edit)
  | ({ kind: 'url'; url: string } & Span)
  | ({ kind: 'meta' } & Span)
  | ({ kind: 'base' } & Span);

interface Span {
  start: number;
  end: number;
}

/** Whether a module may say anything about URLs of its own site. Most do not, and reading the tree costs more than everything else. */
export function mayNameFiles(code: string): boolean {
  return /import\.meta|\bimport\s*\(\s*(?!["'`][^"'`$]*["'`]\s*\))|vite:preloadError|\bnew\s+(?:Shared)?Worker\b|["'`]\/[^/"'`\s\\][^"'`\s\\]*\.\w+["'`]|\bprefetch\b/.test(
    code,
  );
}

/** Whether it may, or contains URLs of external origins, by which vendored files are found. */
export function mayChange(code: string): boolean {
  return mayNameFiles(code) || mayHoldExternalTexts(code);
}

export function moduleChanges(program: ESTree.Program, code: string): ModuleChanges {
  const changes: ModuleChange[] = [];
  const workers: number[] = [];
  const prefixes: string[] = [];
  const functions: ESTree.Function[] = [];
  // Strings that are not expressions, or are specifiers of modules already.
  const fixed = new Set<number>();
  const fix = (node: { start: number } | null | undefined) => node && fixed.add(node.start);
  const enter = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => void functions.push(node as ESTree.Function);
  const exit = () => void functions.pop();
  const add = ({ start, end }: ESTree.Expression, url: string | undefined) => {
    if (url === 'vite:preloadError') changes.push(...preloadChanges(functions));
    if (url === undefined || fixed.has(start) || !/^(?:\/|https?:)/.test(url)) return;
    changes.push({ kind: 'url', start, end, url });
  };

  new Visitor({
    ImportDeclaration: ({ source }) => fix(source),
    ExportNamedDeclaration: ({ source }) => fix(source),
    ExportAllDeclaration: ({ source }) => fix(source),
    ImportAttribute: ({ value }) => fix(value),
    Property: ({ key, computed }) => computed || fix(key),
    MethodDefinition: ({ key, computed }) => computed || fix(key),
    PropertyDefinition: ({ key, computed }) => computed || fix(key),
    ExpressionStatement: ({ expression, directive }) => directive && fix(expression),
    TaggedTemplateExpression: ({ quasi }) => fix(quasi),
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': exit,
    FunctionExpression: enter,
    'FunctionExpression:exit': exit,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': exit,
    Literal: (node) => add(node, textOf(node)),
    TemplateLiteral: (node) => add(node, textOf(node)),
    ImportExpression({ source, start }) {
      fix(source);
      if (textOf(source) !== undefined) return;
      prefixes.push(beginningOf(source));
      changes.push({ kind: 'text', start, end: code.indexOf('(', start) + 1, text: '__carrel_load(' });
      changes.push({ kind: 'base', start: source.end, end: source.end });
    },
    MetaProperty: ({ start, end, meta }) => meta.name === 'import' && changes.push({ kind: 'meta', start, end }),
    NewExpression({ callee, arguments: [first, second], start }) {
      if (callee.type !== 'Identifier') return;
      if (/^(?:Shared)?Worker$/.test(callee.name) && startsFromFile(first)) workers.push(lineAt(code, start));
      if (callee.name !== 'URL' || !first || !second || !/\bimport\.meta\.url\b/.test(code.slice(second.start, second.end)))
        return;
      // A root-absolute path would mean the root of the disk, or of the host.
      fix(first);
      changes.push({ kind: 'text', start, end: first.start, text: '__carrel_address(' });
      changes.push({ kind: 'base', start: first.end, end: second.end });
    },
    AssignmentExpression({ left, right }) {
      // Browsers refuse to prefetch a page on file://, and say so on the console.
      if (textOf(right) !== 'prefetch' || left.type !== 'MemberExpression' || !code.slice(left.start, left.end).endsWith('.rel'))
        return;
      changes.push({ kind: 'text', start: right.start, end: right.end, text: '(location.protocol==="file:"?"":"prefetch")' });
    },
  }).visit(program);
  return { changes, workers, prefixes };
}

// A worker from a blob works everywhere.
function startsFromFile(node: ESTree.Argument | undefined): boolean {
  if (!node || node.type === 'SpreadElement') return false;
  const text = textOf(node);
  return text === undefined ? node.type === 'NewExpression' : !/^(?:blob|data):/.test(text);
}

// The function that Vite calls before each dynamic import: it finds stylesheets by root-absolute paths.
function preloadChanges(functions: ESTree.Function[]): ModuleChange[] {
  const preload = functions.find(({ params }) => params.length === 2 || params.length === 3);
  const names = preload?.params.map((parameter) => (parameter.type === 'Identifier' ? parameter.name : undefined));
  if (!preload?.body || names === undefined || names.includes(undefined)) return [];
  const { start, end } = preload.body;
  return [{ kind: 'text', start, end, text: `{return __carrel_preload(${names.join()})}` }];
}

function textOf(node: ESTree.Expression): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The constant prefix of a computed text. */
function beginningOf(node: ESTree.Expression): string {
  if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.cooked ?? '';
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return textOf(node) ?? '';
  return beginningOf(node.left);
}
