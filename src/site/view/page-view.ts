import type { Labels } from '../../../integration/search/labels/labels.ts';
import type { Heading } from '../../markdown/rendered.ts';
import type { PageLink, NavigationContext, SiteConfig } from '../model.ts';

/**
 * The theme's input for one page. Every URL is root-relative or external; the export makes them relative.
 * Components only render it and do not compute anything.
 */
export interface PageView {
  site: {
    name: string;
    config: SiteConfig;
    /** Root-relative URL of the home page of the page's language and version. */
    home: string;
    /** Content of `<meta name="generator">`. */
    generator: string;
    /** Root-relative URLs of the reader's scripts and styles. */
    reader: Reader;
    /** Absolute URL of the published site, if known (for canonical links). */
    url?: string;
  };
  page: {
    path: string;
    title: string;
    /** Additional ids of the title, used by links. */
    anchors: string[];
    description?: string;
    language: string;
    dir: 'ltr' | 'rtl';
    docsVersion?: string;
    /** `not-found` is the page for every missing URL; the export does not rewrite its URLs. */
    mode: 'default' | 'wide' | 'custom' | 'frame' | 'center' | 'not-found';
    icon?: string;
    tag?: string;
    deprecated: boolean;
    /** Safe HTML of the content. */
    html: string;
    headings: Heading[];
    /** Titles of the groups above the page, from the top level down. */
    trail: string[];
    noindex: boolean;
    searchable: boolean;
    /** Whether this page is at `/`. */
    isHome: boolean;
    inSitemap: boolean;
    inLlms: boolean;
    boost?: number;
    keywords: string[];
    metatags: Record<string, string>;
    /** Canonical URL for search engines, if the page sets one. */
    canonical?: string;
    /** Root-relative URL of the Markdown version. */
    markdownHref: string;
    lastUpdated?: string;
    previous?: PageLink;
    next?: PageLink;
  };
  context: NavigationContext;
  labels: ThemeLabels;
  /** Safe `<svg>` of every icon in `context`, `page` and `site.config`; social networks by key. */
  icons?: Record<string, string>;
}

/** The theme's client files, named by content hash. */
export interface Reader {
  style: string;
  /** Blocking: sets dark mode before the first paint. */
  earlyScript: string;
  /** Deferred: custom elements. */
  script: string;
}

/** The theme's labels in the page's language. */
export type ThemeLabels = Labels['theme'] & Pick<Labels['search'], 'search'> & Pick<Labels['dialogs'], 'close'>;
