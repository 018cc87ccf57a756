// The chapters of a book: the pages of the navigation, in its order.
import { pageHref } from '../site/page-paths.ts';
import { xmlText } from './xml-tree.ts';
import type { NavigationContext, NavigationNode, Page, Site } from '../site/model.ts';

export interface Entry {
  title: string;
  /** Undefined for a title above others. */
  page?: Page;
  /** The chapter, once it is written. */
  href?: string;
  children: Entry[];
}

/**
 * The entries of a site in its default language and version, each page at its first place; other divisions, such as tabs, are groups. A
 * home page that the navigation does not have comes first.
 */
export function contentsOf(site: Site): Entry[] {
  const left = new Map(site.pages.map((page) => [pageHref(page.path), page]));
  const take = (href: string | undefined): Page | undefined => {
    const page = href === undefined ? undefined : left.get(href);
    if (page) left.delete(href!);
    return page;
  };
  const entriesOf = (nodes: NavigationNode[]): Entry[] =>
    nodes.flatMap((node): Entry[] => {
      const isTitle = node.kind === 'group' && node.children.some(({ href }) => href === node.href);
      const page = isTitle ? undefined : take(node.href);
      const children = node.kind === 'group' ? entriesOf(node.children) : [];
      return page || children.length > 0 ? [{ title: node.title, ...(page && { page }), children }] : [];
    });

  const contents: Entry[] = [];
  for (const context of site.contexts.values()) {
    const { language, docsVersion = site.defaultDocsVersion } = context;
    if (language !== site.defaultLanguage || docsVersion !== site.defaultDocsVersion) continue;
    const entries = entriesOf(context.sidebar);
    if (entries.length > 0) listIn(contents, divisionsOf(context)).push(...entries);
  }
  const home = take(pageHref(site.home));
  if (home) contents.unshift({ title: home.title, page: home, children: [] });
  return contents;
}

/** The names of the divisions that a context is in. */
function divisionsOf({ products, dropdowns, tabs, anchors }: NavigationContext): string[] {
  return [products, dropdowns, tabs, anchors].flatMap((list) => list.find(({ active }) => active)?.label ?? []);
}

function listIn(entries: Entry[], [title, ...rest]: string[]): Entry[] {
  if (title === undefined) return entries;
  let group = entries.find((entry) => entry.page === undefined && entry.title === title);
  if (!group) entries.push((group = { title, children: [] }));
  return listIn(group.children, rest);
}

/** All of them in reading order. */
export function flat(entries: Entry[]): Entry[] {
  return entries.flatMap((entry) => [entry, ...flat(entry.children)]);
}

/** The table of contents. */
export function contentsList(entries: Entry[]): string {
  if (entries.length === 0) return '';
  const text = ({ title, href }: Entry) =>
    href === undefined ? `<span>${xmlText(title)}</span>` : `<a href="${href}">${xmlText(title)}</a>`;
  return `<ol>\n${entries.map((entry) => `<li>${text(entry)}${contentsList(entry.children)}</li>\n`).join('')}</ol>`;
}
