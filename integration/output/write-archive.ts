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

/** An archive that is written but not moved to its path yet. */
export type PendingArchive = Awaited<ReturnType<typeof writeArchive>>;

/** Writes the listed files of a folder into a file next to the archive's path. Creates missing parent folders. */
export async function writeArchive(folder: string, names: Iterable<string>, archive: string, options: PackOptions = {}) {
  const target = realTarget(archive);
  const stagingFile = join(dirname(target), `.${basename(target)}.carrel-new-${process.pid}`);
  guarded(archive, () => {
    mkdirSync(dirname(target), { recursive: true });
    removeLeftovers(dirname(target), basename(target), target, process.pid);
  });
  const { first } = options;
  const sorted = [...(first === undefined ? [] : [first]), ...[...names].filter((name) => name !== first).sort()];
  const isStored = (name: string) => name === first || isCompressed(name);
  const time = entryTime(options.environment?.SOURCE_DATE_EPOCH);
  const fd = guarded(archive, () => openSync(stagingFile, 'w'));
  const abandon = () => rmSync(stagingFile, { force: true });
  try {
    await writeZip(fd, { folder, names: sorted, isStored, time, signal: options.signal }).finally(() => closeSync(fd));
  } catch (error) {
    abandon();
    throw writeError(archive, error);
  }
  options.onProgress?.(sorted.length, sorted.length);
  return {
    /** Moves it to its path. */
    commit: (): void => guarded(archive, () => renameSync(stagingFile, target)),
    abandon,
  };
}

/** Files of an archive to be. */
export interface NewFiles {
  put(name: string, contents: string | Uint8Array): void;
  read(name: string): string;
}

/** The same of files that `write` makes, in a folder beside the archive's path that is removed then. */
export async function archiveNewFiles(
  archive: string,
  options: PackOptions,
  write: (files: NewFiles) => Promise<void>,
): Promise<PendingArchive> {
  const target = realTarget(archive);
  const folder = join(dirname(target), `.${basename(target)}.files.carrel-new-${process.pid}`);
  guarded(archive, () => {
    mkdirSync(dirname(target), { recursive: true });
    removeLeftovers(dirname(target), `${basename(target)}.files`, target, process.pid);
  });
  const names = new Set<string>();
  try {
    await write({
      read: (name) => readFileSync(join(folder, name), 'utf8'),
      put: (name, contents) =>
        guarded(archive, () => {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), contents);
          names.add(name);
        }),
    });
    return await writeArchive(folder, names, archive, options);
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
