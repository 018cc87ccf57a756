// The folders and files that are in a staging folder: at first those of the replaced export that it is made from.
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isAt, type WrittenFile } from './written-file.ts';

/** A replaced export in the cache folder, from which the next one starts. */
export interface ReusableFolder {
  /** On the disk of the output. */
  folder: string;
  /** Its files as they were written; each is checked again before it is taken. */
  files: Map<string, WrittenFile>;
  /** When it was complete. Without it, all folders are listed to find files that were added. */
  completed?: Completed;
}

/** The root of a complete export on disk: its inode, and the time of the disk in milliseconds. Folders in it that change later have a later time. */
export interface Completed {
  inode: number;
  time: number;
  /** What is in it and of no export. Absent where that is nothing. */
  kept?: string[];
}

/** Makes the staging folder, from the reusable export if it exists. */
export function stagedPaths(staging: string, reusable: ReusableFolder | undefined) {
  const { held, folders } = makeStaging(staging, reusable);
  const makeFolder = (folder: string) => {
    if (folders.has(folder)) return;
    for (let up = folder; !folders.has(up); up = folderOf(up)) if (held.delete(up)) unlinkSync(join(staging, up));
    mkdirSync(join(staging, folder), { recursive: true });
    for (let up = folder; !folders.has(up); up = folderOf(up)) folders.add(up);
  };
  const removeFolder = (folder: string) => {
    rmSync(join(staging, folder), { recursive: true, force: true });
    for (const path of [...held.keys()]) if (path.startsWith(`${folder}/`)) held.delete(path);
    for (const path of [...folders]) if (path === folder || path.startsWith(`${folder}/`)) folders.delete(path);
  };
  return {
    /** A path at which nothing is, in a folder that exists: a file is never overwritten, since the previous export may share its bytes. */
    free(path: string): string {
      if (held.delete(path)) rmSync(join(staging, path), { force: true });
      if (folders.has(path)) removeFolder(path);
      makeFolder(folderOf(path));
      return join(staging, path);
    },
    /** Takes over a file of the reusable export, if it has these contents at the same path. */
    take(path: string, sha256: string): WrittenFile | undefined {
      const file = held.get(path);
      if (file?.sha256 !== sha256 || !isAt(staging, path, file)) return undefined;
      held.delete(path);
      return file;
    },
    /** Moves a folder of the reusable export to where its files are needed now. */
    moveReusable(from: RegExp, to: string): void {
      const folder = [...folders].find((candidate) => from.test(candidate));
      if (folder === undefined || folders.has(to)) return;
      makeFolder(dirname(to));
      renameSync(join(staging, folder), join(staging, to));
      const moved = (path: string) => (path === folder || path.startsWith(`${folder}/`) ? to + path.slice(folder.length) : path);
      for (const known of [...folders]) if (folders.delete(known)) folders.add(moved(known));
      for (const [path, file] of [...held]) if (moved(path) !== path && held.delete(path)) held.set(moved(path), file);
    },
    /** Removes what was not taken over, and folders without files. */
    prune(files: Iterable<string>): void {
      for (const path of held.keys()) rmSync(join(staging, path), { force: true });
      const needed = foldersOf(files);
      for (const folder of folders) if (!needed.has(folder)) rmSync(join(staging, folder), { recursive: true, force: true });
    },
  };
}

/** Makes the staging folder, from the reusable one if it exists; returns the files and folders in it. */
function makeStaging(
  staging: string,
  reusable: ReusableFolder | undefined,
): { held: Map<string, WrittenFile>; folders: Set<string> } {
  if (reusable && reusable.files.size > 0) {
    try {
      renameSync(reusable.folder, staging);
      const held = new Map(reusable.files);
      const folders = foldersOf(held.keys());
      for (const path of unknownEntries(staging, { files: held, folders, completed: reusable.completed }))
        rmSync(join(staging, path), { recursive: true, force: true });
      return { held, folders };
    } catch {
      // It does not exist, or it is on another disk.
      rmSync(staging, { recursive: true, force: true });
    }
  }
  mkdirSync(staging);
  return { held: new Map(), folders: new Set(['.']) };
}

/** All folders that contain one of the files, however deep, each after the one that contains it; `.` is the root. */
export function foldersOf(files: Iterable<string>): Set<string> {
  const folders = new Set(['.']);
  const add = (folder: string): void => {
    if (folders.has(folder)) return;
    add(folderOf(folder));
    folders.add(folder);
  };
  for (const file of files) add(folderOf(file));
  return folders;
}

/** The folder of a file in the export: `dirname`, which takes several times as long. */
function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

interface Known {
  files: { has(path: string): boolean };
  /** Those of the files; the ones that are gone are removed from this set. */
  folders: Set<string>;
  completed?: Completed;
}

/**
 * What is in the folder of an export and not of it, such as files that were added after it was complete. Only folders that changed since then
 * are listed, and all folders in them: listing all folders of a large site takes a third of an export.
 */
export function unknownEntries(root: string, { files, folders, completed }: Known): string[] {
  const isSameRoot = lstatSync(root).ino === completed?.inode;
  const changed = new Set<string>();
  const unknown: string[] = [];
  for (const folder of folders) {
    const path = `${root}/${folder}`;
    const entry = folders.has(folderOf(folder)) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    if (!entry?.isDirectory()) {
      folders.delete(folder);
      continue;
    }
    if (folder !== '.') {
      if (isSameRoot && entry.ctimeMs < completed.time && !changed.has(folderOf(folder))) continue;
      changed.add(folder);
    }
    for (const inside of readdirSync(path, { withFileTypes: true })) {
      const name = folder === '.' ? inside.name : `${folder}/${inside.name}`;
      const isKnown = inside.isDirectory() ? folders.has(name) : files.has(name);
      if (!isKnown) unknown.push(name);
    }
  }
  return unknown;
}
