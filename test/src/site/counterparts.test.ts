import { describe, expect, test } from 'vitest';
import { counterpart, pageSwitches, variantsOf } from '../../../src/site/counterparts.ts';
import { siteOf } from './site-of.ts';

describe('the position of pages in their languages and docs versions', () => {
  const positions = (...pages: [path: string, language: string, docsVersion?: string][]) => {
    const { places } = variantsOf(pages.map(([path, language, docsVersion]) => ({ path, language, docsVersion })));
    return pages.map(([path]) => places.get(path)!.position);
  };

  test.each([
    ['one language alone', positions(['a/x', 'en'], ['a/y', 'en']), ['a/x', 'a/y']],
    ['the default at the root', positions(['', 'en'], ['a', 'en'], ['fr', 'fr'], ['fr/a', 'fr']), ['', 'a', '', 'a']],
    [
      'the default in one folder',
      positions(['docs/a', 'en'], ['docs/b', 'en'], ['fr/docs/a', 'fr']),
      ['docs/a', 'docs/b', 'docs/a'],
    ],
    ['versions', positions(['v1/a', 'en', '1'], ['v2/a', 'en', '2'], ['v2/b', 'en', '2']), ['a', 'a', 'b']],
    [
      'a stray page at the root',
      positions(['a', 'en'], ['b', 'en'], ['ja/a', 'ja'], ['ja/b', 'ja'], ['stray', 'ja']),
      ['a', 'b', 'a', 'b', 'stray'],
    ],
    [
      'a version in several folders, below one that all share',
      positions(['docs/v1/a', 'en', '1'], ['spec/v1/b', 'en', '1'], ['docs/v2/a', 'en', '2'], ['spec/v2/b', 'en', '2']),
      ['docs/a', 'spec/b', 'docs/a', 'spec/b'],
    ],
    [
      'versions within languages',
      positions(['en/v1/a', 'en', '1'], ['en/v2/a', 'en', '2'], ['fr/v2/a', 'fr', '2'], ['fr/v2', 'fr', '2']),
      ['a', 'a', 'a', ''],
    ],
    [
      'languages within versions, of which the default has no folder',
      positions(['v2/a', 'en', '2'], ['v1/a', 'en', '1'], ['v2/fr/a', 'fr', '2'], ['v1/fr/a', 'fr', '1']),
      ['a', 'a', 'a', 'a'],
    ],
    [
      'a folder of most pages that does not name a variant',
      positions(
        ['guides/a', 'en'],
        ['guides/b', 'en'],
        ['de/guides/a', 'de'],
        ['de/guides/b', 'de'],
        ['c', 'en'],
        ['de/api', 'de'],
      ),
      ['guides/a', 'guides/b', 'guides/a', 'guides/b', 'c', 'api'],
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

/** Variants of pages given by language, and by docs version after a space: `{ 'en v1': 'v1/a v1/b' }`. */
function site(pages: Record<string, string>) {
  return variantsOf(
    Object.entries(pages).flatMap(([variant, paths]) => {
      const [language, docsVersion] = variant.split(' ');
      return paths
        .split(' ')
        .map((path): Parameters<typeof variantsOf>[0][number] => ({ path, language: language!, docsVersion }));
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
  test.each<[site: keyof typeof sites, page: string, current: string | undefined, wanted: string, expected: string]>([
    ['versions', 'install', 'index', 'v1', 'v1/install'],
    ['versions', 'v1/install', 'v1', 'index', 'install'],
    ['versions', 'new', 'index', 'v1', 'v1'],
    ['versions', 'install', 'index', 'index', 'install'],
    ['versions', 'nowhere', 'index', 'v1', 'v1'],
    ['versions', 'install', 'index', 'ttps://example.com', 'ttps://example.com'],
    ['versions', 'install', undefined, 'v1', 'v1/install'],
    ['strayPage', 'guides/a', 'start', 'ja/start', 'ja/guides/a'],
    ['strayPage', 'ja/guides/a', 'ja/start', 'start', 'guides/a'],
    ['strayPage', 'changes', 'ja/start', 'start', 'start'],
    ['foldersOfTwo', 'docs/v2/a', 'docs/v2/start', 'docs/v1/start', 'docs/v1/a'],
    ['foldersOfTwo', 'docs/v1/a', 'docs/v1/start', 'docs/v2/start', 'docs/v2/a'],
    ['foldersOfTwo', 'docs/v2/b', 'docs/v2/start', 'docs/v1/start', 'docs/v1/start'],
    ['severalFolders', 'spec/2025/tools', 'docs/2025/start', 'docs/2024/start', 'spec/2024/tools'],
    ['severalFolders', 'docs/2024/start', 'docs/2024/start', 'spec/2025/tools', 'docs/2025/start'],
    ['severalFolders', 'about', 'docs/2025/start', 'docs/2024/start', 'docs/2024/start'],
    ['defaultAtRoot', 'guides/x', 'guides/start', 'de/guides/start', 'de/guides/x'],
    ['defaultAtRoot', 'de/guides/x', 'de/guides/start', 'guides/start', 'guides/x'],
    ['defaultAtRoot', 'guides/only', 'guides/start', 'de/guides/start', 'de/guides/start'],
    ['otherNames', 'install', 'start', 'de/anfang', 'de/anfang'],
    ['otherNames', 'de/aufbau', 'de/anfang', 'start', 'start'],
    // A language menu links to the home page of the default version, but the reader keeps the version.
    ['versionsInLanguages', 'en/v1/old', 'en/v2/home', 'fr/v2/home', 'fr/v1/old'],
    ['versionsInLanguages', 'fr/v1/a', 'fr/v2/home', 'en/v2/home', 'en/v1/a'],
    ['versionsInLanguages', 'en/v2/new', 'en/v2/home', 'fr/v2/home', 'fr/v2/home'],
    ['versionsInLanguages', 'fr/v1/a', 'fr/v1/home', 'fr/v2/home', 'fr/v2/a'],
    // Where the language has no such page, its home of the same version.
    ['languagesInVersions', 'new', 'home', 'fr/home', 'fr/home'],
    ['languagesInVersions', 'fr/a', 'home', 'v1/home', 'v1/fr/a'],
    ['languagesInVersions', 'v1/fr/a', 'v1/home', 'home', 'fr/a'],
    // The default version has no German, so its own first language is read on.
    ['languagesInVersions', 'v1/de/a', 'v1/home', 'home', 'a'],
  ])('%s: %j, from the choice of %j to that of %j, is %j', (name, page, current, wanted, expected) => {
    expect(counterpart(page, { current, wanted }, sites[name]).path ?? wanted).toBe(expected);
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
  expect(from('v0/start')).toEqual({ path: 'v0/start', isMissing: true });
});

test('the menus of a page link to the same page in every language and version, or else say that it lacks the page', () => {
  const version = (version: string, pages: string[]) => ({ version, pages });
  const paths = ['en/v2/home', 'en/v2/c#', 'en/v2/new', 'en/v1/home', 'en/v1/c#', 'de/v2/home', 'de/v2/c#'];
  const site = siteOf(paths, {
    languages: [
      { language: 'en', versions: [version('v2', paths.slice(0, 3)), version('v1', paths.slice(3, 5))] },
      { language: 'de', versions: [version('v2', paths.slice(5))] },
    ],
  });
  const links = (path: string) => {
    const { languages, versions } = pageSwitches(
      site,
      site.pages.find((page) => page.path === path)!,
    );
    return [...languages, ...versions].map(({ href, isMissing }) => (isMissing ? `${href} lacks it` : href));
  };
  expect(links('en/v2/c#')).toEqual(['/en/v2/c%23', '/de/v2/c%23', '/en/v2/c%23', '/en/v1/c%23']);
  expect(links('en/v2/new')).toEqual(['/en/v2/new', '/de/v2/home lacks it', '/en/v2/new', '/en/v1/home lacks it']);
  expect(links('en/v1/c#')).toEqual(['/en/v1/c%23', '/de/v2/c%23', '/en/v2/c%23', '/en/v1/c%23']);
});
