/** Where a page shows. The table of rules is the format's own; test/src/site/visibility.test.ts holds every row. */
export interface Visibility {
  sidebar: boolean;
  search: boolean;
  sitemap: boolean;
  /** Search engines are told not to list it. */
  noindex: boolean;
  assistant: boolean;
  llms: boolean;
}

export interface VisibilityFacts {
  /** Named by the navigation. */
  listed: boolean;
  /** The page's own frontmatter; undefined where it does not say. */
  hidden?: boolean;
  noindex?: boolean;
  searchable?: boolean;
  /** A group or division above it is hidden. */
  hiddenAbove?: boolean;
  /** What the nearest entry above says that says anything; a hidden entry that says nothing counts as `false`. */
  searchableAbove?: boolean;
  /** seo.indexing is "all": hidden pages are found as well. */
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
