import { Visitor, type ESTree } from 'rolldown/utils';

/** A string literal of a script that is a URL of an external origin. */
export interface ExternalText {
  start: number;
  end: number;
  url: string;
}

/** Whether a script may contain such literals: most do not. */
export function mayHoldExternalTexts(code: string): boolean {
  return /["'`](?:https?:)?\/\//.test(code);
}

/** The literals that can be replaced by the path of a vendored copy: not import specifiers and not what is fetched. */
export function externalTexts(program: ESTree.Program): ExternalText[] {
  const found: ExternalText[] = [];
  const fixed = new Set<number>();
  const fix = (node: { start: number } | null) => node && fixed.add(node.start);
  const add = ({ start, end }: ESTree.Expression, value: unknown) => {
    if (typeof value !== 'string' || fixed.has(start) || !/^(?:https?:)?\/\//.test(value)) return;
    found.push({ start, end, url: value });
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
    // `fetch` refuses files.
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
