// A page carries its own branch of the navigation: the groups above it, each with the entries nearest to it. So the size of a page depends on
// its place, not on the number of pages. The navigation script has the rest.
import { hash } from 'node:crypto';
import { slug } from 'github-slugger';
import { listFolder } from '../../../integration/astro/own-files.ts';
import type { NavigationEntry } from '../../../integration/reader/core/site-data.ts';
import type { Branch, BranchNode, GroupNode, NavigationContext, NavigationNode, TrailStep } from '../model.ts';
import { pageHref } from '../page-paths.ts';

/** A page carries up to this many entries as they are: all of its sidebar, or all that is not in closed groups. */
const mostWhole = 100;
/** Otherwise it carries this many entries of a list. */
const mostSiblings = 40;
/** And this many levels: the top level and the nearest ones. */
const mostLevels = 8;

/** An entry of a sidebar in its place. */
interface Entry {
  node: NavigationNode;
  /** 1 at the top. */
  level: number;
  parent?: Entry;
  siblings: Entry[];
  index: number;
  /** The entries of a group: its own page, where its title is not a link, and its children. */
  entries: Entry[];
  /** How many entries the open group shows, with those of open groups in it. */
  inside: number;
  /** How many groups of the same title are before it in its list. */
  twinsBefore: number;
}

interface Tree {
  root: Entry[];
  size: number;
  /** How many entries are not in closed groups. */
  shown: number;
  /** The first place of each URL. */
  places: Map<string, Entry>;
  /** URLs that have several places. */
  repeated: Set<string>;
  /** The branches of pages without repeated places, by the group that they are in and the start of their window. */
  branches: Map<Entry | undefined, Map<number, Branch>>;
  /** How many entries the place with the most open groups around it shows. */
  mostShown: number;
}

const trees = new WeakMap<NavigationContext, Tree>();

function treeOf(context: NavigationContext): Tree {
  let tree = trees.get(context);
  if (!tree) trees.set(context, (tree = createTree(context.sidebar)));
  return tree;
}

function createTree(sidebar: NavigationNode[]): Tree {
  const tree: Tree = {
    root: [],
    size: 0,
    shown: 0,
    places: new Map(),
    repeated: new Set(),
    branches: new Map(),
    mostShown: 0,
  };
  tree.root = entriesOf(sidebar, undefined);
  tree.shown = sum(tree.root);
  let mostAdded = 0;
  const addOf = (entries: Entry[], added: number) => {
    for (const entry of entries) {
      const own = added + (isOpen(entry) ? 0 : entry.inside);
      mostAdded = Math.max(mostAdded, own);
      addOf(entry.entries, own);
    }
  };
  addOf(tree.root, 0);
  tree.mostShown = tree.shown + mostAdded;
  return tree;

  function entriesOf(nodes: NavigationNode[], parent: Entry | undefined): Entry[] {
    const siblings: Entry[] = [];
    const level = (parent?.level ?? 0) + 1;
    const twins = new Map<string, number>();
    for (const [index, node] of nodes.entries()) {
      const twinsBefore = twins.get(node.title) ?? 0;
      if (node.kind === 'group') twins.set(node.title, twinsBefore + 1);
      const entry: Entry = { node, level, parent, siblings, index, entries: [], inside: 0, twinsBefore };
      siblings.push(entry);
      tree.size++;
      if (node.href !== undefined && (node.kind === 'page' || level === 1)) {
        if (tree.places.has(node.href)) tree.repeated.add(node.href);
        else tree.places.set(node.href, entry);
      }
      if (node.kind === 'group') entry.entries = entriesOf(level === 1 ? node.children : childrenOf(node), entry);
      entry.inside = sum(entry.entries);
    }
    return siblings;
  }
}

// The toggle of a group cannot be a link as well, so the group's own page comes first in the group.
function childrenOf({ href, title, children }: GroupNode): NavigationNode[] {
  if (!href || children.some((node) => node.href === href)) return children;
  const isExternal = !href.startsWith('/');
  return [{ kind: 'page', path: href.slice(1), title, href, ...(isExternal && { external: true }) }, ...children];
}

/** Whether a group is open wherever the reader is. */
function isOpen({ node, level }: Pick<Entry, 'node' | 'level'>): boolean {
  return node.kind === 'group' && (level === 1 || node.expanded);
}

function sum(entries: Entry[]): number {
  return entries.reduce((count, entry) => count + 1 + (isOpen(entry) ? entry.inside : 0), 0);
}

/**
 * The branch of a page. `key` is that of the context, `name` what its top level is called: the name of the site.
 * Pages with the same branch share one object.
 */
export function branchOf(context: NavigationContext, key: string, name: string, path: string): Branch {
  const tree = treeOf(context);
  const href = pageHref(path);
  const place = tree.places.get(href);
  if (place && (place.node.kind === 'group' || tree.repeated.has(href))) return branchAt(tree, key, name, place, href);
  const start = place ? windowStart(place.siblings, place.index) : -1;
  let branches = tree.branches.get(place?.parent);
  if (!branches) tree.branches.set(place?.parent, (branches = new Map<number, Branch>()));
  let branch = branches.get(start);
  if (!branch) branches.set(start, (branch = branchAt(tree, key, name, place, href)));
  return branch;
}

function branchAt(tree: Tree, key: string, name: string, place: Entry | undefined, href?: string): Branch {
  if (tree.size <= mostWhole) return { nodes: tree.root.map((entry) => wholeNode(entry, href)), context: key, isPartial: false };
  const path: Entry[] = [];
  for (let entry = place; entry; entry = entry.parent) path.push(entry);
  path.reverse();
  const added = path.reduce((count, entry) => count + (isOpen(entry) ? 0 : entry.inside), 0);
  if (tree.shown + added <= mostWhole) {
    const above = new Set(path);
    return { nodes: tree.root.map((entry) => openNode(entry, above)), context: key, isPartial: true };
  }
  return {
    nodes: path.length > 0 ? levelNodes(path, 0, key, name) : nearest(tree.root, 0, key, name),
    context: key,
    isPartial: true,
  };
}

function wholeNode(entry: Entry, href: string | undefined): BranchNode {
  if (entry.node.kind === 'page') return entry.node;
  return groupNode(
    entry.node,
    isOpen(entry) || contains(entry, href),
    entry.entries.map((inner) => wholeNode(inner, href)),
  );
}

function contains({ node, entries }: Entry, href: string | undefined): boolean {
  return (href !== undefined && node.href === href) || entries.some((entry) => contains(entry, href));
}

/** An entry with everything that is not in closed groups. */
function openNode(entry: Entry, above: Set<Entry>): BranchNode {
  const { node } = entry;
  if (node.kind === 'page') return node;
  if (!isOpen(entry) && !above.has(entry)) return closedNode(entry);
  return groupNode(
    node,
    true,
    entry.entries.map((inner) => openNode(inner, above)),
  );
}

/** The list that the entry at `depth` of the path is in, with the lists below. */
function levelNodes(path: Entry[], depth: number, key: string, name: string): BranchNode[] {
  const entry = path[depth]!;
  return nearest(entry.siblings, entry.index, key, name, () => {
    const next = depth + 1;
    // The page of a group whose title is a link.
    if (next === path.length) return nearest(entry.entries, 0, key, name);
    const last = path.length - mostLevels + 1;
    if (next >= last || depth > 0) return levelNodes(path, next, key, name);
    const folded = path[next]!;
    return [{ kind: 'folded', title: folded.node.title, href: firstHref(folded), children: levelNodes(path, last, key, name) }];
  });
}

/** The entries of a list around `index`; with `below`, the entry there is the open group of that content. */
function nearest(list: Entry[], index: number, key: string, name: string, below?: () => BranchNode[]): BranchNode[] {
  const start = windowStart(list, index);
  const nodes = list.slice(start, start + mostSiblings).map((entry): BranchNode => {
    const { node } = entry;
    if (node.kind === 'page') return node;
    return below && entry.index === index ? groupNode(node, true, below()) : closedNode(entry);
  });
  if (nodes.length === list.length) return nodes;
  const group = list[0]!.parent;
  return [...nodes, { kind: 'all-pages', title: group?.node.title ?? name, href: pageHref(listPath(key, group)) }];
}

/** Index of the first entry of a list that a page carries. */
function windowStart(list: Entry[], index: number): number {
  return Math.max(0, Math.min(index - mostSiblings / 4, list.length - mostSiblings));
}

function groupNode({ title, icon, tag, href }: GroupNode, open: boolean, children: BranchNode[]): BranchNode {
  return { kind: 'group', title, ...(icon && { icon }), ...(tag && { tag }), ...(href && { href }), open, children };
}

function closedNode(entry: Entry): BranchNode {
  const { title, icon, tag } = entry.node;
  return { kind: 'closed', title, ...(icon && { icon }), ...(tag && { tag }), href: firstHref(entry) };
}

function firstHref(entry: Entry): string {
  let first = entry;
  while (first.node.href === undefined && first.entries[0]) first = first.entries[0];
  return first.node.href ?? '/';
}

/** A page that lists entries of one group, for readers without scripts. */
export interface ListPage {
  path: string;
  /** Title of the group. */
  group: string;
  /** The groups above, from the top level down. */
  trail: TrailStep[];
  entries: { title: string; href: string }[];
  /** Position among the list pages of the group, from 1, and how many there are. */
  number: number;
  count: number;
  /** Some of the list pages of the group: the ends, those near this one, and fewer further away. */
  near: { number: number; path: string }[];
  branch: Branch;
}

/** A list page has at most this many entries. */
const mostListed = 200;

/** The list pages of every list of a context that no page carries whole. */
export function listPages(context: NavigationContext, key: string, name: string): ListPage[] {
  const tree = treeOf(context);
  if (tree.size <= mostWhole || tree.mostShown <= mostWhole) return [];
  const pages: ListPage[] = [];
  const addOf = (list: Entry[], group: Entry | undefined) => {
    if (list.length > mostSiblings) {
      const first = listPath(key, group);
      const parts = runs(list);
      const pathOf = (number: number) => (number === 1 ? first : `${first}/${number}`);
      const trail: TrailStep[] = [];
      for (let above = group?.parent; above; above = above.parent)
        trail.unshift({ title: above.node.title, href: firstHref(above) });
      for (const [index, entries] of parts.entries()) {
        const number = index + 1;
        const count = parts.length;
        pages.push({
          path: pathOf(number),
          group: group?.node.title ?? name,
          trail,
          entries: entries.map((entry) => ({ title: entry.node.title, href: firstHref(entry) })),
          number,
          count,
          near: nearNumbers(number, count).map((near) => ({ number: near, path: pathOf(near) })),
          branch: branchAt(tree, key, name, entries[0]),
        });
      }
    }
    for (const entry of list) addOf(entry.entries, entry);
  };
  addOf(tree.root, undefined);
  return pages;
}

function nearNumbers(number: number, last: number): number[] {
  const steps = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500];
  const near = steps.flatMap((step) => [number - step, number + step]).filter((other) => other >= 1 && other <= last);
  return [...new Set([1, ...near, last])].sort((a, b) => a - b);
}

/** Cuts a list where the entries themselves say, so that one more entry does not move the cuts after it. */
function runs(list: Entry[]): Entry[][] {
  const found: Entry[][] = [];
  let run: Entry[] = [];
  for (const entry of list) {
    run.push(entry);
    const isCut = run.length >= mostListed / 4 && digest(`${entry.node.title}\n${firstHref(entry)}`).startsWith('0');
    if (!isCut && run.length < mostListed) continue;
    found.push(run);
    run = [];
  }
  if (run.length > 0) found.push(run);
  return found;
}

/** The path depends on the titles of the group and of those above it. */
function listPath(key: string, group: Entry | undefined): string {
  const title = group?.node.title ?? '';
  return `${listFolder}${[slug(title).slice(0, 60), groupId(key, group)].filter(Boolean).join('-')}`;
}

const ids = new WeakMap<Entry, string>();

function groupId(key: string, group: Entry | undefined): string {
  if (!group) return digest(key);
  let id = ids.get(group);
  if (id === undefined) {
    id = digest(`${groupId(key, group.parent)}\n${group.node.title}\n${group.twinsBefore}`);
    ids.set(group, id);
  }
  return id;
}

function digest(text: string): string {
  return hash('sha256', text).slice(0, 8);
}

/** The whole sidebar of a context, for the navigation script; undefined where every page carries all of it. */
export function navigationEntries(context: NavigationContext, isPage: (path: string) => boolean): NavigationEntry[] | undefined {
  const tree = treeOf(context);
  if (tree.size <= mostWhole) return undefined;
  const entryOf = ({ node, level, entries }: Entry): NavigationEntry => {
    const { title, href, icon, tag } = node;
    const marks = { ...(icon && { icon }), ...(tag && { tag }) };
    if (node.kind === 'group') {
      const link = level === 1 && href !== undefined ? { href } : {};
      return { title, ...marks, ...link, ...(isOpen({ node, level }) && { open: true }), entries: entries.map(entryOf) };
    }
    const { path, deprecated, external } = node;
    const isOwn = href === pageHref(path) && isPage(path);
    if (isOwn && !icon && !tag && !deprecated) return [title, path];
    return {
      title,
      ...(isOwn ? { path } : { href: node.href }),
      ...marks,
      ...(deprecated && { deprecated }),
      ...(external && { external }),
    };
  };
  return tree.root.map(entryOf);
}
