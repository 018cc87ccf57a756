import type { PageFacts } from './page-facts.ts';

/** The path that a navigation entry, link or redirect writes: '/guides/index.mdx' → 'guides'. */
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

/** The page an entry names, be it written with extension, slashes, percent signs, or as `folder/index`. */
export function findPage(entry: string, pages: ReadonlyMap<string, PageFacts>): PageFacts | undefined {
  return pages.get(entry) ?? pages.get(normalPath(entry));
}

export function isExternal(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(address.trim());
}

/** Root-absolute, or as it is where it leads to another site or within the page. */
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
