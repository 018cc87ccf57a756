import type { Labels } from '../../../integration/search/labels/labels.ts';
import type { Heading } from '../../markdown/rendered.ts';
import type { PageLink, Place, SiteConfig } from '../model.ts';

/**
 * All that the theme needs for one page. Every address in it is root-absolute or external:
 * the export makes them relative. Components render it and compute nothing.
 */
export interface PageView {
  site: {
    name: string;
    config: SiteConfig;
    /** Root-absolute home of the page's language and version. */
    home: string;
    /** Content of `<meta name="generator">`. */
    generator: string;
    /** Root-absolute names of the reader's scripts and styles. */
    reader: Reader;
    /** Absolute address of the published site, where known (canonical links). */
    url?: string;
  };
  page: {
    path: string;
    title: string;
    /** Ids by which links name the title, beside its own. */
    anchors: string[];
    description?: string;
    language: string;
    dir: 'ltr' | 'rtl';
    docsVersion?: string;
    /** `not-found` is the one page served for every missing address; the export leaves its addresses as they are. */
    mode: 'default' | 'wide' | 'custom' | 'frame' | 'center' | 'not-found';
    icon?: string;
    tag?: string;
    deprecated: boolean;
    /** Safe HTML of the content. */
    html: string;
    headings: Heading[];
    /** Group titles above the page, from the top down. */
    trail: string[];
    noindex: boolean;
    searchable: boolean;
    /** Whether `/` leads here. */
    isHome: boolean;
    inSitemap: boolean;
    inLlms: boolean;
    boost?: number;
    keywords: string[];
    metatags: Record<string, string>;
    /** Address that search engines should take for the original, where the page names one. */
    canonical?: string;
    /** Root-absolute address of the Markdown mirror. */
    markdownHref: string;
    lastUpdated?: string;
    previous?: PageLink;
    next?: PageLink;
  };
  place: Place;
  labels: ThemeLabels;
  /** Safe `<svg>` of every icon named in `place`, `page` and `site.config`, social networks by their key. */
  icons?: Record<string, string>;
}

/** The theme's own client files, named by their content. */
export interface Reader {
  style: string;
  /** Blocking: sets dark mode before first paint. */
  earlyScript: string;
  /** Deferred: custom elements. */
  script: string;
}

/** Texts of the theme in the page's language. */
export type ThemeLabels = Labels['theme'] & Pick<Labels['search'], 'search'> & Pick<Labels['dialogs'], 'close'>;
