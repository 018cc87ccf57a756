import { parseExpressionAt, type Expression, type PrivateIdentifier, type SpreadElement, type Super } from 'acorn';

// Expressions in a page are data. Literals, and what is built from literals and known names without a call,
// have a value; everything else is refused and never executed.

export type Scope = Readonly<Record<string, unknown>>;
export type Evaluation = { value: unknown } | { refused: string };

const longestExpression = 20_000;
const longestString = 100_000;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

/** The value of a literal expression, or the reason that it has none. `scope` must have no prototype. Never throws. */
export function evaluate(source: string, scope: Scope): Evaluation {
  if (source.length > longestExpression) return { refused: 'it is too long' };
  try {
    const expression = parseExpressionAt(source, 0, { ecmaVersion: 'latest', preserveParens: true });
    if (!isComment(source.slice(expression.end).replace(';', ''))) return { refused: 'it is not one expression' };
    return { value: valueOf(expression, scope) };
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

function valueOf(node: Node, scope: Scope): unknown {
  switch (node.type) {
    case 'Literal':
      if ('regex' in node && node.regex) throw new Refusal('it contains a regular expression');
      if (typeof node.value === 'bigint') return String(node.value);
      return node.value;
    case 'ParenthesizedExpression':
      return valueOf(node.expression, scope);
    case 'TemplateLiteral': {
      let text = node.quasis[0]?.value.cooked ?? '';
      node.expressions.forEach(
        (expression, i) => (text = joined(text, primitive(valueOf(expression, scope)), node.quasis[i + 1]?.value.cooked ?? '')),
      );
      return text;
    }
    case 'ArrayExpression':
      return node.elements.map((item) => (item ? valueOf(item, scope) : null));
    case 'ObjectExpression': {
      const object: Record<string, unknown> = Object.create(null);
      for (const property of node.properties) {
        if (property.type !== 'Property' || property.kind !== 'init' || property.computed || property.method)
          throw new Refusal('it has more than plain keys');
        const key = property.key.type === 'Identifier' ? property.key.name : String(valueOf(property.key, scope));
        if (forbiddenKeys.has(key)) throw new Refusal(`it names ${key}`);
        object[key] = valueOf(property.value, scope);
      }
      return object;
    }
    case 'UnaryExpression': {
      const value = valueOf(node.argument, scope);
      if (node.operator === '!') return !value;
      if (node.operator === '-') return -Number(primitive(value));
      if (node.operator === '+') return Number(primitive(value));
      throw new Refusal(`it uses ${node.operator}`);
    }
    case 'BinaryExpression': {
      const [left, right] = [primitive(valueOf(node.left, scope)), primitive(valueOf(node.right, scope))];
      if (node.operator === '+')
        return typeof left === 'number' && typeof right === 'number' ? left + right : joined('', left, String(right));
      if (node.operator === '===' || node.operator === '==') return left === right;
      if (node.operator === '!==' || node.operator === '!=') return left !== right;
      throw new Refusal(`it uses ${node.operator}`);
    }
    case 'LogicalExpression': {
      const left = valueOf(node.left, scope);
      if (node.operator === '&&') return left && valueOf(node.right, scope);
      return node.operator === '||' ? left || valueOf(node.right, scope) : (left ?? valueOf(node.right, scope));
    }
    case 'ConditionalExpression':
      return valueOf(node.test, scope) ? valueOf(node.consequent, scope) : valueOf(node.alternate, scope);
    case 'Identifier':
      if (node.name === 'undefined') return undefined;
      if (Object.hasOwn(scope, node.name)) return scope[node.name];
      throw new Refusal(`"${node.name}" is unknown`);
    case 'MemberExpression': {
      if (node.computed || node.property.type !== 'Identifier') throw new Refusal('it computes a key');
      const object = valueOf(node.object, scope);
      const key = node.property.name;
      if (forbiddenKeys.has(key) || typeof object !== 'object' || object === null) throw new Refusal(`it reads ${key}`);
      return Object.getOwnPropertyDescriptor(object, key)?.value;
    }
    case 'ChainExpression':
      return valueOf(node.expression, scope);
    default:
      throw new Refusal('it is more than a plain value');
  }
}

function primitive(value: unknown): string | number | boolean | null | undefined {
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
