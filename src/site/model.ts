import type { Problem } from '../../integration/diagnostics.ts';
import type { SourcePage, Source } from '../source/source.ts';
import type { RedirectRule } from './redirects.ts';
import type { Visibility } from './visibility.ts';

/** What a reader can reach: every page with its place, and what each place shows. */
export interface Site {
  name: string;
  source: Source;
  config: SiteConfig;
  /** In order of navigation, hidden pages last by path. Pages limited to `groups` are not among them. */
  pages: Page[];
  /** Pages that the site has and that were not asked for. */
  leftOut: Pick<Page, 'path' | 'source'>[];
  /** Where '/' leads: the home page's path, or the first page of the default language and version. */
  home: string;
  defaultLanguage: string;
  defaultDocsVersion?: string;
  /** Per `contextKey` (language/docsVersion/…): what header and sidebar show there. */
  places: Map<string, Place>;
  redirects: Redirect[];
  /** The redirects as configured, for `redirectFor`: links may use an address that a pattern covers and no list can hold. */
  redirectRules: RedirectRule[];
  /** Pages that would be made from API specifications, by path: the operation that each is about. */
  generated: Map<string, string>;
  problems: Problem[];
  navigation: { listed: number; exported: number; missing: { entry: string; at: string; path?: string }[] };
}

export interface Page {
  path: string;
  title: string;
  /** Anchors of the heading that is the title. */
  anchors?: string[];
  sidebarTitle?: string;
  description?: string;
  language: string;
  docsVersion?: string;
  groups?: string[];
  visibility: Visibility;
  boost?: number;
  keywords?: string[];
  mode: 'default' | 'wide' | 'custom' | 'frame' | 'center';
  icon?: string;
  tag?: string;
  deprecated?: boolean;
  /** Key into `Site.places`. */
  place: string;
  /** Group titles from the top down to the page's own group. */
  trail: string[];
  previous?: PageLink;
  next?: PageLink;
  source: SourcePage;
}

export interface PageLink {
  title: string;
  /** Root-absolute ('/guides/x') or an external URL. */
  href: string;
}

/** Header and sidebar around a page: shared by all pages of one tab in one language and version. */
export interface Place {
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

/** One choice of a switcher, tab row or anchor list. */
export interface Switch {
  label: string;
  href: string;
  active: boolean;
  icon?: string;
  description?: string;
  tag?: string;
  color?: { light?: string; dark?: string };
  /** Entries of a tab's drop-down menu. */
  menu?: Switch[];
}

export type NavigationNode =
  | {
      kind: 'page';
      path: string;
      title: string;
      href: string;
      icon?: string;
      tag?: string;
      deprecated?: boolean;
      external?: boolean;
    }
  | { kind: 'group'; title: string; icon?: string; tag?: string; href?: string; expanded: boolean; children: NavigationNode[] };

/** A redirect over known pages, patterns expanded: `from` is a path without leading slash, `to` root-absolute or a URL. */
export interface Redirect {
  from: string;
  to: string;
}

export interface ThemeImage {
  light: string;
  dark: string;
  href?: string;
}

/** Site-wide settings after defaults: what the theme and the export read. */
export interface SiteConfig {
  description?: string;
  colors: { primary: string; light: string; dark: string };
  logo?: ThemeImage;
  favicon?: { light: string; dark: string };
  appearance: { default: 'system' | 'light' | 'dark'; strict: boolean };
  fonts?: { heading?: FontConfig; body?: FontConfig };
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler';
  eyebrows: 'section' | 'breadcrumbs';
  codeblocks: 'system' | 'dark';
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
  banner?: { content: string; dismissible: boolean; type: 'info' | 'warning' | 'critical' };
  searchPrompt?: string;
  metatags: Record<string, string>;
  indexing: 'navigable' | 'all';
  timestamp: boolean;
  /** `description` is safe HTML. */
  notFound: { redirect: boolean; title?: string; description?: string };
  variables: Record<string, string>;
  /** Style sheets linked on every page, root-absolute: the site's fonts, then the author's own .css files. */
  styles: string[];
}

export interface FontConfig {
  family: string;
  weight?: number;
  source?: string;
  format?: 'woff' | 'woff2';
}
