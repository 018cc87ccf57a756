// Finds the kinds of problems and the codes of errors in the sources; both are permanent names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

interface Node {
  type: string;
  [key: string]: unknown;
}

/**
 * Every kind of `Problem` (an object with `kind` and `severity` or `message`), every code of an `ExportError`, and every code of an
 * `ApiError` in the folders. Names that are parameters are looked up where the function is called in the same file,
 * and for a table (`refused.code`) all names in the file count.
 * Throws if a name cannot be read from the source, so that none is missed.
 */
export function permanentNames(root: string, folders: string[]): { kinds: string[]; codes: string[]; apiCodes: string[] } {
  const kinds = new Set<string>();
  const codes = new Set<string>();
  const apiCodes = new Set<string>();
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.d.ts') || /(^|[\\/])(build|dist|client|node_modules)[\\/]/.test(name))
        continue;
      const source = readFileSync(join(root, folder, name), 'utf8');
      if (!/\bkind\b|\bExportError\b|\bApiError\b/.test(source)) continue;
      const file = parseAst(source, { lang: 'ts' }) as unknown as Node;
      try {
        for (const [node, parents] of walk(file)) {
          const kind = kindOf(node);
          if (kind) for (const value of valuesOf(kind, parents, file)) kinds.add(value);
          const code = argumentOf('ExportError', 0, node, parents);
          if (code) for (const value of valuesOf(code, parents, file)) codes.add(value);
          const apiCode = argumentOf('ApiError', 0, node, parents);
          if (apiCode) for (const value of valuesOf(apiCode, parents, file)) apiCodes.add(value);
        }
      } catch (error) {
        throw new Error(`${folder}/${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  }
  return { kinds: sorted(kinds), codes: sorted(codes), apiCodes: sorted(apiCodes) };
}

function sorted(names: Set<string>): string[] {
  return [...names].sort();
}

function kindOf(node: Node): Node | undefined {
  if (node.type !== 'ObjectExpression') return undefined;
  const value = (name: string) =>
    (node.properties as Node[]).find((property) => (property.key as Node | undefined)?.name === name)?.value as Node | undefined;
  const kind = (value('severity') ?? value('message')) && value('kind');
  // A problem that is passed on has the kind of the original; a schema of problems has none.
  return kind?.type === 'MemberExpression' || kind?.type === 'CallExpression' ? undefined : kind;
}

/** Returns the arguments of a class's constructor, from `new` or from `super` in a subclass. */
function argumentOf(className: string, position: number, node: Node, parents: Node[]): Node | undefined {
  const callee = node.callee as Node | undefined;
  const isNew = node.type === 'NewExpression' && callee?.name === className;
  const isSuper =
    node.type === 'CallExpression' &&
    callee?.type === 'Super' &&
    (parents.findLast(({ type }) => type.startsWith('Class') && type !== 'ClassBody')?.superClass as Node | undefined)?.name ===
      className;
  return isNew || isSuper ? (node.arguments as Node[])[position] : undefined;
}

/** Returns all strings that an expression may be. */
function valuesOf(node: Node, parents: Node[], file: Node): string[] {
  const of = (part: Node) => valuesOf(part, parents, file);
  if (node.type === 'Literal') return [String(node.value)];
  if (node.type === 'ConditionalExpression') return [...of(node.consequent as Node), ...of(node.alternate as Node)];
  if (node.type === 'TemplateLiteral') {
    const quasis = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string }).cooked);
    return (node.expressions as Node[]).reduce<string[]>(
      (starts, part, index) => starts.flatMap((start) => of(part).map((value) => start + value + quasis[index + 1]!)),
      [quasis[0]!],
    );
  }
  if (node.type === 'MemberExpression') {
    const { name } = node.property as Node;
    const entries = [...walk(file)].filter(([{ type, key }]) => type === 'Property' && (key as Node).name === name);
    const values = entries.flatMap(([{ value }]) => ((value as Node).type === 'Literal' ? of(value as Node) : []));
    // An error that is thrown again has the code of the original.
    if (values.length > 0 || name === 'code') return values;
  }
  if (node.type === 'Identifier') return valuesOfName(node.name as string, parents, file);
  throw new Error(`Cannot tell which text a ${node.type} is.`);
}

function valuesOfName(name: string, parents: Node[], file: Node): string[] {
  for (let index = parents.length - 1; index >= 0; index--) {
    const around = parents[index]!;
    const position = ((around.params as Node[] | undefined) ?? []).findIndex((param) => param.name === name);
    if (position < 0) continue;
    const called = ((around.id as Node | null) ?? (parents[index - 1]!.id as Node)).name;
    const calls = [...walk(file)].filter(([{ type, callee }]) => type === 'CallExpression' && (callee as Node).name === called);
    return calls.flatMap(([call, above]) => valuesOf((call.arguments as Node[])[position]!, above, file));
  }
  for (const [node, above] of walk(file)) {
    const isIt = node.type === 'VariableDeclarator' && (node.id as Node).name === name && node.init;
    if (isIt) return valuesOf(node.init as Node, above, file);
  }
  throw new Error(`Cannot tell which text "${name}" is.`);
}

function* walk(node: Node, parents: Node[] = []): Generator<[node: Node, parents: Node[]]> {
  yield [node, parents];
  const above = [...parents, node];
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object' && typeof (child as Node).type === 'string') yield* walk(child as Node, above);
}
