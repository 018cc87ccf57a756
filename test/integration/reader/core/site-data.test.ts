import { expect, test } from 'vitest';
import { chooseIndexes, filePath, pagePath } from '../../../../integration/reader/core/site-data.ts';

const files = { 'guides/c#': 'guides/c-23/index.html' };

test.each([
  ['', 'index.html'],
  ['guides/install', 'guides/install/index.html'],
  ['guides/c#', 'guides/c-23/index.html'],
  ['guides/100%', 'guides/100%25/index.html'],
  ['指南/安装', '%E6%8C%87%E5%8D%97/%E5%AE%89%E8%A3%85/index.html'],
  ['constructor', 'constructor/index.html'],
])('the page %j is in the file %s', (path, file) => {
  expect(filePath(path, { files })).toBe(file);
  expect(pagePath(file, { files })).toBe(path);
});

test.each(['guides/install/', 'guides/install', 'guides/install.html', 'guides/install/index.html'])(
  'finds the page at %s, however the host writes its URL',
  (url) => {
    expect(pagePath(url)).toBe('guides/install');
  },
);

test.each([
  ['', 'index.html'],
  ['guides/install', 'guides/install.html'],
  ['guides', 'guides/index.html'],
])('the page %j is in the file %s where most pages end in .html', (path, file) => {
  const site = { ending: '.html', files: { guides: 'guides/index.html' } } as const;
  expect(filePath(path, site)).toBe(file);
  expect(pagePath(file, site)).toBe(path);
});

const indexes = [
  { language: 'de', docsVersion: 'v1', folder: 'de-v1' },
  { language: 'en', docsVersion: 'v1', folder: 'en-v1' },
  { language: 'en', docsVersion: 'v2', folder: 'en-v2' },
  { language: 'pt-BR', docsVersion: 'v2', folder: 'pt-v2' },
];
const ofVersions = { indexes, defaultLanguage: 'en', defaultDocsVersion: 'v2' };

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
  const chosen = chooseIndexes(ofVersions, language, docsVersion);
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
