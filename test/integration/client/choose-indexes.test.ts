import { expect, test } from 'vitest';
import { chooseIndexes } from '../../../integration/client/choose-indexes.ts';

const indexes = [
  { language: 'en', docsVersion: 'v2', folder: 'en-v2' },
  { language: 'en', docsVersion: 'v1', folder: 'en-v1' },
  { language: 'pt-BR', docsVersion: 'v2', folder: 'pt-v2' },
];

test.each([
  ['en', 'v1', 'en-v1', ['en-v2']],
  ['en', undefined, 'en-v2', ['en-v1']],
  ['pt', 'v2', 'pt-v2', []],
  ['de', 'v2', 'en-v2', ['en-v1']],
])('a page in %s of %s searches %s, and %j on demand', (language, docsVersion, own, others) => {
  const chosen = chooseIndexes(indexes, language, docsVersion);
  expect(chosen.own?.folder).toBe(own);
  expect(chosen.others.map(({ folder }) => folder)).toEqual(others);
});

test('a site without an index has nothing to search', () => {
  expect(chooseIndexes([], 'en', undefined)).toEqual({ own: undefined, others: [] });
});
