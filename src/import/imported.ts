// What an import makes, whatever it reads.
import type { Unread } from './read-module.ts';

export type Json = Record<string, unknown>;

export interface ImportNote {
  /** Relative to the source. */
  file: string;
  line?: number;
  column?: number;
  message: string;
}

export interface Imported {
  /** As people call it: MkDocs. */
  generator: string;
  /** Files that were read, relative to the source. */
  files: string[];
  /** Folder of the pages. */
  pagesFolder: string;
  /** Path that the site is published at, if links contain it. */
  base?: string;
  /** A docs.json for that folder. */
  config: Json;
  /** What has no counterpart, or could not be read. */
  notes: ImportNote[];
}

/** A page or group of a navigation. */
export type Entry = string | ({ group: string; pages: Entry[] } & Json);

/** Notes for parts of a configuration that could not be read, if what is imported would need them. */
export function unreadNotes(unread: Unread[], needed: RegExp): ImportNote[] {
  return unread
    .filter(({ path }) => needed.test(path))
    .map(({ file, line, column, path, reason }) => ({
      file,
      line,
      column,
      message: `${path || 'A part'} was not read: ${reason}.`,
    }));
}

/** Notes for keys that nothing stands for in docs.json. */
export function keyNotes(
  file: string,
  given: Json,
  known: readonly string[],
  lineOf?: (key: string) => number | undefined,
): ImportNote[] {
  return Object.keys(given)
    .filter((key) => !known.includes(key) && given[key] !== undefined)
    .map((key) => ({ file, line: lineOf?.(key), message: `"${key}" has no counterpart in docs.json.` }));
}

/** A text with more than white space, trimmed; undefined for any other value. */
export function field(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The title of a page or folder by its name: `getting-started` → `Getting started`. */
export function titleOfName(name: string): string {
  return name.replaceAll(/[-_]/g, ' ').replace(/^./, (letter) => letter.toUpperCase());
}

/** The path of a page by its file: `guide/install.md` → `guide/install`. A README is the page of its folder. */
export function pagePath(file: string): string {
  return file
    .replace(/^\.?\//, '')
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)README$/i, '$1index');
}

/** The navigation bar with a link to the repository. */
export function repositoryNavbar(repository: string | undefined, label = 'Repository'): Json | undefined {
  if (repository === undefined) return undefined;
  return { links: [defined({ type: /github\.com/.test(repository) ? 'github' : undefined, label, href: repository })] };
}

/** Without keys that have no value, or an empty one. */
export function defined(object: Json): Json {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined && !isEmpty(value)));
}

export function isExternal(url: string): boolean {
  return /^(?:[a-z][a-z+.-]*:|\/\/)/i.test(url);
}

const networks = new Set(
  'x facebook youtube discord slack github linkedin instagram bluesky reddit telegram medium website'.split(' '),
);

/** `{ github: URL }` for icons such as `fontawesome/brands/github`; other links are called `website`. */
export function socialsOf(links: { icon?: unknown; link?: unknown }[]): Json | undefined {
  const socials: Json = {};
  for (const { icon, link } of links) {
    const words = (field(icon) ?? '').split(/[/\s]/);
    const name = words
      .at(-1)!
      .replace(/-(?:f|in|square)$/, '')
      .replace(/^twitter$/, 'x');
    if (typeof link === 'string' && isExternal(link)) socials[networks.has(name) ? name : 'website'] ??= link;
  }
  return Object.keys(socials).length > 0 ? socials : undefined;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
