import { carrelFolder, load } from '../shared/loader.ts';
import { filePath, pagePath, type NavigationData, type SiteData, type SiteLabels } from './site-data.ts';

let newest: Promise<SiteData> | undefined;

/** `_carrel/site.js`. */
export const loadSite = (): Promise<SiteData> => newest ?? load('site.js');

/**
 * Whether the host serves another export than the one that `site` is from: a page may stay open for longer, and then lacks its files. If so,
 * `loadSite` returns the data of the newer one.
 */
export async function hasNewerSite(site: SiteData): Promise<boolean> {
  if ((await loadSite()) !== site) return true;
  // Some hosts cache the file without asking the server, but not with another query.
  const newer = await load<SiteData>(`site.js?${Date.now()}`).catch(() => site);
  if (JSON.stringify(newer.indexes) === JSON.stringify(site.indexes)) return false;
  newest = Promise.resolve(newer);
  return true;
}

/** The whole sidebar with a key; undefined where the site has no script of it. */
export async function loadNavigation({ navigations }: SiteData, key: string): Promise<NavigationData | undefined> {
  const script = navigations?.[key];
  return script === undefined ? undefined : load(script);
}

/** The translated labels of a language; those that it lacks are English. */
export async function loadLabels({ labels }: SiteData, language: string): Promise<SiteLabels> {
  const script = labels?.[language];
  return script === undefined ? {} : load(script);
}

/** Absolute URL of a page, wherever the export is hosted. */
export function pageUrl(site: SiteData, path: string): string {
  return new URL(filePath(path, site), siteRoot()).href;
}

/** Path of the page at a URL; null outside the site. */
export function pathOf(site: SiteData, url: string): string | null {
  const root = siteRoot();
  const plain = url.replace(/[?#].*$/, '');
  return plain.startsWith(root) ? pagePath(plain.slice(root.length), site) : null;
}

/** Path of the page being read. */
export function currentPage(site: SiteData): string {
  return document.documentElement.dataset['carrelPage'] ?? pathOf(site, location.href) ?? '';
}

/** Language and docs version of the page being read, as the index names them: those that the export wrote, else `<html lang>`. */
export function pageVariant(): { language: string; docsVersion: string | undefined } {
  const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="carrel:${name}"]`)?.content;
  return { language: meta('language') ?? document.documentElement.lang, docsVersion: meta('docs-version') };
}

/** Absolute URL of the folder of the site. */
export function siteRoot(): string {
  return new URL('..', carrelFolder).href;
}
