import type { Excerpt } from '../../search/excerpt.ts';
import type { SearchResult, SearchScope } from '../../search/index.ts';
import { shownPerPage } from '../../search/index-options.ts';
import { spread } from '../../search/rank.ts';
import { openSiteIndex } from '../core/open-index.ts';
import { chooseIndexes, type SiteData, type SiteIndex } from '../core/site-data.ts';

/** A result with the index that has it, and functions that load its excerpt and the other results of its page. */
export interface Found extends SearchResult {
  index: SiteIndex;
  excerpt(): Promise<Excerpt | undefined>;
  ofPage(): Promise<Found[]>;
}

/** An index with so many results. */
export interface Elsewhere {
  index: SiteIndex;
  /** Whether it is the page's own, of which only a part was searched. */
  isWhole: boolean;
  count: number;
}

/** What is searched: the index of the page's language and docs version, also those of the other versions, or only another index. */
export type Scope = 'own' | 'all' | SiteIndex;

export type Searcher = ReturnType<typeof searcher>;

/** Searches the indexes of a site, from a page with this language and docs version. Each is opened on first use. */
export function searcher(site: SiteData, language: string, docsVersion: string | undefined) {
  const { own, others } = chooseIndexes(site, language, docsVersion);
  const searched = (scope: Scope): SiteIndex[] => {
    if (typeof scope === 'object') return [scope];
    return [...(own ? [own] : []), ...(scope === 'all' ? others : [])];
  };
  return {
    hasOtherVersions: others.length > 0,
    /** The parts of the site that can be searched alone, as its own index names them. */
    areas: async (): Promise<string[]> => (own ? (await openSiteIndex(own.folder)).areas : []),
    /** At most `which.limit` results. */
    async search(
      query: string,
      scope: Scope,
      which: Pick<SearchScope, 'area' | 'beforeLoading'> & { limit: number },
    ): Promise<Found[]> {
      const [first = [], ...rest] = await Promise.all(
        searched(scope).map((index) => searchOne(index, query, { perPage: shownPerPage, ...which })),
      );
      if (rest.length === 0) return first;
      const sorted = [first, ...rest].flat().sort((a, b) => b.score - a.score);
      return spread(sorted, shownPerPage, ({ page }) => page).slice(0, which.limit);
    },
    /** The query in the spelling of the docs, if its results, of which this is the first, are for another one. */
    async corrected(query: string, first: Found): Promise<string | undefined> {
      return (await openSiteIndex(first.index.folder)).corrected(query, first);
    },
    /** Queries close to this one that find something. */
    async nearest(query: string): Promise<string[]> {
      return own ? (await openSiteIndex(own.folder)).nearest(query) : [];
    },
    /**
     * The indexes outside the scope that have results, with their number, at most a hundred. Without a scope, where only a part of the site was
     * searched, its own index is the first.
     */
    async elsewhere(query: string, scope?: Scope): Promise<Elsewhere[]> {
      const within = searched(scope ?? 'own');
      const whole = scope === undefined ? within : [];
      const outside = [...whole, ...site.indexes.filter((index) => !within.includes(index))].slice(0, mostElsewhere);
      const counts = await Promise.all(
        outside.map(async (index) => ({
          index,
          isWhole: whole.includes(index),
          count: await (await openSiteIndex(index.folder)).count(query),
        })),
      );
      return counts.filter(({ count }) => count > 0);
    },
  };
}

// Each of them loads files.
const mostElsewhere = 12;

async function searchOne(index: SiteIndex, query: string, which: SearchScope): Promise<Found[]> {
  const opened = await openSiteIndex(index.folder);
  const results = await opened.search(query, which);
  return results.map((result) => ({
    ...result,
    index,
    excerpt: async () => (await opened.excerpts([result]))[0],
    ofPage: () => searchOne(index, query, { limit: 100, sameAs: result.section }),
  }));
}
