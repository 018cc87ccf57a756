import { createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { writeError } from '../export/write-error.ts';

export interface PackOptions {
  /** For `SOURCE_DATE_EPOCH`, the time that all entries bear. */
  environment?: Record<string, string | undefined>;
  onProgress?: (done: number, total: number) => void;
  signal?: AbortSignal;
}

/** Packs an export folder into an archive. The same files give the same bytes; the archive appears whole or not at all. */
export async function packBundle(folder: string, archive: string, options: PackOptions = {}): Promise<void> {
  const names = await filesIn(folder);
  const beside = join(dirname(archive), `.${basename(archive)}.carrel-new-${process.pid}`);
  const zip = new yazl.ZipFile();
  const mtime = entryTime(options.environment?.SOURCE_DATE_EPOCH);
  for (const name of names) {
    const compressionLevel = isCompressed(name) ? 0 : 6;
    zip.addFile(join(folder, name), name, { mtime, mode: 0o100644, forceDosTimestamp: true, compressionLevel });
  }
  zip.end();
  try {
    await pipeline(zip.outputStream, createWriteStream(beside), { signal: options.signal });
    await rename(beside, archive);
  } catch (error) {
    await rm(beside, { force: true });
    throw writeError(archive, error);
  }
  options.onProgress?.(names.length, names.length);
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** An archive's times have no zone, so the parts are those of the local clock: the same bytes in every zone. */
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
