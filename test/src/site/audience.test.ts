import { expect, test } from 'vitest';
import { ExportError } from '../../../integration/errors.ts';
import { buildSite } from '../../../src/site/build-site.ts';
import { outline, siteOf, sourceOf } from './site-of.ts';

const forReaders = (...groups: string[]) => `---\ngroups: ${JSON.stringify(groups)}\n---\nText`;

/** The paths of the pages that readers of these groups see. */
const pathsFor = (files: Record<string, string>, navigation: unknown, ...groups: string[]) =>
  siteOf(files, navigation, { groups }).pages.map(({ path }) => path);

test('a page is for readers of one of its groups', () => {
  const files = {
    open: 'x',
    one: forReaders('partner'),
    two: forReaders('partner', 'beta'),
    list: '---\ngroups: beta, staff\n---\n',
  };
  const navigation = { pages: ['open', 'one', 'two', 'list'] };
  expect(pathsFor(files, navigation)).toEqual(['open']);
  expect(pathsFor(files, navigation, 'partner')).toEqual(['open', 'one', 'two']);
  expect(pathsFor(files, navigation, 'beta')).toEqual(['open', 'two', 'list']);
  expect(pathsFor(files, navigation, 'staff', 'partner')).toEqual(['open', 'one', 'two', 'list']);
});

test.each(['a, comma', 'emoji 🦔', 'x'.repeat(300), 'Ünïcode', ' spaces '])('the name of a group is any text: %s', (name) => {
  const files = { open: 'x', one: forReaders(name) };
  expect(pathsFor(files, { pages: ['open', 'one'] }, 'other')).toEqual(['open']);
  expect(pathsFor(files, { pages: ['open', 'one'] }, name.trim())).toEqual(['open', 'one']);
});

test.each([
  ['groups:', true],
  ['groups: []', true],
  ["groups: ''", true],
  ['Groups: [partner]', false],
  ['GROUPS: partner', false],
  ['groups: 7', false],
  ['groups: false', false],
  ['groups: { partner: true }', false],
  ['groups: [{ name: partner }]', false],
])('%s is for everybody: %s', (line, isOpen) => {
  expect(pathsFor({ open: 'x', one: `---\n${line}\n---\n` }, { pages: ['open', 'one'] })).toEqual(
    isOpen ? ['open', 'one'] : ['open'],
  );
});

test('a number is the name of a group', () => {
  expect(pathsFor({ one: '---\ngroups: 7\n---\n' }, { pages: ['one'] }, '7')).toEqual(['one']);
});

test('an entry of the navigation limits all in it, and one in another entry both', () => {
  const files = { open: 'x', a: 'x', b: 'x', c: 'x', root: 'x' };
  const navigation = {
    groups: [
      { group: 'Open', pages: ['open'] },
      {
        group: 'Partners',
        groups: ['partner', { group: 'Inside', groups: ['beta'], root: 'root', pages: ['b', { group: 'Deep', pages: ['c'] }] }],
        pages: ['a'],
      },
    ],
  };
  expect(pathsFor(files, navigation)).toEqual(['open']);
  expect(pathsFor(files, navigation, 'beta')).toEqual(['open']);
  expect(pathsFor(files, navigation, 'partner')).toEqual(['open', 'a']);
  expect(pathsFor(files, navigation, 'partner', 'beta')).toEqual(['open', 'a', 'root', 'b', 'c']);
});

test.each(['tabs', 'anchors', 'dropdowns', 'products', 'versions', 'languages'] as const)(
  'entries of %s are limited, too',
  (level) => {
    const name = {
      tabs: 'tab',
      anchors: 'anchor',
      dropdowns: 'dropdown',
      products: 'product',
      versions: 'version',
      languages: 'language',
    }[level];
    const files = { open: 'x', secret: 'x' };
    const navigation = {
      [level]: [
        { [name]: 'en', pages: ['open'] },
        { [name]: 'fr', groups: ['partner'], pages: ['secret'] },
      ],
    };
    const site = siteOf(files, navigation);
    expect(site.pages.map(({ path }) => path)).toEqual(['open']);
    expect(JSON.stringify([...site.contexts.values()])).not.toMatch(/secret|"fr"/);
    expect(pathsFor(files, navigation, 'partner')).toEqual(['open', 'secret']);
  },
);

test('entries of all pages and of menus are limited, too', () => {
  const files = { open: 'x', secret: 'x', item: 'x' };
  const navigation = {
    global: { anchors: [{ anchor: 'Secret anchor', groups: ['partner'], href: 'https://partners.example.com' }] },
    tabs: [
      { tab: 'T', pages: ['open'], menu: [{ item: 'Secret item', groups: ['partner'], pages: ['item'] }] },
      { tab: 'Secret tab', groups: ['partner'], pages: ['secret'] },
    ],
  };
  const texts = (...groups: string[]) => JSON.stringify([...siteOf(files, navigation, { groups }).contexts.values()]);
  expect(texts()).not.toContain('ecret');
  expect(texts('partner')).toMatch(/Secret anchor.*Secret item.*Secret tab/);
});

test('an entry that only links is limited, also where no page is', () => {
  const anchor = { anchor: 'Secret anchor', groups: ['partner'], href: 'https://partners.example.com' };
  const texts = (...groups: string[]) =>
    JSON.stringify([...siteOf({ open: 'x' }, { global: { anchors: [anchor] }, pages: ['open'] }, { groups }).contexts.values()]);
  expect(texts()).not.toContain('ecret');
  expect(texts('partner')).toContain('Secret anchor');
});

test('a page in two entries is seen by those who may see one of them', () => {
  const files = { open: 'x', both: 'x' };
  const navigation = {
    groups: [
      { group: 'A', groups: ['partner'], pages: ['both'] },
      { group: 'B', pages: ['open', 'both'] },
    ],
  };
  expect(pathsFor(files, navigation)).toEqual(['open', 'both']);
});

test('`public` opens limited pages to those who see the entry', () => {
  const files = { open: 'x', one: forReaders('partner'), two: forReaders('partner') };
  const navigation = {
    groups: [
      { group: 'A', public: true, pages: ['open', 'one'] },
      { group: 'B', groups: ['beta'], public: true, pages: ['two'] },
    ],
  };
  expect(pathsFor(files, navigation)).toEqual(['open', 'one']);
  expect(pathsFor(files, navigation, 'beta')).toEqual(['open', 'one', 'two']);
});

test('an entry without a page that these readers see is not shown', () => {
  const files = { open: 'x', one: forReaders('partner') };
  const site = siteOf(files, {
    groups: [
      { group: 'A', pages: ['open'] },
      { group: 'Partners', pages: ['one'] },
    ],
  });
  expect(outline(site, 'site')).toEqual(['- A', '  Open /open']);
  expect(site.problems.map(({ kind }) => kind)).toEqual(['page-limited-to-groups']);
});

test('a page with a snippet for others is excluded, and reported', () => {
  const source = sourceOf(
    { open: 'x', two: 'import A from "/snippets/a.mdx"\n\n<A/>' },
    { name: 'Docs', navigation: { pages: ['open', 'two'] } },
  );
  for (const [file, body, frontmatter] of [
    ['snippets/a.mdx', 'import B from "/snippets/b.mdx"\n\n<B/>', {}],
    ['snippets/b.mdx', 'secret', { groups: ['partner'] }],
  ] as const)
    source.snippets.set(file, { file, body, frontmatter, bodyLine: 0, kind: 'mdx', digest: file });
  const site = buildSite(source);
  expect(site.pages.map(({ path }) => path)).toEqual(['open']);
  expect(site.problems).toEqual([
    expect.objectContaining({
      kind: 'snippet-limited-to-groups',
      severity: 'warning',
      page: 'two.mdx',
      message: expect.stringContaining('snippets/b.mdx'),
    }),
  ]);
  expect(buildSite(source, { groups: ['partner'] }).pages.map(({ path }) => path)).toEqual(['open', 'two']);
});

test('redirects of limited pages are not in the export, and those of a folder only while it has another page', () => {
  const config = {
    name: 'Docs',
    navigation: { pages: ['open', 'team/a', 'mixed/a', 'mixed/b'] },
    redirects: [
      { source: '/old', destination: '/team/a' },
      { source: '/before/:slug*', destination: '/team/:slug*' },
      { source: '/team/a/x', destination: '/open' },
      { source: '/earlier/:slug*', destination: '/mixed/:slug*' },
    ],
  };
  const files = { open: 'x', 'team/a': forReaders('partner'), 'mixed/a': forReaders('partner'), 'mixed/b': 'x' };
  const site = buildSite(sourceOf(files, config));
  expect(JSON.stringify([site.redirects, site.redirectRules])).not.toMatch(/team|old|before|mixed\/a/);
  expect(site.redirects).toContainEqual(expect.objectContaining({ from: 'earlier/b' }));
});

test('a page that is asked for but limited is named as such', () => {
  const files = { open: 'x', secret: forReaders('partner') };
  expect(() => siteOf(files, { pages: ['open', 'secret'] }, { paths: ['secret'] })).toThrow(
    expect.objectContaining({
      code: 'PathNotFound',
      hint: expect.stringContaining('limited to other groups'),
    } satisfies Partial<ExportError>),
  );
});

test('a group that no page names changes nothing', () => {
  const files = { open: 'x', one: forReaders('partner') };
  expect(pathsFor(files, { pages: ['open', 'one'] }, 'nobody')).toEqual(['open']);
});

test('links of the configuration to limited pages are left out and reported, wherever they are', () => {
  const link = (href: string) => ({ label: `To ${href}`, href });
  const config = {
    name: 'Docs',
    logo: { light: '/a.svg', dark: '/b.svg', href: '/secret' },
    navbar: { links: [link('/secret#part'), link('/open'), link('https://example.com/secret')], primary: link('secret.mdx') },
    footer: {
      socials: { github: 'https://github.com/acme' },
      links: [
        { header: 'Inside', items: [link('/secret/')] },
        { header: 'More', items: [link('/open'), link('/secret?a=b')] },
      ],
    },
    navigation: {
      tabs: [
        {
          tab: 'Guides',
          pages: ['open', 'secret', { group: 'Aside', href: '/secret' }],
          footer: { links: [{ items: [link('/secret')] }] },
        },
        { tab: 'Prices', href: '/secret' },
      ],
      global: { anchors: [{ anchor: 'Fees', href: '/secret' }] },
    },
  };
  const source = sourceOf({ open: 'x', secret: forReaders('partner') }, config);
  const site = buildSite(source);
  expect(JSON.stringify(site.source.config)).not.toContain('"/secret');
  expect(JSON.stringify(site.config)).not.toMatch(/"(?:\/secret|secret\.mdx)/);
  expect(site.source.config).toMatchObject({
    logo: { light: '/a.svg', dark: '/b.svg' },
    navbar: { links: [link('/open'), link('https://example.com/secret')] },
    footer: { links: [{ header: 'More', items: [link('/open')] }] },
  });
  expect(site.problems.filter(({ kind }) => kind === 'link-to-limited-page')).toHaveLength(9);
  expect(JSON.stringify(buildSite(source, { groups: ['partner'] }).source.config)).toContain('"/secret?a=b"');
});

test('a link of the configuration to a limited home page stays: it goes to the first page', () => {
  const source = sourceOf(
    { index: forReaders('partner'), open: 'x' },
    { name: 'Docs', navbar: { links: [{ label: 'Home', href: '/' }] } },
  );
  expect(buildSite(source).source.config?.navbar?.links).toHaveLength(1);
});
