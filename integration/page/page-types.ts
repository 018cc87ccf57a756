// The five types of a page on its way through the export, each the result of one step:
//
//   PageSource    the site lists its pages
//   BuiltPage     the page is rendered, or read from a built site: HTML, title, Markdown
//   ScannedPage   its HTML is tokenized once: references, loads, sections
//   PageRecord    what the export needs besides the text: plain JSON, cached by the page's key
//   WrittenPage   its files are in the export; what the lists and the next export need
import type { Problem } from '../diagnostics.ts';
import type { PageLoad } from '../html/load.ts';
import type { AnalyzedPage } from '../search/analyze.ts';
import type { Edit } from '../text/edit.ts';
import type { PageScan } from './scan-page.ts';

/** A page that can be built. The same `key` and targets of links promise the same `BuiltPage`, so a cache may answer instead. */
export interface PageSource {
  path: string;
  key?: string;
  /** Whether the URLs of the page still refer to the same; only of a site whose pages have `linkTargets`. */
  hasTargets?(targets: LinkTargets): boolean;
  /** File of the docs folder that the page is made from, for problems. */
  file?: string;
  /** Where `file` contains a text such as a URL, if the source knows it. */
  positionOf?(text: string): Pick<Problem, 'line' | 'column'> | undefined;
  /** Builds the page; a page that is read in another thread comes back scanned. */
  build(): Promise<BuiltPage | ScannedPage>;
  /** Starts the part of the work that other threads do, because the page is built soon. */
  begin?(): void;
}

/** The seam between any site and the export: one built page, with root-absolute URLs (`/guides/x`). */
export interface BuiltPage {
  /** 'guides/install', '' = home. */
  path: string;
  html: string;
  title: string;
  /** One or two sentences for llms.txt; by default the first paragraph of `markdown`. */
  description?: string;
  language: string;
  docsVersion?: string;
  /** Markdown version of the page, links root-absolute without extension. */
  markdown?: string;
  /** Whether the page copies its Markdown, which it reads from a script where a browser refuses to read files. */
  copiesMarkdown?: boolean;
  searchable: boolean;
  /** Shown beside its title in search results, such as the method of an operation. */
  tag?: string;
  /** Names of what it is in, such as its tab and group, for search results. */
  trail?: string;
  /** Name of the part of the site that has it, such as a tab; search can find pages of one alone. */
  area?: string;
  /** Multiplies search scores of its sections. */
  boost?: number;
  /** ISO date on which it last changed, if it says it. */
  lastUpdated?: string;
  /** Whether sitemap.xml lists it. */
  inSitemap: boolean;
  /** Whether llms.txt and llms-full.txt list it. */
  inLlms: boolean;
  /** What only some pages need files for, such as formulas. */
  extras?: string[];
  /** Entries of its feed. */
  updates?: FeedEntry[];
  /** Issues found while it was built. */
  problems?: Problem[];
  /** What of the page depends on which other pages the site has. */
  linkTargets?: LinkTargets;
}

/** An entry of a changelog. */
export interface FeedEntry {
  /** Anchor on the page; '' for the page itself. */
  id: string;
  title: string;
  text: string;
  /** In ISO format, if the entry says it. */
  date?: string;
  tags: string[];
}

/** URLs as they are written on a page, each with what it refers to. */
export type LinkTargets = [url: string, target: string][];

/** A built page with everything that its HTML contains. */
export interface ScannedPage {
  page: BuiltPage;
  scan: PageScan;
  /** Its links, if they were collected along with the scan. */
  links?: PageLink[];
  /** Further edits, which depend on all other edits: what an existing site needs to work from disk. */
  edits?(others: Edit[]): Edit[];
}

export interface PageRecord {
  facts: PageFacts;
  /** The distinct URLs on the page. */
  links: PageLink[];
  linkTargets?: LinkTargets;
  /** Only of a searchable page. */
  analyzed?: AnalyzedPage;
}

/** What the export knows of a page without its text and its links. */
export interface PageFacts extends Omit<BuiltPage, 'path' | 'html' | 'markdown' | 'linkTargets'> {
  hasMarkdown: boolean;
  ids: string[];
  sections: number;
  /** What it loads from external origins. */
  loads: PageLoad[];
  /** The files of the site that it loads and links to: encoded paths in the export, of a site whose files depend on its pages. */
  files?: string[];
}

export interface WrittenPage {
  source: PageSource;
  facts: PageFacts;
  /** Equal fingerprints mean equal files; undefined for a page without a key. */
  fingerprint?: string;
  /** Broken links, and links whose anchors are still to be looked up. */
  checks: LinkCheck[];
}

/**
 * What a URL is on its page: a link in the main content or in the layout around it, a link to a Markdown version, a file that is
 * loaded, or a URL that only the Markdown has.
 */
export type LinkPosition = 'content' | 'layout' | 'markdown-link' | 'content-file' | 'layout-file' | 'markdown';
export type PageLink = [position: LinkPosition, url: string];

/**
 * A link whose target is missing (`wanted` is what was looked for), a link to an excluded page, a link to a page that readers may not see,
 * a link that was found only without its first folder, or a link whose anchor must exist on its target page.
 */
export type LinkCheck =
  | { position: LinkPosition; url: string; wanted: string; isOutside?: true }
  | { position: LinkPosition; url: string; excluded: string }
  | { position: LinkPosition; url: string; limited: string }
  | { position: LinkPosition; url: string; base: string }
  | { position: LinkPosition; url: string; page: string; anchor: string };
