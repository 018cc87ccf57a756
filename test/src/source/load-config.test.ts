import { expect, test } from 'vitest';
import { resolveReferences } from '../../../src/source/load-config.ts';
import { parseJson } from '../../../src/source/parse-json.ts';

function resolve(files: Record<string, unknown>) {
  return resolveReferences(files['docs.json'], 'docs.json', (file) => files[file]);
}

test('replaces a reference with the content of its file, relative to the referring file', () => {
  const { value, files } = resolve({
    'docs.json': { navigation: { languages: [{ $ref: './nav/es.json' }] }, redirects: { $ref: 'redirects.json' } },
    'nav/es.json': { language: 'es', groups: { $ref: 'es-groups.json' } },
    'nav/es-groups.json': [{ group: 'A', pages: ['a'] }],
    'redirects.json': [{ source: '/a', destination: '/b' }],
  });
  expect(value).toEqual({
    navigation: { languages: [{ language: 'es', groups: [{ group: 'A', pages: ['a'] }] }] },
    redirects: [{ source: '/a', destination: '/b' }],
  });
  expect(files).toEqual(['nav/es-groups.json', 'nav/es.json', 'redirects.json']);
});

test('lets keys beside a reference win over an object, and drops them beside a list', () => {
  const files = { 'part.json': { name: 'part', theme: 'mint' }, 'list.json': ['a'] };
  expect(resolve({ ...files, 'docs.json': { $ref: 'part.json', name: 'own' } }).value).toEqual({ name: 'own', theme: 'mint' });
  expect(resolve({ ...files, 'docs.json': { pages: { $ref: 'list.json', name: 'own' } } }).value).toEqual({ pages: ['a'] });
});

test('reads one file for several references', () => {
  expect(resolve({ 'docs.json': [{ $ref: 'a.json' }, { $ref: 'a.json' }], 'a.json': 1 }).value).toEqual([1, 1]);
});

test.each<[string, Record<string, unknown>, string, string]>([
  [
    'a circle',
    { 'docs.json': { $ref: 'a.json' }, 'a.json': { x: { $ref: 'b.json' } }, 'b.json': { $ref: './a.json' } },
    'ReferenceCycle',
    'docs.json → a.json → b.json → a.json',
  ],
  ['a file that names itself', { 'docs.json': { $ref: 'docs.json' } }, 'ReferenceCycle', 'docs.json → docs.json'],
  [
    'a path out of the folder',
    { 'docs.json': { $ref: 'a/b.json' }, 'a/b.json': { $ref: '../../etc/passwd' } },
    'ReferenceOutside',
    'docs.json → a/b.json → ../../etc/passwd',
  ],
  [
    'a link out of the folder',
    { 'docs.json': { $ref: 'link.json' }, 'link.json': null },
    'ReferenceOutside',
    'docs.json → link.json',
  ],
  ['an address', { 'docs.json': { $ref: 'https://example.com/a.json' } }, 'ReferenceOutside', 'https://example.com/a.json'],
  ['a missing file', { 'docs.json': { $ref: 'gone.json' } }, 'ReferenceMissing', 'docs.json → gone.json'],
])('refuses %s and names the chain', (_, files, code, chain) => {
  expect(() => resolve(files)).toThrow(expect.objectContaining({ code, message: expect.stringContaining(chain) }));
});

test.each([
  ['a comma too many', '{\n  "name": "x",\n}', 2, 14, 'this comma is superfluous: "}" follows it'],
  ['a comma missing', '{\n  "a": 1\n  "b": 2\n}', 2, 9, 'a comma is missing after this value'],
  ['a word', '{ "a": yes }', 1, 8, 'yes needs double quotes'],
  ['an end too soon', '{\n  "a": [1,', 2, 11, 'a value is missing here'],
  ['nothing', '', 1, 1, 'the file is empty'],
  ['a colon missing', '{\n  "a" 1\n}', 2, 6, 'a colon is missing after this key'],
  ['a quote missing', '{\n  "a": "b\n}', 2, 8, 'the closing quote of this text is missing'],
  ['a key without quotes', '{ a: 1 }', 1, 3, 'a needs double quotes'],
  ['a comment', '{ // x\n}', 1, 3, 'JSON does not have comments: remove it'],
  ['an end missing', '{ "a": 1', 1, 9, 'the file ends unexpectedly: a closing } is missing'],
  ['a second value', '{} {}', 1, 4, 'this text comes after the end of the JSON'],
  ['a backslash in a text', '{ "a": "C:\\docs" }', 1, 8, 'this text contains a backslash that must be written twice'],
])('names line, column and reason of JSON with %s', (_, text, line, column, reason) => {
  expect(() => parseJson(text, 'docs.json')).toThrow(`docs.json is not valid JSON at line ${line}, column ${column}: ${reason}`);
});

test('reads JSON behind a byte order mark', () => {
  expect(parseJson('\uFEFF{"a":1}', 'docs.json')).toEqual({ a: 1 });
});
