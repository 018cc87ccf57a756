import type { ContentRules } from '../page/content-rules.ts';

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
