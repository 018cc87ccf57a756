import { describe, expect, test } from 'vitest';
import { buildSite, type SiteOptions } from '../../../src/site/build-site.ts';
import { kinds, plainSite, siteOf, sourceOf } from './site-of.ts';

const translated = {
  languages: [
    {
      language: 'en',
      versions: [
        { version: 'v1', pages: ['en/v1/a'] },
        { version: 'v2', default: true, pages: ['en/v2/a', 'en/v2/b'] },
      ],
    },
    { language: 'jp', versions: [{ version: 'v2', pages: ['ja/v2/a'] }] },
    {
      language: 'de',
      default: true,
      versions: [
        { version: 'v2', pages: ['de/v2/a'] },
        { version: 'v1', pages: ['de/v1/a'] },
      ],
    },
  ],
};
const files = ['en/v1/a', 'en/v2/a', 'en/v2/b', 'ja/v2/a', 'ja/v2/hidden', 'de/v2/a', 'de/v1/a'];

test('pages have the language and version of their context', () => {
  const site = siteOf(files, translated);
  expect(site.pages.map(({ path, language, docsVersion }) => `${path} ${language} ${docsVersion}`)).toEqual([
    'de/v2/a de v2',
    'de/v1/a de v1',
    'en/v2/a en v2',
    'en/v2/b en v2',
    'en/v1/a en v1',
    'ja/v2/a ja v2',
    'ja/v2/hidden ja v2',
  ]);
  expect(site).toMatchObject({ defaultLanguage: 'de', defaultDocsVersion: 'v2', home: 'de/v2/a' });
});

test('switches link to the home of the other language or version', () => {
  const { contexts } = siteOf(files, translated);
  expect(contexts.get('en/v1')!.languages.map(({ label, href, active }) => [label, href, active])).toEqual([
    ['English', '/en/v2/a', true],
    ['日本語', '/ja/v2/a', false],
    ['Deutsch', '/de/v2/a', false],
  ]);
  expect(contexts.get('en/v1')!.versions.map(({ label, href, active }) => [label, href, active])).toEqual([
    ['v1', '/en/v1/a', true],
    ['v2', '/en/v2/a', false],
  ]);
});

test.each<[SiteOptions, string[], string]>([
  [{ language: 'ja' }, ['ja/v2/a', 'ja/v2/hidden'], 'ja/v2/a'],
  [{ language: 'jp' }, ['ja/v2/a', 'ja/v2/hidden'], 'ja/v2/a'],
  [{ docsVersion: 'v1' }, ['de/v1/a', 'en/v1/a'], 'de/v1/a'],
  [{ language: 'en', docsVersion: 'v2' }, ['en/v2/a', 'en/v2/b'], 'en/v2/a'],
])('%j narrows pages, contexts and switches', (options, pages, home) => {
  const site = siteOf(files, translated, options);
  expect(site.pages.map((page) => page.path)).toEqual(pages);
  expect(site.home).toBe(home);
  expect(site.contexts.size).toBeGreaterThan(0);
  for (const context of site.contexts.values()) {
    expect(options.language ? context.languages : []).toEqual([]);
    expect(options.docsVersion ? context.versions : []).toEqual([]);
  }
  expect(site.navigation.missing).toEqual([]);
});

test.each([
  [{ language: 'fr' }, 'LanguageNotFound', 'The docs do not have a language "fr".', 'Use one of: de, en, ja.'],
  [{ docsVersion: 'v3' }, 'VersionNotFound', 'The docs do not have a version "v3".', 'Use one of: "v2", "v1".'],
  [{ language: 'ja', docsVersion: 'v1' }, 'VersionNotFound', 'The docs do not have a version "v1".', 'Use one of: "v2".'],
])('refuses %j with what there is', (options, code, message, hint) => {
  expect(() => siteOf(files, translated, options)).toThrow(expect.objectContaining({ code, message, hint }));
});

test('the language asked for is that of a site that names none', () => {
  expect(plainSite({ a: '# Hallo' }, { language: 'de' }).pages[0]!.language).toBe('de');
});

test('the root page is the home, else the first page of the navigation', () => {
  expect(siteOf(['index', 'a'], { pages: ['a'] }).home).toBe('');
  expect(siteOf(['a', 'b'], { pages: ['b', 'a'] }).home).toBe('b');
});

test('pages that the navigation does not name come last, at the context of their folder', () => {
  const site = siteOf(['a/one', 'b/two', 'b/deep/three', 'z', 'c/four'], {
    tabs: [
      { tab: 'A', pages: ['a/one'] },
      { tab: 'B', pages: ['b/two'] },
    ],
  });
  expect(site.pages.slice(2).map(({ path, context, trail, next }) => [path, context, trail, next])).toEqual([
    ['b/deep/three', 'B', [], undefined],
    ['c/four', 'A', [], undefined],
    ['z', 'A', [], undefined],
  ]);
});

test('pages limited to groups are excluded everywhere and reported by name', () => {
  const limited = '---\ngroups: [staff]\n---\n';
  const site = siteOf(
    { a: 'x', listed: limited, unlisted: limited, open: '---\ngroups: [staff]\npublic: true\n---\n', inside: limited },
    {
      groups: [
        { group: 'G', pages: ['a', 'listed', 'open'] },
        { group: 'H', public: true, pages: ['inside'] },
      ],
    },
  );
  expect(site.pages.map((page) => page.path)).toEqual(['a', 'open', 'inside']);
  expect(JSON.stringify([...site.contexts.values()])).not.toContain('listed');
  expect(site.problems.map(({ kind, page }) => `${kind} ${page}`)).toEqual([
    'page-limited-to-groups listed.mdx',
    'page-limited-to-groups unlisted.mdx',
  ]);
  expect(site.navigation).toEqual({ listed: 3, exported: 3, links: 0, missing: [] });
});

test('previous and next follow the reading order of one context', () => {
  const site = siteOf(
    { a: '---\ntitle: A\nsidebarTitle: Short A\n---\n', b: 'x', c: '---\nhideFooterPagination: true\n---\n', d: 'x' },
    {
      tabs: [
        { tab: 'T', pages: ['a', 'b', 'c'] },
        { tab: 'U', pages: ['d'] },
      ],
    },
  );
  expect(site.pages.map(({ path, previous, next }) => [path, previous?.title, next?.title])).toEqual([
    ['a', undefined, 'B'],
    ['b', 'Short A', 'C'],
    ['c', undefined, undefined],
    ['d', undefined, undefined],
  ]);
});

test('a page in several groups in a row is not its own next page', () => {
  const groups = ['One', 'Two', 'Three'].map((group) => ({ group, pages: ['a'] }));
  const site = siteOf(['a', 'b'], { groups: [...groups, { group: 'Four', pages: ['b', 'a'] }] });
  expect(site.pages.map(({ path, previous, next }) => [path, previous?.title, next?.title])).toEqual([
    ['a', undefined, 'b'],
    ['b', 'a', 'a'],
  ]);
});

test('drafts of a plain folder are excluded, with an info', () => {
  const site = plainSite({ 'a.md': '# A', 'b.md': '---\ndraft: true\n---\n# B' });
  expect(site.pages.map((page) => page.path)).toEqual(['a']);
  expect(site.problems).toEqual([expect.objectContaining({ kind: 'page-draft', severity: 'note', page: 'b.md' })]);
});

test('a site without any page left is refused', () => {
  expect(() => plainSite({ 'a.md': '---\ndraft: true\n---\n' })).toThrow(expect.objectContaining({ code: 'NoPages' }));
});

test('the name is that of the configuration, the home page, or the folder', () => {
  expect(siteOf(['a'], { pages: ['a'] }).name).toBe('Docs');
  expect(plainSite({ 'README.md': '# My project' }).name).toBe('My project');
  expect(plainSite({ 'a.md': '# A' }).name).toBe('my-docs');
});

test('all fields of the frontmatter reach the page', () => {
  const site = siteOf(
    {
      a: '---\ntitle: A\ndescription: About a\nkeywords: [one, two]\nmode: wide\nicon: book\ntag: NEW\ndeprecated: true\nboost: 2\n---\nBody',
    },
    { pages: ['a'] },
  );
  expect(site.pages[0]).toMatchObject({
    title: 'A',
    description: 'About a',
    keywords: ['one', 'two'],
    mode: 'wide',
    icon: 'book',
    tag: 'NEW',
    deprecated: true,
    boost: 2,
  });
});

test('frontmatter of the wrong kind does no harm', () => {
  const site = siteOf(
    {
      a: '---\ntitle: [x]\ndescription: {a: 1}\nkeywords: 7\nmode: assistant\nboost: many\nhidden: maybe\nsidebar: no\n---\n',
    },
    { pages: ['a'] },
  );
  expect(site.pages[0]).toMatchObject({ title: 'A', mode: 'default', visibility: { sidebar: true } });
});

test('the same source gives the same site', () => {
  const source = sourceOf(files, { name: 'Docs', navigation: translated });
  expect(JSON.stringify([...buildSite(source).contexts])).toBe(JSON.stringify([...buildSite(source).contexts]));
});

test('all pages of a tab share one context', () => {
  const site = siteOf(['a', 'b', 'c'], {
    tabs: [
      { tab: 'T', pages: ['a', 'b'] },
      { tab: 'U', pages: ['c'] },
    ],
  });
  expect(site.contexts.size).toBe(2);
  expect(kinds(site)).toEqual([]);
});

describe('the name of a site without configuration', () => {
  test.each([
    ['the title of its home page', { 'README.md': '# Tool\n' }, {}, 'Tool'],
    ['a title in the frontmatter', { 'index.md': '---\ntitle: The Tool\n---\n' }, {}, 'The Tool'],
    ['the package, when the home page has no title', { 'README.md': 'Words.\n' }, { packageName: 'tool' }, 'tool'],
    ['the package, when the title says nothing', { 'index.md': '# Introduction\n' }, { packageName: 'tool' }, 'tool'],
    ['the folder', { 'index.md': '# Home\n' }, { root: '/home/me/my-tool' }, 'my-tool'],
    ['the folder around a folder of docs', { 'index.md': 'Words.\n' }, { root: '/home/me/my-tool/docs' }, 'my-tool'],
    ['the folder, where there is no home page', { 'guide.md': '# Guide\n' }, { root: '/home/me/my-tool' }, 'my-tool'],
    ['the title, where nothing else says more', { 'index.md': '# Welcome\n' }, { root: '/docs' }, 'Welcome'],
  ])('is %s', (_, files, more, name) => {
    expect(buildSite({ ...sourceOf(files, null), ...more }).name).toBe(name);
  });
});

test.each<[string, string[], object, string[]]>([
  ['the base', [], { base: '/docs/' }, ['old → /a', 'old2 → /b#part', 'old3 → /b']],
  ['the folder of the URL', [], { siteUrl: 'https://acme.com/docs' }, ['old → /a', 'old2 → /b#part', 'old3 → /b']],
  ['a folder that the site has', ['docs/a'], { base: '/docs/' }, ['docs/old → /docs/a', 'docs/old2 → /b#part', 'old3 → /b']],
])('redirects begin with %s, or do not, as links do', (_, more, options, expected) => {
  const redirects = [
    { source: '/docs/old', destination: '/docs/a' },
    { source: '/docs/old2', destination: '/docs/b#part' },
    { source: '/old3', destination: '/b' },
  ];
  const site = buildSite(
    sourceOf(['a', 'b', ...more], { name: 'Docs', navigation: { pages: ['a', 'b', ...more] }, redirects }),
    options,
  );
  expect(site.redirects.map(({ from, to }) => `${from} → ${to}`)).toEqual(expected);
  expect(kinds(site)).toEqual([]);
});

test('an export of one language reports nothing of the others, which links and redirects may still name', () => {
  const files = { 'en/index': '# Home', 'en/a': '# A', 'de/index': '# Start', 'de/a': '---\nopenapi: GET /y\n---\n# A' };
  const navigation = {
    languages: [
      { language: 'en', pages: ['en/index', 'en/a', 'en/gone'] },
      { language: 'de', banner: { content: 'x' }, pages: ['de/index', 'de/a', 'de/gone', 'GET /y'] },
    ],
  };
  const redirects = [
    { source: '/old', destination: '/en/a' },
    { source: '/alt', destination: '/de/a' },
    { source: '/fort', destination: '/de/fort' },
  ];
  const source = sourceOf(files, { name: 'Docs', navigation, redirects });
  source.problems.push({ kind: 'frontmatter-not-yaml', severity: 'warning', page: 'de/a.mdx', message: 'x' });
  const site = buildSite(source, { language: 'en' });
  expect(site.problems.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    'navigation-entry-without-file: The navigation of en contains a page that does not exist: "en/gone".',
  ]);
  expect(site.redirects).toEqual([{ from: 'old', to: '/en/a' }]);
  expect(site.excluded.map(({ path }) => path)).toEqual(['de', 'de/a']);
  expect(buildSite(source).problems.length).toBeGreaterThan(3);
});

test.each<[navigation: object, empty: string[]]>([
  [{ tabs: [{ tab: 'A', pages: ['a'] }, { tab: 'B' }, { tab: 'C', pages: [] }] }, ['tab "B"', 'tab "C"']],
  [{ pages: ['a'], anchors: [{ anchor: 'B' }, { anchor: 'C', href: '/a' }] }, ['anchor "B"']],
  [{ pages: ['a'], dropdowns: [{ dropdown: 'B', icon: 'star' }] }, ['dropdown "B"']],
  [{ pages: ['a'], global: { anchors: [{ anchor: 'B' }] } }, ['anchor "B"']],
  [{ products: [{ product: 'A', pages: ['a'] }, { product: 'B' }] }, ['product "B"']],
  [{ languages: [{ language: 'en', pages: ['a'] }, { language: 'fr' }] }, ['language "fr"']],
  [{ versions: [{ version: '1', pages: ['a'] }, { version: '2' }], tabs: [{ tab: 'B' }] }, ['version "2"', 'tab "B"']],
  [{ groups: [{ group: 'A', pages: ['a', { group: 'B', pages: [] }] }] }, ['group "B"']],
  [{ tabs: [{ tab: 'A', menu: [{ item: 'B', pages: ['a'] }, { item: 'C' }] }] }, ['item "C"']],
  [
    {
      tabs: [
        { tab: 'A', pages: ['a'] },
        { tab: 'B', hidden: true },
        { tab: 'C', openapi: 'no.json' },
      ],
    },
    [],
  ],
  [{ groups: [{ group: 'A', root: 'a' }] }, []],
])('entries with neither pages nor a URL are reported: %j', (navigation, empty) => {
  const { problems } = siteOf(['a'], navigation);
  const messages = problems.flatMap(({ kind, message }) => (kind === 'navigation-entry-without-file' ? [message] : []));
  expect(messages).toEqual(empty.map((entry) => `The ${entry} has neither pages nor "href", so it is not shown.`));
});

test('in a plain folder, a path as the URL of a page with text is its own, and links to it go to the page', () => {
  const site = plainSite({
    'index.md': '# Home',
    'blog/march.md': '---\nurl: /blog/2021/march\n---\nNews.',
    'chat.md': '---\nurl: https://chat.example\ntitle: Chat\n---\n',
  });
  expect(site.pages.map(({ path }) => path)).toEqual(['', 'blog/march']);
  expect(site.redirects).toContainEqual({ from: 'blog/2021/march', to: '/blog/march' });
  expect(site.redirects).toContainEqual({ from: 'chat', to: 'https://chat.example' });
});

test('former URLs in the frontmatter of a Markdown folder redirect to their page', () => {
  const files = {
    'guides/new': '---\naliases: [/old/, beside, /guides/other, "/a?b", 7]\n---\n',
    'guides/other': '---\nredirect_from: /docs/home.html\n---\n',
  };
  expect(buildSite(sourceOf(files, null)).redirects).toEqual([
    { from: 'docs/home', to: '/guides/other' },
    { from: 'guides/beside', to: '/guides/new' },
    { from: 'old', to: '/guides/new' },
  ]);
  expect(buildSite(sourceOf(files, { navigation: { pages: ['guides/new', 'guides/other'] } })).redirects).toEqual([]);
});
