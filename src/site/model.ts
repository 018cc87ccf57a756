import type { AnalyticsProviders } from '../../integration/page-settings.ts';
import type { Problem } from '../../integration/diagnostics.ts';
import type { Repository } from '../source/repository.ts';
import type { Source } from '../source/source.ts';
import type { PageMenu } from './page-menu.ts';
import type { PageFacts } from './page-facts.ts';

/** What a reader can reach: every page with its navigation context, and all contexts. */
export interface Site {
  name: string;
  source: Source;
  config: SiteConfig;
  /** In navigation order, then hidden pages by path. Pages limited to `groups` are excluded. */
  pages: Page[];
  /** Pages of the site that were not requested. */
  excluded: Pick<Page, 'path' | 'source'>[];
  /** Files of pages that no navigation contains, without those that say that they are hidden. */
  unlisted: string[];
  /** Path of the page at '/': the home page, or the first page of the default language and version. */
  home: string;
  defaultLanguage: string;
  defaultDocsVersion?: string;
  /** Navigation contexts by key (language/docsVersion/…): header and sidebar. */
  contexts: Map<string, NavigationContext>;
  /** Whether pages offer nothing that needs an external origin. */
  isOffline: boolean;
  /** Web analytics that docs.json names, and that the deployment type can have. */
  analyticsProviders: AnalyticsProviders;
  redirects: Redirect[];
  /** The configured redirects, for `redirectFor`: a link can match a pattern that a finite list does not cover. */
  redirectRules: RedirectRule[];
  problems: Problem[];
  navigation: { listed: number; exported: number; links: number; missing: { entry: string; at: string; reason?: string }[] };
}

type StatedFacts =
  | 'path'
  | 'title'
  | 'anchors'
  | 'description'
  | 'icon'
  | 'tag'
  | 'deprecated'
  | 'keywords'
  | 'mode'
  | 'boost'
  | 'source';

/** A page in its place in the site. */
export interface Page extends Pick<PageFacts, StatedFacts> {
  language: string;
  docsVersion?: string;
  visibility: Visibility;
  /** Key in `Site.contexts`. */
  context: string;
  /** The groups from the top level down to the page's own. */
  trail: TrailStep[];
  directory?: Directory;
  /** Pages and sites that its author names. */
  related: PageLink[];
  /** ISO date on which it last changed, where the site shows it. */
  lastUpdated?: string;
  previous?: PageLink;
  next?: PageLink;
}

/** The entries of a group, listed on the page that opens it. */
export interface Directory {
  kind: 'accordion' | 'card';
  entries: DirectoryEntry[];
}

export interface DirectoryEntry {
  title: string;
  description?: string;
  icon?: string;
  /** Root-relative or an external URL; of a group, that of its first page. */
  href: string;
  /** The entries of a group. */
  entries?: DirectoryEntry[];
}

/** A group above a page. */
export interface TrailStep {
  title: string;
  /** Root-relative URL of its first page. */
  href?: string;
}

/** Where a page is visible. */
export interface Visibility {
  sidebar: boolean;
  search: boolean;
  sitemap: boolean;
  /** The page asks search engines not to index it. */
  noindex: boolean;
  llms: boolean;
}

export interface PageLink {
  title: string;
  /** Root-relative ('/guides/x') or an external URL. */
  href: string;
}

/** Header and sidebar of a page, shared by all pages of one tab in one language and version. */
export interface NavigationContext {
  language: string;
  docsVersion?: string;
  languages: Switch[];
  versions: Switch[];
  products: Switch[];
  dropdowns: Switch[];
  tabs: Switch[];
  anchors: Switch[];
  sidebar: NavigationNode[];
}

/** One choice of a switcher, tab list or anchor list. */
export interface Switch {
  label: string;
  href: string;
  active: boolean;
  /** Whether the language or docs version lacks the page that has the menu. */
  isMissing?: boolean;
  icon?: string;
  description?: string;
  tag?: string;
  color?: { light?: string; dark?: string };
  /** Entries of a tab's menu. */
  menu?: Switch[];
}

export type NavigationNode = PageNode | GroupNode;

interface PageNode {
  kind: 'page';
  path: string;
  title: string;
  href: string;
  icon?: string;
  tag?: string;
  deprecated?: boolean;
  external?: boolean;
}

export interface GroupNode {
  kind: 'group';
  title: string;
  icon?: string;
  tag?: string;
  href?: string;
  expanded: boolean;
  children: NavigationNode[];
}

/** The part of its context's sidebar that a page carries. */
export interface Branch {
  nodes: BranchNode[];
  /** Key in `Site.contexts`. */
  context: string;
  /** Whether the navigation script has entries that the page does not carry. */
  isPartial: boolean;
}

export type BranchNode =
  | PageNode
  | { kind: 'group'; title: string; icon?: string; tag?: string; href?: string; open: boolean; children: BranchNode[] }
  /** A group without its entries: a link to its first page. */
  | { kind: 'closed'; title: string; icon?: string; tag?: string; href: string }
  /** Groups between a top-level group and the nearest ones: a link to the first page of the highest of them. */
  | { kind: 'folded'; title: string; href: string; children: BranchNode[] }
  /** Ends a list whose other entries are on pages of their own. */
  | { kind: 'all-pages'; title: string; href: string };

/** A redirect with patterns expanded to known pages: `from` is a path without leading slash, `to` is root-relative or a URL. */
export interface Redirect {
  from: string;
  to: string;
}

/** A configured redirect with a compiled source: `:name` matches one segment, `:name*` and `*` match any rest. */
export interface RedirectRule {
  /** The source as in the configuration. */
  written: string;
  source: string;
  destination: string;
  pattern: RegExp;
  names: string[];
}

export interface ThemeImage {
  light: string;
  dark: string;
  href?: string;
}

/** Site-wide settings with defaults, for the theme and the export. */
export interface SiteConfig {
  description?: string;
  colors: { primary: string; light: string; dark: string };
  logo?: ThemeImage;
  favicon?: { light: string; dark: string };
  appearance: { default: 'system' | 'light' | 'dark'; strict: boolean };
  fonts?: { heading?: FontConfig; body?: FontConfig };
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler';
  eyebrows: 'section' | 'breadcrumbs';
  /** The color scheme of code blocks: that of the page, or always one. */
  codeblocks: 'system' | 'light' | 'dark';
  /** Names of Shiki themes. */
  codeTheme?: { light: string; dark: string };
  background?: {
    decoration?: 'gradient' | 'grid' | 'windows';
    color?: { light?: string; dark?: string };
    image?: { light: string; dark: string };
  };
  navbar: {
    links: { label: string; href: string; icon?: string; type?: string }[];
    primary?: { label: string; href: string; type: string };
  };
  footer: { socials: Record<string, string>; links: { header?: string; items: { label: string; href: string }[] }[] };
  /** `content` is safe HTML. */
  banner?: {
    content: string;
    dismissible: boolean;
    type: 'info' | 'warning' | 'critical';
    color?: { light: string; dark: string };
  };
  /** What pages of a language have in place of the site's own, by language. */
  byLanguage?: Record<string, Partial<Pick<SiteConfig, 'banner' | 'footer' | 'navbar'>>>;
  /** Whether a nested group that the reader opens leads to its first page. */
  drilldown: boolean;
  searchPrompt?: string;
  pageMenu?: PageMenu;
  /** What readers can download of the site. */
  downloads: ('pdf' | 'epub' | 'zip')[];
  metatags: Record<string, string>;
  /** Who publishes the site, in the terms of schema.org. */
  organization?: Record<string, string | string[]>;
  indexing: 'navigable' | 'all';
  timestamp: boolean;
  /** The repository that pages link to, and which links they have. */
  repository?: Repository & { edit: boolean; issue: boolean };
  /** What programs that read the Markdown of pages are told. */
  instructions?: string;
  /** Whether pages may ask if they helped. */
  feedback: boolean;
  /** `description` is safe HTML. */
  notFound: { redirect: boolean; title?: string; description?: string };
  variables: Record<string, string>;
  /** Stylesheets of every page, root-relative: the site's fonts, then the author's .css files. */
  styles: string[];
}

export interface FontConfig {
  family: string;
  weight?: number;
  source?: string;
  format?: 'woff' | 'woff2';
}
