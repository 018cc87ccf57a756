import type { ContentRules } from '../page/content-rules.ts';

/** What the export has to know of a site that another theme than ours made. */
export interface Guest {
  /** What the site's root-absolute addresses begin with: `/` or `/docs/`. */
  base: string;
  /** Full address of its root, ending in a slash, as far as it is known: what begins with it is the site's own. */
  address?: string;
  /** Other addresses that files of the site go by, each ending in a slash: the host that Astro's `assetsPrefix` names. */
  ownAddresses?: string[];
  /** Which part of a page is content, and what of it to leave out. */
  content: ContentRules;
  /** Whether every page also comes as Markdown. @default true */
  markdown?: boolean;
  /** How readers come to search: by a small button and Ctrl/Cmd+K, by what the site itself offers, or not at all. */
  search: 'button' | 'site' | 'off';
  /** Hosts that may be asked, or brought in. */
  allow: string[];
}
