import { expect, test } from 'vitest';
import { urlOfPageId, resolveUrl } from '../../../src/markdown/links.ts';

const pages = {
  pagePaths: new Set(['', 'guides', 'guides/install', 'guides/deep/page', 'reference/api', 'my page', 'intro']),
  pageFiles: new Map([['01-intro.md', 'intro']]),
  folderPages: new Map([['reference', 'reference/api']]),
};

test('a URL can be relative to the path of a page that differs from its file', () => {
  const jekyll = {
    pagePaths: new Set(['docs/a', 'docs/b']),
    pageFiles: new Map([
      ['_docs/a.md', 'docs/a'],
      ['_docs/b.md', 'docs/b'],
    ]),
  };
  for (const href of ['../b', '../b/', 'b.md', '/_docs/b.md']) expect(resolveUrl(href, '_docs/a.md', jekyll)).toBe('/docs/b');
});

test('a URL without an extension is relative to the path that a page has instead of its file', () => {
  const pagePaths = new Set(['use/load', 'use/unload', 'start']);
  const pageFiles = new Map([
    ['02-use/01-load.md', 'use/load'],
    ['02-use/03-unload.md', 'use/unload'],
    ['Start.md', 'start'],
  ]);
  const resolved = (href: string) => resolveUrl(href, '02-use/01-load.md', { pagePaths, pageFiles });
  expect(['./unload', 'unload#x', '../start', '03-unload.md', '../Start.md'].map(resolved)).toEqual([
    '/use/unload',
    '/use/unload#x',
    '/start',
    '/use/unload',
    '/start',
  ]);
});

test.each([
  ['/guides/install', '/guides/install'],
  ['/guides/install/', '/guides/install'],
  ['./install', '/guides/install'],
  ['install.mdx', '/guides/install'],
  ['./install.md?x=1#y', '/guides/install?x=1#y'],
  ['../reference/api', '/reference/api'],
  ['../reference/api.md#top', '/reference/api#top'],
  ['deep/page', '/guides/deep/page'],
  ['reference/api', '/reference/api'],
  ['./index.mdx', '/guides'],
  ['../index.md', '/'],
  ['../README.md#x', '/#x'],
  ['../01-intro.md', '/intro'],
  ['../my%20page.md', '/my%20page'],
  ['../../../../x.png', '/x.png'],
  ['./images/a.png', '/guides/images/a.png'],
  ['/images/a b.png', '/images/a%20b.png'],
  ['#anchor', '#anchor'],
  ['#fn:note', '#fn-note'],
  ['./install.md#fnref:1', '/guides/install#fnref-1'],
  ['https://example.com/x#fn:1', 'https://example.com/x#fn:1'],
  ['?tab=1', '?tab=1'],
  ['https://example.com/x.md', 'https://example.com/x.md'],
  ['//example.com/x', '//example.com/x'],
  ['mailto:a@example.com', 'mailto:a@example.com'],
  ['missing.md', '/guides/missing'],
  ['/reference', '/reference/api'],
  ['../reference/#top', '/reference/api#top'],
  ['~/reference/api.md', '/reference/api'],
  ['~/images/a.png', '/images/a.png'],
])('%s in guides/page.mdx links to %s', (href, expected) => {
  expect(resolveUrl(href, 'guides/page.mdx', pages)).toBe(expected);
});

test('an index page resolves from its own folder', () => {
  expect(resolveUrl('./install', 'guides/index.mdx', pages)).toBe('/guides/install');
});

test("a link relative to the page's URL resolves when it links to a page", () => {
  expect(resolveUrl('../install/', 'guides/page.md', pages)).toBe('/guides/install');
});

test.each([
  ['xref:lamps/install', '/guides/install'],
  ['xref:lamps/install#first', '/guides/install#first'],
  ['XREF:lamps%2Finstall', '/guides/install'],
  ['xref:other', undefined],
  ['/guides', undefined],
])('%s links to %s by the id of the page', (href, expected) => {
  expect(urlOfPageId(href, new Map([['lamps/install', 'guides/install']]))).toBe(expected);
});
