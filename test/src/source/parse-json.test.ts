import { expect, test } from 'vitest';
import { parseJson } from '../../../src/source/parse-json.ts';

test.each([
  ['a comma too many', '{\n  "name": "x",\n}', 3, 1],
  ['a comma missing', '{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['a word', '{ "a": yes }', 1, 8],
  ['an end too soon', '{\n  "a": [1,', 2, 11],
  ['nothing', '', 1, 1],
])('names line and column of JSON with %s', (_, text, line, column) => {
  expect(() => parseJson(text, 'docs.json')).toThrow(`docs.json is not valid JSON at line ${line}, column ${column}: `);
});

test('reads JSON behind a byte order mark', () => {
  expect(parseJson('\uFEFF{"a":1}', 'docs.json')).toEqual({ a: 1 });
});
