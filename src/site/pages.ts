import type { Page, PageLink } from './model.ts';
import type { PageFacts } from './page-facts.ts';
import { placeByFolder } from './navigation/page-contexts.ts';
import { visibility } from './visibility.ts';
import type { FoundPlace, Listing, Walked } from './navigation/walk-navigation.ts';
import { pageHref } from './view/page-href.ts';

/** A page with the place it belongs to; `listing` is missing where the navigation does not name it. */
export interface PlacedPage {
  facts: PageFacts;
  place: FoundPlace;
  listing?: Listing;
}

/** Pages in order of navigation, each at the first place that names it, then those that none names, by path. */
export function placedPages(
  walked: Walked,
  known: ReadonlyMap<string, PageFacts>,
  wanted: ReadonlySet<FoundPlace>,
): PlacedPage[] {
  const placed = new Map<string, PlacedPage>();
  for (const listing of walked.listings) {
    const { path, place } = listing;
    if (wanted.has(place) && !placed.has(path)) placed.set(path, { facts: known.get(path)!, place, listing });
  }
  const listedAnywhere = new Set(walked.listings.map((listing) => listing.path));
  const placeOf = placeByFolder(walked.listings, walked.places[0]);
  const unlisted = [...known.values()].filter((facts) => !listedAnywhere.has(facts.path));
  for (const facts of unlisted) {
    const place = placeOf(facts.path);
    if (place && wanted.has(place)) placed.set(facts.path, { facts, place });
  }
  return [...placed.values()];
}

export function toPage(
  { facts, place, listing }: PlacedPage,
  known: ReadonlyMap<string, PageFacts>,
  language: string,
  indexingAll: boolean,
): Page {
  const { path, title, anchors, sidebarTitle, description, icon, tag, mode, keywords, source } = facts;
  const index = listing && !facts.hidesFooterPagination ? positions(place).get(path) : undefined;
  const link = (other: string | undefined): PageLink | undefined => {
    const target = other === undefined ? undefined : known.get(other);
    return target && { title: target.sidebarTitle ?? target.title, href: pageHref(target.path) };
  };
  const boost = facts.boost ?? listing?.boost;
  return {
    path,
    title,
    ...(anchors.length && { anchors }),
    ...(sidebarTitle && { sidebarTitle }),
    ...(description && { description }),
    language: place.language ?? language,
    ...(place.docsVersion !== undefined && { docsVersion: place.docsVersion }),
    ...(facts.groups.length && { groups: facts.groups }),
    visibility: visibility({
      listed: listing !== undefined,
      hidden: facts.hidden,
      noindex: facts.noindex,
      searchable: facts.searchable,
      hiddenAbove: listing?.hiddenAbove,
      searchableAbove: listing?.searchableAbove,
      indexingAll,
    }),
    ...(boost !== undefined && { boost }),
    ...(keywords.length && { keywords }),
    mode,
    ...(icon && { icon }),
    ...(tag && { tag }),
    ...(facts.deprecated && { deprecated: true }),
    place: place.key,
    trail: listing?.trail ?? [],
    ...(index !== undefined && { previous: link(place.sequence[index - 1]), next: link(place.sequence[index + 1]) }),
    source,
  };
}

const indexed = new WeakMap<FoundPlace, Map<string, number>>();

/** Where each page stands in the reading order of a place. */
function positions(place: FoundPlace): Map<string, number> {
  let found = indexed.get(place);
  if (!found) {
    // The first mention counts where a sidebar names a page twice.
    found = new Map(place.sequence.map((path, index) => [path, index] as const).reverse());
    indexed.set(place, found);
  }
  return found;
}
