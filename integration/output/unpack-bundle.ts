import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExportError } from '../errors.ts';
import { guarded, writeError } from './write-error.ts';
import { shownName } from '../text/escape.ts';
import { openArchive, type Archive, type ArchiveEntry, type EntryContent } from './archive.ts';
import { checkEntries, unsafe, type BundleLimits } from './check-entries.ts';
import type { Manifest } from '../manifest.ts';
import { changed, readManifest, unlisted } from './unpack.ts';

export interface UnpackOptions {
  limits?: BundleLimits;
  signal?: AbortSignal;
  /** Called after the manifest is read and before any file is written; an error that it throws stops the unpacking. */
  accept?: (manifest: Manifest) => void;
}

export interface UnpackedBundle {
  manifest: Manifest;
  /** Of `carrel.json` in the folder, in hex. */
  manifestHash: string;
}

/**
 * Unpacks a bundle into a new folder. Every file is checked against the hash in the manifest while it is written;
 * the folder appears complete or not at all. Memory use does not grow with the archive.
 * Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`, `BundleUnsafe`, `ManifestMissing`, `ManifestInvalid`,
 * `BundleFileMissing`, `BundleFileUnlisted`, `BundleFileChanged`, `DiskFull`, `OutputNotWritable`.
 */
export async function unpackBundle(file: string, folder: string, options: UnpackOptions = {}): Promise<UnpackedBundle> {
  const archive = await openArchive(file, options.limits);
  const beside = join(dirname(folder), `.${basename(folder)}.carrel-new-${process.pid}`);
  try {
    const [problem] = checkEntries(archive, options.limits);
    if (problem) throw new ExportError('BundleUnsafe', `"${file}" was not unpacked. ${problem.message}`, problem.hint);
    const entries = new Map(archive.entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]));
    const manifest = await readManifest(file, archive, entries);
    checkNames(file, manifest, entries);
    options.accept?.(manifest);
    guarded(folder, () => {
      if (existsSync(folder)) throw Object.assign(new Error('it is there already'), { code: 'EEXIST' });
      rmSync(beside, { recursive: true, force: true });
      mkdirSync(beside, { recursive: true });
    });
    const manifestHash = await writeFiles(file, archive, entries, manifest, beside, options.signal);
    guarded(folder, () => renameSync(beside, folder));
    return { manifest, manifestHash };
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    throw error;
  } finally {
    archive.close();
  }
}

function checkNames(file: string, manifest: Manifest, entries: Map<string, ArchiveEntry>): void {
  for (const path of Object.keys(manifest.files)) {
    const fault = unsafe(path);
    if (fault)
      throw new ExportError('BundleUnsafe', `"${file}" was not unpacked: "${shownName(path)}" in its manifest ${fault}.`, remade);
    if (!entries.has(path)) throw new ExportError('BundleFileMissing', `"${file}" has no file "${shownName(path)}".`, copied);
  }
  for (const path of entries.keys()) {
    if (!Object.hasOwn(manifest.files, path) && !unlisted.has(path))
      throw new ExportError('BundleFileUnlisted', `"${shownName(path)}" in "${file}" is not in its manifest.`, copied);
  }
}

const remade = 'Carrel does not write such archives: do not unpack it.';
const copied = 'Copy the bundle again from where it was made.';

/** Writes all files; returns the hash of the manifest. */
async function writeFiles(
  file: string,
  archive: Archive,
  entries: Map<string, ArchiveEntry>,
  manifest: Manifest,
  root: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const folders = new Set<string>();
  let manifestHash = '';
  for await (const { entry, pieces } of archive.readAll([...entries.values()])) {
    signal?.throwIfAborted();
    const path = entry.name;
    const target = join(root, path);
    if (!folders.has(dirname(target))) guarded(root, () => mkdirSync(dirname(target), { recursive: true }));
    folders.add(dirname(target));
    const listed = Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
    const { size, hash } = await writeFile(file, { entry, pieces }, target, listed?.size ?? entry.size, signal);
    if (listed && (size !== listed.size || hash !== listed.sha256)) throw changed(file, path);
    if (path === 'carrel.json') manifestHash = hash;
  }
  return manifestHash;
}

// Most files of a site are small, and a stream for each costs more than the file.
const smallFile = 256 * 1024;

async function writeFile(
  file: string,
  { entry, pieces }: EntryContent,
  target: string,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<{ size: number; hash: string }> {
  const hash = createHash('sha256');
  let size = 0;
  async function* measured() {
    for await (const piece of pieces) {
      size += piece.length;
      if (size > limit) throw changed(file, entry.name);
      hash.update(piece);
      yield piece;
    }
  }
  try {
    // "wx": a name that differs from another one only by its case is the same file on some disks.
    if (limit <= smallFile) {
      const parts: Uint8Array[] = [];
      for await (const piece of measured()) parts.push(piece);
      writeFileSync(target, parts.length === 1 ? parts[0]! : Buffer.concat(parts), { flag: 'wx' });
    } else {
      await pipeline(measured(), createWriteStream(target, { flags: 'wx' }), { signal });
    }
  } catch (error) {
    signal?.throwIfAborted();
    const reported = writeError(dirname(target), error);
    throw reported instanceof ExportError ? reported : changed(file, entry.name, error);
  }
  return { size, hash: hash.digest('hex') };
}
