import { describe, expect, test } from 'vitest';
import { type VariantPage, variantsOf } from '../../../../integration/export/site-data.ts';
import { chooseIndexes, counterpart, filePath, pagePath } from '../../../../integration/reader/core/site-data.ts';

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

/** Variants of pages given by language, and by docs version after a space: `{ 'en v1': 'v1/a v1/b' }`. */
function site(pages: Record<string, string>) {
  return variantsOf(
    Object.entries(pages).flatMap(([variant, paths]) => {
      const [language, docsVersion] = variant.split(' ');
      return paths.split(' ').map((path): VariantPage => ({ path, language: language!, docsVersion }));
    }),
  );
}

const sites = {
  versions: site({ 'en v2': 'index install new', 'en v1': 'v1 v1/index v1/install' }),
  strayPage: site({ en: 'start guides/a', ja: 'ja/start ja/guides/a changes' }),
  foldersOfTwo: site({
    'en v1': 'docs/v1/start docs/v1/a',
    'en v2': 'docs/v2/start docs/v2/a docs/v2/b',
  }),
  severalFolders: site({
    'en 2024': 'docs/2024/start spec/2024/tools spec/2024/old',
    'en 2025': 'docs/2025/start spec/2025/tools about',
  }),
  defaultAtRoot: site({ en: 'guides/start guides/x guides/only', de: 'de/guides/start de/guides/x' }),
  otherNames: site({ en: 'start install', de: 'de/anfang de/aufbau' }),
  versionsInLanguages: site({
    'en v2': 'en/v2/home en/v2/a en/v2/new',
    'en v1': 'en/v1/home en/v1/a en/v1/old',
    'fr v2': 'fr/v2/home fr/v2/a',
    'fr v1': 'fr/v1/home fr/v1/a fr/v1/old',
  }),
  languagesInVersions: site({
    'en v2': 'home a new',
    'fr v2': 'fr/home fr/a',
    'en v1': 'v1/home v1/a',
    'fr v1': 'v1/fr/home v1/fr/a',
    'de v1': 'v1/de/home v1/de/a',
  }),
};

describe('the page being read in the variant of a menu entry', () => {
  test.each<[site: keyof typeof sites, page: string, current: string | null, wanted: string | null, expected: string | null]>([
    ['versions', 'install', 'index', 'v1', 'v1/install'],
    ['versions', 'v1/install', 'v1', 'index', 'install'],
    ['versions', 'new', 'index', 'v1', null],
    ['versions', 'install', 'index', 'index', 'install'],
    ['versions', 'nowhere', 'index', 'v1', null],
    ['versions', 'install', 'index', null, null],
    ['versions', 'install', null, 'v1', 'v1/install'],
    ['strayPage', 'guides/a', 'start', 'ja/start', 'ja/guides/a'],
    ['strayPage', 'ja/guides/a', 'ja/start', 'start', 'guides/a'],
    ['strayPage', 'changes', 'ja/start', 'start', null],
    ['foldersOfTwo', 'docs/v2/a', 'docs/v2/start', 'docs/v1/start', 'docs/v1/a'],
    ['foldersOfTwo', 'docs/v1/a', 'docs/v1/start', 'docs/v2/start', 'docs/v2/a'],
    ['foldersOfTwo', 'docs/v2/b', 'docs/v2/start', 'docs/v1/start', null],
    ['severalFolders', 'spec/2025/tools', 'docs/2025/start', 'docs/2024/start', 'spec/2024/tools'],
    ['severalFolders', 'docs/2024/start', 'docs/2024/start', 'spec/2025/tools', 'docs/2025/start'],
    ['severalFolders', 'about', 'docs/2025/start', 'docs/2024/start', null],
    ['defaultAtRoot', 'guides/x', 'guides/start', 'de/guides/start', 'de/guides/x'],
    ['defaultAtRoot', 'de/guides/x', 'de/guides/start', 'guides/start', 'guides/x'],
    ['defaultAtRoot', 'guides/only', 'guides/start', 'de/guides/start', null],
    ['otherNames', 'install', 'start', 'de/anfang', null],
    ['otherNames', 'de/aufbau', 'de/anfang', 'start', null],
    // A language menu links to the home page of the default version, but the reader keeps the version.
    ['versionsInLanguages', 'en/v1/old', 'en/v2/home', 'fr/v2/home', 'fr/v1/old'],
    ['versionsInLanguages', 'fr/v1/a', 'fr/v2/home', 'en/v2/home', 'en/v1/a'],
    ['versionsInLanguages', 'en/v2/new', 'en/v2/home', 'fr/v2/home', null],
    ['versionsInLanguages', 'fr/v1/a', 'fr/v1/home', 'fr/v2/home', 'fr/v2/a'],
    // Where the language has no such page, its home of the same version.
    ['languagesInVersions', 'new', 'home', 'fr/home', null],
    ['languagesInVersions', 'fr/a', 'home', 'v1/home', 'v1/fr/a'],
    ['languagesInVersions', 'v1/fr/a', 'v1/home', 'home', 'fr/a'],
    // The default version has no German, so its own first language is read on.
    ['languagesInVersions', 'v1/de/a', 'v1/home', 'home', 'a'],
  ])('%s: %j, from the choice of %j to that of %j, is %j', (name, page, current, wanted, expected) => {
    expect(counterpart(page, { current, wanted }, sites[name]).path).toBe(expected);
  });
});

test('a language without the page links to its home in the current version', () => {
  const variants = site({
    'en v2': 'en/v2/home en/v2/a',
    'en v1': 'en/v1/home en/v1/old',
    'fr v2': 'fr/v2/home fr/v2/a',
    'fr v1': 'fr/v1/home fr/v1/a',
  });
  expect(counterpart('en/v1/old', { current: 'en/v2/home', wanted: 'fr/v2/home' }, variants)).toEqual({
    path: 'fr/v1/home',
    isMissing: true,
  });
});

test('a page in two languages is found by its position, with any folder name', () => {
  const variants = site({ en: 'guides/a api/a', fr: 'fr/guides/a fr/api/a' });
  expect(counterpart('fr/api/a', { current: 'fr/guides/a', wanted: 'guides/a' }, variants)).toEqual({
    path: 'api/a',
    isMissing: false,
  });
  expect(counterpart('guides/a', { current: 'guides/a', wanted: 'fr/guides/a' }, variants)).toEqual({
    path: 'fr/guides/a',
    isMissing: false,
  });
});

test('the current entry of a menu stays on the page', () => {
  const variants = site({ v2: 'start guides/a', v1: 'v1/start v1/guides/a' });
  expect(counterpart('v1/guides/a', { current: 'v1/start', wanted: 'v1/start' }, variants)).toEqual({
    path: 'v1/guides/a',
    isMissing: false,
  });
});

test('where a version lacks the page, its nearest parent opens', () => {
  const variants = site({
    v2: 'start guides/deploy guides/deploy/kubernetes/scale',
    v1: 'v1/start v1/guides/deploy',
    v0: 'v0/start',
  });
  const from = (wanted: string) => counterpart('guides/deploy/kubernetes/scale', { current: 'start', wanted }, variants);
  expect(from('v1/start')).toEqual({ path: 'v1/guides/deploy', isMissing: true });
  expect(from('v0/start')).toEqual({ path: null, isMissing: true });
});
