import { ExportError } from '../../integration/errors.ts';
import { encodePath } from '../../integration/urls/relative-url.ts';
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

export function isExternal(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(url.trim());
}

/** Root-relative; unchanged when it links to another site or within the page. */
export function siteHref(url: string): string {
  const trimmed = url.trim();
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

/** Root-relative URL of a page: its path with special characters (`#`, `?`, `%`, spaces) escaped. */
export function pageHref(path: string): string {
  return `/${encodePath(path)}`;
}

/** Paths of the requested pages, in whichever form they were written; unknown ones are ignored. */
export function choosePaths(asked: readonly string[], pages: ReadonlyMap<string, PageFacts>): Set<string> {
  return new Set(asked.flatMap((path) => findPage(path, pages)?.path ?? []));
}

/** Throws `PathNotFound` with every path that does not match a reachable page, and similar paths. */
export function checkPaths(
  asked: readonly string[],
  pages: ReadonlyMap<string, PageFacts>,
  reachable: ReadonlySet<string>,
): void {
  const pathOf = (path: string) => findPage(path, pages)?.path;
  const wrong = asked.filter((path) => !reachable.has(pathOf(path) ?? '\0'));
  if (wrong.length === 0) return;
  const named = wrong.slice(0, 20).map((path) => `"${path}"`);
  const others = wrong.length > named.length ? ` and ${wrong.length - named.length} more` : '';
  const near = [...new Set(wrong.slice(0, 20).flatMap((path) => nearest(normalPath(path), reachable)))].slice(0, 10);
  const isThere = wrong.some((path) => pathOf(path) !== undefined);
  throw new ExportError(
    'PathNotFound',
    `The docs have no page ${named.join(', ')}${others} to export.`,
    [
      near.length > 0 && `Near are: ${near.map((path) => `"${path || '/'}"`).join(', ')}.`,
      isThere && 'A page that is limited to groups, leads to another site, or is of another language or version is not exported.',
      near.length === 0 && !isThere && 'Write paths as they stand in URLs, such as "guides/install".',
    ]
      .filter(Boolean)
      .join(' '),
  );
}

/** Up to three paths with the same name or a similar spelling, most similar first. */
function nearest(wanted: string, paths: Iterable<string>): string[] {
  const text = wanted.toLowerCase();
  const found: { path: string; distance: number }[] = [];
  for (const path of paths) {
    const other = path.toLowerCase();
    const distance = lastName(other) === lastName(text) ? 1 : editDistance(text, other);
    if (distance <= Math.max(2, text.length / 4)) found.push({ path, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.path < b.path ? -1 : 1))
    .slice(0, 3)
    .map(({ path }) => path);
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function editDistance(from: string, to: string): number {
  // Paths of very different lengths are never similar.
  if (Math.abs(from.length - to.length) > Math.max(2, from.length / 4)) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    let left = i;
    row = row.map((above, j) => {
      const diagonal = row[j - 1];
      if (diagonal !== undefined) left = Math.min(above + 1, left + 1, diagonal + Number(from[i - 1] !== to[j - 1]));
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
