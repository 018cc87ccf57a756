import type { Excerpt } from '../../search/excerpt.ts';
import type { SearchResult } from '../../search/index.ts';
import { openSiteIndex } from '../core/open-index.ts';
import { chooseIndexes, type SiteData, type SiteIndex } from '../core/site-data.ts';

/** A result with its docs version and a function that loads its excerpt. */
export interface Found extends SearchResult {
  docsVersion?: string;
  excerpt(): Promise<Excerpt | undefined>;
}

export type Searcher = ReturnType<typeof searcher>;

/** Searches the index of the page's language and docs version, and on demand those of the other versions. Each is opened on first use. */
export function searcher(site: SiteData, language: string, docsVersion: string | undefined) {
  const { own, others } = chooseIndexes(site, language, docsVersion);
  return {
    hasOtherVersions: others.length > 0,
    async search(query: string, scope: 'own' | 'all', limit: number): Promise<Found[]> {
      const wanted = [...(own ? [own] : []), ...(scope === 'all' ? others : [])];
      const [first = [], ...rest] = await Promise.all(wanted.map((index) => searchOne(index, query, limit)));
      if (rest.length === 0) return first;
      return [first, ...rest]
        .flat()
        .sort((a, b) => b.score - a.score)
        .slice(0, limit);
    },
  };
}

async function searchOne({ folder, docsVersion }: SiteIndex, query: string, limit: number): Promise<Found[]> {
  const index = await openSiteIndex(folder);
  const results = await index.search(query, { limit });
  return results.map((result) => ({
    ...result,
    docsVersion,
    excerpt: async () => (await index.excerpts([result]))[0],
  }));
}
