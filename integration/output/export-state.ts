// What is known about the previous export: a base of all files and pages, and what has changed since. Between two exports most of thousands of
// pages stay the same, and writing all of them again would take longer than exporting those that changed.
import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { WrittenPage } from '../page/page-types.ts';
import { cachedJson, cacheFormat, type ExportCache } from './export-cache.ts';
import type { WrittenFile } from './export-folder.ts';

export type PreviousPage = Omit<WrittenPage, 'source'> & { key: string; fingerprint: string; files: string[] };

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
}

export interface State extends Summary {
  files: Map<string, WrittenFile>;
  /** Files of the export in the cache folder. */
  reusable: Map<string, WrittenFile>;
  pages: Map<string, PreviousPage>;
}

type FileEntry = [path: string, sha256: string, size: number, mtime: number, inode: number];

/** Files that differ from others; only the path of a file that is not there. */
type FileChanges = (FileEntry | [path: string])[];

interface Base {
  files: FileEntry[];
  pages: Record<string, PreviousPage>;
}

interface Changes extends Summary {
  /** Digest of the base. */
  base: string;
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
};

// A base is written again when the changes are this part of it.
const mostChanges = 1 / 4;

const digestLength = 64;

/** The state of the previous export into a folder, and how to store the next one: its pages that are unchanged are those of the previous state. */
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
      const { files, pages, reusable, ...summary } = next;
      const reusableChanges = fileChanges(files, reusable);
      if (isKnown) {
        const changed = JSON.stringify({
          ...summary,
          base: digest,
          files: fileChanges(baseFiles, files),
          reusable: reusableChanges,
          pages: pageChanges(basePages, pages),
        } satisfies Changes);
        if (changed.length < text.length * mostChanges) return cache?.set(`${key}/changes`, changed);
      }
      const all = JSON.stringify({
        files: [...files].map(([path, file]) => fileEntry(path, file)),
        pages: Object.fromEntries(pages),
      } satisfies Base);
      const nextDigest = hash('sha256', all);
      cache?.set(key, nextDigest + all);
      const none: Changes = { ...summary, base: nextDigest, files: [], reusable: reusableChanges, pages: {} };
      cache?.set(`${key}/changes`, JSON.stringify(none));
    },
  };
}

function stateOf(
  baseFiles: Map<string, WrittenFile>,
  basePages: Map<string, PreviousPage>,
  { context, sources, indexes, vendored, ...changes }: Changes,
): State {
  const files = withChanges(baseFiles, changes.files);
  const pages = new Map(basePages);
  for (const [path, page] of Object.entries(changes.pages)) {
    if (page) pages.set(path, page);
    else pages.delete(path);
  }
  return { context, sources, indexes, vendored, files, pages, reusable: withChanges(files, changes.reusable) };
}

function withChanges(from: Map<string, WrittenFile>, changes: FileChanges): Map<string, WrittenFile> {
  const files = new Map(from);
  for (const entry of changes) {
    if (entry.length === 1) files.delete(entry[0]);
    else files.set(entry[0], writtenFile(entry));
  }
  return files;
}

function fileChanges(from: Map<string, WrittenFile>, to: Map<string, WrittenFile>): FileChanges {
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
