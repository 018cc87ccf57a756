// What the previous export into the same folder holds, so that files which stay the same are linked instead of written.
import { hash } from 'node:crypto';
import { resolve } from 'node:path';
import type { ExportedPage, PageCache } from './export-page.ts';
import type { SafeNames } from './safe-names.ts';
import type { ExportFolder, WrittenFile } from './write.ts';

export interface Previous {
  /** Takes over the files of a page that would be written the same; false when they are not there as they were written. */
  reusePage(path: string, stamp: string, folder: ExportFolder): boolean;
  /** Writes a file of the index, or takes over one with the same contents under whatever name. */
  writeSame(path: string, contents: string, folder: ExportFolder): void;
  /** Takes over the copy of a file of another host; gives its path. */
  reuseVendored(url: string, folder: ExportFolder): string | undefined;
  /** Keeps for the next time what was written. */
  note(written: Written): void;
}

export interface Written {
  files: Map<string, WrittenFile>;
  pages: ExportedPage[];
  names: SafeNames;
  vendored: Map<string, string>;
}

/** The state as it is kept: the values of `WrittenFile` by path, and what each page was made of with the files it became. */
interface State {
  files: Record<string, [sha256: string, size: number, mtime: number, inode: number]>;
  pages: Record<string, [stamp: string, ...files: string[]]>;
  /** Files by the address on another host that they came from. */
  vendored: Record<string, string>;
}

const stateFormat = 1;

/** Reads what was kept about a folder; without a cache nothing is. */
export function openPrevious(out: string, cache: PageCache | undefined): Previous {
  const key = `export-${stateFormat}/${resolve(out)}`;
  const state = readState(cache?.get(key));
  const byDigest = new Map<string, string>();
  for (const [path, [sha256]] of Object.entries(state.files)) if (path.startsWith('_carrel/search/')) byDigest.set(sha256, path);
  const fileOf = (path: string): WrittenFile | undefined => {
    const entry = Object.hasOwn(state.files, path) ? state.files[path] : undefined;
    return entry && { sha256: entry[0], size: entry[1], mtime: entry[2], inode: entry[3] };
  };

  return {
    reusePage(path, stamp, folder) {
      const [known, ...files] = (Object.hasOwn(state.pages, path) && state.pages[path]) || [];
      if (known !== stamp) return false;
      const taken = files.filter((file) => {
        const entry = fileOf(file);
        return entry !== undefined && folder.reuse(file, entry);
      });
      if (taken.length === files.length) return true;
      for (const file of taken) folder.drop(file);
      return false;
    },
    writeSame(path, contents, folder) {
      const old = byDigest.get(hash('sha256', contents));
      if (old !== undefined && folder.reuse(path, fileOf(old)!, old)) return;
      folder.write(path, contents);
    },
    reuseVendored(url, folder) {
      const path = Object.hasOwn(state.vendored, url) ? state.vendored[url] : undefined;
      const entry = path === undefined ? undefined : fileOf(path);
      if (entry === undefined) return undefined;
      return folder.files.has(path!) || folder.reuse(path!, entry) ? path : undefined;
    },
    note({ files, pages, names, vendored }) {
      if (!cache) return;
      const next: State = { files: {}, pages: {}, vendored: Object.fromEntries(vendored) };
      for (const [path, { sha256, size, mtime, inode }] of files) next.files[path] = [sha256, size, mtime, inode];
      for (const { source, record, stamp } of pages) {
        if (stamp === undefined) continue;
        next.pages[source.path] = [stamp, names.page(source.path), ...(record.hasMarkdown ? [names.mirror(source.path)] : [])];
      }
      cache.set(key, JSON.stringify(next));
    },
  };
}

function readState(text: string | undefined): State {
  return text === undefined ? { files: {}, pages: {}, vendored: {} } : (JSON.parse(text) as State);
}
