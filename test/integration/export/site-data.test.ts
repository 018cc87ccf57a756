import { expect, test } from 'vitest';
import { pageFiles, siteScript } from '../../../integration/export/site-data.ts';

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
