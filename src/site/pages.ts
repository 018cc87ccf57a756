import { lastUpdated, type ChangeDates } from './last-updated.ts';
import type { Directory, Page, PageLink, SiteConfig, Visibility } from './model.ts';
import type { FoundContext, Listing, Walked } from './navigation/walk-navigation.ts';
import { textField, type PageFacts } from './page-facts.ts';
import { findPage, pageHref } from './page-paths.ts';

/** A page with its context; `listing` is missing when the page is not in the navigation. */
export interface ListedPage {
  facts: PageFacts;
  context: FoundContext;
  listing?: Listing;
}

/** Pages in navigation order, each in the first context that contains it; then pages outside the navigation, by path. */
export function listedPages(
  walked: Walked,
  known: ReadonlyMap<string, PageFacts>,
  wanted: ReadonlySet<FoundContext>,
): ListedPage[] {
  const listed = new Map<string, ListedPage>();
  for (const listing of walked.listings) {
    const { path, context } = listing;
    if (wanted.has(context) && !listed.has(path)) listed.set(path, { facts: known.get(path)!, context, listing });
  }
  const listedAnywhere = new Set(walked.listings.map((listing) => listing.path));
  const contextOf = contextByFolder(walked.listings, walked.contexts[0]);
  const unlisted = [...known.values()].filter((facts) => !listedAnywhere.has(facts.path));
  for (const facts of unlisted) {
    const context = contextOf(facts.path);
    if (context && wanted.has(context)) listed.set(facts.path, { facts, context });
  }
  return [...listed.values()];
}

export interface PageRules {
  known: ReadonlyMap<string, PageFacts>;
  /** Language of pages whose context has none. */
  language: string;
  config: Pick<SiteConfig, 'indexing' | 'timestamp'>;
  changed?: ChangeDates;
  directories: ReadonlyMap<string, Directory>;
}

export function toPage(
  { facts, context, listing }: ListedPage,
  { known, language, config, changed, directories }: PageRules,
): Page {
  const { path, title, anchors, description, icon, tag, deprecated, keywords, mode, source } = facts;
  const index = listing && !facts.hidesFooterPagination ? positions(context).get(path) : undefined;
  const link = (other: string | undefined): PageLink | undefined => {
    const target = other === undefined ? undefined : known.get(other);
    return target && { title: target.sidebarTitle ?? target.title, href: pageHref(target.path) };
  };
  return {
    path,
    title,
    anchors,
    description,
    icon,
    tag,
    deprecated,
    keywords,
    mode,
    boost: facts.boost ?? listing?.boost,
    language: context.language ?? language,
    docsVersion: context.docsVersion,
    visibility: visibility({
      listed: listing !== undefined,
      hidden: facts.hidden,
      noindex: facts.noindex,
      searchable: facts.searchable,
      hiddenAbove: listing?.hiddenAbove,
      searchableAbove: listing?.searchableAbove,
      indexingAll: config.indexing === 'all',
    }),
    context: context.key,
    trail: listing?.trail ?? [],
    directory: directories.get(path),
    related: relatedLinks(source.frontmatter.related, known).found,
    lastUpdated: lastUpdated(facts, config.timestamp, changed),
    previous: index === undefined ? undefined : link(context.sequence[index - 1]),
    next: index === undefined ? undefined : link(pageAfter(context.sequence, index)),
    source,
  };
}

/** `related` of the frontmatter: paths of pages, URLs, or `Title: link` with either. `missing` are paths that are not a page. */
export function relatedLinks(related: unknown, known: ReadonlyMap<string, PageFacts>): { found: PageLink[]; missing: string[] } {
  const found: PageLink[] = [];
  const missing: string[] = [];
  for (const one of Array.isArray(related) ? (related as unknown[]) : []) {
    const [, named, link] = /^(?:(.+?):\s+)?(\S+)$/.exec(textField(one) ?? '') ?? [];
    if (link === undefined) continue;
    const [path = '', anchor = ''] = link.split(/(#.*)/s);
    const page = findPage(path, known);
    if (/^https?:\/\//i.test(link)) found.push({ title: named ?? link.replace(/^https?:\/\/|\/$/gi, ''), href: link });
    else if (page) found.push({ title: named ?? page.title, href: `${pageHref(page.path)}${anchor}` });
    else missing.push(path);
  }
  return { found, missing };
}

/** A page that several groups in a row contain is not the next of itself. */
function pageAfter(sequence: string[], index: number): string | undefined {
  let next = index + 1;
  while (sequence[next] === sequence[index]) next++;
  return sequence[next];
}

const indexed = new WeakMap<FoundContext, Map<string, number>>();

/** Position of each page in the reading order of a context. */
function positions(context: FoundContext): Map<string, number> {
  let found = indexed.get(context);
  if (!found) {
    // If a sidebar contains a page twice, the first position counts.
    found = new Map(context.sequence.map((path, index) => [path, index] as const).reverse());
    indexed.set(context, found);
  }
  return found;
}

/** Finds the context of pages that are not in the navigation: that of the nearest folder with a page in it. */
function contextByFolder(
  listings: readonly Listing[],
  fallback: FoundContext | undefined,
): (path: string) => FoundContext | undefined {
  const contexts = new Map<string, FoundContext>();
  for (const { path, context } of listings) {
    for (let folder = path; !contexts.has(folder); folder = parent(folder)) {
      contexts.set(folder, context);
      if (folder === '') break;
    }
  }
  return (path) => {
    for (let folder = path; folder !== ''; folder = parent(folder)) {
      const context = contexts.get(folder);
      if (context) return context;
    }
    return fallback;
  };
}

function parent(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export interface VisibilityFacts {
  /** The page is in the navigation. */
  listed: boolean;
  /** From the page's frontmatter; undefined when not set. */
  hidden?: boolean;
  noindex?: boolean;
  searchable?: boolean;
  /** A group or division above the page is hidden. */
  hiddenAbove?: boolean;
  /** From the nearest entry above that sets it; a hidden entry that does not set it counts as `false`. */
  searchableAbove?: boolean;
  /** seo.indexing is "all": hidden pages are indexed as well. */
  indexingAll: boolean;
}

/** Where a page is visible. The rules come from the format; its tests have every row of its table. */
export function visibility(facts: VisibilityFacts): Visibility {
  const sidebar = facts.listed && !facts.hidden && !facts.hiddenAbove;
  const isHidden =
    facts.hidden === true || (facts.hiddenAbove === true && facts.searchableAbove !== true && facts.hidden !== false);
  const isFound = facts.indexingAll || (facts.listed && !isHidden);
  const noindex = facts.noindex === true || (isHidden && !facts.indexingAll);
  const isPublic = isFound && !noindex;
  const searchable = facts.searchable !== false && (facts.hiddenAbove === true || facts.searchableAbove !== false);
  return {
    sidebar,
    search: isPublic && searchable,
    sitemap: isPublic,
    noindex,
    llms: isPublic,
  };
}
