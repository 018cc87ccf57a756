// The values of an expression in a script, as far as its text shows them.

/** A node of a script's syntax tree (ESTree). */
export interface Node {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

/** A possible text of an expression, or its constant prefix if the rest is computed at run time. */
export interface Value {
  text: string;
  isWhole: boolean;
  node: Node;
}

export interface Names {
  /** The value of a name that is assigned once in the whole script. */
  constants: Map<string, Node>;
  /** Elements that were created under a name: `link` of `e = document.createElement('link')`. */
  elements: Map<string, Set<string>>;
}

/** A tree of any parser, typed as generic nodes. */
export function rootOf(program: object): Node {
  if (!isNode(program)) throw new TypeError('A syntax tree begins with a node.');
  return program;
}

/** Every node of a tree, parents before children. Uses its own stack, since a script may be nested deeply. */
export function* nodesOf(root: Node): Generator<Node> {
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    const before = open.length;
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) {
        for (const item of value) if (isNode(item)) open.push(item);
      } else if (isNode(value)) open.push(value);
    }
    for (let i = before, j = open.length - 1; i < j; i++, j--) [open[i], open[j]] = [open[j]!, open[i]!];
  }
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Finds the names with only one value, and the names of elements. */
export function namesOf(root: Node): Names {
  const given = new Map<string, Node | undefined>();
  const elements: Names['elements'] = new Map();
  const give = (target: unknown, value: unknown) => {
    if (!isNode(target) || target.type !== 'Identifier') return;
    const name = target.name as string;
    given.set(name, given.has(name) || !isNode(value) ? undefined : value);
    const made = isNode(value) ? elementOf(value) : undefined;
    if (made !== undefined) elements.set(name, (elements.get(name) ?? new Set()).add(made));
  };
  for (const node of nodesOf(root)) {
    if (node.type === 'VariableDeclarator') {
      if (node.init !== null) give(node.id, node.init);
    } else if (node.type === 'AssignmentExpression') give(node.left, node.operator === '=' ? node.right : undefined);
    else if (Array.isArray(node.params)) for (const parameter of node.params) give(parameter, undefined);
  }
  const constants = new Map<string, Node>();
  for (const [name, value] of given) if (value !== undefined) constants.set(name, value);
  return { constants, elements };
}

/** The element that an expression creates: `img` of `new Image()`, `link` of `document.createElement('link')`. */
export function elementOf(node: Node): string | undefined {
  if (node.type === 'NewExpression' && isNamed(node.callee, 'Image')) return 'img';
  if (node.type === 'NewExpression' && isNamed(node.callee, 'Audio')) return 'audio';
  if (node.type !== 'CallExpression' || !/^createElement(?:NS)?$/.test(lastName(node.callee) ?? '')) return undefined;
  const value = (node.arguments as Node[]).find(
    (argument) => argument.type === 'Literal' && /^[\w-]+$/.test(String(argument.value)),
  );
  return value && String(value.value).toLowerCase();
}

function isNamed(node: unknown, name: string): boolean {
  return isNode(node) && node.type === 'Identifier' && node.name === name;
}

/** `fetch` of `fetch`, `window.fetch` and `self['fetch']`. */
export function lastName(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'Identifier') return callee.name as string;
  if (callee.type === 'ParenthesizedExpression' || callee.type === 'ChainExpression') return lastName(callee.expression);
  if (callee.type === 'SequenceExpression') return lastName((callee.expressions as Node[]).at(-1));
  if (callee.type !== 'MemberExpression' || !isNode(callee.property)) return undefined;
  if (!callee.computed) return callee.property.name as string;
  return callee.property.type === 'Literal' ? String(callee.property.value) : undefined;
}

/** All possible texts of an expression. */
export function valuesOf(node: unknown, names: Names, depth = 0): Value[] {
  if (!isNode(node) || depth > 20) return [];
  const values = (inner: unknown) => valuesOf(inner, names, depth + 1);
  const args = (node.arguments ?? []) as Node[];
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [{ text: node.value, isWhole: true, node }] : [];
    case 'TemplateLiteral': {
      const [first, ...rest] = (node.quasis as Node[]).map(({ value }) => (value as { cooked: string | null }).cooked ?? '');
      if (rest.length === 0) return [{ text: first!, isWhole: true, node }];
      const begun = first === '' ? values((node.expressions as Node[])[0]) : [{ text: first!, isWhole: false, node }];
      return begun.map(({ text, isWhole }) => ({ text: first === '' && isWhole ? text + rest[0] : text, isWhole: false, node }));
    }
    case 'BinaryExpression': {
      if (node.operator !== '+') return [];
      const right = values(node.right)[0];
      return values(node.left).map(({ text, isWhole }) =>
        isWhole && right ? { text: text + right.text, isWhole: right.isWhole, node } : { text, isWhole: false, node },
      );
    }
    case 'Identifier': {
      const constant = names.constants.get(node.name as string);
      return constant ? values(constant) : [];
    }
    case 'ConditionalExpression':
      return [...values(node.consequent), ...values(node.alternate)];
    case 'LogicalExpression':
      return [...values(node.left), ...values(node.right)];
    case 'AssignmentExpression':
      return values(node.right);
    case 'SequenceExpression':
      return values((node.expressions as Node[]).at(-1));
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return values(node.expression);
    case 'MemberExpression':
      return lastName(node) === 'href' ? values(node.object) : [];
    case 'NewExpression':
      if (isNamed(node.callee, 'Request')) return values(args[0]);
      return isNamed(node.callee, 'URL') ? joined(values(args[0]), values(args[1]), node) : [];
    case 'CallExpression': {
      const object = isNode(node.callee) ? node.callee.object : undefined;
      if (lastName(node.callee) === 'concat') return values(object).map((value) => ({ ...value, isWhole: false, node }));
      return lastName(node.callee) === 'toString' ? values(object) : [];
    }
    default:
      return [];
  }
}

function joined(urls: Value[], bases: Value[], node: Node): Value[] {
  if (bases.length === 0) return urls;
  return bases.flatMap((base) => {
    const url = urls[0];
    const text = url?.isWhole && base.isWhole ? URL.parse(url.text, base.text)?.href : undefined;
    return [text === undefined ? { text: base.text, isWhole: false, node } : { text, isWhole: true, node }];
  });
}
