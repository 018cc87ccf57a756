import { describe, expect, test } from 'vitest';
import { pageFiles, siteScript, variantsOf } from '../../../integration/export/site-data.ts';

describe('pages by language and docs version', () => {
  const prefixes = (...pages: [path: string, language: string, docsVersion?: string][]) =>
    variantsOf(pages.map(([path, language, docsVersion]) => ({ path, language, docsVersion }))).map(({ prefix, pages }) => [
      prefix,
      pages.join(' '),
    ]);

  test.each([
    ['one alone has no prefix', prefixes(['a/x', 'en'], ['a/y', 'en']), [['', 'a/x a/y']]],
    [
      'the default at the root',
      prefixes(['', 'en'], ['a', 'en'], ['fr', 'fr'], ['fr/a', 'fr']),
      [
        ['', ' a'],
        ['fr/', ' a'],
      ],
    ],
    [
      'the default in one folder',
      prefixes(['docs/a', 'en'], ['docs/b', 'en'], ['fr/docs/a', 'fr']),
      [
        ['', 'docs/a docs/b'],
        ['fr/', 'docs/a'],
      ],
    ],
    [
      'versions',
      prefixes(['v1/a', 'en', '1'], ['v2/a', 'en', '2'], ['v2/b', 'en', '2']),
      [
        ['v1/', 'a'],
        ['v2/', 'a b'],
      ],
    ],
    [
      'versions within languages',
      prefixes(['en/v1/a', 'en', '1'], ['en/v2/a', 'en', '2'], ['fr/v2/a', 'fr', '2'], ['fr/v2', 'fr', '2']),
      [
        ['en/v1/', 'a'],
        ['en/v2/', 'a'],
        ['fr/v2/', ' a'],
      ],
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  test('pages with the same rest are the same page', () => {
    const variants = variantsOf([
      { path: 'fr/v2', language: 'fr' },
      { path: 'fr/v2/a', language: 'fr' },
      { path: 'v2', language: 'en' },
      { path: 'v2/a', language: 'en' },
    ]);
    expect(variants.map(({ prefix }) => prefix)).toEqual(['', 'fr/']);
  });
});

test('the script is one call with the data', () => {
  expect(siteScript({ format: 1, indexes: [{ language: 'en', folder: 'search/ab/en' }], files: undefined })).toBe(
    '__carrel_site({"format":1,"indexes":[{"language":"en","folder":"search/ab/en"}]});\n',
  );
});

test.each([
  ['a folder for each page is not told', { a: 'a/index.html', b: 'b/index.html' }, {}],
  ['a page whose name had to change', { a: 'a/index.html', con: 'con-2/index.html' }, { files: { con: 'con-2/index.html' } }],
  ['a file for each page', { a: 'a.html', 'b/c': 'b/c.html' }, { ending: '.html' }],
  [
    'a file for most pages',
    { a: 'a.html', 'b/c': 'b/c.html', b: 'b/index.html' },
    { ending: '.html', files: { b: 'b/index.html' } },
  ],
])('files of pages: %s', (_, files, told) => {
  expect(pageFiles(new Map(Object.entries(files)))).toEqual(told);
});
