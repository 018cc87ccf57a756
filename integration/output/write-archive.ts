import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { realTarget, removeLeftovers } from './output-path.ts';
import { guarded, writeError } from './write-error.ts';
import { writeZip } from './zip-writer.ts';

export interface PackOptions {
  /** For `SOURCE_DATE_EPOCH`, the time of all entries. */
  environment?: Record<string, string | undefined>;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
  /** An entry that the format wants first and uncompressed; the others are sorted. */
  first?: string;
}

/** A file that is written but not moved to its path yet. */
export type PendingFile = Awaited<ReturnType<typeof pendingFile>>;

/** Writes a file next to its path. Creates missing parent folders. */
export async function pendingFile(file: string, write: (fd: number) => Promise<void>) {
  const target = realTarget(file);
  const stagingFile = join(dirname(target), `.${basename(target)}.carrel-new-${process.pid}`);
  guarded(file, () => {
    mkdirSync(dirname(target), { recursive: true });
    removeLeftovers(dirname(target), basename(target), target, process.pid);
  });
  const fd = guarded(file, () => openSync(stagingFile, 'w'));
  const abandon = () => rmSync(stagingFile, { force: true });
  try {
    await write(fd).finally(() => closeSync(fd));
  } catch (error) {
    abandon();
    throw writeError(file, error);
  }
  return {
    /** Moves it to its path. */
    commit: (): void => guarded(file, () => renameSync(stagingFile, target)),
    abandon,
  };
}

/** Writes the listed files of a folder into an archive next to its path. */
export async function writeArchive(
  folder: string,
  names: Iterable<string>,
  archive: string,
  options: PackOptions = {},
): Promise<PendingFile> {
  const { first, signal, environment } = options;
  const sorted = [...(first === undefined ? [] : [first]), ...[...names].filter((name) => name !== first).sort()];
  const isStored = (name: string) => name === first || isCompressed(name);
  const time = entryTime(environment?.SOURCE_DATE_EPOCH);
  const pending = await pendingFile(archive, (fd) => writeZip(fd, { folder, names: sorted, isStored, time, signal }));
  options.onProgress?.(sorted.length, sorted.length);
  return pending;
}

/** Files that are needed to write another. */
export interface NewFiles {
  folder: string;
  put(name: string, contents: string | Uint8Array): void;
  read(name: string): string;
}

/** An archive of the files that `write` makes. */
export async function archiveNewFiles(
  archive: string,
  options: PackOptions,
  write: (files: NewFiles) => Promise<void>,
): Promise<PendingFile> {
  return await withNewFiles(archive, async (files) => {
    const names = new Set<string>();
    const put: NewFiles['put'] = (name, contents) => {
      files.put(name, contents);
      names.add(name);
    };
    await write({ ...files, put });
    return await writeArchive(files.folder, names, archive, options);
  });
}

/** Runs `work` with a folder next to the path of a file, and removes the folder then. */
export async function withNewFiles<Result>(file: string, work: (files: NewFiles) => Promise<Result>): Promise<Result> {
  const target = realTarget(file);
  const folder = join(dirname(target), `.${basename(target)}.files.carrel-new-${process.pid}`);
  guarded(file, () => {
    mkdirSync(dirname(target), { recursive: true });
    removeLeftovers(dirname(target), `${basename(target)}.files`, target, process.pid);
  });
  try {
    return await work({
      folder,
      read: (name) => readFileSync(join(folder, name), 'utf8'),
      put: (name, contents) =>
        guarded(file, () => {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), contents);
        }),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Times in an archive have no time zone and are read from the local clock, so this shifts them: the bytes are the same in every zone. */
function entryTime(epoch: string | undefined): Date {
  if (epoch === undefined || !/^\d+$/.test(epoch)) return new Date(2020, 0, 1);
  const time = new Date(Math.max(Number(epoch) * 1000, Date.UTC(1980, 0, 1)));
  return new Date(
    time.getUTCFullYear(),
    time.getUTCMonth(),
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
  );
}

function isCompressed(name: string): boolean {
  return /\.(?:png|jpe?g|gif|webp|avif|woff2?|mp4|webm|mov|mp3|ogg|zip|gz|br)$/i.test(name);
}
