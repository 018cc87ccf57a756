import { createHash, hash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ExportError } from '../errors.ts';
import { guarded, writeError } from './write-error.ts';
import { shownName } from '../text/escape.ts';
import type { Archive } from './read-archive.ts';
import type { EntryContent } from './zip-contents.ts';
import type { ArchiveEntry } from './zip-directory.ts';
import { checkEntries, notFromCarrelHint, unsafe, type BundleRules } from './check-entries.ts';
import { unlisted, type ListedFile, type Manifest } from '../manifest.ts';
import { expectedFile, fileChangedError, neededFiles, openArchiveOrFolder, readManifest } from './open-bundle.ts';

export interface UnpackOptions {
  rules?: BundleRules;
  signal?: AbortSignal;
  /** Called with the manifest, and when it was signed, before any file is written; an error that it throws stops the unpacking. */
  accept?: (manifest: Manifest, signedAt?: Date) => void;
}

export interface UnpackedBundle {
  manifest: Manifest;
  /** Of `carrel.json` in the folder, in hex. */
  manifestHash: string;
}

/** Hash and size of each file in the folder, by its path. */
export type UnpackedFiles = Map<string, ListedFile>;

/**
 * Unpacks a bundle into a new folder, or copies the folder of an export. Every file is checked against the hash in the manifest while it is written;
 * the folder appears complete or not at all. Memory use does not grow with the archive.
 * Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`, `BundleUnsafe`, `ManifestMissing`, `ManifestInvalid`,
 * `SignatureInvalid`, `SignatureNotTrusted`, `BundleFileMissing`, `BundleFileUnlisted`, `BundleFileChanged`, `DiskFull`, `OutputNotWritable`.
 */
export async function unpackBundle(
  file: string,
  folder: string,
  options: UnpackOptions = {},
): Promise<UnpackedBundle & { files: UnpackedFiles }> {
  const archive = await openArchiveOrFolder(file, options.rules);
  const stagingFolder = join(dirname(folder), `.${basename(folder)}.carrel-new-${process.pid}`);
  try {
    const [problem] = checkEntries(archive, options.rules);
    const fault = problem?.message ?? (await archive.layoutFault());
    if (fault !== undefined) throw new ExportError('BundleUnsafe', `"${file}" was not unpacked. ${fault}`, notFromCarrelHint);
    const entries = new Map(archive.entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]));
    const { manifest, signature } = await readManifest(file, { archive, entries, rules: options.rules });
    checkNames(file, { manifest, entries, rules: options.rules });
    options.accept?.(manifest, signature?.time);
    guarded(folder, () => {
      if (existsSync(folder)) throw Object.assign(new Error('it already exists'), { code: 'EEXIST' });
      rmSync(stagingFolder, { recursive: true, force: true });
      mkdirSync(stagingFolder, { recursive: true });
    });
    const files = await writeFiles(file, archive, { entries, manifest, root: stagingFolder, ...options });
    guarded(folder, () => renameSync(stagingFolder, folder));
    return { manifest, manifestHash: files.get('carrel.json')!.sha256, files };
  } catch (error) {
    // A write stream may create its file even after a read error, so the removal is tried again.
    rmSync(stagingFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    throw error;
  } finally {
    archive.close();
  }
}

function checkNames(
  file: string,
  { manifest, entries, rules }: { manifest: Manifest; entries: Map<string, ArchiveEntry>; rules: BundleRules | undefined },
): void {
  for (const path of neededFiles(manifest, rules)) {
    const fault = unsafe(path);
    if (fault)
      throw new ExportError(
        'BundleUnsafe',
        `"${file}" was not unpacked: "${shownName(path)}" in its manifest ${fault}.`,
        notFromCarrelHint,
      );
    if (!entries.has(path))
      throw new ExportError('BundleFileMissing', `"${file}" has no file "${shownName(path)}".`, copyAgainHint);
  }
  for (const path of entries.keys()) {
    if (!Object.hasOwn(manifest.files, path) && !unlisted.has(path))
      throw new ExportError('BundleFileUnlisted', `"${shownName(path)}" in "${file}" is not in its manifest.`, copyAgainHint);
  }
}

const copyAgainHint = 'Copy the bundle again from where it was made.';

/** Writes all files. */
async function writeFiles(
  file: string,
  archive: Archive,
  {
    entries,
    manifest,
    root,
    rules,
    signal,
  }: UnpackOptions & { entries: Map<string, ArchiveEntry>; manifest: Manifest; root: string },
): Promise<UnpackedFiles> {
  let folder = '';
  const files: UnpackedFiles = new Map();
  for await (const { entry, content } of archive.readAll([...entries.values()])) {
    signal?.throwIfAborted();
    const path = entry.name;
    const target = join(root, path);
    // Entries of the same folder are usually adjacent.
    if (dirname(target) !== folder) guarded(root, () => mkdirSync((folder = dirname(target)), { recursive: true }));
    const expected = expectedFile(manifest, path, rules);
    const { size, sha256 } = await writeFile(file, { entry, content }, target, expected?.size ?? entry.size, signal);
    if (expected && (size !== expected.size || sha256 !== expected.sha256)) throw fileChangedError(file, path);
    files.set(path, { sha256, size });
  }
  return files;
}

async function writeFile(
  file: string,
  { entry, content }: EntryContent,
  target: string,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<ListedFile> {
  const tooLong = () => fileChangedError(file, entry.name);
  try {
    // "wx": a name that differs from another one only by its case is the same file on some disks.
    if (content instanceof Uint8Array) {
      if (content.length > limit) throw tooLong();
      writeFileSync(target, content, { flag: 'wx' });
      return { size: content.length, sha256: hash('sha256', content) };
    }
    const digest = createHash('sha256');
    let size = 0;
    async function* measured(pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        size += piece.length;
        if (size > limit) throw tooLong();
        digest.update(piece);
        yield piece;
      }
    }
    await pipeline(measured(content), createWriteStream(target, { flags: 'wx' }), { signal });
    return { size, sha256: digest.digest('hex') };
  } catch (error) {
    signal?.throwIfAborted();
    const reported = writeError(dirname(target), error);
    throw reported instanceof ExportError ? reported : fileChangedError(file, entry.name, error);
  }
}
