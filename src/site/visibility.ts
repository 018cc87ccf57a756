/** Where a page is visible. The rules come from the format; test/src/site/visibility.test.ts has every row of its table. */
export interface Visibility {
  sidebar: boolean;
  search: boolean;
  sitemap: boolean;
  /** The page asks search engines not to index it. */
  noindex: boolean;
  assistant: boolean;
  llms: boolean;
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
    assistant: isPublic && searchable,
    llms: isPublic,
  };
}
