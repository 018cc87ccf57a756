import { expect, test } from 'vitest';
import { linksOf } from '../../../integration/page/page-record.ts';
import { tokenizePage } from '../../../integration/page/scan-page.ts';
import { existingPageObserver } from '../../../integration/static-site/existing-page.ts';
import { packedPage, unpackedPage } from '../../../integration/static-site/packed-page.ts';

test('a page that another thread read is the page that it read', () => {
  const html = `<body><nav><a href="/a">A</a><a href='/a'>A</a><img src=/logo.png srcset="/logo.png 1x, /big.png 2x"></nav>
    <main><h1 id="top">A</h1><a href="/a#b">B</a><a href="/a">A</a><p style="background:url(/logo.png)">text</p></main>`;
  const page = { path: 'a', html, title: 'A', language: 'en', searchable: true, inSitemap: true, inLlms: true };
  const observer = existingPageObserver();
  const { contentOf, ...tokenized } = tokenizePage(html, { content: { select: ['main'], ignore: [] }, observers: [observer] });
  const scan = { ...tokenized, ...contentOf(page) };
  const existing = { ...observer.found(), app: { edits: [] } };
  const read = { page, scan, existing, links: linksOf(page, scan) };
  expect(read.scan.references).toHaveLength(7);
  expect(read.links).toContainEqual(['content', '/a']);
  expect(unpackedPage(structuredClone(packedPage(read)))).toEqual(read);
});
