import { parseSync, Visitor, type ESTree } from 'rolldown/utils';
import { scriptFault } from './script-fault.ts';
import { readOnce, type ScriptTextReader } from './read-once.ts';

/** A text of a script that is the address of another host. */
export interface AddressText {
  start: number;
  end: number;
  address: string;
}

export type AddressTextsReader = ScriptTextReader<AddressText[]>;

/** Reads which texts of a script are addresses of other hosts, but for those of its imports. Each script is read once. */
export function addressTextsReader(): AddressTextsReader {
  const read = readOnce(readTexts);
  return (code, sourceType) => (/["'`](?:https?:)?\/\//.test(code) ? read(code, sourceType) : []);
}

function readTexts(code: string, sourceType: 'module' | 'script'): AddressText[] {
  if (scriptFault(code, sourceType)) return [];
  const { program, errors } = parseSync('inline.js', code, { lang: 'js', sourceType });
  if (errors.length > 0) return [];
  const found: AddressText[] = [];
  const fixed = new Set<number>();
  const fix = (node: { start: number } | null) => node && fixed.add(node.start);
  const add = ({ start, end }: ESTree.Expression, value: unknown) => {
    if (typeof value !== 'string' || fixed.has(start) || !/^(?:https?:)?\/\//.test(value)) return;
    found.push({ start, end, address: value });
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
