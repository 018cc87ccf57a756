import { posix } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { encodePath } from '../../integration/urls/relative-url.ts';
import type { LimitedPage } from '../source/source.ts';
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

/** Whether it links to another site. After two slashes, a name without a dot is a folder that has a slash too many. */
export function isExternal(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:|^\/\/[^/]*[.:]/i.test(url.trim());
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

interface PathChoice {
  known: ReadonlyMap<string, PageFacts>;
  limited: readonly Pick<LimitedPage, 'path'>[];
  /** Paths of the pages that an export can have. */
  reachable: ReadonlySet<string>;
}

/** Throws `PathNotFound` with every path that does not match a reachable page, and similar paths. */
export function checkPaths(asked: readonly string[], { known, limited, reachable }: PathChoice): void {
  const isLimited = (path: string) => limited.some((page) => page.path === normalPath(path));
  const pathOf = (path: string) => findPage(path, known)?.path;
  const wrong = asked.filter((path) => !reachable.has(pathOf(path) ?? '\0'));
  if (wrong.length === 0) return;
  const named = wrong.slice(0, 20).map((path) => `"${path}"`);
  const others = wrong.length > named.length ? ` and ${wrong.length - named.length} more` : '';
  const near = [...new Set(wrong.slice(0, 20).flatMap((path) => nearPaths(normalPath(path), reachable)))].slice(0, 10);
  const isThere = wrong.some((path) => pathOf(path) !== undefined || isLimited(path));
  throw new ExportError(
    'PathNotFound',
    `The docs have no page ${named.join(', ')}${others} to export.`,
    [
      near.length > 0 && `Near are: ${near.map((path) => `"${path || '/'}"`).join(', ')}.`,
      isThere &&
        'A page that is limited to other groups, leads to another site, or is of another language or version is not exported.',
      near.length === 0 && !isThere && 'Write paths as they stand in URLs, such as "guides/install".',
    ]
      .filter(Boolean)
      .join(' '),
  );
}

/** Up to three paths with the same name or a similar spelling, most similar first. */
function nearPaths(wanted: string, paths: Iterable<string>): string[] {
  const name = posix.basename(wanted.toLowerCase());
  return nearest(wanted, paths, (path) => (posix.basename(path) === name ? 1 : undefined));
}
