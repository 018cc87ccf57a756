import { describe, expect, test } from 'vitest';
import { pageFiles, siteScript, variantsOf } from '../../../integration/export/site-data.ts';

describe('pages by language and docs version', () => {
  /** Each folder as 'prefix(base): pages', the variants' own lists apart. */
  const folders = (...pages: [path: string, language: string, docsVersion?: string][]) =>
    variantsOf(pages.map(([path, language, docsVersion]) => ({ path, language, docsVersion }))).map((variant) =>
      variant.folders.map(({ prefix, base = '', pages }) => `${prefix}(${base}): ${pages.join(' ')}`),
    );

  test.each([
    ['one alone has no prefix', folders(['a/x', 'en'], ['a/y', 'en']), [['(): a/x a/y']]],
    ['the default at the root', folders(['', 'en'], ['a', 'en'], ['fr', 'fr'], ['fr/a', 'fr']), [['():  a'], ['fr/():  a']]],
    [
      'the default in one folder',
      folders(['docs/a', 'en'], ['docs/b', 'en'], ['fr/docs/a', 'fr']),
      [['(): docs/a docs/b'], ['fr/(): docs/a']],
    ],
    ['versions', folders(['v1/a', 'en', '1'], ['v2/a', 'en', '2'], ['v2/b', 'en', '2']), [['v1/(): a'], ['v2/(): a b']]],
    [
      'a stray page at the root',
      folders(['a', 'en'], ['b', 'en'], ['ja/a', 'ja'], ['ja/b', 'ja'], ['stray', 'ja']),
      [['(): a b'], ['ja/(): a b', '(): stray']],
    ],
    [
      'versions in a folder that all share',
      folders(['docs/v1/a', 'en', '1'], ['docs/v2/a', 'en', '2'], ['docs/v2/b', 'en', '2']),
      [['docs/v1/(docs/): a'], ['docs/v2/(docs/): a b']],
    ],
    [
      'a version in several folders',
      folders(['docs/v1/a', 'en', '1'], ['spec/v1/b', 'en', '1'], ['docs/v2/a', 'en', '2'], ['spec/v2/b', 'en', '2']),
      [
        ['spec/v1/(spec/): b', 'docs/v1/(docs/): a'],
        ['spec/v2/(spec/): b', 'docs/v2/(docs/): a'],
      ],
    ],
    [
      'versions within languages',
      folders(['en/v1/a', 'en', '1'], ['en/v2/a', 'en', '2'], ['fr/v2/a', 'fr', '2'], ['fr/v2', 'fr', '2']),
      [['en/v1/(): a'], ['en/v2/(): a'], ['fr/v2/():  a']],
    ],
    [
      'languages within versions, of which the default has no folder',
      folders(['v2/a', 'en', '2'], ['v1/a', 'en', '1'], ['v2/fr/a', 'fr', '2'], ['v1/fr/a', 'fr', '1']),
      [['v1/(): a'], ['v2/(): a'], ['v1/fr/(): a'], ['v2/fr/(): a']],
    ],
    [
      'a folder of most pages that names no variant',
      folders(
        ['guides/a', 'en'],
        ['guides/b', 'en'],
        ['de/guides/a', 'de'],
        ['de/guides/b', 'de'],
        ['c', 'en'],
        ['de/api', 'de'],
      ),
      [['de/(): api guides/a guides/b'], ['(): c guides/a guides/b']],
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });
});

test('the script is one call with the data', () => {
  expect(siteScript({ format: 1, indexes: [{ language: 'en', folder: 'search/ab/en' }], files: undefined })).toBe(
    '__carrel_site({"format":1,"indexes":[{"language":"en","folder":"search/ab/en"}]});\n',
  );
});

test.each([
  ['a folder for each page needs no entry', { a: 'a/index.html', b: 'b/index.html' }, {}],
  ['a page whose name had to change', { a: 'a/index.html', con: 'con-2/index.html' }, { files: { con: 'con-2/index.html' } }],
  ['a file for each page', { a: 'a.html', 'b/c': 'b/c.html' }, { ending: '.html' }],
  [
    'a file for most pages',
    { a: 'a.html', 'b/c': 'b/c.html', b: 'b/index.html' },
    { ending: '.html', files: { b: 'b/index.html' } },
  ],
])('files of pages: %s', (_, files, expected) => {
  expect(pageFiles(new Map(Object.entries(files)))).toEqual(expected);
});
