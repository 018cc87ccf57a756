import { describe, expect, test } from 'vitest';
import type { BranchNode, Site } from '../../../../src/site/model.ts';
import { branchOf, listPages, navigationEntries } from '../../../../src/site/navigation/branch.ts';
import { plainSite, siteOf } from '../site-of.ts';

const many = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, index) => `${prefix}p${String(index).padStart(5, '0')}`);

/** A branch as indented lines: `-` open and `+` closed groups, `*` links to list pages, `…` folds. */
function lines(nodes: BranchNode[], indent = ''): string[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'page') return [`${indent}${node.title}`];
    if (node.kind === 'all-pages') return [`${indent}* ${node.title}`];
    if (node.kind === 'closed') return [`${indent}+ ${node.title} ${node.href}`];
    if (node.kind === 'folded') return [`${indent}… ${node.title} ${node.href}`, ...lines(node.children, `${indent}  `)];
    return [`${indent}${node.open ? '-' : '+'} ${node.title}`, ...lines(node.children, `${indent}  `)];
  });
}

const branch = (site: Site, path: string, key = 'site') => branchOf(site.contexts.get(key)!, key, site.name, path);
const shown = (site: Site, path: string) => lines(branch(site, path).nodes);

describe('a page carries', () => {
  test('a small sidebar whole, with groups closed and open', () => {
    const inner = { group: 'Setup', root: 'setup', pages: ['linux', { group: 'Old', pages: ['old'] }] };
    const site = siteOf(['a', 'b', 'setup', 'linux', 'old'], { groups: [{ group: 'Start', pages: ['a', inner] }] });
    expect(shown(site, 'linux')).toEqual(['- Start', '  a', '  - Setup', '    Setup', '    linux', '    + Old', '      old']);
    expect(branch(site, 'linux')).toMatchObject({ context: 'site', isPartial: false });
    expect(navigationEntries(site.contexts.get('site')!, () => true)).toBeUndefined();
  });

  test('the entries that are not in closed groups, when these are few', () => {
    const groups = [1, 2, 3].map((number) => ({
      group: `G${number}`,
      pages: [
        `g${number}`,
        { group: `Inner ${number}`, pages: many(30, `${number}/`) },
        { group: `More ${number}`, pages: many(30, `${number}/m`) },
      ],
    }));
    const files = groups.flatMap(({ pages: [page, ...inner] }) => [
      page as string,
      ...inner.flatMap((one) => (one as { pages: string[] }).pages),
    ]);
    const site = siteOf(files, { groups });
    expect(shown(site, '2/p00001')).toEqual([
      '- G1',
      '  g1',
      '  + Inner 1 /1/p00000',
      '  + More 1 /1/mp00000',
      '- G2',
      '  g2',
      '  - Inner 2',
      ...many(30, '2/').map((title) => `    ${title}`),
      '  + More 2 /2/mp00000',
      '- G3',
      '  g3',
      '  + Inner 3 /3/p00000',
      '  + More 3 /3/mp00000',
    ]);
    expect(branch(site, '2/p00001').isPartial).toBe(true);
    expect(listPages(site.contexts.get('site')!, 'site', 'Docs')).toEqual([]);
  });

  test('40 entries of a long list around its own, and a link to the list page', () => {
    const site = plainSite(many(500));
    const entries = shown(site, 'p00250');
    expect(entries).toEqual([...many(500).slice(240, 280), expect.stringMatching(/^\* /)]);
    expect(shown(site, 'p00000').slice(0, 40)).toEqual(many(40));
    expect(shown(site, 'p00499').slice(0, 40)).toEqual(many(500).slice(460));
  });

  test('other top-level groups as links to their first pages, when they are large', () => {
    const groups = ['a', 'b', 'c'].map((name) => ({ group: name.toUpperCase(), pages: many(45, `${name}/`) }));
    const site = siteOf(
      groups.flatMap(({ pages }) => pages),
      { groups },
    );
    expect(shown(site, 'b/p00002')).toEqual([
      '+ A /a/p00000',
      '- B',
      ...many(40, 'b/').map((title) => `  ${title}`),
      '  * B',
      '+ C /c/p00000',
    ]);
  });

  test('the top level and the nearest levels of a deep place', () => {
    let group: object = { group: 'L60', pages: ['last'] };
    for (let level = 59; level > 0; level--) group = { group: `L${level}`, pages: [group, `p${level}`] };
    const site = siteOf([...Array.from({ length: 59 }, (_, index) => `p${index + 1}`), 'last'], { groups: [group] });
    const entries = shown(site, 'last');
    expect(entries.slice(0, 4)).toEqual(['- L1', '  … L2 /last', '    - L55', '      - L56']);
    expect(entries).toContain('                last');
    expect(entries.length).toBeLessThan(20);
  });

  test('one place of a page that is in 40', () => {
    const groups = Array.from({ length: 40 }, (_, index) => ({
      group: `G${index}`,
      pages: ['everywhere', ...many(10, `${index}/`)],
    }));
    const site = siteOf(['everywhere', ...groups.flatMap(({ pages }) => pages.slice(1))], { groups });
    const open = shown(site, 'everywhere').filter((line) => line.startsWith('- '));
    expect(open).toEqual(['- G0']);
  });

  test('the start of the navigation, if it is not in it', () => {
    const site = siteOf([...many(200), 'hidden'], { pages: many(200) });
    expect(shown(site, 'hidden').slice(0, 40)).toEqual(many(40));
  });
});

test('one more page changes only the branches of the pages near it', () => {
  const before = plainSite(many(1000));
  const after = plainSite([...many(1000), 'p00500b']);
  const changed = many(1000).filter((path) => JSON.stringify(branch(before, path)) !== JSON.stringify(branch(after, path)));
  expect(changed.length).toBeGreaterThan(10);
  expect(changed.length).toBeLessThanOrEqual(40);
  expect(changed[0]! > 'p00460' && changed.at(-1)! < 'p00540').toBe(true);
});

describe('list pages', () => {
  const listsOf = (site: Site) => listPages(site.contexts.get('site')!, 'site', 'Docs');

  test('have every entry of a long list once, at most 200 on a page', () => {
    const lists = listsOf(plainSite(many(1000)));
    expect(lists.flatMap(({ entries }) => entries.map(({ title }) => title))).toEqual(many(1000));
    expect(Math.max(...lists.map(({ entries }) => entries.length))).toBeLessThanOrEqual(200);
    expect(lists.length).toBeGreaterThan(4);
    expect(new Set(lists.map(({ path }) => path)).size).toBe(lists.length);
    expect(lists[0]).toMatchObject({ group: 'Docs', number: 1, trail: [] });
  });

  test('link to the first, the last and some of the others, however many there are', () => {
    const lists = listsOf(plainSite(many(6000)));
    expect(lists.length).toBeGreaterThan(60);
    const last = lists.length;
    expect(lists[9]!.near.map(({ number }) => number)).toEqual([1, 5, 8, 9, 10, 11, 12, 15, 20, 30, 60, last]);
    for (const list of lists) {
      expect(list.near.length).toBeLessThanOrEqual(21);
      for (const { number, path } of list.near) expect(path).toBe(lists[number - 1]!.path);
    }
  });

  test('mostly stay the same when an entry is added', () => {
    const text = (site: Site) => listsOf(site).map(({ entries }) => JSON.stringify(entries));
    const before = new Set(text(plainSite(many(2000))));
    const changed = text(plainSite([...many(2000), 'p00100b'])).filter((entries) => !before.has(entries));
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThanOrEqual(2);
  });

  test('link to the first page of each group', () => {
    const groups = Array.from({ length: 60 }, (_, index) => ({ group: `Group ${index}`, pages: [`${index}/a`, `${index}/b`] }));
    const site = siteOf(
      groups.flatMap(({ pages }) => pages),
      { groups },
    );
    const [list] = listsOf(site);
    expect(list!.entries.slice(0, 2)).toEqual([
      { title: 'Group 0', href: '/0/a' },
      { title: 'Group 1', href: '/1/a' },
    ]);
  });
});

test('the navigation script has every entry, pages without marks as title and path', () => {
  const groups = [
    {
      group: 'Open',
      root: 'root',
      icon: 'star',
      pages: [...many(120), { group: 'Closed', root: 'inner', tag: 'New', pages: ['last'] }],
    },
  ];
  const site = siteOf([...many(120), 'root', 'inner', 'last'], { groups });
  const [open] = navigationEntries(site.contexts.get('site')!, () => true)!;
  expect(open).toMatchObject({ title: 'Open', href: '/root', icon: 'star', open: true });
  expect(open).toHaveProperty('entries.0', ['p00000', 'p00000']);
  expect(open).toHaveProperty('entries.120', {
    title: 'Closed',
    tag: 'New',
    entries: [
      ['Closed', 'inner'],
      ['last', 'last'],
    ],
  });
});
