import type { Excerpt } from '../../search/excerpt.ts';
import type { SearchResult } from '../../search/index.ts';
import { chooseIndexes } from '../core/choose-indexes.ts';
import { openSiteIndex } from '../core/open-index.ts';
import type { SiteData, SiteIndex } from '../core/site-data.ts';

/** A result with the docs version it comes from and a way to its excerpt. */
export interface Found extends SearchResult {
  docsVersion?: string;
  excerpt(): Promise<Excerpt>;
}

export interface Searcher {
  hasOtherVersions: boolean;
  search(query: string, scope: 'own' | 'all', limit: number): Promise<Found[]>;
}

/** Searches the index that fits the page, and on demand those of the other docs versions. Each is opened when first needed. */
export function searcher(site: SiteData, language: string, docsVersion: string | undefined): Searcher {
  const { own, others } = chooseIndexes(site, language, docsVersion);
  return {
    hasOtherVersions: others.length > 0,
    async search(query, scope, limit) {
      const wanted = [...(own ? [own] : []), ...(scope === 'all' ? others : [])];
      const found = await Promise.all(wanted.map((index) => searchOne(index, query, limit)));
      return wanted.length === 1
        ? found[0]!
        : found
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
    excerpt: async () => (await index.excerpts([result]))[0]!,
  }));
}
