import type { Problem } from '../diagnostics.ts';
import type { ExportOptions } from '../export/export-site.ts';
import type { ParsedOptions } from '../options.ts';
import type { ContentRules } from '../page/content-rules.ts';

/** A built site, and what its generator knows about it. */
export interface BuiltSite {
  /** Folder of its files. */
  root: string;
  /** Paths of pages in the order that they should have; pages that it does not list follow. */
  order?: string[];
  /** What its root-absolute URLs begin with: `/docs/`. By default guessed from the home page. */
  base?: string;
  /** URL of its own host, `https://docs.example.com`, or with its base. */
  site?: string;
  /** Other URLs of its files, each ending in a slash. */
  ownUrls?: string[];
  /** Redirects without a stub file; `from` and `to` are without the base. */
  redirects?: { from: string; to: string }[];
  /** Languages by path prefix, as its routing defines them. */
  languages?: Record<string, string>;
  /** Issues found before the export. */
  problems?: Problem[];
}

export type BuiltSiteOptions = Omit<ParsedOptions, 'out' | 'replace' | 'zip'> &
  Pick<
    ExportOptions,
    | 'out'
    | 'zip'
    | 'replacesSite'
    | 'sourceRoot'
    | 'generator'
    | 'environment'
    | 'onProgress'
    | 'signal'
    | 'embeddings'
    | 'attest'
    | 'only'
    | 'billOf'
  >;

/** What the export knows about a site that was not built with our theme. */
export interface StaticSite {
  /** What the site's root-absolute URLs begin with: `/` or `/docs/`. */
  base: string;
  /** Absolute URL of its root, ending in a slash, if known: URLs that begin with it belong to the site. */
  url?: string;
  /** Other URLs of the site's files, each ending in a slash: the host in Astro's `assetsPrefix`. */
  ownUrls?: string[];
  /** Which part of a page is its main content. */
  content: ContentRules;
  /** Whether every page has a Markdown version. @default true */
  markdown?: boolean;
  /** How readers open search: with a small button and Ctrl/Cmd+K, with the site's own search elements, or not at all. */
  search: 'button' | 'site' | 'off';
  /** Allowed hosts: their files can be loaded or vendored. */
  allow: string[];
}
