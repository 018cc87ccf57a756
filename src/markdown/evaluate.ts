import {
  Parser,
  type ArrowFunctionExpression,
  type CallExpression,
  type Expression,
  type Pattern,
  type PrivateIdentifier,
  type SpreadElement,
  type Super,
} from 'acorn';
import acornJsx from 'acorn-jsx';

// Expressions in a page are data. Literals, what is built from literals and known names, and lists of such made by `map`, `filter` and the
// like have a value; everything else is refused. Nothing is executed: this file gives each form of syntax its meaning.

export type Scope = Readonly<Record<string, unknown>>;
export type Evaluation = { value: unknown } | { refused: string };

export interface EvaluationOptions {
  /** The content of a JSX element; undefined if it is too large. Without this, an expression with JSX is refused. */
  jsx?(source: string, scope: Scope): unknown;
  /** Steps that are left, for all expressions that share it. */
  fuel?: { steps: number };
}

const longestExpression = 20_000;
const longestString = 100_000;
export const longestList = 1000;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);
const jsxParser = Parser.extend(acornJsx());

/** The value of an expression, or the reason that it has none. `scope` must have no prototype. Never throws. */
export function evaluate(source: string, scope: Scope, options: EvaluationOptions = {}): Evaluation {
  if (source.length > longestExpression) return { refused: 'it is too long' };
  try {
    const expression = jsxParser.parseExpressionAt(source, 0, { ecmaVersion: 'latest', preserveParens: true });
    if (!isComment(source.slice(expression.end).replace(';', ''))) return { refused: 'it is not one expression' };
    return { value: valueOf(expression, { scope, source, fuel: { steps: 10_000 }, ...options }) };
  } catch (error) {
    return { refused: error instanceof Refusal ? error.message : 'it is not a plain value' };
  }
}

/** Whether JavaScript source has only comments and white space. */
export function isComment(source: string): boolean {
  let rest = source.trimStart();
  while (rest) {
    const close = rest.startsWith('/*') ? rest.indexOf('*/', 2) + 1 : rest.startsWith('//') ? rest.indexOf('\n') : -1;
    if (rest.startsWith('//') && close === -1) return true;
    if (close <= 0) return false;
    rest = rest.slice(close + 1).trimStart();
  }
  return true;
}

class Refusal extends Error {}

type Node = Expression | SpreadElement | PrivateIdentifier | Super;

interface Run extends EvaluationOptions {
  scope: Scope;
  source: string;
  fuel: { steps: number };
}

function valueOf(node: Node, run: Run): unknown {
  if (--run.fuel.steps < 0) throw new Refusal('it takes too many steps');
  // Not in the types of acorn: a plugin adds them.
  if (/^JSX(?:Element|Fragment)$/.test(node.type)) {
    if (!run.jsx) throw new Refusal('it is more than a plain value');
    const content = run.jsx(run.source.slice(node.start, node.end), run.scope);
    if (content === undefined) throw new Refusal('its content is too large');
    return content;
  }
  const meaning = meanings[node.type] as ((node: Node, run: Run) => unknown) | undefined;
  if (!meaning) throw new Refusal('it is more than a plain value');
  return meaning(node, run);
}

const meanings: { [Type in Node['type']]?: (node: Extract<Node, { type: Type }>, run: Run) => unknown } = {
  Literal(node) {
    if ('regex' in node && node.regex) throw new Refusal('it contains a regular expression');
    return typeof node.value === 'bigint' ? String(node.value) : node.value;
  },
  ParenthesizedExpression: ({ expression }, run) => valueOf(expression, run),
  ChainExpression: ({ expression }, run) => valueOf(expression, run),
  TemplateLiteral: ({ quasis, expressions }, run) =>
    expressions.reduce(
      (text, expression, i) => joined(text, primitive(valueOf(expression, run)), quasis[i + 1]?.value.cooked ?? ''),
      quasis[0]?.value.cooked ?? '',
    ),
  ArrayExpression: ({ elements }, run) => elements.map((item) => (item ? valueOf(item, run) : null)),
  ObjectExpression({ properties }, run) {
    const object: Record<string, unknown> = Object.create(null);
    for (const property of properties) {
      if (property.type !== 'Property' || property.kind !== 'init' || property.computed || property.method)
        throw new Refusal('it has more than plain keys');
      const key = property.key.type === 'Identifier' ? property.key.name : String(valueOf(property.key, run));
      if (forbiddenKeys.has(key)) throw new Refusal(`it names ${key}`);
      object[key] = valueOf(property.value, run);
    }
    return object;
  },
  UnaryExpression({ argument, operator }, run) {
    const value = valueOf(argument, run);
    if (operator === '!') return !value;
    if (operator === '-') return -Number(primitive(value));
    if (operator === '+') return Number(primitive(value));
    throw new Refusal(`it uses ${operator}`);
  },
  BinaryExpression({ left, right, operator }, run) {
    const [a, b] = [primitive(valueOf(left, run)), primitive(valueOf(right, run))];
    if (operator === '===' || operator === '==') return a === b;
    if (operator === '!==' || operator === '!=') return a !== b;
    const isCalculation = typeof a === 'number' && typeof b === 'number';
    if (operator === '+') return isCalculation ? a + b : joined('', a, String(b));
    const calculate = calculations[operator];
    if (isCalculation && calculate) return calculate(a, b);
    throw new Refusal(`it uses ${operator}`);
  },
  LogicalExpression({ left, right, operator }, run) {
    const value = valueOf(left, run);
    if (operator === '&&') return value && valueOf(right, run);
    return operator === '||' ? value || valueOf(right, run) : (value ?? valueOf(right, run));
  },
  ConditionalExpression: ({ test, consequent, alternate }, run) => valueOf(valueOf(test, run) ? consequent : alternate, run),
  Identifier({ name }, { scope }) {
    if (name === 'undefined') return undefined;
    if (name === 'Infinity' || name === 'NaN') return Number(name);
    if (Object.hasOwn(scope, name)) return scope[name];
    throw new Refusal(`"${name}" is unknown`);
  },
  MemberExpression(node, run) {
    const object = valueOf(node.object, run);
    const key =
      node.property.type === 'Identifier' && !node.computed ? node.property.name : String(primitive(valueOf(node.property, run)));
    if (typeof object === 'string' && key === 'length') return object.length;
    if (forbiddenKeys.has(key) || typeof object !== 'object' || object === null) throw new Refusal(`it reads ${key}`);
    return Object.getOwnPropertyDescriptor(object, key)?.value;
  },
  CallExpression: called,
};

const calculations: Partial<Record<string, (a: number, b: number) => number | boolean>> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
};

/** The value of `list.map(…)` and the like. The function is never called: its body is evaluated for each item. */
function called({ callee, arguments: given }: CallExpression, run: Run): unknown {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    throw new Refusal('it calls a function');
  const { name } = callee.property;
  const on = valueOf(callee.object, run);
  const [first] = given;
  const texts = () => given.map((argument) => primitive(valueOf(argument, run)));
  if (typeof on === 'string' && Object.hasOwn(textMethods, name)) return textMethods[name]!(on, texts);
  if (Array.isArray(on) && Object.hasOwn(plainListMethods, name)) return plainListMethods[name]!(on, texts);
  if (!Array.isArray(on) || !Object.hasOwn(listMethods, name)) throw new Refusal(`it calls ${name}()`);
  if (first?.type !== 'ArrowFunctionExpression') throw new Refusal(`${name}() needs a function with an arrow`);
  return listMethods[name]!(
    on.map((item: unknown, index) => bodyOf(first, [item, index], run)),
    on,
  );
}

type Primitive = string | number | boolean | null | undefined;

const textMethods: Record<string, (on: string, given: () => Primitive[]) => unknown> = {
  toUpperCase: (on) => on.toUpperCase(),
  toLowerCase: (on) => on.toLowerCase(),
  trim: (on) => on.trim(),
  includes: (on, given) => on.includes(String(given()[0])),
  startsWith: (on, given) => on.startsWith(String(given()[0])),
};

const plainListMethods: Record<string, (on: unknown[], given: () => Primitive[]) => unknown> = {
  slice: (on, given) => on.slice(...given().map(Number)),
  includes: (on, given) => on.includes(given()[0]),
  join(on, given) {
    const [separator = ','] = given();
    return on.reduce<string>(
      (text, item, index) => joined(text, index === 0 ? '' : separator, String(primitive(item) ?? '')),
      '',
    );
  },
};

/** Methods by what the function gave for each item. */
const listMethods: Record<string, (given: unknown[], on: unknown[]) => unknown> = {
  map: listOf,
  flatMap: (given) => listOf(given.flat()),
  filter: (given, on) => on.filter((_, index) => given[index]),
  find: (given, on) => on[given.findIndex(Boolean)],
  some: (given) => given.some(Boolean),
  every: (given) => given.every(Boolean),
};

function listOf(items: unknown[]): unknown[] {
  if (items.length > longestList) throw new Refusal(`it makes a list of more than ${longestList} items`);
  return items;
}

function bodyOf({ params, body, async }: ArrowFunctionExpression, given: unknown[], run: Run): unknown {
  if (async) throw new Refusal('it is asynchronous');
  const own: Record<string, unknown> = Object.assign(Object.create(null), run.scope);
  params.forEach((parameter, index) => bind(parameter, given[index], own));
  const inner = { ...run, scope: own };
  if (body.type !== 'BlockStatement') return valueOf(body, inner);
  const [only, ...others] = body.body;
  if (only?.type !== 'ReturnStatement' || others.length > 0) throw new Refusal('a function in it does more than return a value');
  return only.argument ? valueOf(only.argument, inner) : undefined;
}

/** Binds `item` or `{ title, href: url }`. */
function bind(parameter: Pattern, value: unknown, own: Record<string, unknown>): void {
  if (parameter.type === 'Identifier') own[parameter.name] = value;
  else if (parameter.type === 'ObjectPattern' && typeof value === 'object' && value !== null) {
    for (const part of parameter.properties) {
      if (
        part.type !== 'Property' ||
        part.computed ||
        part.key.type !== 'Identifier' ||
        part.value.type !== 'Identifier' ||
        forbiddenKeys.has(part.key.name)
      )
        throw new Refusal('a function in it has a parameter that is more than a name');
      own[part.value.name] = Object.getOwnPropertyDescriptor(value, part.key.name)?.value;
    }
  } else throw new Refusal('a function in it has a parameter that is more than a name');
}

function primitive(value: unknown): Primitive {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new Refusal('it joins lists or objects');
}

// Names can double a text at each step, so the length of the result is limited as well.
function joined(text: string, value: unknown, after = ''): string {
  const result = text + String(value) + after;
  if (result.length > longestString) throw new Refusal('its text is too long');
  return result;
}
