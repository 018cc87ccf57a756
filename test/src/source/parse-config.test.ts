import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/source/parse-config.ts';
import { jsonPositions } from '../../../src/source/parse-json.ts';

test.each<[string, Record<string, unknown>, string]>([
  [
    'an empty title',
    { navigation: { tabs: [{ tab: ' ', pages: ['a'] }] } },
    '"navigation.tabs[0].tab" is " ", but must be a title. The value is ignored.',
  ],
  ['an unknown key', { scripts: true }, '"scripts" is not a known key of docs.json. It is ignored.'],
  [
    'an unknown key deep down',
    { navbar: { links: [{ label: 'x', href: '/x', url: '/y' }] } },
    '"navbar.links[0].url" is not a known key of docs.json. It is ignored.',
  ],
  [
    'an unknown key of a group in a group',
    { navigation: { groups: [{ group: 'A', pages: [{ group: 'B', pages: [], page: 'x' }] }] } },
    '"navigation.groups[0].pages[0].page" is not a known key of docs.json. It is ignored.',
  ],
  ['a wrong type', { description: ['x'] }, '"description" is ["x"], but must be a string or a number. The value is ignored.'],
  [
    'a wrong type of an entry',
    { navigation: { pages: ['a', 7] } },
    '"navigation.pages[1]" is 7, but must be a string or an object. The value is ignored.',
  ],
  [
    'a wrong choice',
    { appearance: { default: 'night' } },
    '"appearance.default" is "night", but must be one of "system", "light", "dark". The value is ignored.',
  ],
  ['a missing key', { redirects: [{ source: '/a' }] }, '"redirects[0]" has no "destination". The value is ignored.'],
  [
    'an address that runs code',
    { navbar: { primary: { type: 'button', label: 'x', href: 'jAva\nscript:alert(1)' } } },
    '"navbar.primary.href" is "jAva\\nscript:alert(1)", which is not the URL of a page or site. The value is ignored.',
  ],
  [
    'a social network that runs code',
    { footer: { socials: { x: ' JavaScript:alert(1)' } } },
    '"footer.socials.x" is " JavaScript:alert(1)", which is not the URL of a page or site. The value is ignored.',
  ],
  [
    'a logo that is no picture',
    { logo: 'data:text/html,<script>alert(1)</script>' },
    '"logo" is "data:text/html,<script>alert(1)</script>", which is not the URL of a file. The value is ignored.',
  ],
  [
    'a color that is none',
    { colors: { primary: 'red;background:url(x)' } },
    '"colors.primary" is "red;background:url(x)", but must be a color such as "#0d9373". The value is ignored.',
  ],
])('reports %s with its path', (_, value, message) => {
  const { problems } = parseConfig({ name: 'Docs', ...value }, 'docs.json');
  expect(problems).toHaveLength(1);
  expect(problems[0]!.message).toContain(message);
  expect(problems[0]!.severity).toBe('warning');
});

test('keeps the valid values beside invalid ones', () => {
  const { config, problems } = parseConfig(
    { name: 'Docs', theme: 3, navigation: { groups: [{ group: 'A', pages: ['a', 1, 'b', 2, 'c'], icon: false }] } },
    'docs.json',
  );
  expect(config.name).toBe('Docs');
  expect(config.navigation).toEqual({ groups: [{ group: 'A', pages: ['a', 'b', 'c'] }] });
  expect(problems.map((problem) => problem.kind)).toEqual(Array(4).fill('config-wrong-type'));
});

test('spells out short forms', () => {
  const { config, problems } = parseConfig(
    {
      name: 'Docs',
      logo: '/logo.svg',
      background: { color: '#fff' },
      navigation: {
        versions: [{ version: 2, pages: ['a'] }],
        anchors: [{ anchor: 'x', icon: { name: 'book', style: 'solid' }, color: '#123' }],
      },
    },
    'docs.json',
  );
  expect(problems).toEqual([]);
  expect(config.logo).toEqual({ light: '/logo.svg', dark: '/logo.svg' });
  expect(config.background?.color).toEqual({ light: '#fff', dark: '#fff' });
  expect(config.navigation?.versions?.[0]?.version).toBe('2');
  expect(config.navigation?.anchors?.[0]).toEqual({ anchor: 'x', icon: 'book', color: { light: '#123', dark: '#123' } });
});

test('knows every key of the format', () => {
  const entry = {
    icon: 'a',
    iconType: 'solid',
    hidden: true,
    href: '/x',
    tag: 'new',
    root: 'x',
    expanded: true,
    searchable: true,
    boost: 2,
    public: true,
    directory: 'card',
    openapi: 'a.json',
    asyncapi: ['b.yaml'],
  };
  const { problems } = parseConfig(
    {
      $schema: 'https://example.com/docs.json',
      theme: 'mint',
      name: 'Docs',
      description: 'x',
      colors: { primary: '#16A34A', light: '#fff', dark: '#000' },
      navigation: {
        languages: [
          { language: 'en', default: true, banner: { content: 'x' }, footer: { socials: {} }, navbar: { links: [] }, pages: [] },
        ],
        tabs: [
          {
            tab: 'a',
            ...entry,
            menu: [{ item: 'x', description: 'y', pages: [] }],
            graphql: 'schema.graphql',
            sdk: { format: 'typedoc' },
          },
        ],
        global: { anchors: [{ anchor: 'x', href: 'https://example.com', color: { light: '#fff' } }] },
      },
      logo: { light: '/a.svg', dark: '/b.svg', href: '/' },
      favicon: '/f.svg',
      appearance: { default: 'dark', strict: true },
      fonts: {
        family: 'Inter',
        weight: 550,
        source: '/f.woff2',
        format: 'woff2',
        heading: { family: 'A' },
        body: { family: 'B' },
      },
      icons: { library: 'lucide' },
      background: { decoration: 'grid', color: { light: '#fff', dark: '#000' }, image: '/a.png' },
      styling: { eyebrows: 'breadcrumbs', latex: true, codeblocks: { theme: 'x' } },
      thumbnails: { appearance: 'light' },
      navbar: {
        links: [{ type: 'github', href: 'https://github.com/x/y' }],
        primary: { type: 'button', label: 'x', href: '/x' },
      },
      footer: { socials: { x: 'https://x.com/y' }, links: [{ header: 'h', items: [{ label: 'l', href: '/x' }] }] },
      banner: { content: 'x', dismissible: true, type: 'warning', color: '#fff' },
      interaction: { drilldown: true },
      contextual: {
        options: [
          'copy',
          { title: 'x', href: '/y' },
          { title: 'x', href: { base: '/y', query: [{ key: 'q', value: '$page' }] } },
        ],
        display: 'toc',
      },
      redirects: [{ source: '/a', destination: '/b', permanent: false }],
      variables: { 'api-version': 'v2' },
      metadata: { timestamp: true },
      errors: { 404: { redirect: false, title: 'x', description: 'y' } },
      api: { openapi: 'x.json' },
      markdown: { schema: true, instructions: 'x' },
      seo: { indexing: 'all', metatags: { a: 'b' }, organization: { name: 'x' } },
      search: { prompt: 'x' },
      integrations: { ga4: { measurementId: 'x' } },
    },
    'docs.json',
  );
  expect(problems).toEqual([]);
});

test('names the line of each value and unknown key, after earlier items were removed as well', () => {
  const text = `\uFEFF{
  "name": "x",
  "feedback": true,
  "navigation": {
    "pages": [
      "a",
      7,
      { "group": "B",
        "pages": [8], "page": "x" }
    ]
  },
  "redirects": [
    7,
    { "source": "/a" }
  ]
}`;
  const { problems } = parseConfig(JSON.parse(text.slice(1)), 'docs.json', () => jsonPositions(text));
  expect(problems.map(({ line, message }) => `${line}: ${message.split(' ')[0]}`).sort()).toEqual([
    '13: "redirects[0]"',
    '14: "redirects[1]"',
    '3: "feedback"',
    '7: "navigation.pages[1]"',
    '9: "navigation.pages[2].page"',
    '9: "navigation.pages[2].pages[0]"',
  ]);
});

test('reports the same fault of a key once, at its first place, with the number of others', () => {
  const text = `{
  "navigation": { "groups": [
    { "group": "A", "isDefaultOpen": true, "icon": false, "pages": [
      { "group": "B", "isDefaultOpen": true, "pages": [] }] },
    { "group": "C", "isDefaultOpen": false, "icon": false, "pages": [] },
    { "group": "D", "icon": 3, "pages": [] }
  ] }
}`;
  const { problems } = parseConfig(JSON.parse(text), 'docs.json', () => jsonPositions(text));
  expect(problems.map(({ line, message, hint }) => `${line}: ${message} ${hint}`).sort()).toEqual([
    '3: "navigation.groups[0].icon" is false, but must be a string or an object. The value is ignored. The same is at one more place. Correct it in docs.json.',
    '3: "navigation.groups[0].isDefaultOpen" is not a known key of docs.json. It is ignored. The same is at 2 more places. Did you mean "expanded"?',
    '6: "navigation.groups[2].icon" is 3, but must be a string or an object. The value is ignored. Correct it in docs.json.',
  ]);
});
