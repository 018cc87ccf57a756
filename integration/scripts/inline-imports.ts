import { hash } from 'node:crypto';
import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { lineAt } from '../export/edit.ts';
import { detached } from '../export/targets.ts';

/** What a script that stands in a page imports. */
export interface InlineImports {
  /** Specifiers of its statements. */
  statements: string[];
  calls: ImportCall[];
  /** Why it does not parse, with its line. */
  error?: { message: string; line: number };
}

/** An `import(…)`: where it stands, and its argument. */
export interface ImportCall {
  start: number;
  argument: { start: number; end: number };
  /** Undefined where it is known only when the script runs. */
  specifier?: string;
}

/** A text of a script that is the address of another host. */
export interface AddressText {
  start: number;
  end: number;
  address: string;
}

export type AddressTextsReader = (code: string, sourceType: 'module' | 'script') => AddressText[];

/** Reads which texts of a script are addresses of other hosts, but for those of its imports. Each script is read once. */
export function addressTextsReader(): AddressTextsReader {
  const known = new Map<string, AddressText[]>();
  return (code, sourceType) => {
    if (!/["'`](?:https?:)?\/\//.test(code)) return [];
    const key = hash('sha256', `${sourceType}\n${code}`);
    let found = known.get(key);
    if (!found) known.set(key, (found = readTexts(code, sourceType)));
    return found;
  };
}

function readTexts(code: string, sourceType: 'module' | 'script'): AddressText[] {
  const { program, errors } = parseSync('inline.js', code, { lang: 'js', sourceType });
  if (errors.length > 0) return [];
  const found: AddressText[] = [];
  const fixed = new Set<number>();
  const fix = (node: { start: number } | null) => node && fixed.add(node.start);
  const add = ({ start, end }: ESTree.Expression, value: unknown) => {
    if (typeof value !== 'string' || fixed.has(start) || !/^(?:https?:)?\/\//.test(value)) return;
    found.push({ start, end, address: detached(value) });
  };
  new Visitor({
    ImportDeclaration: ({ source }) => fix(source),
    ExportNamedDeclaration: ({ source }) => fix(source),
    ExportAllDeclaration: ({ source }) => fix(source),
    ImportExpression: ({ source }) => fix(source),
    Property: ({ key, computed }) => computed || fix(key),
    MethodDefinition: ({ key, computed }) => computed || fix(key),
    PropertyDefinition: ({ key, computed }) => computed || fix(key),
    TaggedTemplateExpression: ({ quasi }) => fix(quasi),
    // What is fetched cannot be a file.
    CallExpression: ({ callee, arguments: [first] }) => isFetch(callee) && first && fix(first),
    NewExpression: ({ callee, arguments: [first] }) =>
      callee.type === 'Identifier' && callee.name === 'Request' && first && fix(first),
    Literal: (node) => add(node, node.value),
    TemplateLiteral: (node) => node.expressions.length === 0 && add(node, node.quasis[0]?.value.cooked),
  }).visit(program);
  return found;
}

function isFetch(callee: ESTree.Expression): boolean {
  const name = callee.type === 'MemberExpression' && !callee.computed ? callee.property : callee;
  return name.type === 'Identifier' && name.name === 'fetch';
}

export type InlineImportsReader = (code: string, sourceType: 'module' | 'script') => InlineImports;

/** Reads each script once: the same few stand on every page. */
export function inlineImportsReader(): InlineImportsReader {
  const known = new Map<string, InlineImports>();
  return (code, sourceType) => {
    const key = hash('sha256', `${sourceType}\n${code}`);
    let found = known.get(key);
    if (!found) known.set(key, (found = detached(readImports(code, sourceType))));
    return found;
  };
}

function readImports(code: string, sourceType: 'module' | 'script'): InlineImports {
  const { module, errors } = parseSync('inline.js', code, { lang: 'js', sourceType });
  const [error] = errors;
  if (error)
    return { statements: [], calls: [], error: { message: error.message, line: lineAt(code, error.labels[0]?.start ?? 0) } };
  const statements = [...module.staticImports, ...module.staticExports.flatMap(({ entries }) => entries)];
  return {
    statements: statements.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    calls: module.dynamicImports.map(({ start, moduleRequest: { start: from, end } }) => {
      const literal = /^(["'`])([^"'`$\\]*)\1$/.exec(code.slice(from, end));
      return { start, argument: { start: from, end }, specifier: literal?.[2] };
    }),
  };
}
