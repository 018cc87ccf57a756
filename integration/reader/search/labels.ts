/** Words of the search dialog. `{count}` and `{query}` stand for what they say. */
export interface SearchLabels {
  search: string;
  searchPlaceholder: string;
  searchNoResults: string;
  searchResults: string;
  searchRecent: string;
  searchOtherVersions: string;
  searchClear: string;
  searchFailed: string;
  close: string;
}

export const englishSearchLabels: SearchLabels = {
  search: 'Search',
  searchPlaceholder: 'Search the docs',
  searchNoResults: 'Nothing found for “{query}”',
  searchResults: '{count} results',
  searchRecent: 'Recent searches',
  searchOtherVersions: 'Search other versions',
  searchClear: 'Clear recent searches',
  searchFailed: 'The search index could not be loaded. Reload the page, or export the site again.',
  close: 'Close',
};
