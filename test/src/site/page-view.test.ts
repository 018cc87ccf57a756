import { describe, expect, test } from 'vitest';
import type { RenderedMarkdown } from '../../../src/markdown/render.ts';
import { headerDigest } from '../../../src/site/navigation/contexts.ts';
import { pageView } from '../../../src/site/page-view.ts';
import { sampleReader } from '../theme/sample-page.ts';
import { siteOf } from './site-of.ts';

const rendered: RenderedMarkdown = {
  html: '<p>x</p>',
  headings: [{ depth: 2, id: 'a', text: 'A' }],
  utilities: [],
  islands: [],
  updates: [],
  markdown: 'x',
  problems: [],
  degraded: false,
  linkTargets: [],
};
const options = { generator: 'carrel/0.1.0' };

function viewOf(files: Record<string, string>, navigation: unknown, path: string, more = {}) {
  const site = siteOf(files, navigation);
  return pageView(
    site,
    site.pages.find((page) => page.path === path)!,
    rendered,
    sampleReader,
    { ...options, ...more },
  );
}

test('a view contains everything that the theme shows', async () => {
  const view = await viewOf(
    { a: '---\ntitle: A\ndescription: About\n---\n', b: '---\ntitle: B\n---\n' },
    { groups: [{ group: 'G', pages: ['a', 'b'] }] },
    'a',
    { url: 'https://example.com/' },
  );
  expect(view).toMatchObject({
    site: { name: 'Docs', home: '/a', generator: 'carrel/0.1.0', reader: sampleReader, url: 'https://example.com/' },
    page: {
      path: 'a',
      title: 'A',
      description: 'About',
      language: 'en',
      dir: 'ltr',
      trail: [{ title: 'G' }],
      html: '<p>x</p>',
      headings: rendered.headings,
      markdownHref: '/a.md',
      noindex: false,
      searchable: true,
      deprecated: false,
      keywords: [],
      next: { title: 'B', href: '/b' },
    },
    labels: { search: 'Search' },
  });
  expect(view.page.lastUpdated).toBeUndefined();
  expect(view.page.lead).toBeUndefined();
});

test('a page without a description has its first paragraph', async () => {
  const site = siteOf({ a: '---\ntitle: A\n---\n' }, { pages: ['a'] });
  const markdown = '![x](/x.png)\n\n## Start\n\nDownload **it** [first](/a).\n';
  const view = await pageView(site, site.pages[0]!, { ...rendered, markdown }, sampleReader, options);
  expect(view.page.lead).toBe('Download it first.');
});

describe('language and home', () => {
  const files = { 'en/v1/a': 'x', 'en/v2/a': 'x', 'ar/a': 'x', blog: 'x' };
  const navigation = {
    languages: [
      {
        language: 'en',
        versions: [
          { version: 'v2', pages: ['en/v2/a'] },
          { version: 'v1', pages: ['en/v1/a', 'en/v1/b'] },
        ],
      },
      { language: 'ar', pages: ['ar/a'] },
    ],
  };
  test.each([
    ['en/v2/a', '/en/v2/a', 'ltr', 'Search'],
    ['en/v1/a', '/en/v1/a', 'ltr', 'Search'],
    ['ar/a', '/ar/a', 'rtl', 'بحث'],
  ])('of %s', async (path, home, dir, search) => {
    expect(await viewOf(files, navigation, path)).toMatchObject({ site: { home }, page: { dir }, labels: { search } });
  });
});

test.each([
  ['zh-TW', '提問', '搜尋'],
  ['zh-HK', '提問', '搜尋'],
  ['zh-Hant', '提問', '搜尋'],
  ['zh-CN', '提问', '搜索'],
])('the theme speaks %s', async (language, ask, search) => {
  const navigation = { languages: [{ language, pages: ['a'] }] };
  expect(await viewOf({ a: 'x' }, navigation, 'a')).toMatchObject({ page: { language }, labels: { ask, search } });
});

test('a page without a version links home to the default version', async () => {
  const view = await viewOf(
    { a: 'x', b: 'x' },
    {
      tabs: [
        { tab: 'T', versions: [{ version: 'v1', pages: ['a'] }] },
        { tab: 'U', pages: ['b'] },
      ],
    },
    'b',
  );
  expect(view.site.home).toBe('/a');
});

test.each([
  ['timestamp: true\nlastUpdatedDate: 2024-01-02', '2024-01-02T00:00:00.000Z'],
  ['timestamp: true\nlastUpdatedDate: "January 2, 2024"', '2024-01-02T00:00:00.000Z'],
  ['timestamp: true\nlastUpdatedDate: "2024-01-02 10:00"', '2024-01-02T10:00:00.000Z'],
  ['timestamp: true\nlastUpdatedDate: soon', undefined],
  ['lastUpdatedDate: 2024-01-02', undefined],
])('the date of a page with %j is the same on every machine', async (frontmatter, expected) => {
  const { page } = await viewOf({ a: `---\n${frontmatter}\n---\n` }, { pages: ['a'] }, 'a');
  expect(page.lastUpdated).toBe(expected);
});

test('meta tags of the frontmatter are the page’s own', async () => {
  const text = '---\n"og:title": X\n"twitter:site": "@x"\nrobots: noindex\ncanonical: https://example.com/a\ncustom: y\n---\n';
  const { page } = await viewOf({ a: text }, { pages: ['a'] }, 'a');
  expect(page.metatags).toEqual({ 'og:title': 'X', 'twitter:site': '@x', robots: 'noindex' });
  expect(page.canonical).toBe('https://example.com/a');
});

test('the digest of a header changes with its tabs, and not with the pages of the sidebar', () => {
  const files = ['a', 'b', 'c'];
  const digestOf = (tabs: object[]) => headerDigest(siteOf(files, { tabs }).contexts.get('One')!);
  const tabs = [
    { tab: 'One', pages: ['a'] },
    { tab: 'Two', pages: ['b'] },
  ];
  expect(digestOf(tabs)).toMatch(/^[0-9a-f]{64}$/);
  expect(digestOf([{ tab: 'One', pages: ['a', 'c'] }, tabs[1]!])).toBe(digestOf(tabs));
  expect(digestOf([tabs[0]!, { tab: 'Three', pages: ['b'] }])).not.toBe(digestOf(tabs));
  expect(digestOf([tabs[0]!, { tab: 'Two', pages: ['c'] }])).not.toBe(digestOf(tabs));
});

test('the title has the anchors of its heading that no other heading has', async () => {
  const files = { a: '# A\n\n## A\n', b: '# Fees & billing\n', c: '---\ntitle: C\n---\n' };
  const anchors = async (path: string) => (await viewOf(files, { pages: ['a', 'b', 'c'] }, path)).page.anchors;
  expect(await anchors('a')).toEqual([]);
  expect(await anchors('b')).toEqual(['fees-&-billing', 'fees--billing', 'fees-billing']);
  expect(await anchors('c')).toEqual(['c']);
});

test.each([
  ['Use **x402** and `pay()`.', 'Use x402 and pay().', 'Use <strong>x402</strong> and <code>pay()</code>.'],
  ['See [the guide](/b).', 'See the guide.', 'See <a href="/b">the guide</a>.'],
  ['<Warning>Old & gone.</Warning>', 'Old & gone.', 'Old &amp; gone.'],
  ['a_b <b>c</b> & Promise<Result>', 'a_b <b>c</b> & Promise<Result>', 'a_b &lt;b&gt;c&lt;/b&gt; &amp; Promise&lt;Result&gt;'],
  ['- [x](javascript:alert(1))', '- x', '- x'],
])('the description %s is Markdown in the page and text in its metadata', async (written, description, descriptionHtml) => {
  const { page } = await viewOf({ a: `---\ntitle: A\ndescription: ${JSON.stringify(written)}\n---\n` }, { pages: ['a'] }, 'a');
  expect(page).toMatchObject({ description, descriptionHtml });
});

test.each([
  ['<carrel-tabs class="c-tabs"></carrel-tabs>', ['/t.js']],
  ['<carrel-code-group></carrel-code-group>', ['/t.js']],
  ['<carrel-view></carrel-view>', ['/t.js']],
  ['<p>carrel-tabs</p>', []],
])('a page with %s loads the scripts %j', async (html, scripts) => {
  const site = siteOf({ a: '# A' }, { pages: ['a'] });
  const view = await pageView(site, site.pages[0]!, { ...rendered, html }, sampleReader, options);
  expect(view.page.scripts).toEqual(scripts);
});
