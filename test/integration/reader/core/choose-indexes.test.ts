import { expect, test } from 'vitest';
import { chooseIndexes } from '../../../../integration/reader/core/choose-indexes.ts';

const indexes = [
  { language: 'de', docsVersion: 'v1', folder: 'de-v1' },
  { language: 'en', docsVersion: 'v1', folder: 'en-v1' },
  { language: 'en', docsVersion: 'v2', folder: 'en-v2' },
  { language: 'pt-BR', docsVersion: 'v2', folder: 'pt-v2' },
];
const site = { indexes, defaultLanguage: 'en', defaultDocsVersion: 'v2' };

test.each([
  ['en', 'v1', 'en-v1', ['en-v2']],
  ['en', undefined, 'en-v2', ['en-v1']],
  ['en', 'v3', 'en-v2', ['en-v1']],
  ['pt', 'v2', 'pt-v2', []],
  ['pt', 'v1', 'pt-v2', []],
  ['de', 'v2', 'de-v1', []],
  ['fi', 'v1', 'en-v1', ['en-v2']],
  ['fi', undefined, 'en-v2', ['en-v1']],
])('a page in %s of %s searches %s, and %j on demand', (language, docsVersion, own, others) => {
  const chosen = chooseIndexes(site, language, docsVersion);
  expect(chosen.own?.folder).toBe(own);
  expect(chosen.others.map(({ folder }) => folder)).toEqual(others);
});

test('in an older export, which names no defaults, the first index comes before others', () => {
  expect(chooseIndexes({ indexes }, 'fi', undefined).own?.folder).toBe('de-v1');
  expect(chooseIndexes({ indexes }, 'en', undefined).own?.folder).toBe('en-v1');
});

test('a site without an index has nothing to search', () => {
  expect(chooseIndexes({ indexes: [] }, 'en', undefined)).toEqual({ own: undefined, others: [] });
});
