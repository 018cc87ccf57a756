import type { PageFacts } from './page-facts.ts';

/** Normalizes the path of a navigation entry, link or redirect: '/guides/index.mdx' → 'guides'. */
export function normalPath(entry: string): string {
  const path = entry
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/\.mdx?$/i, '')
    .replace(/(?:^|\/)index$/, '')
    .normalize('NFC');
  return path.includes('%') ? decoded(path) : path;
}

/** Finds the page of an entry, written with or without extension, slashes, percent-encoding or `folder/index`. */
export function findPage(entry: string, pages: ReadonlyMap<string, PageFacts>): PageFacts | undefined {
  return pages.get(entry) ?? pages.get(normalPath(entry));
}

export function isExternal(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(address.trim());
}

/** Root-relative; unchanged when it links to another site or within the page. */
export function siteAddress(address: string): string {
  const trimmed = address.trim();
  if (isExternal(trimmed) || trimmed.startsWith('#')) return trimmed;
  return `/${trimmed.replace(/^(?:\.?\/)+/, '')}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).normalize('NFC');
  } catch {
    return path;
  }
}
