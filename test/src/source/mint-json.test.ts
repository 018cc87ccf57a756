import { describe, expect, test } from 'vitest';
import { formerKeysOf, fromMintJson } from '../../../src/source/mint-json.ts';
import { parseConfig } from '../../../src/source/parse-config.ts';

test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  [
    'colours',
    { colors: { primary: '#111', light: '#222', dark: '#333', background: { light: '#fff' }, anchors: { from: '#1' } } },
    { colors: { primary: '#111', light: '#222', dark: '#333' }, background: { color: { light: '#fff' } } },
  ],
  ['the mode toggle', { modeToggle: { default: 'dark', isHidden: true } }, { appearance: { default: 'dark', strict: true } }],
  [
    'a font',
    { font: { family: 'Inter', url: '/inter.woff2', format: 'woff2', headings: { family: 'Lora' } } },
    { fonts: { family: 'Inter', source: '/inter.woff2', format: 'woff2', heading: { family: 'Lora' } } },
  ],
  [
    'the background',
    { background: { style: 'grid' }, backgroundImage: '/b.png' },
    { background: { decoration: 'grid', image: '/b.png' } },
  ],
  [
    'code blocks and eyebrows',
    { codeBlock: { mode: 'auto' }, eyebrow: { display: 'breadcrumbs' } },
    { styling: { codeblocks: 'system', eyebrows: 'breadcrumbs' } },
  ],
  [
    'links of the top bar',
    {
      topbarLinks: [
        { name: 'Blog', url: '/blog' },
        { type: 'github', url: 'https://github.com/x/y' },
      ],
      topbarCtaButton: { name: 'Start', url: '/start' },
    },
    {
      navbar: {
        links: [
          { label: 'Blog', href: '/blog' },
          { href: 'https://github.com/x/y', type: 'github' },
        ],
        primary: { type: 'button', label: 'Start', href: '/start' },
      },
    },
  ],
  ['social links by name', { footerSocials: { x: 'https://x.com/y' } }, { footer: { socials: { x: 'https://x.com/y' } } }],
  [
    'social links as a list',
    { footerSocials: [{ type: 'x', url: 'https://x.com/y' }] },
    { footer: { socials: { x: 'https://x.com/y' } } },
  ],
  [
    'the footer',
    { footer: { socials: { x: 'https://x.com/y' }, links: [{ title: 'More', links: [{ label: 'A', url: '/a' }] }] } },
    { footer: { socials: { x: 'https://x.com/y' }, links: [{ header: 'More', items: [{ label: 'A', href: '/a' }] }] } },
  ],
  [
    'API settings',
    { openapi: '/o.json', api: { baseUrl: 'https://a', auth: { method: 'key', name: 'X' }, playground: { mode: 'hide' } } },
    {
      api: {
        openapi: '/o.json',
        mdx: { server: 'https://a', auth: { method: 'key', name: 'X' } },
        playground: { display: 'none' },
      },
    },
  ],
  [
    'metadata',
    { metadata: { 'og:title': 'x' }, seo: { indexHiddenPages: true }, search: { prompt: 'Ask', location: 'top' } },
    { seo: { metatags: { 'og:title': 'x' }, indexing: 'all' }, search: { prompt: 'Ask' } },
  ],
  ['analytics', { analytics: { ga4: { measurementId: 'x' } } }, { integrations: { ga4: { measurementId: 'x' } } }],
  ['feedback', { feedback: { suggestEdit: true } }, { feedback: { suggestEdit: true } }],
  [
    'hidden feedback buttons',
    { hideFeedbackButtons: true, feedback: { suggestEdit: true } },
    { feedback: { suggestEdit: true, thumbsRating: false } },
  ],
  ['what has no meaning any more', { theme: 'venus', layout: 'topnav', sidebar: {}, topbar: {}, rounded: 'default' }, {}],
])('converts %s', (_, mint, docs) => {
  const { navigation, ...rest } = fromMintJson({ ...mint, navigation: [] });
  expect(rest).toEqual(docs);
  expect(navigation).toEqual({ groups: [] });
});

const groups = [
  { group: 'Start', pages: ['intro', { group: 'More', pages: ['api/mixed', 'more'] }] },
  { group: 'API', pages: ['api/one', 'api/v2/two'] },
];

test('gives tabs and anchors the pages below their URL, the longest URL first', () => {
  const { navigation } = fromMintJson({
    navigation: groups,
    primaryTab: { name: 'Guides' },
    tabs: [
      { name: 'API', url: 'api' },
      { name: 'API 2', url: '/api/v2/' },
      { name: 'Blog', url: 'https://example.com/blog' },
    ],
    anchors: [{ name: 'Chat', url: 'https://example.com/chat', icon: 'comments', color: { from: '#111', to: '#222' } }],
  });
  expect(navigation).toEqual({
    tabs: [
      { tab: 'Guides', groups: [{ group: 'Start', pages: ['intro', { group: 'More', pages: ['more'] }] }] },
      {
        tab: 'API',
        groups: [
          { group: 'Start', pages: [{ group: 'More', pages: ['api/mixed'] }] },
          { group: 'API', pages: ['api/one'] },
        ],
      },
      { tab: 'API 2', groups: [{ group: 'API', pages: ['api/v2/two'] }] },
      { tab: 'Blog', href: 'https://example.com/blog' },
    ],
    global: {
      anchors: [{ anchor: 'Chat', icon: 'comments', color: { light: '#111', dark: '#222' }, href: 'https://example.com/chat' }],
    },
  });
});

test('gives each version its groups and those of no version', () => {
  const { navigation } = fromMintJson({
    versions: ['v2', { name: 'v1', default: true }],
    navigation: [
      { group: 'Both', pages: ['both'] },
      { group: 'Old', pages: ['old'], version: 'v1' },
    ],
  });
  expect(navigation).toEqual({
    versions: [
      { version: 'v2', groups: [{ group: 'Both', pages: ['both'] }] },
      {
        version: 'v1',
        default: true,
        groups: [
          { group: 'Both', pages: ['both'] },
          { group: 'Old', pages: ['old'] },
        ],
      },
    ],
  });
});

test('gives each version its tabs: those that name it, and of the others those with pages in it', () => {
  const { navigation } = fromMintJson({
    versions: ['v2', 'v1'],
    primaryTab: { name: 'Guides' },
    tabs: [
      { name: 'API', url: 'v1/api', version: 'v1' },
      { name: 'API', url: 'v2/api', version: 'v2' },
      { name: 'SDK', url: 'v1/sdk' },
      { name: 'SDK', url: 'v2/sdk' },
      { name: 'Changes', url: 'changes' },
      { name: 'Blog', url: 'https://example.com' },
    ],
    navigation: [
      { group: 'Start', pages: ['v2/start', 'v2/api/a', 'v2/sdk/a'], version: 'v2' },
      { group: 'Start', pages: ['v1/start', 'v1/api/a', 'v1/sdk/a'], version: 'v1' },
    ],
  });
  const outside = [
    { tab: 'Changes', href: '/changes' },
    { tab: 'Blog', href: 'https://example.com' },
  ];
  const tab = (name: string, page: string) => ({ tab: name, groups: [{ group: 'Start', pages: [page] }] });
  expect(navigation).toEqual({
    versions: [
      { version: 'v2', tabs: [tab('Guides', 'v2/start'), tab('API', 'v2/api/a'), tab('SDK', 'v2/sdk/a'), ...outside] },
      { version: 'v1', tabs: [tab('Guides', 'v1/start'), tab('API', 'v1/api/a'), tab('SDK', 'v1/sdk/a'), ...outside] },
    ],
  });
});

test('makes languages of versions that name a locale', () => {
  const { navigation } = fromMintJson({
    versions: [{ name: 'English', locale: 'en' }],
    navigation: [{ group: 'A', pages: ['a'], version: 'English' }],
  });
  expect(navigation).toEqual({ languages: [{ language: 'en', groups: [{ group: 'A', pages: ['a'] }] }] });
});

test('passes unknown keys on, so that they are reported', () => {
  const { problems } = parseConfig(fromMintJson({ name: 'Docs', navigation: [], colours: {} }), 'mint.json');
  expect(problems.map((problem) => problem.message)).toEqual(['"colours" is not a known key of mint.json. It is ignored.']);
});

describe('a docs.json with keys of mint.json', () => {
  const pages = [{ group: 'Start', pages: ['intro', 'api/one'] }];

  test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      'tabs beside groups',
      { navigation: { groups: pages }, tabs: [{ name: 'API', url: 'api' }] },
      {
        navigation: {
          tabs: [
            { tab: 'Documentation', groups: [{ group: 'Start', pages: ['intro'] }] },
            { tab: 'API', groups: [{ group: 'Start', pages: ['api/one'] }] },
          ],
        },
      },
    ],
    [
      'tabs beside tabs of docs.json, which stay, with the links of the others',
      {
        navigation: { tabs: [{ tab: 'Guides', groups: pages }] },
        tabs: [
          { name: 'API', url: 'api' },
          { name: 'Blog', url: 'https://example.com' },
        ],
      },
      {
        navigation: {
          tabs: [{ tab: 'Guides', groups: pages }],
          global: { tabs: [{ tab: 'Blog', href: 'https://example.com' }] },
        },
      },
    ],
    [
      'tabs of docs.json at the top instead of in the navigation',
      { navigation: { tabs: [{ tab: 'Guides', pages: ['a'] }] }, tabs: [{ tab: 'API', groups: pages }] },
      {
        navigation: {
          tabs: [
            { tab: 'Guides', pages: ['a'] },
            { tab: 'API', groups: pages },
          ],
        },
      },
    ],
    [
      'specifications of both',
      { openapi: ['b.json', 'a.json'], api: { openapi: 'a.json', playground: { display: 'none' } } },
      { api: { openapi: ['a.json', 'b.json'], playground: { display: 'none' } } },
    ],
    [
      'links and buttons of both',
      {
        navbar: { links: [{ label: 'Blog', href: '/blog' }], primary: { label: 'New', href: '/new' } },
        topbarLinks: [{ name: 'Old', url: '/old' }, null],
        topbarCtaButton: { name: 'Former', url: '/former' },
      },
      {
        navbar: {
          links: [
            { label: 'Blog', href: '/blog' },
            { label: 'Old', href: '/old' },
          ],
          primary: { label: 'New', href: '/new', type: 'button' },
        },
      },
    ],
    [
      'socials beside a footer',
      { footerSocials: { x: 'https://x.com/y' }, footer: { links: [{ header: 'H', items: [{ label: 'l', href: '/x' }] }] } },
      { footer: { links: [{ header: 'H', items: [{ label: 'l', href: '/x' }] }], socials: { x: 'https://x.com/y' } } },
    ],
    [
      'a mode toggle beside values that both formats have',
      { modeToggle: { default: 'dark' }, metadata: { timestamp: true }, seo: { indexing: 'all' }, theme: 'maple', search: 3 },
      {
        appearance: { default: 'dark' },
        metadata: { timestamp: true },
        seo: { indexing: 'all' },
        theme: 'maple',
        search: 3,
      },
    ],
  ])('reads %s', (_, config, expected) => {
    expect(formerKeysOf(config)).not.toEqual([]);
    expect(fromMintJson(config)).toEqual(expected);
  });

  test('names these keys, and none of a docs.json without', () => {
    expect(formerKeysOf({ topbarLinks: [], api: { baseUrl: 'https://a' }, footer: { links: [{ title: 'x' }] } })).toEqual([
      'topbarLinks',
      'api.baseUrl',
      'footer.links[].title',
    ]);
    expect(formerKeysOf({ navigation: [], api: { openapi: 'a' }, footer: { links: [{ header: 'x' }] }, colors: {} })).toEqual([]);
  });
});
