// An export appears complete or not at all: it is written into a staging folder beside the output, which then replaces the old one.
// With a cache folder, the replaced export stays there as the next staging folder: of 20,000 files, the next export then touches only those
// that differ. Both share the bytes of equal files, so this takes hardly any space.
import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCode, errorMessage, ExportError } from '../errors.ts';
import { checkNotNested, checkReplaceable, realTarget, removeLeftovers } from './output-path.ts';
import { createSpool } from './spool.ts';
import { guarded } from './write-error.ts';

/** What is known of a file of the export, and enough of its disk entry to detect a later change. */
export interface WrittenFile {
  sha256: string;
  size: number;
  mtime: number;
  inode: number;
}

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
}

/** The next export of a folder, not yet moved to its path. */
export type ExportFolder = ReturnType<typeof beginExport>;

/** What the pages and files of a site need of the folder: a check has one that keeps nothing. */
export interface OutputFolder extends Pick<ExportFolder, 'staging' | 'read'> {
  files: { has(path: string): boolean };
  write(path: string, contents: string | Uint8Array): unknown;
}

export interface BeginOptions {
  /** The docs folder, which the output may neither contain nor be in. */
  sourceRoot?: string;
  processId: number;
  /** Whether `out` may contain other things than an export. */
  replacesSite?: boolean;
  /** The export before the previous one, from which this one starts; the previous one replaces it. */
  reusable?: ReusableFolder;
}

/**
 * Begins an export into `out`.
 * Throws `ExportError`: `OutputInsideSource`, `SourceInsideOutput`, `OutputNotFolder`, `OutputIsMount`, `OutputNotExport` (it contains other things), `OutputNotWritable`.
 */
export function beginExport(out: string, { sourceRoot, processId, replacesSite, reusable }: BeginOptions) {
  const target = realTarget(out);
  if (sourceRoot !== undefined) checkNotNested(out, target, realTarget(sourceRoot));
  const parent = dirname(target);
  const name = basename(target);
  const staging = join(parent, `.${name}.carrel-new-${processId}`);
  const replaced = join(parent, `.${name}.carrel-old-${processId}`);
  guarded(out, () => {
    mkdirSync(parent, { recursive: true });
    removeLeftovers(parent, name, target, processId);
  });
  checkReplaceable(out, target, { allowForeignFiles: replacesSite });
  const { held, folders } = guarded(out, () => makeStaging(staging, reusable));

  const files = new Map<string, WrittenFile>();
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
  // A file is never overwritten: the previous export may share its bytes.
  const stagedPath = (path: string): string => {
    if (held.delete(path)) rmSync(join(staging, path), { force: true });
    if (folders.has(path)) removeFolder(path);
    makeFolder(folderOf(path));
    return join(staging, path);
  };
  const note = (path: string, sha256: string, descriptor: number): WrittenFile => {
    const { size, mtimeMs, ino } = fstatSync(descriptor);
    const written = { sha256, size, mtime: mtimeMs, inode: ino };
    files.set(path, written);
    return written;
  };
  const holds = (path: string, sha256: string): WrittenFile | undefined => {
    const file = held.get(path);
    if (file?.sha256 !== sha256 || !isAt(staging, path, file)) return undefined;
    held.delete(path);
    files.set(path, file);
    return file;
  };

  const spool = createSpool(join(staging, '.carrel-texts'));

  const copy = (path: string, file: string): WrittenFile => {
    const from = openAsset(file);
    try {
      return guarded(out, () => {
        const to = openSync(stagedPath(path), 'wx');
        try {
          return note(path, pump(from, to), to);
        } finally {
          closeSync(to);
        }
      });
    } finally {
      closeSync(from);
    }
  };

  return {
    /** Its temporary path until then. */
    staging,
    files,
    /** Texts that are written at the end. */
    texts: {
      add: (text: string): number => guarded(out, () => spool.add(text)),
      read: (number: number): string => guarded(out, () => spool.read(number)),
    },
    write(path: string, contents: string | Uint8Array): WrittenFile {
      return guarded(out, () => {
        const bytes = typeof contents === 'string' ? encoded(contents) : contents;
        const sha256 = hash('sha256', bytes);
        const same = holds(path, sha256);
        if (same) return same;
        const descriptor = openSync(stagedPath(path), 'wx');
        try {
          writeFileSync(descriptor, bytes);
          return note(path, sha256, descriptor);
        } finally {
          closeSync(descriptor);
        }
      });
    },
    /** Writes a file of these texts or bytes, one after another: however large it is, none but the current one is in memory. */
    writeTexts(path: string, texts: Iterable<string | Uint8Array>): WrittenFile {
      return guarded(out, () => {
        const part = join(staging, '.carrel-part');
        const descriptor = openSync(part, 'wx');
        try {
          const digest = createHash('sha256');
          for (const text of texts) {
            const bytes = typeof text === 'string' ? encoded(text) : text;
            digest.update(bytes);
            writeFileSync(descriptor, bytes);
          }
          const sha256 = digest.digest('hex');
          const same = holds(path, sha256);
          if (same) return same;
          renameSync(part, stagedPath(path));
          return note(path, sha256, descriptor);
        } finally {
          closeSync(descriptor);
          rmSync(part, { force: true });
        }
      });
    },
    /** Copies a file, however large. */
    copy,
    /** Takes over a file of the previous export; false when it has changed since it was written. */
    reuse(path: string, previous: WrittenFile, previousPath: string = path): boolean {
      if (holds(path, previous.sha256)) return true;
      if (!isAt(target, previousPath, previous)) return false;
      const from = join(target, previousPath);
      const to = guarded(out, () => stagedPath(path));
      try {
        linkSync(from, to);
        files.set(path, previous);
      } catch {
        // Some disks have no hard links, and some files have as many as the disk allows.
        if (existsSync(from)) copy(path, from);
      }
      // Another export may have replaced the previous one in between.
      const taken = files.get(path);
      if (taken?.sha256 === previous.sha256 && isAt(staging, path, taken)) return true;
      rmSync(to, { force: true });
      files.delete(path);
      return false;
    },
    /** Removes a file again. */
    drop(path: string): void {
      unlinkSync(join(staging, path));
      files.delete(path);
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
    /** Text of a file of the previous export; undefined when it has changed since it was written. */
    readPrevious(path: string, previous: WrittenFile): string | undefined {
      const descriptor = openIfThere(join(target, path));
      if (descriptor === undefined) return undefined;
      try {
        return isUnchanged(fstatSync(descriptor), previous) ? readFileSync(descriptor, 'utf8') : undefined;
      } finally {
        closeSync(descriptor);
      }
    },
    /** Opens a file of the previous export, to read parts of it; undefined when it has changed since it was written. */
    openPrevious(
      path: string,
      previous: WrittenFile,
    ): { read(start: number, end: number): Generator<Uint8Array>; close(): void } | undefined {
      // Another export may have replaced it in between.
      const descriptor = openIfThere(join(target, path));
      if (descriptor === undefined) return undefined;
      if (!isUnchanged(fstatSync(descriptor), previous)) {
        closeSync(descriptor);
        return undefined;
      }
      return { read: (start, end) => piecesOf(descriptor, start, end), close: () => closeSync(descriptor) };
    },
    /** Text of a file written. */
    read: (path: string): string => readFileSync(join(staging, path), 'utf8'),
    /** Replaces the old folder by the new one. */
    commit(): Completed {
      const completed = guarded(out, () => {
        spool.close();
        for (const path of held.keys()) rmSync(join(staging, path), { force: true });
        const needed = foldersOf(files.keys());
        for (const folder of folders) if (!needed.has(folder)) rmSync(join(staging, folder), { recursive: true, force: true });
        replace(staging, target, replaced);
        // Renaming the root sets its time.
        const { ino, ctimeMs } = lstatSync(target);
        return { inode: ino, time: ctimeMs };
      });
      storeReplaced(replaced, reusable);
      return completed;
    },
    /** Removes what was written. */
    abandon(): void {
      spool.close();
      rmSync(staging, { recursive: true, force: true });
    },
  };
}

// A buffer for each of thousands of pages would be garbage outside the heap, which V8 is slow to collect.
let shared = new Uint8Array(256 * 1024);
const longestShared = 4 * 1024 * 1024;

/** A text in UTF-8, valid until the next call. */
function encoded(text: string): Uint8Array {
  const longest = text.length * 3;
  if (longest > longestShared) return Buffer.from(text);
  if (longest > shared.length) shared = new Uint8Array(longest * 2);
  return shared.subarray(0, encoder.encodeInto(text, shared).written);
}

const encoder = new TextEncoder();

// How often another export may interfere before this is an error.
const attempts = 20;

/** Replaces a folder by another and moves the old one to `replaced`. Another export may do the same at the same time. */
function replace(staging: string, target: string, replaced: string): void {
  for (let attempt = 1; ; attempt++) {
    rmSync(replaced, { recursive: true, force: true });
    try {
      renameSync(target, replaced);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
    try {
      return renameSync(staging, target);
    } catch (error) {
      const isTaken = ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '');
      if (isTaken && attempt < attempts) continue;
      if (existsSync(replaced) && !existsSync(target)) renameSync(replaced, target);
      throw error;
    }
  }
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
      removeUnknown(staging, { files: held, folders, completed: reusable.completed });
      return { held, folders };
    } catch {
      // It does not exist, or it is on another disk.
      rmSync(staging, { recursive: true, force: true });
    }
  }
  mkdirSync(staging);
  return { held: new Map(), folders: new Set(['.']) };
}

/** Stores a replaced export as the next reusable folder, or removes it where that fails. */
function storeReplaced(replaced: string, reusable: ReusableFolder | undefined): void {
  if (reusable) {
    try {
      mkdirSync(dirname(reusable.folder), { recursive: true });
      rmSync(reusable.folder, { recursive: true, force: true });
      renameSync(replaced, reusable.folder);
      return;
    } catch {
      // On another disk, or there was nothing to replace.
    }
  }
  rmSync(replaced, { recursive: true, force: true });
}

/** All folders that contain one of the files, however deep, each after the one that contains it; `.` is the root. */
function foldersOf(files: Iterable<string>): Set<string> {
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

/**
 * Removes unknown files, which may have been added while the folder was the published export, and from `folders` those that are gone.
 * Only folders that changed since then are listed, and all folders in them: listing all folders of a large site takes a third of an export.
 */
function removeUnknown(
  root: string,
  { files, folders, completed }: { files: Map<string, WrittenFile>; folders: Set<string>; completed?: Completed },
): void {
  const isSameRoot = lstatSync(root).ino === completed?.inode;
  const changed = new Set<string>();
  for (const folder of folders) {
    const path = `${root}/${folder}`;
    const entry = folders.has(folderOf(folder)) ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
    if (!entry?.isDirectory()) {
      if (entry) rmSync(path);
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
      if (!isKnown) rmSync(join(root, name), { recursive: true, force: true });
    }
  }
}

function isAt(folder: string, path: string, file: WrittenFile): boolean {
  const entry = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false });
  return entry !== undefined && isUnchanged(entry, file);
}

function isUnchanged(entry: Stats, { size, mtime, inode }: WrittenFile): boolean {
  return entry.isFile() && entry.size === size && entry.mtimeMs === mtime && entry.ino === inode;
}

function openIfThere(file: string): number | undefined {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The bytes of a part of a file, each piece valid until the next. */
function* piecesOf(descriptor: number, start: number, end: number): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (let at = start; at < end;) {
    const length = readSync(descriptor, buffer, 0, Math.min(buffer.length, end - at), at);
    if (length === 0) throw new Error('A file of the previous export is shorter than it was.');
    yield buffer.subarray(0, length);
    at += length;
  }
}

function pump(from: number, to: number): string {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(256 * 1024);
  for (;;) {
    const length = readSync(from, buffer);
    if (length === 0) return hash.digest('hex');
    const piece = buffer.subarray(0, length);
    hash.update(piece);
    for (let written = 0; written < length;) written += writeSync(to, piece, written);
  }
}

function openAsset(file: string): number {
  try {
    return openSync(file, 'r');
  } catch (error) {
    throw new ExportError(
      'AssetNotReadable',
      `The file "${file}" could not be read: ${errorMessage(error)}.`,
      'Check that it exists and may be read.',
      {
        cause: error,
      },
    );
  }
}
