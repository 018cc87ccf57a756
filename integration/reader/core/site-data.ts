import type { Labels } from '../../search/labels/labels.ts';

/**
 * The data of the whole site for the reader's scripts: `_carrel/site.js`, a classic script with a fixed name that is loaded on first use
 * and calls `__carrel_site(data)`.
 */
export interface SiteData {
  format: 1;
  /** Absent in older exports. */
  defaultLanguage?: string;
  defaultDocsVersion?: string;
  indexes: SiteIndex[];
  /** The suffix of a page's path in the name of its file, where that is not `/index.html` for most pages. */
  ending?: string;
  /** Page path to file in the export ('guides/c%23' to 'guides/c-2/index.html'), only where it is not path and suffix. */
  files?: Record<string, string>;
  /** Names in `_carrel` of the scripts with the labels of each language ('pt-BR'); a language without one gets English labels. */
  labels?: Record<string, string>;
  /** Name in `_carrel` of the script with all page paths; only where there are several languages or docs versions. */
  pagesScript?: string;
}

/** Texts of search and of the Ask panel in one language: `_carrel/<labels[language]>` calls `__carrel_labels(texts)` with these. */
export type SiteLabels = Partial<Labels['search'] & Labels['dialogs'] & Labels['ask'] & Labels['quotes']>;

/** The search index of one language and docs version. */
export interface SiteIndex {
  language: string;
  docsVersion?: string;
  /** In `_carrel`, with neither leading nor trailing slash: 'search/ab12cd/en-v2'. */
  folder: string;
}

/** All pages of one language and docs version. `_carrel/<pagesScript>` calls `__carrel_pages(variants)` with these. */
export interface SiteVariant {
  language: string;
  docsVersion?: string;
  folders: VariantFolder[];
}

/**
 * Pages of a variant under one path prefix. Pages with the same position, `base` and entry of `pages`,
 * in two variants are the same page.
 */
export interface VariantFolder {
  /** Start of every path: 'fr/v2/', 'specification/v2/', or '' at the root. */
  prefix: string;
  /** The prefix without the folders that name the variant: 'specification/'; absent where that is empty. */
  base?: string;
  /** Paths without the prefix, sorted; '' is the folder's own page. */
  pages: string[];
}
