// A module as it goes into the bundle: what it says of addresses is answered by the bundle's runtime, since its own address is lost there.
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { scriptFault } from './script-fault.ts';
import { applyEdits, lineAt, type Edit } from '../text/edit.ts';

export interface ModuleSite {
  /** Root-absolute address of the file that an address in a script is of; undefined where it is of none. */
  ownAddress(address: string): string | undefined;
  /** Whether files also go by addresses that seem to lead elsewhere. */
  hasOther: boolean;
  isRemote(specifier: string, importer: string): boolean;
}

/** `file` is what the runtime calls a module: its path in the export, or nothing for one that stood in a page. */
export interface Module {
  id: string;
  code: string;
  file?: string;
}

export interface RewrittenModule {
  code: string;
  /** Lines of `new Worker(…)`. */
  workers: number[];
  /** What addresses begin with that are put together for `import()`: `./pages/` of `./pages/${name}.js`. */
  prefixes: string[];
}

/** Throws `ModuleError` where it does not parse. */
export function rewriteModule(module: Module, site: ModuleSite): RewrittenModule {
  const { code } = module;
  const fault = scriptFault(code, 'module');
  if (fault) throw new ModuleError(fault.message, fault.line);
  const parsed = parseSync('module.js', code, { lang: 'js', sourceType: 'module' });
  const error = parsed.errors[0];
  if (error) throw new ModuleError(error.message, lineAt(code, error.labels[0]?.start ?? 0));
  const remote = remoteImports(module.id, parsed.module.staticImports, parsed.module.staticExports, site);
  const found: Findings = { edits: [], workers: [], prefixes: [] };
  if (needsTree(code) || (site.hasOther && /["'`](?:https?:)?\/\//.test(code))) readTree(module, parsed.program, site, found);
  const rewritten = applyEdits(code, [...remote, ...found.edits]);
  const isModule = parsed.module.hasModuleSyntax && remote.length === 0;
  // Without it a script made for several module systems would be taken for one of CommonJS.
  return { ...found, code: isModule ? rewritten : `${rewritten}\nexport {}` };
}

/** A module that is no JavaScript. */
export class ModuleError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

// Reading the tree costs more than all else, and most modules have nothing of this.
function needsTree(code: string): boolean {
  return /import\.meta|\bimport\s*\(\s*(?!["'`][^"'`$]*["'`]\s*\))|vite:preloadError|\bnew\s+(?:Shared)?Worker\b|["'`]\/[^/"'`\s\\][^"'`\s\\]*\.\w+["'`]|\bprefetch\b/.test(
    code,
  );
}

interface Findings {
  edits: Edit[];
  workers: number[];
  prefixes: string[];
}

function readTree({ code, file }: Module, program: ESTree.Program, site: ModuleSite, found: Findings): void {
  const { edits, workers, prefixes } = found;
  const self = file === undefined ? '' : JSON.stringify(file);
  const functions: ESTree.Function[] = [];
  // Strings that are no expressions, or are addresses of modules already.
  const fixed = new Set<number>();
  const fix = (node: { start: number } | null | undefined) => node && fixed.add(node.start);
  const enter = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => void functions.push(node as ESTree.Function);
  const exit = () => void functions.pop();
  const address = (node: ESTree.Expression, value: string | undefined) => {
    if (value === 'vite:preloadError') edits.push(...preloadEdits(functions));
    if (value === undefined || fixed.has(node.start) || !/^(?:\/|https?:)/.test(value)) return;
    const own = site.ownAddress(value);
    if (own !== undefined)
      edits.push({ start: node.start, end: node.end, text: `__carrel_address(${JSON.stringify(own)}).href` });
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
    Literal: (node) => address(node, typeof node.value === 'string' ? node.value : undefined),
    TemplateLiteral: (node) =>
      address(node, node.expressions.length > 0 ? undefined : (node.quasis[0]?.value.cooked ?? undefined)),
    ImportExpression({ source, start }) {
      fix(source);
      if (textOf(source) !== undefined) return;
      prefixes.push(beginningOf(source));
      edits.push({ start, end: code.indexOf('(', start) + 1, text: '__carrel_load(' });
      edits.push({ start: source.end, end: source.end, text: self === '' ? '' : `,${self}` });
    },
    MetaProperty: ({ start, end, meta }) => meta.name === 'import' && edits.push({ start, end, text: `__carrel_meta(${self})` }),
    NewExpression({ callee, arguments: [first, second], start }) {
      if (callee.type !== 'Identifier') return;
      if (/^(?:Shared)?Worker$/.test(callee.name) && isFileAddress(first)) workers.push(lineAt(code, start));
      if (callee.name !== 'URL' || !first || !second || !/\bimport\.meta\.url\b/.test(code.slice(second.start, second.end)))
        return;
      // A root-absolute address is not that of the root of the disk, or of the host.
      fix(first);
      edits.push({ start, end: first.start, text: '__carrel_address(' });
      edits.push({ start: first.end, end: second.end, text: self === '' ? '' : `,${self}` });
    },
    AssignmentExpression({ left, right }) {
      // Asking for a page ahead of time is refused on file://, and says so on the console.
      if (textOf(right) === 'prefetch' && left.type === 'MemberExpression' && code.slice(left.start, left.end).endsWith('.rel'))
        edits.push({ start: right.start, end: right.end, text: '(location.protocol==="file:"?"":"prefetch")' });
    },
  }).visit(program);
}

// A worker made of a blob works everywhere.
function isFileAddress(node: ESTree.Argument | undefined): boolean {
  if (!node || node.type === 'SpreadElement') return false;
  const text = textOf(node);
  return text === undefined ? node.type === 'NewExpression' : !/^(?:blob|data):/.test(text);
}

// The function that Vite calls before each dynamic import: it finds style sheets by root-absolute addresses.
function preloadEdits(functions: ESTree.Function[]): Edit[] {
  const preload = functions.find(({ params }) => params.length === 2 || params.length === 3);
  const names = preload?.params.map((parameter) => (parameter.type === 'Identifier' ? parameter.name : undefined));
  if (!preload?.body || names === undefined || names.includes(undefined)) return [];
  return [{ start: preload.body.start, end: preload.body.end, text: `{return __carrel_preload(${names.join()})}` }];
}

function textOf(node: ESTree.Expression): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The known beginning of a text that is put together. */
function beginningOf(node: ESTree.Expression): string {
  if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.cooked ?? '';
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return textOf(node) ?? '';
  return beginningOf(node.left);
}

type StaticImports = ReturnType<typeof parseSync>['module']['staticImports'];
type StaticExports = ReturnType<typeof parseSync>['module']['staticExports'];

// A classic script cannot import from another host before it runs, only while it does.
function remoteImports(id: string, imports: StaticImports, exports: StaticExports, site: ModuleSite): Edit[] {
  const edits: Edit[] = [];
  const load = (specifier: string) => `await import(${JSON.stringify(specifier)})`;
  for (const { start, end, moduleRequest, entries } of imports) {
    if (!site.isRemote(moduleRequest.value, id)) continue;
    const space = `__carrel_remote${start}`;
    const names = entries.map(({ importName, localName }) => {
      if (importName.kind === 'NamespaceObject') return `${localName.value}=${space}`;
      return `${localName.value}=${space}[${JSON.stringify(importName.name ?? 'default')}]`;
    });
    edits.push({ start, end, text: `const ${[`${space}=${load(moduleRequest.value)}`, ...names].join()};` });
  }
  for (const { start, end, entries } of exports) {
    const request = entries[0]?.moduleRequest;
    if (!request || !site.isRemote(request.value, id)) continue;
    const space = `__carrel_remote${start}`;
    const names = entries.map(({ importName, exportName }, index) => ({
      local: `${space}_${index}`,
      value: importName.kind === 'Name' ? `${space}[${JSON.stringify(importName.name)}]` : space,
      name: exportName.kind === 'Default' ? 'default' : exportName.name,
    }));
    const known = names.filter(({ name }) => name !== null);
    const constants = [`${space}=${load(request.value)}`, ...known.map(({ local, value }) => `${local}=${value}`)].join();
    edits.push({
      start,
      end,
      text: `const ${constants};export{${known.map(({ local, name }) => `${local} as ${name}`).join()}};`,
    });
  }
  return edits;
}
