// An export appears whole or not at all: it is written into a folder beside, which then takes the place of the old one.
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
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ExportError } from '../errors.ts';

/** What is known of a file of the export, and enough of its disk entry to tell later whether anybody changed it. */
export interface WrittenFile {
  sha256: string;
  size: number;
  mtime: number;
  inode: number;
}

/** The next export of a folder, not yet in its place. */
export interface ExportFolder {
  readonly files: Map<string, WrittenFile>;
  write(path: string, contents: string | Uint8Array): WrittenFile;
  /** Copies a file, however large. */
  copy(path: string, file: string): WrittenFile;
  /** Takes over a file of the previous export; false when it is not there any more as it was written. */
  reuse(path: string, previous: WrittenFile, previousPath?: string): boolean;
  /** Takes a file out again. */
  drop(path: string): void;
  /** Text of a file written. */
  read(path: string): string;
  /** Text of a file of the previous export. */
  readPrevious(path: string): string;
  /** Whether a file of the previous export is there as it was written. */
  isPrevious(path: string, previous: WrittenFile): boolean;
  /** Puts the new folder in the place of the old one. */
  commit(): void;
  /** Removes what was written. */
  abandon(): void;
}

/**
 * Begins an export into `out`.
 * Throws `ExportError`: `OutputInsideSource`, `SourceInsideOutput`, `OutputNotFolder`, `OutputIsMount`, `OutputNotExport` (holds other things), `OutputNotWritable`.
 */
export function beginExport(out: string, sourceRoot: string | undefined, processId: number): ExportFolder {
  const target = realTarget(out);
  if (sourceRoot !== undefined) checkApart(out, target, realTarget(sourceRoot));
  const parent = dirname(target);
  const name = basename(target);
  const staging = join(parent, `.${name}.carrel-new-${processId}`);
  const replaced = join(parent, `.${name}.carrel-old-${processId}`);
  guarded(out, () => {
    mkdirSync(parent, { recursive: true });
    removeLeftovers(parent, name, target, processId);
  });
  checkReplaceable(out, target);
  guarded(out, () => mkdirSync(staging));

  const files = new Map<string, WrittenFile>();
  const folders = new Set<string>(['.']);
  const place = (path: string): string => {
    const folder = dirname(path);
    if (!folders.has(folder)) {
      mkdirSync(join(staging, folder), { recursive: true });
      for (let up = folder; !folders.has(up); up = dirname(up)) folders.add(up);
    }
    return join(staging, path);
  };
  const note = (path: string, sha256: string, descriptor: number): WrittenFile => {
    const { size, mtimeMs, ino } = fstatSync(descriptor);
    const written = { sha256, size, mtime: mtimeMs, inode: ino };
    files.set(path, written);
    return written;
  };

  const isPrevious = (path: string, { size, mtime, inode }: WrittenFile): boolean => {
    const entry = lstatSync(join(target, path), { throwIfNoEntry: false });
    return entry !== undefined && entry.isFile() && entry.size === size && entry.mtimeMs === mtime && entry.ino === inode;
  };

  const copy = (path: string, file: string): WrittenFile => {
    const from = openAsset(file);
    try {
      return guarded(out, () => {
        const to = openSync(place(path), 'wx');
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
    files,
    write(path, contents) {
      return guarded(out, () => {
        const descriptor = openSync(place(path), 'wx');
        try {
          writeFileSync(descriptor, contents);
          return note(path, hash('sha256', contents), descriptor);
        } finally {
          closeSync(descriptor);
        }
      });
    },
    copy,
    reuse(path, previous, previousPath = path) {
      if (!isPrevious(previousPath, previous)) return false;
      const to = guarded(out, () => place(path));
      try {
        linkSync(join(target, previousPath), to);
        files.set(path, previous);
      } catch {
        // Some disks have no hard links, and some files have as many as they may have.
        copy(path, join(target, previousPath));
      }
      return true;
    },
    drop(path) {
      rmSync(join(staging, path));
      files.delete(path);
    },
    isPrevious,
    readPrevious: (path) => readFileSync(join(target, path), 'utf8'),
    read: (path) => readFileSync(join(staging, path), 'utf8'),
    commit() {
      guarded(out, () => {
        if (existsSync(target)) renameSync(target, replaced);
        try {
          renameSync(staging, target);
        } catch (error) {
          if (existsSync(replaced)) renameSync(replaced, target);
          throw error;
        }
      });
      rmSync(replaced, { recursive: true, force: true });
    },
    abandon() {
      rmSync(staging, { recursive: true, force: true });
    },
  };
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
      `The file "${file}" could not be read: ${(error as Error).message}.`,
      'Check that it exists and may be read.',
      {
        cause: error,
      },
    );
  }
}

/** Its real path, links followed as far as it exists. */
function realTarget(path: string): string {
  const whole = resolve(path);
  let existing = whole;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  return join(realpathSync(existing), relative(existing, whole));
}

function checkApart(out: string, target: string, source: string): void {
  if (isInside(source, target)) {
    throw new ExportError(
      'OutputInsideSource',
      `The output "${out}" is inside the docs folder "${source}", so the next export would take it for docs.`,
      'Choose a folder outside it.',
    );
  }
  if (isInside(target, source)) {
    throw new ExportError(
      'SourceInsideOutput',
      `The output "${out}" holds the docs folder "${source}", and is replaced whole.`,
      'Choose another output folder.',
    );
  }
}

/**
 * Checks that an archive may be written where it is wanted: neither into the export nor into the docs.
 * Throws `ExportError`: `ArchiveInsideOutput`, `ArchiveInsideSource`.
 */
export function checkArchive(archive: string, out: string, sourceRoot: string | undefined): void {
  const target = realTarget(archive);
  if (isInside(realTarget(out), target)) {
    throw new ExportError(
      'ArchiveInsideOutput',
      `The archive "${archive}" is inside the output "${out}".`,
      'Choose a place beside it.',
    );
  }
  if (sourceRoot !== undefined && isInside(realTarget(sourceRoot), target)) {
    throw new ExportError(
      'ArchiveInsideSource',
      `The archive "${archive}" is inside the docs folder "${sourceRoot}", so the next export would take it for docs.`,
      'Choose a place outside it.',
    );
  }
}

function isInside(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function checkReplaceable(out: string, target: string): void {
  const entry = statSync(target, { throwIfNoEntry: false });
  if (!entry) return;
  if (!entry.isDirectory()) {
    throw new ExportError('OutputNotFolder', `The output "${out}" is a file.`, 'Choose a folder, or move the file away.');
  }
  if (entry.dev !== statSync(dirname(target)).dev) {
    throw new ExportError(
      'OutputIsMount',
      `The output "${out}" is a disk or volume of its own, which cannot be replaced whole.`,
      `Choose a folder in it, such as "${join(out, 'site')}".`,
    );
  }
  const inside = guarded(out, () => readdirSync(target));
  if (inside.length === 0 || inside.includes('carrel.json')) return;
  throw new ExportError(
    'OutputNotExport',
    `The output "${out}" holds other things than an export (${inside.slice(0, 3).join(', ')}${inside.length > 3 ? ', …' : ''}), and would be replaced whole.`,
    'Choose another folder, or empty this one.',
  );
}

/** What killed exports left beside: a replaced folder goes back when the new one never came, the rest is removed. */
function removeLeftovers(parent: string, name: string, target: string, processId: number): void {
  const leftover = new RegExp(`^\\.${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\.carrel-(new|old)-(\\d+)$`);
  for (const entry of readdirSync(parent)) {
    const match = leftover.exec(entry);
    if (!match || (Number(match[2]) !== processId && isRunning(Number(match[2])))) continue;
    const path = join(parent, entry);
    if (match[1] === 'old' && !existsSync(target)) renameSync(path, target);
    else rmSync(path, { recursive: true, force: true });
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const diskFull = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const notWritable = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EBUSY', 'EXDEV']);

function guarded<T>(out: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw writeError(out, error);
  }
}

/** The error of a file system as one that says what to do. */
export function writeError(out: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (diskFull.has(code)) {
    return new ExportError(
      'DiskFull',
      `There is no room left on the disk of "${out}". What was there before is unchanged.`,
      'Free some space or choose an output on another disk.',
      { cause: error },
    );
  }
  if (notWritable.has(code)) {
    return new ExportError(
      'OutputNotWritable',
      `"${out}" cannot be written: ${message}.`,
      'Choose a folder that this user may write to, in a folder that it may write to as well.',
      { cause: error },
    );
  }
  return error;
}
