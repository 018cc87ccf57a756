// The export that was replaced is kept, and the next one starts from it: of 20,000 files it then touches only those that differ.
// Both share the bytes of equal files, so keeping it takes hardly any room.
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WrittenFile } from './export-folder.ts';

export interface Spare {
  /** Where it is kept, on the disk of the output. */
  folder: string;
  /** Its files as they were written; each is looked at again before it is taken. */
  files: Map<string, WrittenFile>;
}

/** Makes the folder for the next export, of the spare one where there is one; gives the files in it. */
export function takeSpare(spare: Spare | undefined, staging: string): Map<string, WrittenFile> {
  if (spare && spare.files.size > 0) {
    try {
      renameSync(spare.folder, staging);
      const held = new Map(spare.files);
      removeStrangers(staging, '', held, foldersOf(held.keys()));
      return held;
    } catch {
      // There is none, or it is on another disk.
      rmSync(staging, { recursive: true, force: true });
    }
  }
  mkdirSync(staging);
  return new Map();
}

/** Keeps a replaced export as the next spare one, or removes it where that cannot be. */
export function keepTree(replaced: string, spare: Spare | undefined): void {
  if (spare) {
    try {
      mkdirSync(dirname(spare.folder), { recursive: true });
      rmSync(spare.folder, { recursive: true, force: true });
      renameSync(replaced, spare.folder);
      return;
    } catch {
      // On another disk, or there was nothing to replace.
    }
  }
  rmSync(replaced, { recursive: true, force: true });
}

/** All folders that hold one of the files, however deep; `.` is the root. */
export function foldersOf(files: Iterable<string>): Set<string> {
  const folders = new Set(['.']);
  for (const file of files) for (let up = dirname(file); !folders.has(up); up = dirname(up)) folders.add(up);
  return folders;
}

/** Removes what is no known file of the export: somebody may have put it there while it was in its place. */
function removeStrangers(root: string, folder: string, files: Map<string, WrittenFile>, folders: Set<string>): void {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory() && folders.has(path)) removeStrangers(root, path, files, folders);
    else if (!files.has(path) || entry.isDirectory()) rmSync(join(root, path), { recursive: true, force: true });
  }
}
