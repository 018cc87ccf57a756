import { describe, expect, test } from 'vitest';
import type { NavigationContext, Switch } from '../../../../src/site/model.ts';
import { kinds, outline, plainSite, siteOf } from '../site-of.ts';

/** A row as text: `*` marks the active one. */
function row(switches: Switch[] | undefined): string {
  return (switches ?? []).map(({ label, href, active }) => `${active ? '*' : ''}${label} ${href}`).join(' | ');
}

const files = ['a', 'b', 'c', 'd'];
type RowName = 'languages' | 'versions' | 'products' | 'dropdowns' | 'tabs' | 'anchors';

describe('every kind of division', () => {
  test.each<[RowName, string, string, string]>([
    ['languages', 'language', 'en', 'de'],
    ['versions', 'version', 'v2', 'v1'],
    ['products', 'product', 'Cloud', 'Server'],
    ['dropdowns', 'dropdown', 'One', 'Two'],
    ['tabs', 'tab', 'Guides', 'API'],
    ['anchors', 'anchor', 'Docs', 'Blog'],
  ])('%s make a level and a context each', (name, key, first, second) => {
    const site = siteOf(files, {
      [name]: [
        { [key]: first, pages: ['a', 'b'] },
        { [key]: second, groups: [{ group: 'G', pages: ['c'] }] },
      ],
    });
    expect([...site.contexts.keys()]).toEqual([first, second]);
    expect(site.contexts.get(second)![name].map(({ href, active }) => ({ href, active }))).toEqual([
      { href: '/a', active: false },
      { href: '/c', active: true },
    ]);
    expect(outline(site, first)).toEqual(['a /a', 'b /b']);
    expect(outline(site, second)).toEqual(['- G', '  c /c']);
    expect(site.pages.map((page) => [page.path, page.context])).toEqual([
      ['a', first],
      ['b', first],
      ['c', second],
      ['d', first],
    ]);
  });

  test.each<[string, RowName[]]>([
    ['languages > versions > tabs', ['languages', 'versions', 'tabs']],
    ['languages > products > tabs', ['languages', 'products', 'tabs']],
    ['versions > dropdowns > tabs', ['versions', 'dropdowns', 'tabs']],
    ['tabs > versions', ['tabs', 'versions']],
    ['anchors > tabs', ['anchors', 'tabs']],
  ])('%s nest', (_, names) => {
    const build = (depth: number): object => {
      const name = names[depth];
      if (!name) return { groups: [{ group: 'G', pages: ['a'] }] };
      const key = name.slice(0, -1);
      return {
        [name]: [
          { [key]: name === 'languages' ? 'fr' : `${key} 1`, ...build(depth + 1) },
          { [key]: name === 'languages' ? 'en' : `${key} 2`, pages: ['b'] },
        ],
      };
    };
    const site = siteOf(files, build(0));
    const page = site.pages.find((one) => one.path === 'a')!;
    const context = site.contexts.get(page.context)!;
    for (const name of names) expect(row(context[name])).toMatch(/^\*.* \/a \| .* \/b$/);
    expect(page.trail).toEqual([{ title: 'G', href: '/a' }]);
  });
});

test('a division with a URL and no pages is a link, and one without either is hidden', () => {
  const site = siteOf(files, {
    tabs: [{ tab: 'A', pages: ['a'] }, { tab: 'Blog', href: 'https://example.com' }, { tab: 'Home', href: 'b' }, { tab: 'None' }],
  });
  expect(row(site.contexts.get('A')!.tabs)).toBe('*A /a | Blog https://example.com | Home /b');
});

test('global divisions are shown everywhere', () => {
  const site = siteOf(files, {
    tabs: [
      { tab: 'A', pages: ['a'] },
      { tab: 'B', pages: ['b'] },
    ],
    global: {
      anchors: [{ anchor: 'Chat', href: 'https://example.com/chat' }],
      tabs: [{ tab: 'Blog', href: 'https://example.com' }],
    },
  });
  expect(site.contexts.size).toBe(2);
  for (const context of site.contexts.values()) {
    expect(row(context.anchors)).toBe('Chat https://example.com/chat');
    expect(context.tabs.map((tab) => tab.label).sort()).toEqual(['A', 'B', 'Blog']);
  }
});

test('tabs that an outer level repeats are shown once', () => {
  const version = (name: string, page: string) => ({
    version: name,
    tabs: [
      { tab: 'A', pages: [page] },
      { tab: 'C', pages: ['c'] },
    ],
  });
  const site = siteOf(files, {
    versions: [version('v2', 'a'), version('v1', 'b')],
    global: {
      tabs: [
        { tab: 'A', href: '/a' },
        { tab: 'C', href: 'https://example.com' },
        { tab: 'Blog', href: 'https://example.com' },
      ],
    },
  });
  const rows = [...site.contexts.values()].map(({ tabs }) =>
    tabs
      .map(({ label, href }) => `${label} ${href}`)
      .sort()
      .join(' | '),
  );
  expect(rows[0]).toBe('A /a | Blog https://example.com | C /c | C https://example.com');
  expect(site.contexts.get('v2/A')!.tabs.find(({ label }) => label === 'A')!.active).toBe(true);
});

test('a menu of a tab gives each item a context', () => {
  const site = siteOf(files, {
    tabs: [
      { tab: 'A', pages: ['a'] },
      {
        tab: 'More',
        menu: [
          { item: 'B', pages: ['b'], description: 'About b' },
          { item: 'C', pages: ['c'] },
          { item: 'Out', href: 'https://example.com' },
        ],
      },
    ],
  });
  const tab = site.contexts.get('More/C')!.tabs[1]!;
  expect(tab).toMatchObject({ href: '/b', active: true });
  expect(row(tab.menu)).toBe('B /b | *C /c | Out https://example.com');
});

test('tabs within tabs are on separate levels', () => {
  const site = siteOf(files, {
    tabs: [
      {
        tab: 'A',
        tabs: [
          { tab: 'A1', pages: ['a'] },
          { tab: 'A2', pages: ['b'] },
        ],
      },
      { tab: 'C', pages: ['c'] },
    ],
  });
  const context = site.contexts.get('A/A2') as NavigationContext;
  expect(row(context.tabs)).toBe('*A /a | C /c');
  expect(row(context.dropdowns)).toBe('A1 /a | *A2 /b');
});

test('kinds beside each other are all followed', () => {
  const site = siteOf(files, { tabs: [{ tab: 'T', pages: ['a'] }], anchors: [{ anchor: 'X', pages: ['b'] }], pages: ['c'] });
  expect(site.navigation).toEqual({ listed: 3, exported: 3, links: 0, missing: [] });
  expect(row(site.contexts.get('T')!.anchors)).toBe('X /b');
});

test('divisions beside versions, which name one, are shown in that version alone', () => {
  const site = siteOf(['v1/a', 'v1/b', 'v2/a', 'v2/b', 'c', 'd'], {
    versions: [{ version: 'v1' }, { version: 'v2', default: true, tabs: [{ tab: 'New', pages: ['d'] }] }],
    tabs: [
      { tab: 'A', version: 'v2', pages: ['v2/a'] },
      { tab: 'B', version: 'v2', groups: [{ group: 'G', pages: ['v2/b'] }] },
      { tab: 'A', version: 'v1', pages: ['v1/a'] },
      { tab: 'B', version: 'v1', pages: ['v1/b'] },
      { tab: 'C', pages: ['c'] },
    ],
  });
  expect(row(site.contexts.get('v1/A')!.tabs)).toBe('*A /v1/a | B /v1/b | C /c');
  expect(row(site.contexts.get('v2/A')!.tabs)).toBe('New /d | *A /v2/a | B /v2/b | C /c');
  expect(row(site.contexts.get('v1/A')!.versions)).toBe('*v1 /v1/a | v2 /d');
  expect(site.pages.map(({ path, docsVersion }) => `${path} ${docsVersion}`).sort()).toEqual([
    'c v2',
    'd v2',
    'v1/a v1',
    'v1/b v1',
    'v2/a v2',
    'v2/b v2',
  ]);
  expect(site.navigation).toEqual({ listed: 6, exported: 6, links: 0, missing: [] });
});

test('groups nest, open at the top, and closed below unless expanded', () => {
  const site = siteOf(files, {
    groups: [
      { group: 'One', pages: ['a', { group: 'Two', pages: ['b', { group: 'Three', expanded: true, pages: ['c'] }] }] },
      { group: 'Empty', pages: [] },
    ],
  });
  expect(outline(site, 'site')).toEqual(['- One', '  a /a', '  + Two', '    b /b', '    - Three', '      c /c']);
  expect(site.pages.find((page) => page.path === 'c')!.trail).toEqual([
    { title: 'One', href: '/a' },
    { title: 'Two', href: '/b' },
    { title: 'Three', href: '/c' },
  ]);
});

test('the root of a group opens with its title and comes first in reading order', () => {
  const site = siteOf(files, {
    groups: [
      { group: 'One', root: 'b', pages: ['a', 'b'] },
      { group: 'Alone', root: 'c', pages: [] },
    ],
  });
  expect(outline(site, 'site')).toEqual(['- One /b', '  a /a', 'Alone /c']);
  expect(site.pages.slice(0, 3).map((page) => [page.path, page.previous?.href, page.next?.href])).toEqual([
    ['b', undefined, '/a'],
    ['a', '/b', '/c'],
    ['c', '/a', undefined],
  ]);
});

test('a page in several contexts has one URL and belongs to the first', () => {
  const site = siteOf(files, {
    tabs: [
      { tab: 'One', groups: [{ group: 'G', pages: ['a'] }] },
      { tab: 'Two', groups: [{ group: 'H', pages: ['b', 'a'] }] },
    ],
  });
  expect(site.pages.filter((page) => page.path === 'a')).toMatchObject([{ context: 'One', trail: [{ title: 'G', href: '/a' }] }]);
  expect(outline(site, 'Two')).toEqual(['- H', '  b /b', '  a /a']);
  expect(site.navigation.listed).toBe(2);
});

test('a page of several versions belongs to the default one', () => {
  const site = siteOf(files, {
    versions: [
      { version: 'v1', pages: ['a', 'b'] },
      { version: 'v2', default: true, pages: ['a', 'c'] },
    ],
  });
  expect(site.pages.find((page) => page.path === 'a')!.docsVersion).toBe('v2');
  expect(site.defaultDocsVersion).toBe('v2');
  expect(row(site.contexts.get('v2')!.versions)).toBe('v1 /b | *v2 /a'.replace('/b', '/a'));
});

test('hidden groups and pages are not in the sidebar nor in the reading order', () => {
  const site = siteOf(
    { a: 'x', b: '---\nhidden: true\n---\n', c: 'x', d: 'x' },
    {
      groups: [
        { group: 'G', pages: ['a', 'b', 'c'] },
        { group: 'H', hidden: true, pages: ['d'] },
      ],
    },
  );
  expect(outline(site, 'site')).toEqual(['- G', '  A /a', '  C /c']);
  expect(site.pages.find((page) => page.path === 'a')!.next?.href).toBe('/c');
  expect(site.pages.find((page) => page.path === 'd')!.next).toBeUndefined();
});

test('a hidden tab is not listed, but its pages show its sidebar', () => {
  const site = siteOf(files, {
    tabs: [
      { tab: 'A', pages: ['a'] },
      { tab: 'H', hidden: true, pages: ['b', 'c'] },
    ],
  });
  expect(row(site.contexts.get('A')!.tabs)).toBe('*A /a');
  expect(outline(site, 'H')).toEqual(['b /b', 'c /c']);
});

test.each(['a', '/a', 'a.mdx', './a', 'a/', ' a ', '/a.md'])('finds a page that the navigation writes as %j', (entry) => {
  expect(siteOf(files, { pages: [entry] }).navigation.exported).toBe(1);
});

test.each([
  ['guides/index', 'guides/index.mdx'],
  ['guides', 'guides/index.mdx'],
  ['index', 'index.mdx'],
  ['/', 'index.mdx'],
  ['caf\u0065\u0301', 'caf\u00e9.mdx'],
  ['with%20space', 'with space.mdx'],
  ['100%', '100%.mdx'],
])('finds a page that the navigation writes as %j in %j', (entry, file) => {
  expect(siteOf([file], { pages: [entry] }).navigation).toMatchObject({ exported: 1, missing: [] });
});

test('reports each entry without a file', () => {
  const site = siteOf(files, {
    tabs: [
      { tab: 'A', groups: [{ group: 'G', pages: ['a', 'x1', 'x2', 'x3', 'x4'] }] },
      { tab: 'B', pages: ['b', 'y'] },
    ],
  });
  expect(site.navigation).toEqual({
    listed: 7,
    exported: 2,
    links: 0,
    missing: [...['x1', 'x2', 'x3', 'x4'].map((entry) => ({ entry, at: 'A › G' })), { entry: 'y', at: 'B' }],
  });
  expect(site.problems.map((problem) => problem.message)).toEqual([
    ...['x1', 'x2', 'x3', 'x4'].map((entry) => `The navigation of A contains a page that does not exist: "${entry}".`),
    'The navigation of B contains a page that does not exist: "y".',
  ]);
});

test.each([
  ['an operation', { pages: ['a', 'GET /users'] }, 'docs.json', 'GET /users'],
  [
    'an operation of a named specification',
    { groups: [{ group: 'API', pages: ['a', 'spec.json post /users'] }] },
    'API',
    'spec.json post /users',
  ],
  ['a webhook', { pages: ['a', 'webhook created'] }, 'docs.json', 'webhook created'],
  [
    'a whole specification',
    {
      tabs: [
        { tab: 'A', pages: ['a'] },
        { tab: 'API', openapi: 'o.json' },
      ],
    },
    'API',
    '"openapi": "o.json"',
  ],
  [
    'a group of one',
    {
      groups: [
        { group: 'G', pages: ['a'] },
        { group: 'API', asyncapi: 'a.yaml', pages: [] },
      ],
    },
    'API',
    '"asyncapi": "a.yaml"',
  ],
  [
    'a GraphQL schema',
    {
      tabs: [
        { tab: 'A', pages: ['a'] },
        { tab: 'Graph', graphql: 'schema.graphql' },
      ],
    },
    'Graph',
    '"graphql": "schema.graphql"',
  ],
])('reports %s as missing, by name and context', (_, navigation, at, entry) => {
  const site = siteOf(files, navigation);
  expect(kinds(site)).toEqual(['specification-page-missing']);
  expect(site.problems[0]!.message).toContain(` (in ${at}): `);
  expect(site.problems[0]!.message).toContain(entry);
  expect(site.navigation).toMatchObject({ listed: 2, exported: 1, missing: [{ entry, at, reason: expect.any(String) }] });
});

test('does not report a specification that only covers the listed pages', () => {
  expect(kinds(siteOf(files, { groups: [{ group: 'G', openapi: 'o.json', pages: ['a'] }] }))).toEqual([]);
});

test('icons, tags and boosts reach pages and switches', () => {
  const site = siteOf(
    { a: '---\ntitle: A\nicon: book\ntag: NEW\ndeprecated: true\n---\n', b: '---\nboost: 3\n---\n' },
    {
      versions: [
        {
          version: 'v1',
          tag: 'LTS',
          icon: 'tag',
          boost: 2,
          groups: [{ group: 'G', tag: 'Beta', icon: 'star', pages: ['a', 'b'] }],
        },
      ],
    },
  );
  expect(site.contexts.get('v1')).toMatchObject({
    versions: [{ label: 'v1', tag: 'LTS', icon: 'tag' }],
    sidebar: [
      { title: 'G', tag: 'Beta', icon: 'star', children: [{ title: 'A', icon: 'book', tag: 'NEW', deprecated: true }, {}] },
    ],
  });
  expect(site.pages.map((page) => page.boost)).toEqual([2, 3]);
});

test('a page with its own URL is an entry that links there, and its path is redirected', () => {
  const site = siteOf(
    { a: 'x', b: '---\ntitle: Blog\nurl: https://example.com/blog\n---\n', c: 'x' },
    { pages: ['a', 'b', 'c'] },
  );
  expect(site.contexts.get('site')!.sidebar[1]).toEqual({
    kind: 'page',
    path: 'b',
    title: 'Blog',
    href: 'https://example.com/blog',
    external: true,
  });
  expect(site.pages.map((page) => [page.path, page.next?.href])).toEqual([
    ['a', '/c'],
    ['c', undefined],
  ]);
  expect(site.redirects).toEqual([{ from: 'b', to: 'https://example.com/blog' }]);
  expect(site.navigation).toEqual({ listed: 2, exported: 2, links: 1, missing: [] });
});

test('a missing navigation is generated from the files and reported', () => {
  const site = siteOf(files, undefined);
  expect(outline(site, 'site')).toEqual(['a /a', 'b /b', 'c /c', 'd /d']);
  expect(kinds(site)).toEqual(['navigation-missing']);
});

test('README comes first, numbers order and are not shown, folders are groups', () => {
  const site = plainSite({
    'README.md': '# Welcome',
    '02-second.md': '# The second',
    '10-tenth.md': 'no heading',
    'zebra.md': '# Zebra',
    'apple.md': '# Apple',
    '01-getting_started/README.md': '# Getting started',
    '01-getting_started/2.b.md': '# B',
    '01-getting_started/1.a.md': '# A',
    'how-to/one.md': '# One',
    'how-to/deep/two.md': '# Two',
  });
  expect(outline(site, 'site')).toEqual([
    'Welcome /',
    '- Getting started /01-getting_started',
    '  A /01-getting_started/1.a',
    '  B /01-getting_started/2.b',
    'The second /02-second',
    'Tenth /10-tenth',
    'Apple /apple',
    'Zebra /zebra',
    '- How to',
    '  One /how-to/one',
    '  + Deep',
    '    Two /how-to/deep/two',
  ]);
  expect(kinds(site)).toEqual([]);
});

test.each([
  ['sidebar_position', 'sidebar_position: 1'],
  ['order', 'order: 1'],
  ['weight', 'weight: "1"'],
  ['sidebar.order', 'sidebar:\n  order: 1'],
])('%s comes before names', (_, line) => {
  const site = plainSite({
    'a.md': '# A',
    'z.md': `---\ntitle: Z\n${line}\n---\n`,
    'folder/index.md': `---\ntitle: F\n${line.replace('1', '2')}\n---\n`,
  });
  expect(outline(site, 'site')).toEqual(['Z /z', 'F /folder', 'A /a']);
});

test('label, badge and hidden of a sidebar block count', () => {
  const site = plainSite({
    'a.mdx': '---\ntitle: A\nsidebar:\n  label: Short\n  badge:\n    text: New\n---\n',
    'b.mdx': '---\ntitle: B\nsidebar:\n  hidden: true\n---\n',
    'c.mdx': '---\ntitle: C\nsidebar:\n  badge: Beta\n---\n',
  });
  expect(site.contexts.get('site')!.sidebar).toMatchObject([
    { title: 'Short', tag: 'New' },
    { title: 'C', tag: 'Beta' },
  ]);
});

test('first folders that are translations become languages', () => {
  const site = plainSite({
    'index.md': '# Docs',
    'guide.md': '# Guide',
    'api/index.md': '# API',
    'de/index.md': '# Doku',
    'de/guide.md': '# Anleitung',
    'zh-cn/index.md': '# 文档',
    'zh-cn/guide.md': '# 指南',
  });
  expect(site.pages.map(({ path, language }) => `${path} ${language}`)).toEqual([
    ' en',
    'guide en',
    'api en',
    'de de',
    'de/guide de',
    'zh-cn zh-CN',
    'zh-cn/guide zh-CN',
  ]);
  expect(outline(site, 'de')).toEqual(['Doku /de', 'Anleitung /de/guide']);
});

test('a folder named like a language, with pages of its own, is not a translation', () => {
  const site = plainSite({ 'index.md': '# Docs', 'go/channels.md': '# Channels', 'id/tokens.md': '# Tokens' });
  expect(new Set(site.pages.map((page) => page.language))).toEqual(new Set(['en']));
});

test.each([
  ['ar', 'مقدمة إلى الوثائق والبحث'],
  ['he', 'מבוא לתיעוד ולחיפוש'],
  ['ja', 'ドキュメントの検索について'],
  ['zh', '文档搜索入门指南'],
  ['ko', '문서 검색 소개'],
  ['ru', 'Введение в документацию'],
  ['uk', 'Вступ до документації її пошуку'],
  ['en', 'Ein Text in lateinischer Schrift'],
])('the script of the pages tells %s where nothing else does', (language, text) => {
  const site = plainSite({ 'a.md': `# ${text}\n\n${text} \`code()\`\n\n\`\`\`js\nconst latin = 'letters';\n\`\`\`\n` });
  expect(site.pages[0]!.language).toBe(language);
  expect(kinds(site)).toEqual(language === 'en' ? [] : ['language-guessed']);
});

test('a SUMMARY.md sets order, groups and parts, and is not a page', () => {
  const site = plainSite({
    'SUMMARY.md':
      '# Summary\n\n[Foreword](README.md)\n\n# Guide\n\n- [Install](install.md)\n  - [Linux](install/linux.md#top)\n  - [Windows]()\n- [Use](./use.md)\n\n# Reference\n\n- [Gone](gone.md)\n- [CLI](cli.md)\n',
    'README.md': '# Foreword',
    'install.md': '# Install',
    'install/linux.md': '# Linux',
    'use.md': '# Use',
    'cli.md': '# CLI',
    'extra.md': '# Extra',
  });
  expect(outline(site, 'site')).toEqual([
    'Foreword /',
    '- Guide',
    '  + Install /install',
    '    Linux /install/linux',
    '  Use /use',
    '- Reference',
    '  CLI /cli',
  ]);
  expect(site.pages.map((page) => page.path)).toEqual(['', 'install', 'install/linux', 'use', 'cli', 'extra']);
  expect(site.navigation.missing.map(({ entry }) => entry)).toEqual(['gone']);
});

test('a home page in Latin script outweighs pages in others', () => {
  const site = plainSite({
    'README.md': `# Docs\n\n${'An English text. '.repeat(20)}`,
    'README.zh-CN.md': `# 文档\n\n${'文档搜索入门指南。'.repeat(50)}`,
  });
  expect(new Set(site.pages.map((page) => page.language))).toEqual(new Set(['en']));
});

test('a translation that is under way counts as its language', () => {
  const site = plainSite({
    'a.md': `# A\n\n${'An English text. '.repeat(10)}`,
    'b.md': `# B\n\n${'مقدمة إلى الوثائق والبحث. '.repeat(3)}`,
  });
  expect(site.pages[0]!.language).toBe('ar');
});
