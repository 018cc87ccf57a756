import type { AskLabels } from './ask-labels.ts';
import type { SearchLabels } from './search-labels.ts';

/**
 * What the reader's scripts know about the whole site: `_carrel/site.js`, a classic script under a fixed name,
 * appended on first use, that calls `__carrel_site(data)` with this.
 */
export interface SiteData {
  format: 1;
  /** Absent in older exports. */
  defaultLanguage?: string;
  defaultDocsVersion?: string;
  indexes: SiteIndex[];
  /** What follows a page's path in the name of its file, where it is not `/index.html` for most pages. */
  ending?: string;
  /** Page path to file in the export ('guides/c%23' to 'guides/c-2/index.html'), only where it is not path and ending. */
  files?: Record<string, string>;
  /** Name in `_carrel` of the script of the words of a language ('pt-BR'); English where there is none. */
  labels?: Record<string, string>;
  /** Name in `_carrel` of the script of all page paths; only where there is a choice of language or docs version. */
  pagesScript?: string;
}

/** Words of search and of the ask panel in one language: `_carrel/<labels[language]>` calls `__carrel_labels(words)` with these. */
export type SiteLabels = Partial<SearchLabels & AskLabels>;

/** The search index of one language and docs version. */
export interface SiteIndex {
  language: string;
  docsVersion?: string;
  /** In `_carrel`, with neither leading nor trailing slash: 'search/ab12cd/en-v2'. */
  folder: string;
}

/**
 * All pages of one language and docs version. `_carrel/<pagesScript>` calls `__carrel_pages(variants)` with these;
 * two pages with the same entry in `pages` are the same page in two variants.
 */
export interface SiteVariant {
  language: string;
  docsVersion?: string;
  /** Start of every path of the variant: 'fr/v2/', or '' at the root. */
  prefix: string;
  /** Paths without the prefix, sorted. */
  pages: string[];
}
