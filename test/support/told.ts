// Finds in the sources what a user can be told: the kinds of problems and the codes of errors, both permanent names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vite';

interface Node {
  type: string;
  [key: string]: unknown;
}

/**
 * Every kind of `Problem` (an object with `kind` and `severity` or `message`) and every code of an `ExportError` below the folders.
 * Names that come through a parameter are looked up where its function is called in the same file.
 * Throws when a name cannot be told from the source, so that none is passed over.
 */
export function toldIn(root: string, folders: string[]): { kinds: string[]; codes: string[] } {
  const kinds = new Set<string>();
  const codes = new Set<string>();
  for (const folder of folders) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts') || name.endsWith('.d.ts') || /(^|[\\/])(build|dist|client|node_modules)[\\/]/.test(name))
        continue;
      const source = readFileSync(join(root, folder, name), 'utf8');
      if (!/\bkind\b|\bExportError\b/.test(source)) continue;
      const file = parseAst(source, { lang: 'ts' }) as unknown as Node;
      try {
        for (const [node, parents] of walk(file)) {
          const kind = kindOf(node);
          if (kind) for (const value of valuesOf(kind, parents, file)) kinds.add(value);
          const code = codeOf(node);
          if (code) for (const value of valuesOf(code, parents, file)) codes.add(value);
        }
      } catch (error) {
        throw new Error(`${folder}/${name}: ${(error as Error).message}`, { cause: error });
      }
    }
  }
  return { kinds: [...kinds].sort(), codes: [...codes].sort() };
}

function kindOf(node: Node): Node | undefined {
  if (node.type !== 'ObjectExpression') return undefined;
  const value = (name: string) =>
    (node.properties as Node[]).find((property) => (property.key as Node | undefined)?.name === name)?.value as Node | undefined;
  const kind = (value('severity') ?? value('message')) && value('kind');
  // A problem that is passed on has the kind it was told with.
  return kind?.type === 'MemberExpression' ? undefined : kind;
}

function codeOf(node: Node): Node | undefined {
  if (node.type !== 'NewExpression' || (node.callee as Node).name !== 'ExportError') return undefined;
  return (node.arguments as Node[])[0];
}

/** All texts that an expression may be. */
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
