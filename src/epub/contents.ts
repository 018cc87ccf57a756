// The chapters of a book: the pages of the navigation, in its order.
import type { NavigationContext, NavigationNode, Page, Site } from '../site/model.ts';

export interface Entry {
  title: string;
  /** Undefined for a title above others. */
  page?: Page;
  children: Entry[];
}

/**
 * The entries of a site in its default language and version, each page at its first place; other divisions, such as tabs, are groups. A
 * home page that the navigation does not have comes first.
 */
export function contentsOf(site: Site): Entry[] {
  const pages = new Map(site.pages.map((page) => [`/${page.path}`, page]));
  const byPath = new Map(site.pages.map((page) => [page.path, page]));
  const take = (path: string): Page | undefined => {
    const page = byPath.get(path);
    byPath.delete(path);
    return page;
  };
  const entriesOf = (nodes: NavigationNode[]): Entry[] =>
    nodes.flatMap((node): Entry[] => {
      if (node.kind === 'page') {
        const page = node.external ? undefined : take(node.path);
        return page ? [{ title: node.title, page, children: [] }] : [];
      }
      const isOwn = node.href !== undefined && !node.children.some(({ href }) => href === node.href);
      const page = isOwn ? take(pages.get(decodeURI(node.href!))?.path ?? '\0') : undefined;
      const children = entriesOf(node.children);
      return page || children.length > 0 ? [{ title: node.title, ...(page && { page }), children }] : [];
    });

  const contents: Entry[] = [];
  const chosen = [...site.contexts.values()].filter(
    ({ language, docsVersion }) =>
      language === site.defaultLanguage && (docsVersion === undefined || docsVersion === site.defaultDocsVersion),
  );
  for (const context of chosen) listIn(contents, divisionsOf(context)).push(...entriesOf(context.sidebar));
  const home = take(site.home);
  if (home) contents.unshift({ title: home.title, page: home, children: [] });
  return withoutEmpty(contents);
}

/** The names of the divisions that a context is in. */
function divisionsOf({ products, dropdowns, tabs, anchors }: NavigationContext): string[] {
  return [products, dropdowns, tabs, anchors].flatMap((list) => list.find(({ active }) => active)?.label ?? []);
}

function listIn(entries: Entry[], titles: string[]): Entry[] {
  const [title, ...rest] = titles;
  if (title === undefined) return entries;
  let group = entries.find((entry) => entry.page === undefined && entry.title === title);
  if (!group) entries.push((group = { title, children: [] }));
  return listIn(group.children, rest);
}

function withoutEmpty(entries: Entry[]): Entry[] {
  return entries
    .map((entry) => ({ ...entry, children: withoutEmpty(entry.children) }))
    .filter(({ page, children }) => page !== undefined || children.length > 0);
}

/** All of them in reading order, with the titles above others. */
export function flat(entries: Entry[]): Entry[] {
  return entries.flatMap((entry) => [entry, ...flat(entry.children)]);
}
