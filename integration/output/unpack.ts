// Reads bundles and export folders from other people: nothing in them is trusted before it is checked.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { errorMessage, ExportError } from '../errors.ts';
import type { Problem } from '../diagnostics.ts';
import { shownName } from '../text/escape.ts';
import { openArchive, type Archive, type ArchiveEntry, type EntryContent } from './archive.ts';
import { checkEntries, unsafe, type BundleLimits } from './check-entries.ts';
import { manifestFault, manifestSchema, type Manifest } from '../manifest.ts';

export type Bundle = Awaited<ReturnType<typeof openBundle>>;

const largestManifest = 128 * 1024 * 1024;
const largestSettings = 1024 * 1024;
/** Files that the manifest does not list: itself, and the settings of the deployment, which hosts change. */
export const unlisted = new Set(['carrel.json', 'carrel.config.js']);

/**
 * Opens a bundle for reading; nothing is unpacked to disk, and no file is read yet.
 * Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`, `BundleUnsafe`, `ManifestMissing`, `ManifestInvalid`.
 */
export async function openBundle(file: string, limits?: BundleLimits) {
  const archive = await openArchive(file, limits);
  try {
    const [problem] = checkEntries(archive, limits);
    if (problem) throw new ExportError('BundleUnsafe', `"${file}" was not opened. ${problem.message}`, problem.hint);
    const entries = filesOf(archive);
    const manifest = await readManifest(file, archive, entries);
    const entryOf = (path: string) => {
      const listed = Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined;
      const entry = entries.get(path);
      if (!entry || (!listed && !unlisted.has(path)))
        throw new ExportError('BundleFileMissing', `"${file}" has no file "${shownName(path)}".`);
      const limit = listed?.size ?? (path === 'carrel.json' ? largestManifest : largestSettings);
      if (entry.size > limit) throw changed(file, path, new Error(`It is ${entry.size} bytes long; the limit is ${limit}.`));
      return { entry, listed };
    };
    return {
      manifest,
      /** Bytes of a file of the export, checked against the manifest. Throws `ExportError` `BundleFileChanged`, `BundleFileMissing`. */
      async read(path: string): Promise<Uint8Array> {
        const { entry, listed } = entryOf(path);
        const bytes = await collect(archive, entry).catch((cause: unknown) => {
          throw changed(file, path, cause);
        });
        if (listed && (bytes.length !== listed.size || sha256(bytes) !== listed.sha256)) throw changed(file, path);
        return bytes;
      },
      /** Bytes of a large file, from `start` up to `end`, which are not checked against the manifest. */
      stream: (path: string, start: number, end: number): AsyncIterable<Uint8Array> =>
        archive.read(entryOf(path).entry, start, end),
      /** Reads every file and returns the problems, like `verifyBundle`. */
      verify: (): Promise<Problem[]> => problemsOf(archive, entries, manifest),
      close: (): void => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}

/**
 * The problems of a bundle or an export folder; none when each file has the hash that the manifest lists.
 * Throws `ExportError` when it cannot be opened at all.
 */
export async function verifyBundle(fileOrFolder: string, limits?: BundleLimits): Promise<Problem[]> {
  const entry = await lstat(fileOrFolder).catch(() => undefined);
  const archive = entry?.isDirectory() ? await openFolder(fileOrFolder) : await openArchive(fileOrFolder, limits);
  try {
    const problems = checkEntries(archive, limits);
    if (problems.length > 0) return problems;
    const entries = filesOf(archive);
    return await problemsOf(archive, entries, await readManifest(fileOrFolder, archive, entries));
  } finally {
    archive.close();
  }
}

function filesOf({ entries }: Archive): Map<string, ArchiveEntry> {
  return new Map(entries.filter(({ isFolder }) => !isFolder).map((entry) => [entry.name, entry]));
}

async function problemsOf(archive: Archive, entries: Map<string, ArchiveEntry>, { files }: Manifest): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const path of Object.keys(files)) {
    const fault = unsafe(path);
    if (fault) problems.push(problem('bundle-entry-unsafe', `"${shownName(path)}" in the manifest ${fault}.`));
    else if (!entries.has(path)) problems.push(problem('bundle-file-missing', `The file "${shownName(path)}" is missing.`));
  }
  for (const path of entries.keys()) {
    if (!Object.hasOwn(files, path) && !unlisted.has(path)) {
      problems.push(problem('bundle-file-unlisted', `The file "${shownName(path)}" is not in the manifest.`));
    }
  }
  const wanted: ArchiveEntry[] = [];
  for (const [path, entry] of entries) {
    const listed = Object.hasOwn(files, path) ? files[path] : undefined;
    if (listed && entry.size !== listed.size) problems.push(differs(path));
    else if (listed || unlisted.has(path)) wanted.push(entry);
  }
  for await (const { entry, pieces } of archive.readAll(wanted)) {
    const path = entry.name;
    try {
      const hash = await digestOf(pieces);
      if (!unlisted.has(path) && hash !== files[path]!.sha256) problems.push(differs(path));
    } catch (error) {
      const message = `The file "${shownName(path)}" cannot be read: ${errorMessage(error)}.`;
      problems.push(problem('bundle-file-changed', message));
    }
  }
  return problems;
}

function differs(path: string): Problem {
  return problem('bundle-file-changed', `The file "${shownName(path)}" is not the one that was exported.`);
}

async function openFolder(root: string): Promise<Archive> {
  const entries: ArchiveEntry[] = [];
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path).split(sep).join('/');
    entries.push({ name, size: (await lstat(path)).size, isFolder: false, isLink: entry.isSymbolicLink() });
  }
  const read: Archive['read'] = ({ name, size }, start = 0, end = size) =>
    createReadStream(join(root, name), { start, end: Math.max(start, end - 1) }) as AsyncIterable<Uint8Array>;
  return {
    count: entries.length,
    entries,
    read,
    async *readAll(wanted) {
      for (const entry of wanted) yield { entry, pieces: read(entry) };
    },
    close() {},
  };
}

/** The manifest of an opened archive. Throws `ExportError`: `ManifestMissing`, `ManifestInvalid`. */
export async function readManifest(file: string, archive: Archive, entries: Map<string, ArchiveEntry>): Promise<Manifest> {
  const entry = entries.get('carrel.json');
  if (!entry) {
    throw new ExportError(
      'ManifestMissing',
      `"${file}" has no carrel.json, so it is not an export.`,
      'Specify a folder or archive that "carrel export" wrote.',
    );
  }
  if (entry.size > largestManifest) {
    throw new ExportError(
      'ManifestInvalid',
      `carrel.json in "${file}" is ${entry.size} bytes long; the limit is ${largestManifest}.`,
      'Copy it again from where it was made.',
    );
  }
  const text = await textOf(archive, entry).catch((cause: unknown) => {
    throw changed(file, 'carrel.json', cause);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ExportError(
      'ManifestInvalid',
      `carrel.json in "${file}" is not JSON: ${shownName(errorMessage(cause))}.`,
      'Export the site again.',
      { cause },
    );
  }
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ExportError(
    'ManifestInvalid',
    `carrel.json in "${file}" ${manifestFault(parsed.error)}`,
    'Export the site again, or use the version of Carrel that made it.',
  );
}

async function collect(archive: Archive, entry: ArchiveEntry): Promise<Uint8Array> {
  const bytes = new Uint8Array(entry.size);
  let length = 0;
  for await (const piece of archive.read(entry)) {
    bytes.set(piece, length);
    length += piece.length;
  }
  return bytes.subarray(0, length);
}

/** Decodes piece by piece: the manifest of a large site takes many MB. Throws for text that is not UTF-8. */
async function textOf(archive: Archive, entry: ArchiveEntry): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const parts: string[] = [];
  for await (const piece of archive.read(entry)) parts.push(decoder.decode(piece, { stream: true }));
  return parts.join('') + decoder.decode();
}

async function digestOf(pieces: EntryContent['pieces']): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** An entry that is not the file of the manifest, or cannot be read; the cause says why. */
export function changed(file: string, path: string, cause?: unknown): ExportError {
  const why = cause instanceof Error && !(cause instanceof ExportError) ? `: ${cause.message.replace(/\.$/, '')}` : '';
  const message = `"${shownName(path)}" in "${file}" is not the file that was exported${why}.`;
  return new ExportError('BundleFileChanged', message, 'Copy the bundle again from where it was made.', { cause });
}

function problem(kind: string, message: string): Problem {
  return { kind, severity: 'error', message, hint: 'Copy the export again from the original.' };
}
