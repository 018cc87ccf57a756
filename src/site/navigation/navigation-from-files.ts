import type { NavigationEntry } from '../../source/docs-json.ts';
import { numberField, objectField } from '../frontmatter-fields.ts';
import type { PageFacts } from '../page-facts.ts';
import { humanise } from '../page-title.ts';

interface Folder {
  name: string;
  index?: PageFacts;
  pages: PageFacts[];
  folders: Map<string, Folder>;
}

/**
 * Navigation of a folder without configuration: a group for each folder, named after its index page or itself.
 * Order: explicit first (`sidebar.order`, `sidebar_position`, `order`, `weight`, a leading number), then pages, then folders, by name.
 * `base` is the folder to list, '' for all.
 */
export function navigationFromFiles(pages: readonly PageFacts[], base = ''): NavigationEntry {
  const root: Folder = { name: '', pages: [], folders: new Map() };
  for (const page of pages) context(page, root, base);
  const index = root.index && [root.index.path || 'index'];
  return { pages: [...(index ?? []), ...entries(root)] };
}

function context(page: PageFacts, root: Folder, base: string): void {
  const relative = base ? page.path.slice(base.length).replace(/^\//, '') : page.path;
  const names = relative === '' ? [] : relative.split('/');
  // An index page has the path of its folder; its file name distinguishes it from a page beside the folder.
  const isIndex = relative === '' || /(?:^|\/)(?:index|readme)\.mdx?$/i.test(page.source.file);
  const last = isIndex ? undefined : names.pop();
  let folder = root;
  for (const name of names) {
    const inner: Folder = folder.folders.get(name) ?? { name, pages: [], folders: new Map() };
    folder.folders.set(name, inner);
    folder = inner;
  }
  if (last === undefined) folder.index = page;
  else folder.pages.push(page);
}

function entries(folder: Folder): (string | NavigationEntry)[] {
  const pages = folder.pages.map((page) => ({ key: sortKey(nameOf(page), page, 0), entry: page.path }));
  const folders = [...folder.folders.values()].map((inner) => ({
    key: sortKey(inner.name, inner.index, 1),
    entry: group(inner),
  }));
  return [...pages, ...folders].sort((a, b) => compareKeys(a.key, b.key)).map(({ entry }) => entry);
}

function group(folder: Folder): NavigationEntry {
  const { index } = folder;
  return {
    group: index ? (index.sidebarTitle ?? index.title) : humanise(folder.name),
    ...(index && { root: index.path }),
    pages: entries(folder),
  };
}

interface SortKey {
  order: number;
  kind: number;
  name: string;
}

function sortKey(name: string, page: PageFacts | undefined, kind: number): SortKey {
  const frontmatter = page?.source.frontmatter ?? {};
  const stated =
    numberField(objectField(frontmatter.sidebar).order) ??
    numberField(frontmatter.sidebar_position) ??
    numberField(frontmatter.order) ??
    numberField(frontmatter.weight);
  const leading = /^(\d{1,4})(?:[-_. ]|$)/.exec(name)?.[1];
  return { order: stated ?? (leading === undefined ? Infinity : Number(leading)), kind, name: name.toLowerCase() };
}

function compareKeys(a: SortKey, b: SortKey): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  if (a.order === Infinity && a.kind !== b.kind) return a.kind - b.kind;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function nameOf(page: PageFacts): string {
  return page.path.slice(page.path.lastIndexOf('/') + 1);
}
