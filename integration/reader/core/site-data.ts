import type { Labels } from '../../search/labels/en.ts';
import { decode } from '../shared/decode.ts';

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
  /** Names in `_carrel` of the scripts with the playground's texts in each language, English too; only where pages have playgrounds. */
  playgroundLabels?: Record<string, string>;
  /** Name in `_carrel` of the script with all page paths; only where there are several languages or docs versions. */
  pagesScript?: string;
  /** Names in `_carrel` of the scripts with a whole sidebar, by the key in `data-context` of its pages. */
  navigations?: Record<string, string>;
}

/** A whole sidebar: `_carrel/<navigations[key]>` calls `__carrel_navigation(data)` with this. */
export interface NavigationData {
  /** Safe `<svg>` by name. */
  icons: Record<string, string>;
  labels: { deprecated: string; opensOtherSite: string; allPages: string };
  entries: NavigationEntry[];
}

/** A page of the site without marks is only its title and path. */
export type NavigationEntry = [title: string, path: string] | NavigationLink | NavigationGroup;

interface NavigationLink {
  title: string;
  /** Of a page of the site. */
  path?: string;
  /** Of anything else; relative to the site's root, or external. */
  href?: string;
  icon?: string;
  tag?: string;
  deprecated?: boolean;
  external?: boolean;
}

export interface NavigationGroup {
  title: string;
  /** The title links to it; relative to the site's root, or external. */
  href?: string;
  icon?: string;
  tag?: string;
  /** Whether the group is open wherever the reader is. */
  open?: boolean;
  entries: NavigationEntry[];
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

/** Relative URL, from the site's root, of the file of a page. */
export function filePath(path: string, { files = {}, ending = '/index.html' }: Pick<SiteData, 'files' | 'ending'> = {}): string {
  const named = Object.hasOwn(files, path) ? files[path] : undefined;
  const file = named ?? (path === '' ? 'index.html' : path + ending);
  return file.split('/').map(encodeURIComponent).join('/');
}

/** Path of the page at a URL relative to the site's root; servers may omit `index.html` or the last slash. */
export function pagePath(url: string, { files = {} }: Pick<SiteData, 'files'> = {}): string {
  const file = url.split('/').map(decode).join('/');
  const path = file.replace(/(^|\/)(index\.html)?$/, '').replace(/\.html$/, '');
  const mapped = Object.entries(files).find(([, name]) => name === file || name === `${path}/index.html`);
  return mapped?.[0] ?? path;
}

/**
 * The index for a page's language and docs version, or the closest one, the site's defaults before others; and those of the language's
 * other versions. `own` is undefined where the site has no index.
 */
export function chooseIndexes(
  { indexes, defaultLanguage, defaultDocsVersion }: Pick<SiteData, 'indexes' | 'defaultLanguage' | 'defaultDocsVersion'>,
  language: string,
  docsVersion: string | undefined,
): { own: SiteIndex | undefined; others: SiteIndex[] } {
  const ofLanguages = [
    indexes.filter((index) => index.language === language),
    indexes.filter((index) => family(index.language) === family(language)),
    indexes.filter((index) => index.language === defaultLanguage),
    indexes,
  ];
  const readable = ofLanguages.find((some) => some.length > 0) ?? [];
  const ofVersion = (version: string | undefined) => readable.find((index) => index.docsVersion === version);
  const own = ofVersion(docsVersion) ?? ofVersion(defaultDocsVersion) ?? readable[0];
  return { own, others: readable.filter((index) => index.language === own?.language && index !== own) };
}

function family(language: string): string {
  return language.toLowerCase().replace(/-.*/s, '');
}

/** An entry of a menu of languages or docs versions: a page of the current entry, and a page of the wanted one. */
interface MenuEntry {
  current: string | null;
  wanted: string | null;
}

/** Where an entry of a menu of languages or docs versions leads from a page. */
interface Counterpart {
  /** Null where the menu's own link is right. */
  path: string | null;
  /** Whether that language or version has no such page. */
  isMissing: boolean;
}

/**
 * The same page as `page` in another language or docs version; where that variant lacks it, its nearest parent.
 * Another language keeps the docs version and the reverse, where there are pages of both.
 */
export function counterpart(page: string, { current, wanted }: MenuEntry, variants: SiteVariant[]): Counterpart {
  const own = find(page, variants);
  const to = wanted === null ? undefined : find(wanted, variants);
  if (!own || !to) return { path: null, isMissing: false };
  const from = (current === null ? undefined : find(current, variants)) ?? own;
  const changed = (key: 'language' | 'docsVersion') =>
    to.variant[key] === from.variant[key] ? own.variant[key] : to.variant[key];
  const [language, docsVersion] = [changed('language'), changed('docsVersion')];
  const nearest = variants.find((variant) => variant.language === language && variant.docsVersion === docsVersion) ?? to.variant;
  if (nearest === own.variant) return { path: to.variant === from.variant ? page : null, isMissing: false };
  const same = pathIn(nearest, own.position) ?? pathIn(to.variant, own.position);
  if (same !== null) return { path: same, isMissing: false };
  const parent = parents(own.position).map((position) => pathIn(nearest, position) ?? pathIn(to.variant, position));
  const path = parent.find((found) => found !== null) ?? (nearest === to.variant ? null : pathIn(nearest, to.position));
  return { path, isMissing: true };
}

/** 'guides/deploy' and 'guides' of 'guides/deploy/kubernetes'. */
function parents(position: string): string[] {
  const names = position.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, names.length - index).join('/'));
}

/** Path of a folder's page; that of the folder itself is the folder's name. */
export function pageAt(folder: string, page: string): string {
  return page === '' ? folder.slice(0, -1) : folder + page;
}

function find(page: string, variants: SiteVariant[]): { variant: SiteVariant; position: string } | undefined {
  for (const variant of variants) {
    for (const { prefix, base = '', pages } of variant.folders) {
      // The folder itself may have no page.
      if (`${page}/` === prefix) return { variant, position: pageAt(base, '') };
      const rest = page.slice(prefix.length);
      if (page.startsWith(prefix) && pages.includes(rest)) return { variant, position: pageAt(base, rest) };
    }
  }
  return undefined;
}

function pathIn({ folders }: SiteVariant, position: string): string | null {
  for (const { prefix, base = '', pages } of folders) {
    const page = pages.find((rest) => pageAt(base, rest) === position);
    if (page !== undefined) return pageAt(prefix, page);
  }
  return null;
}
