// Bundles and export folders as others hand them over: nothing in them is trusted before it was checked.
import { createHash } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { ExportError } from '../errors.ts';
import type { Problem } from '../problem.ts';
import { openArchive, readFromDisk, type Archive, type ArchiveEntry } from './archive.ts';
import { checkEntries, unsafe, type BundleLimits } from './check-entries.ts';
import { manifestSchema, type Manifest } from './manifest.ts';

export interface Bundle {
  manifest: Manifest;
  /** Bytes of a file of the export, checked against the manifest. Throws `ExportError` `BundleFileChanged`, `BundleFileMissing`. */
  read(path: string): Promise<Uint8Array>;
  close(): void;
}

const largestManifest = 128 * 1024 * 1024;
/** Beside the manifest itself, the settings of the place where a site is deployed: no part of what was exported. */
export const unlisted = new Set(['carrel.json', 'carrel.config.js']);

/**
 * Opens a bundle for reading; nothing is unpacked to disk.
 * Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`, `BundleUnsafe`, `ManifestMissing`, `ManifestInvalid`.
 */
export async function openBundle(file: string, limits?: BundleLimits): Promise<Bundle> {
  const archive = await openArchive(file);
  try {
    const [problem] = checkEntries(archive.entries, limits);
    if (problem) throw new ExportError('BundleUnsafe', `"${file}" is not opened. ${problem.message}`, problem.hint);
    const entries = new Map(archive.entries.map((entry) => [entry.name, entry]));
    const manifest = await readManifest(file, archive, entries);
    return {
      manifest,
      async read(path) {
        const listed = Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
        const entry = entries.get(path);
        if (!entry || (!listed && !unlisted.has(path)))
          throw new ExportError('BundleFileMissing', `"${file}" has no file "${path}".`);
        const limit = listed?.size ?? largestManifest;
        const bytes = await collect(archive, entry, limit).catch((cause: unknown) => {
          throw changed(file, path, cause);
        });
        if (listed && (bytes.length !== listed.size || sha256(bytes) !== listed.sha256)) throw changed(file, path);
        return bytes;
      },
      close: () => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/**
 * Everything that is wrong with a bundle or an export folder; nothing when each file has the hash its manifest names.
 * Throws `ExportError` when it cannot be opened at all.
 */
export async function verifyBundle(fileOrFolder: string, limits?: BundleLimits): Promise<Problem[]> {
  const entry = await lstat(fileOrFolder).catch(() => undefined);
  const archive = entry?.isDirectory() ? await openFolder(fileOrFolder) : await openArchive(fileOrFolder);
  try {
    const problems = checkEntries(archive.entries, limits);
    if (problems.length > 0) return problems;
    const entries = new Map(archive.entries.filter(({ isFolder }) => !isFolder).map((found) => [found.name, found]));
    const manifest = await readManifest(fileOrFolder, archive, entries);
    for (const [path, listed] of Object.entries(manifest.files)) {
      const fault = unsafe(path);
      const found = entries.get(path);
      if (fault) problems.push(problem('bundle-entry-unsafe', `"${path}" in the manifest ${fault}.`));
      else if (!found) problems.push(problem('bundle-file-missing', `The file "${path}" is missing.`));
      else if (found.size !== listed.size || (await digest(archive, found, listed.size)) !== listed.sha256) {
        problems.push(problem('bundle-file-changed', `The file "${path}" is not the one that was exported.`));
      }
    }
    for (const path of entries.keys()) {
      if (!Object.hasOwn(manifest.files, path) && !unlisted.has(path)) {
        problems.push(problem('bundle-file-unlisted', `The file "${path}" is not in the manifest.`));
      }
    }
    return problems;
  } finally {
    archive.close();
  }
}

async function openFolder(root: string): Promise<Archive> {
  const entries: ArchiveEntry[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path).split(sep).join('/');
    entries.push({ name, size: (await lstat(path)).size, isFolder: false, isLink: entry.isSymbolicLink() });
  }
  return { entries, read: async ({ name }) => readFromDisk(join(root, name)), close() {} };
}

/** The manifest of an opened archive. Throws `ExportError`: `ManifestMissing`, `ManifestInvalid`. */
export async function readManifest(file: string, archive: Archive, entries: Map<string, ArchiveEntry>): Promise<Manifest> {
  const entry = entries.get('carrel.json');
  if (!entry) {
    throw new ExportError(
      'ManifestMissing',
      `"${file}" has no carrel.json, so it is no export.`,
      'Name what "carrel export" wrote.',
    );
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await collect(archive, entry, largestManifest)));
  } catch (cause) {
    throw new ExportError(
      'ManifestInvalid',
      `carrel.json in "${file}" is not JSON: ${(cause as Error).message}.`,
      'Export the site again.',
      { cause },
    );
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new ExportError(
    'ManifestInvalid',
    `carrel.json in "${file}" is not a manifest this version reads: ${issue?.path.join('.') || 'the whole'}: ${issue?.message}.`,
    'Export the site again, or use the version of Carrel that made it.',
  );
}

async function collect(archive: Archive, entry: ArchiveEntry, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  await each(archive, entry, limit, (piece) => pieces.push(piece));
  return Buffer.concat(pieces);
}

/** Hash of an entry; undefined when it cannot be unpacked or is longer than it should be. */
async function digest(archive: Archive, entry: ArchiveEntry, limit: number): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await each(archive, entry, limit, (piece) => hash.update(piece));
  } catch {
    return undefined;
  }
  return hash.digest('hex');
}

async function each(archive: Archive, entry: ArchiveEntry, limit: number, use: (piece: Uint8Array) => void): Promise<void> {
  if (entry.size > limit) throw new ExportError('BundleFileChanged', `"${entry.name}" is larger than it may be.`);
  let length = 0;
  for await (const piece of await archive.read(entry)) {
    length += piece.length;
    // What an archive declares and what it holds are two things.
    if (length > limit) throw new ExportError('BundleFileChanged', `"${entry.name}" is larger than it says.`);
    use(piece);
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function changed(file: string, path: string, cause?: unknown): ExportError {
  const message = `"${path}" in "${file}" is not the file that was exported.`;
  return new ExportError('BundleFileChanged', message, 'Copy the bundle again from where it was made.', { cause });
}

function problem(kind: string, message: string): Problem {
  return { kind, severity: 'error', message, hint: 'Copy the export again from where it was made.' };
}
