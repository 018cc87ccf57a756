// What is known about the previous export: a base of all files and pages, and what has changed since. Most pages stay
// the same from one export to the next, so rewriting the whole state would take longer than exporting the few that changed.
import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { PageSource, WrittenPage } from '../page/page-types.ts';
import { cachedJson, cacheFormat, type ExportCache } from './export-cache.ts';
import type { JoinedFile } from './joined-file.ts';
import type { Completed } from './staged-paths.ts';
import type { WrittenFile } from './written-file.ts';

export type PreviousPage = Omit<WrittenPage, 'source'> & { key: string; fingerprint: string; files: string[] };

/** Pages of a state of the site, and what determined the targets of their links. */
export interface KnownPages {
  context: string;
  pages: ReadonlyMap<string, PreviousPage>;
}

/** What the next state takes from the pages of this one. */
export function knownPages(context: string, pages: readonly WrittenPage[]): KnownPages {
  const known = pages.flatMap(({ source: { path, key }, fingerprint = '', facts, checks }): [string, PreviousPage][] =>
    key === undefined ? [] : [[path, { key, fingerprint, facts, checks, files: [] }]],
  );
  return { context, pages: new Map(known) };
}

/** A function that finds the same page in an earlier state, if the links of all pages had the same targets there. */
export function pageIn(known: KnownPages, context: string) {
  return ({ path, key }: Pick<PageSource, 'path' | 'key'>): PreviousPage | undefined => {
    const page = known.context === context ? known.pages.get(path) : undefined;
    return page?.key === key ? page : undefined;
  };
}

export interface IndexFolder {
  language: string;
  docsVersion?: string;
  folder: string;
  /** Paths of its pages, in their order. */
  pages: string[];
}

/** What the next export needs to know besides files and pages. */
interface Summary {
  /** Digest of everything that determines the targets of links. */
  context: string;
  /** Size, time and inode of the files that were copied, by the path they were copied to. */
  sources: Record<string, [size: number, mtime: number, inode: number]>;
  indexes: IndexFolder[];
  /** Files by the external URL that they came from. */
  vendored: Record<string, string>;
  /** Files that are joined from others, by their paths. */
  joined: Record<string, JoinedFile>;
  /** Of the export, and of the one in the cache folder. */
  completed?: Completed;
  reusableCompleted?: Completed;
}

export interface State extends Summary {
  files: Files;
  /** Files of the export in the cache folder. */
  reusable: Files;
  pages: Map<string, PreviousPage>;
}

type FileEntry = [path: string, sha256: string, size: number, mtime: number, inode: number];

/** Entries that differ between two sets of files; a removed file is just its path. */
type FileChanges = (FileEntry | [path: string])[];

/** Folders of search indexes by their names: { en: '_carrel/search/1a2b3c4d5e6f/en' }. */
type IndexFolders = Record<string, string>;

/** Files by path; those of search indexes below the name of the index, because the digest in its path changes with each page. */
type Files = Map<string, WrittenFile>;

interface Base {
  files: FileEntry[];
  pages: Record<string, PreviousPage>;
}

interface Changes extends Summary {
  /** Digest of the base. */
  base: string;
  /** Folders of the search indexes of `files` and of `reusable`. */
  indexFolders: [files: IndexFolders, reusable: IndexFolders];
  files: FileChanges;
  /** Differences of `reusable` from the files with their changes. */
  reusable: FileChanges;
  /** Pages that differ from those of the base; null is a page that is gone. */
  pages: Record<string, PreviousPage | null>;
}

export const emptyState: State = {
  context: '',
  files: new Map(),
  reusable: new Map(),
  sources: {},
  pages: new Map(),
  indexes: [],
  vendored: {},
  joined: {},
};

// A new base is written once the changes exceed a quarter of its size.
const maxChangesRatio = 1 / 4;

const digestLength = 64;

/**
 * The state of the previous export into a folder; `store` saves the next one. Pass unchanged pages as the same objects as in `previous`:
 * they are compared by identity.
 */
export function openState(cache: ExportCache | undefined, out: string): { previous: State; store(next: State): void } {
  const key = `export-${cacheFormat}/${resolve(out)}`;
  const text = cache?.get(key) ?? '';
  const digest = text.slice(0, digestLength);
  const base = cachedJson<Base>(text.slice(digestLength));
  const changes = base && cachedJson<Changes>(cache?.get(`${key}/changes`));
  const isKnown = base !== undefined && changes?.base === digest;
  const baseFiles = new Map(isKnown ? base.files.map((entry) => [entry[0], writtenFile(entry)]) : []);
  const basePages = new Map(isKnown ? Object.entries(base.pages) : []);
  return {
    previous: isKnown ? stateOf(baseFiles, basePages, changes) : emptyState,
    store(next) {
      const { files: _files, reusable: _reusable, pages, ...summary } = next;
      const indexFolders: Changes['indexFolders'] = [indexFoldersOf(next.files), indexFoldersOf(next.reusable)];
      const files = withoutDigests(next.files, indexFolders[0]);
      const reusableChanges = fileChanges(files, withoutDigests(next.reusable, indexFolders[1]));
      if (isKnown) {
        const changed = JSON.stringify({
          ...summary,
          base: digest,
          indexFolders,
          files: fileChanges(baseFiles, files),
          reusable: reusableChanges,
          pages: pageChanges(basePages, pages),
        } satisfies Changes);
        if (changed.length < text.length * maxChangesRatio) return cache?.set(`${key}/changes`, changed);
      }
      const all = JSON.stringify({
        files: [...files].map(([path, file]) => fileEntry(path, file)),
        pages: Object.fromEntries(pages),
      } satisfies Base);
      const nextDigest = hash('sha256', all);
      cache?.set(key, nextDigest + all);
      const noChanges: Changes = { ...summary, base: nextDigest, indexFolders, files: [], reusable: reusableChanges, pages: {} };
      cache?.set(`${key}/changes`, JSON.stringify(noChanges));
    },
  };
}

function stateOf(baseFiles: Files, basePages: Map<string, PreviousPage>, { base: _base, indexFolders, ...next }: Changes): State {
  const ownFiles = withChanges(baseFiles, next.files);
  const files = withDigests(ownFiles, indexFolders[0]);
  const reusable = withDigests(withChanges(ownFiles, next.reusable), indexFolders[1]);
  const pages = new Map(basePages);
  for (const [path, page] of Object.entries(next.pages)) {
    if (page) pages.set(path, page);
    else pages.delete(path);
  }
  return { ...next, files, pages, reusable };
}

function withChanges(from: Files, changes: FileChanges): Files {
  const files = new Map(from);
  for (const entry of changes) {
    if (entry.length === 1) files.delete(entry[0]);
    else files.set(entry[0], writtenFile(entry));
  }
  return files;
}

const indexFile = /^(_carrel\/search\/[0-9a-f]{12}\/([^/]+))\//;
// No path of a file has two slashes in a row.
const anyDigest = '_carrel/search//';

/** The folder of the first index of each name. */
function indexFoldersOf(files: Files): IndexFolders {
  const folders = new Map<string, string>();
  for (const path of files.keys()) {
    const [, folder, name] = (path.startsWith('_carrel/search/') && indexFile.exec(path)) || [];
    if (folder !== undefined && name !== undefined && !folders.has(name)) folders.set(name, folder);
  }
  return Object.fromEntries(folders);
}

function withoutDigests(files: Files, folders: IndexFolders): Files {
  const starts = Object.entries(folders).map(([name, folder]) => [`${folder}/`, `${anyDigest}${name}/`] as const);
  return renamed(files, (path) => {
    const [from, to] = starts.find(([start]) => path.startsWith(start)) ?? ['', ''];
    return to + path.slice(from.length);
  });
}

function withDigests(files: Files, folders: IndexFolders): Files {
  return renamed(files, (path) => {
    if (!path.startsWith(anyDigest)) return path;
    const end = path.indexOf('/', anyDigest.length);
    return folders[path.slice(anyDigest.length, end)] + path.slice(end);
  });
}

function renamed(files: Files, nameOf: (path: string) => string): Files {
  const all: Files = new Map();
  for (const [path, file] of files) all.set(nameOf(path), file);
  return all;
}

function fileChanges(from: Files, to: Files): FileChanges {
  const changes: FileChanges = [];
  for (const [path, file] of to) {
    const before = from.get(path);
    if (before !== file && !isSame(before, file)) changes.push(fileEntry(path, file));
  }
  for (const path of from.keys()) if (!to.has(path)) changes.push([path]);
  return changes;
}

function isSame(one: WrittenFile | undefined, other: WrittenFile): boolean {
  const isSameEntry = one?.inode === other.inode && one.mtime === other.mtime && one.size === other.size;
  return isSameEntry && one.sha256 === other.sha256;
}

function pageChanges(from: Map<string, PreviousPage>, to: Map<string, PreviousPage>): Changes['pages'] {
  const changed = [...to].filter(([path, page]) => from.get(path) !== page);
  const gone = [...from.keys()].filter((path) => !to.has(path)).map((path): [string, null] => [path, null]);
  return Object.fromEntries<PreviousPage | null>([...changed, ...gone]);
}

function writtenFile([, sha256, size, mtime, inode]: FileEntry): WrittenFile {
  return { sha256, size, mtime, inode };
}

function fileEntry(path: string, { sha256, size, mtime, inode }: WrittenFile): FileEntry {
  return [path, sha256, size, mtime, inode];
}
