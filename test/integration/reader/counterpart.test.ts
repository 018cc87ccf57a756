import { describe, expect, test } from 'vitest';
import { counterpart } from '../../../integration/reader/counterpart.ts';
import { variantsOf, type VariantPage } from '../../../integration/export/site-data.ts';

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
    ['versions', 'install', 'index', 'index', null],
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
    // A menu of languages leads to the default version's home of each, but the reader keeps the version.
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
    expect(counterpart(page, { current, wanted }, sites[name])).toBe(expected);
  });
});

test('a language without the page links to its home in the current version', () => {
  const variants = site({
    'en v2': 'en/v2/home en/v2/a',
    'en v1': 'en/v1/home en/v1/old',
    'fr v2': 'fr/v2/home fr/v2/a',
    'fr v1': 'fr/v1/home fr/v1/a',
  });
  expect(counterpart('en/v1/old', { current: 'en/v2/home', wanted: 'fr/v2/home' }, variants)).toBe('fr/v1/home');
});

test('a page in two languages is found by its position, with any folder name', () => {
  const variants = site({ en: 'guides/a api/a', fr: 'fr/guides/a fr/api/a' });
  expect(counterpart('fr/api/a', { current: 'fr/guides/a', wanted: 'guides/a' }, variants)).toBe('api/a');
  expect(counterpart('guides/a', { current: 'guides/a', wanted: 'fr/guides/a' }, variants)).toBe('fr/guides/a');
});
