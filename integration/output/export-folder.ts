// An export appears complete or not at all: it is written into a staging folder beside the output, which then replaces the old one.
// With a cache folder, the replaced export stays there as the next staging folder: of 20,000 files, the next export then touches only those
// that differ. Both share the bytes of equal files, so this takes hardly any space.
import {
  closeSync,
  existsSync,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Problem } from '../diagnostics.ts';
import { errorCode, errorMessage, ExportError } from '../errors.ts';
import type { ListedFile } from '../manifest.ts';
import { foreignProblems, keepForeign, type ForeignFiles } from './foreign-files.ts';
import { checkNotNested, checkReplaceable, realTarget, removeLeftovers } from './output-path.ts';
import { createSpool } from './spool.ts';
import type { Completed, ReusableFolder } from './staged-paths.ts';
import { openStaging } from './staging.ts';
import { guarded } from './write-error.ts';
import { isAt, isUnchanged, type WrittenFile } from './written-file.ts';

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
  const staged = guarded(out, () => openStaging(staging, reusable));
  const spool = createSpool(join(staging, '.carrel-texts'));
  const { files } = staged;

  const copy = (path: string, file: string): WrittenFile => {
    const from = openAsset(file);
    try {
      return guarded(out, () => staged.copy(path, from));
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
    write: (path: string, contents: string | Uint8Array): WrittenFile => guarded(out, () => staged.write(path, contents)),
    /** Writes a file of these texts or bytes, one after another. */
    writeTexts: (path: string, texts: Iterable<string | Uint8Array>): WrittenFile =>
      guarded(out, () => staged.writeTexts(path, texts)),
    /** Copies a file, however large. */
    copy,
    /** Notes a file that the caller wrote into `staging`. */
    adopt: (path: string, file: ListedFile): void => void files.set(path, { ...file, mtime: 0, inode: 0 }),
    /** Takes over a file of the previous export; false when it has changed since it was written. */
    reuse(path: string, previous: WrittenFile, previousPath: string = path): boolean {
      if (staged.take(path, previous.sha256)) return true;
      if (!isAt(target, previousPath, previous)) return false;
      const from = join(target, previousPath);
      const to = guarded(out, () => staged.free(path));
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
    drop: staged.drop,
    moveReusable: staged.moveReusable,
    /** Opens a file of the previous export; undefined when it has changed since it was written. */
    openPrevious: (path: string, previous: WrittenFile) => openUnchanged(join(target, path), previous),
    read: staged.read,
    readBytes: staged.readBytes,
    /**
     * Replaces the old folder by the new one. What is in the old one and of no export stays, unless the new one has something else there.
     */
    commit(previous?: Completed): Committed {
      const { completed, foreign } = guarded(out, () => {
        spool.close();
        staged.prune();
        const foreign = replacesSite ? none : keepForeign(target, staging, previous);
        replace(staging, target, replaced);
        // Renaming the root sets its time.
        const { ino, ctimeMs } = lstatSync(target);
        const { kept } = foreign;
        return { completed: { inode: ino, time: ctimeMs, ...(kept.length > 0 && { kept }) }, foreign };
      });
      for (const path of foreign.kept) rmSync(join(replaced, path), { recursive: true, force: true });
      storeReplaced(replaced, reusable);
      return { completed, problems: foreignProblems(foreign, out) };
    },
    /** Removes what was written. */
    abandon(): void {
      spool.close();
      rmSync(staging, { recursive: true, force: true });
    },
  };
}

export interface Committed {
  completed: Completed;
  /** What was in the old folder and of no export. */
  problems: Problem[];
}

const none: ForeignFiles = { kept: [], replaced: [] };

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

function openUnchanged(file: string, previous: WrittenFile) {
  // Another export may have replaced it in between.
  const descriptor = openIfThere(file);
  if (descriptor === undefined) return undefined;
  const close = () => closeSync(descriptor);
  if (isUnchanged(fstatSync(descriptor), previous)) {
    const read = (start: number, end: number) => piecesOf(descriptor, start, end);
    return { text: () => readFileSync(descriptor, 'utf8'), read, close };
  }
  close();
  return undefined;
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
