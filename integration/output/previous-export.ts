// What the previous export into the same folder holds, so that what stays the same is taken over instead of made again.
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PageSource } from '../page/built-page.ts';
import { cachedJson } from '../text/cached-json.ts';
import type { ExportedPage, PageCache } from '../export/export-page.ts';
import type { PageSummary } from '../page/page-record.ts';
import type { SafeNames } from '../urls/safe-names.ts';
import type { Spare } from './reusable-folder.ts';
import type { ExportFolder, WrittenFile } from './export-folder.ts';

export interface Previous {
  /** Whether a page is the one the previous export had under its path. */
  isSame(source: PageSource): boolean;
  /** All about a page that is the same among pages and files with the same names, so that it leads where it led. */
  page(source: PageSource): KeptPage | undefined;
  /** Takes over the files of a page that would be written the same; false when they are not there as they were written. */
  reusePage(path: string, stamp: string, folder: ExportFolder): boolean;
  /** Folder of the previous index of a language and docs version, when all of it is there as it was written. */
  index(language: string, docsVersion: string | undefined, folder: ExportFolder): string | undefined;
  /** Writes a file of the index, or takes over one with the same contents under whatever name. */
  writeSame(path: string, contents: string, folder: ExportFolder): void;
  /** Takes over a file that may have another path now. Throws `PreviousChanged` when it is not there any more. */
  move(from: string, to: string, folder: ExportFolder): void;
  /** Copies a file of the docs, or takes over its copy when it did not change since. */
  copy(path: string, source: string, folder: ExportFolder): void;
  /** Takes over the copy of a file of another host; gives its path. */
  reuseVendored(url: string, folder: ExportFolder): string | undefined;
  /** Text of a file. Throws `PreviousChanged` when it is not there any more. */
  read(path: string, folder: ExportFolder): string;
  /** Keeps for the next time what was written. */
  note(written: Written): void;
}

interface KeptPage {
  page: PageSummary;
  stamp: string;
  checks: ExportedPage['checks'];
}

interface Written {
  files: Map<string, WrittenFile>;
  pages: ExportedPage[];
  names: SafeNames;
  indexes: IndexFolder[];
  vendored: Map<string, string>;
}

interface IndexFolder {
  language: string;
  docsVersion?: string;
  folder: string;
}

type FileEntry = [path: string, sha256: string, size: number, mtime: number, inode: number];

/** The state as it is kept: plain JSON. */
export interface State {
  /** Digest of all that decides where links lead. */
  surroundings: string;
  files: FileEntry[];
  /** Files of the export before this one, which is kept as the spare one, where they differ; only the path of those it had not. */
  spare: (FileEntry | [path: string])[];
  /** Size, time and inode of the files that were copied, by the path they were copied to. */
  sources: Record<string, [size: number, mtime: number, inode: number]>;
  pages: Record<string, KeptPage & { key: string; files: string[] }>;
  indexes: IndexFolder[];
  /** Files by the address on another host that they came from. */
  vendored: Record<string, string>;
}

/** Another export took the place of the previous one while it was read. */
export class PreviousChanged extends Error {
  override name = 'PreviousChanged';
}

const stateFormat = 5;
/** What is known of a folder that nothing is known of. */
export const nothing: State = { surroundings: '', files: [], spare: [], sources: {}, pages: {}, indexes: [], vendored: {} };

/** Reads what was kept about a folder; without a cache nothing is. */
export function readState(out: string, cache: PageCache | undefined): State {
  return cachedJson<State>(cache?.get(stateKey(out))) ?? nothing;
}

/** The spare export of a folder, somewhere in `keep`. */
export function spareOf(state: State, out: string, keep: string): Spare {
  const files = filesOf(state.files);
  for (const entry of state.spare) {
    if (entry.length === 1) files.delete(entry[0]);
    else files.set(entry[0], writtenFile(entry));
  }
  return { folder: join(keep, hash('sha256', resolve(out)).slice(0, 16)), files };
}

/** `surroundings` names all that decides where links lead. */
export function openPrevious(out: string, cache: PageCache | undefined, state: State, surroundings: string): Previous {
  const files = filesOf(state.files);
  const pages = new Map(Object.entries(state.pages));
  const indexFiles = [...files.keys()].filter((path) => path.startsWith('_carrel/search/'));
  const byDigest = new Map(indexFiles.map((path) => [files.get(path)!.sha256, path]));

  const sources: State['sources'] = {};
  const isSame = (source: PageSource) => source.key !== undefined && pages.get(source.path)?.key === source.key;

  return {
    isSame,
    page: (source) => (state.surroundings === surroundings && isSame(source) ? pages.get(source.path) : undefined),
    reusePage(path, stamp, folder) {
      const page = pages.get(path);
      if (page?.stamp !== stamp) return false;
      const taken = page.files.filter((file) => {
        const entry = files.get(file);
        return entry !== undefined && folder.reuse(file, entry);
      });
      if (taken.length === page.files.length) return true;
      for (const file of taken) folder.drop(file);
      return false;
    },
    index(language, docsVersion, folder) {
      const found = state.indexes.find((index) => index.language === language && index.docsVersion === docsVersion);
      if (!found) return undefined;
      const all = indexFiles.filter((path) => path.startsWith(`${found.folder}/`));
      return all.length > 0 && all.every((path) => folder.isPrevious(path, files.get(path)!)) ? found.folder : undefined;
    },
    writeSame(path, contents, folder) {
      const old = byDigest.get(hash('sha256', contents));
      if (old !== undefined && folder.reuse(path, files.get(old)!, old)) return;
      folder.write(path, contents);
    },
    move(from, to, folder) {
      const entry = files.get(from);
      if (!entry || !folder.reuse(to, entry, from))
        throw new PreviousChanged(`"${from}" of the previous export was changed while it was read.`);
    },
    reuseVendored(url, folder) {
      const path = Object.hasOwn(state.vendored, url) ? state.vendored[url]! : undefined;
      const entry = path === undefined ? undefined : files.get(path);
      if (!path || !entry) return undefined;
      return folder.files.has(path) || folder.reuse(path, entry) ? path : undefined;
    },
    copy(path, source, folder) {
      const { size, mtimeMs, ino } = statSync(source, { throwIfNoEntry: false }) ?? {};
      const known = Object.hasOwn(state.sources, path) ? state.sources[path]! : [];
      const entry = files.get(path);
      const isKnown = entry !== undefined && known[0] === size && known[1] === mtimeMs && known[2] === ino;
      if (!isKnown || !folder.reuse(path, entry)) folder.copy(path, source);
      if (size !== undefined) sources[path] = [size, mtimeMs!, ino!];
    },
    read(path, folder) {
      const text = folder.readPrevious(path);
      if (text === undefined) throw new PreviousChanged(`"${path}" of the previous export was changed while it was read.`);
      return text;
    },
    note({ names, indexes, vendored, ...written }) {
      if (!cache) return;
      const next: State = {
        ...nothing,
        surroundings,
        files: [],
        spare: [],
        sources,
        pages: {},
        indexes,
        vendored: Object.fromEntries(vendored),
      };
      for (const [path, file] of written.files) {
        next.files.push(fileEntry(path, file));
        if (!files.has(path)) next.spare.push([path]);
      }
      for (const [path, file] of files) {
        const now = written.files.get(path);
        if (now?.inode !== file.inode || now.mtime !== file.mtime || now.size !== file.size)
          next.spare.push(fileEntry(path, file));
      }
      for (const { source, page, stamp, checks } of written.pages) {
        if (source.key === undefined || stamp === undefined) continue;
        const own = [names.page(source.path), ...(page.hasMarkdown ? [names.mirror(source.path)] : [])];
        next.pages[source.path] = { key: source.key, stamp, files: own, page, checks };
      }
      cache.set(stateKey(out), JSON.stringify(next));
    },
  };
}

function stateKey(out: string): string {
  return `export-${stateFormat}/${resolve(out)}`;
}

function filesOf(entries: FileEntry[]): Map<string, WrittenFile> {
  return new Map(entries.map((entry) => [entry[0], writtenFile(entry)]));
}

function writtenFile([, sha256, size, mtime, inode]: FileEntry): WrittenFile {
  return { sha256, size, mtime, inode };
}

function fileEntry(path: string, { sha256, size, mtime, inode }: WrittenFile): FileEntry {
  return [path, sha256, size, mtime, inode];
}
