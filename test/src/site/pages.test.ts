import { describe, expect, test } from 'vitest';
import type { Visibility } from '../../../src/site/model.ts';
import { visibility, type VisibilityFacts } from '../../../src/site/pages.ts';
import { siteOf } from './site-of.ts';

/** Columns: sidebar, site search, sitemap, told not to index, llms. */
function row(columns: string): Visibility {
  const [sidebar, search, sitemap, noindex, llms] = columns.split(' ').map((column) => column === 'yes');
  return { sidebar, search, sitemap, noindex, llms } as Visibility;
}

test.each<[string, Partial<VisibilityFacts>, string]>([
  ['an ordinary page', {}, 'yes yes yes no yes'],
  ['hidden: true on the page', { hidden: true }, 'no no no yes no'],
  ['a page that navigation does not name', { listed: false }, 'no no no no no'],
  ['noindex: true', { noindex: true }, 'yes no no yes no'],
  ['searchable: false', { searchable: false }, 'yes no yes no yes'],
  ['searchable: false on the group', { searchableAbove: false }, 'yes no yes no yes'],
  ['a hidden group', { hiddenAbove: true, searchableAbove: false }, 'no no no yes no'],
  ['searchable: true on a hidden group', { hiddenAbove: true, searchableAbove: true }, 'no yes yes no yes'],
  [
    'hidden: true on the page beats searchable: true above',
    { hidden: true, hiddenAbove: true, searchableAbove: true },
    'no no no yes no',
  ],
  ['hidden: false in a hidden group', { hidden: false, hiddenAbove: true, searchableAbove: false }, 'no yes yes no yes'],
  ['searchable: true on a hidden page does nothing', { hidden: true, searchable: true }, 'no no no yes no'],
  ['searchable: true on an unlisted page does nothing', { listed: false, searchable: true }, 'no no no no no'],
  ['seo.indexing "all" and a hidden page', { hidden: true, indexingAll: true }, 'no yes yes no yes'],
  ['seo.indexing "all" and an unlisted page', { listed: false, indexingAll: true }, 'no yes yes no yes'],
  ['seo.indexing "all" and noindex: true', { noindex: true, indexingAll: true }, 'yes no no yes no'],
])('%s', (_, facts, columns) => {
  expect(visibility({ listed: true, indexingAll: false, ...facts })).toEqual(row(columns));
});

describe('in a site', () => {
  test.each<[string, Record<string, unknown>, string, string]>([
    ['a hidden tab', { tab: 'B', hidden: true, pages: ['b'] }, '', 'no no no yes no'],
    ['a hidden tab that is searchable', { tab: 'B', hidden: true, searchable: true, pages: ['b'] }, '', 'no yes yes no yes'],
    [
      'a hidden group in a searchable hidden tab',
      { tab: 'B', hidden: true, searchable: true, groups: [{ group: 'G', hidden: true, pages: ['b'] }] },
      '',
      'no no no yes no',
    ],
    [
      'a searchable group in a hidden tab',
      { tab: 'B', hidden: true, groups: [{ group: 'G', searchable: true, pages: ['b'] }] },
      '',
      'no yes yes no yes',
    ],
    ['hidden: false in a hidden tab', { tab: 'B', hidden: true, pages: ['b'] }, 'hidden: false', 'no yes yes no yes'],
    ['hidden: "true" as text', { tab: 'B', pages: ['b'] }, 'hidden: "true"', 'no no no yes no'],
    ['robots: noindex', { tab: 'B', pages: ['b'] }, 'robots: noindex, nofollow', 'yes no no yes no'],
  ])('%s', (_, tab, frontmatter, columns) => {
    const site = siteOf({ a: 'A', b: `---\n${frontmatter}\n---\nB` }, { tabs: [{ tab: 'A', pages: ['a'] }, tab] });
    expect(site.pages.find((page) => page.path === 'b')?.visibility).toEqual(row(columns));
  });
});

describe('the directory of a group’s root page', () => {
  const files = {
    index: '---\ntitle: All\n---\n',
    'a/index': '---\ntitle: A\n---\n',
    'a/x': '---\ntitle: X\ndescription: About X\nicon: leaf\n---\n',
    'a/y': '---\ntitle: Y\n---\n',
    hidden: '---\ntitle: H\nhidden: true\n---\n',
  };
  const inner = { group: 'Inner', root: 'a/index', pages: ['a/x', 'a/y', 'hidden', 'https://example.com/z'] };
  const directoriesOf = (top: object, group: object) => {
    const groups = [{ group: 'Outer', root: 'index', ...top, pages: [{ ...inner, ...group }] }];
    const site = siteOf(files, { directory: 'card', groups });
    return Object.fromEntries(site.pages.flatMap(({ path, directory }) => (directory ? [[path, directory]] : [])));
  };
  const x = { title: 'X', description: 'About X', icon: 'leaf', href: '/a/x' };
  const entries = [x, { title: 'Y', href: '/a/y' }, { title: 'example.com/z', href: 'https://example.com/z' }];

  test('lists its entries, as the nearest entry above says', () => {
    expect(directoriesOf({}, { directory: 'accordion' })).toEqual({
      '': { kind: 'card', entries: [{ title: 'Inner', href: '/a', entries }] },
      a: { kind: 'accordion', entries },
    });
  });

  test('is turned off for a group and what is in it', () => {
    expect(directoriesOf({ directory: 'none' }, {})).toEqual({});
    expect(Object.keys(directoriesOf({}, { directory: 'none' }))).toEqual(['']);
  });
});

test('related pages have their titles, and what does not exist or is limited is left out and reported', () => {
  const related = [
    '/b#part',
    'b',
    'Our blog: https://example.com/blog/',
    'https://example.com/x',
    'More: b',
    'nowhere',
    'Fees: /c#x',
    '',
    7,
  ];
  const files = {
    a: `---\nrelated: ${JSON.stringify(related)}\n---\n`,
    b: '---\ntitle: B\nrelated: false\n---\n',
    c: '---\ngroups: partner\n---\n',
  };
  const site = siteOf(files, { pages: ['a', 'b', 'c'] });
  expect(site.pages.map((page) => page.related)).toEqual([
    [
      { title: 'B', href: '/b#part' },
      { title: 'B', href: '/b' },
      { title: 'Our blog', href: 'https://example.com/blog/' },
      { title: 'example.com/x', href: 'https://example.com/x' },
      { title: 'More', href: '/b' },
    ],
    [],
  ]);
  expect(site.problems.filter(({ kind }) => kind.startsWith('link-'))).toMatchObject([
    {
      kind: 'link-without-target',
      severity: 'warning',
      page: 'a.mdx',
      message: expect.stringContaining('"nowhere" in "related"'),
    },
    { kind: 'link-to-limited-page', severity: 'note', page: 'a.mdx', message: expect.stringContaining('"/c" in "related"') },
    { kind: 'link-without-target', severity: 'warning', page: 'a.mdx', message: expect.stringContaining('"7" in "related"') },
  ]);
});
