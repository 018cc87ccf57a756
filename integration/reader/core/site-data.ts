import type { Labels } from '../../texts/index.ts';
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
  /** Of a collection, whose pages all have the path of one of these in front. */
  sites?: { path: string; title: string }[];
  /** The suffix of a page's path in the name of its file, where that is not `/index.html` for most pages. */
  ending?: string;
  /** Page path to file in the export ('guides/c%23' to 'guides/c-2/index.html'), only where it is not path and suffix. */
  files?: Record<string, string>;
  /** Names in `_carrel` of the scripts with the labels of each language ('pt-BR'); a language without one gets English labels. */
  labels?: Record<string, string>;
  /** Names in `_carrel` of the scripts with the playground's texts in each language, English too; only where pages have playgrounds. */
  playgroundLabels?: Record<string, string>;
  /** Names in `_carrel` of the scripts with a whole sidebar, by the key in `data-carrel-context` of its pages. */
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
