import { expect, test } from 'vitest';
import { evaluate, isComment } from '../../../src/markdown/evaluate.ts';

const scope = Object.assign(Object.create(null), { name: 'Ada', room: { first: 'A1' }, list: [1, 2] });

test.each<[string, unknown]>([
  ['1', 1],
  ['-2.5', -2.5],
  ['"text"', 'text'],
  ['`a ${name} b`', 'a Ada b'],
  ['[1, "two", true, null]', [1, 'two', true, null]],
  ['{ a: 1, "b-c": [2] }', { a: 1, 'b-c': [2] }],
  ['room.first', 'A1'],
  ['room.missing', undefined],
  ['!false', true],
  ['name === "Ada" ? "yes" : "no"', 'yes'],
  ['1 + 2', 3],
  ['name + 1', 'Ada1'],
  ['undefined', undefined],
  ['Infinity', Infinity],
  ['room["first"]', 'A1'],
  ['("a")  /* comment */ ;', 'a'],
])('%s has a value', (source, value) => {
  expect(evaluate(source, scope)).toEqual({ value });
});

test.each([
  'alert(1)',
  '[].constructor.constructor("return process")()',
  '"".constructor',
  'room.constructor',
  'room["constr" + "uctor"]',
  'room.__proto__',
  '{ __proto__: null }',
  '{ ["a"]: 1 }',
  '{ get a() { return 1 } }',
  '() => 1',
  'function () {}',
  'new Date()',
  'import("x")',
  'name = 1',
  'name++',
  '/a+/',
  'unknown',
  'process.env.SECRET',
  'this',
  '`${room}`',
  'list + list',
  'toString',
  'a, b',
  '1 2',
  '',
  '...name',
  `"${'x'.repeat(30_000)}"`,
  '('.repeat(9_000) + '1' + ')'.repeat(9_000),
])('%.60s is refused', (source) => {
  expect(evaluate(source, scope)).toHaveProperty('refused');
});

test('a text that doubles at each step stops growing', () => {
  const values: Record<string, unknown> = Object.assign(Object.create(null), { a: 'x'.repeat(10_000) });
  for (let i = 0; i < 20; i++) {
    const result = evaluate('a + a', values);
    if ('value' in result) values.a = result.value;
  }
  expect(String(values.a).length).toBeLessThanOrEqual(100_000);
});

test.each([
  ['/* a */', true],
  ['// a', true],
  ['/* a */ // b\n /* c */', true],
  ['', true],
  ['/* a */ b', false],
  ['/* open', false],
])('%j contains only comments: %s', (source, is) => {
  expect(isComment(source)).toBe(is);
});
