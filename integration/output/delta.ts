// The difference between two exports: a zip of what the older one does not have. The newer one is made of both, byte for byte.
//   carrel-delta.json   which export it is for, which it makes, and what its patches are made from
//   files/<path>        files that are new or too large for a patch, and those beside the manifest
//   patches/<path>      files that the older export has an earlier form of, and carrel.json: Zstandard frames with that form as their dictionary,
//                       as `zstd --patch-from` makes them
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { z } from 'zod';
import type { Problem } from '../diagnostics.ts';
import { ExportError } from '../errors.ts';
import { settingsFile, unlisted, type ListedFile, type Manifest } from '../manifest.ts';
import { shownName } from '../text/escape.ts';
import { jsonValue } from '../text/json.ts';
import { checkEntries, defaultRules, type BundleRules } from './check-entries.ts';
import { beginExport, type ExportFolder } from './export-folder.ts';
import { collect, expectedFile, fileChangedError, openBundle, openFolder, readManifest, type Bundle } from './open-bundle.ts';
import { openArchive } from './read-archive.ts';
import type { UnpackedBundle } from './unpack-bundle.ts';
import { archiveNewFiles, writeArchive, type PackOptions } from './write-archive.ts';

const headerFile = 'carrel-delta.json';

const exportSchema = z.strictObject({
  site: z.string(),
  version: z.string(),
  /** SHA-256 of its `carrel.json`, in hex. */
  manifest: z.string(),
});
const headerSchema = z.strictObject({
  format: z.literal(1),
  from: exportSchema,
  to: exportSchema,
  /** The file of the older export that a patch is made from, by the path in the newer one. */
  patches: z.record(z.string(), z.string()),
});
type DeltaHeader = z.infer<typeof headerSchema>;

/** A larger file is not patched: both forms would be in memory. */
const largestPatched = 64 * 1024 * 1024;
const largestManifest = 128 * 1024 * 1024;
const largestHeader = 16 * 1024 * 1024;

export interface WrittenDelta extends DeltaHeader {
  /** Files of the newer export that the older one does not have. */
  changed: number;
}

/** Writes the difference between two exports, folders or bundles. Throws what `openBundle` throws, and `DeltaNotPossible`. */
export async function writeDelta(older: string, newer: string, file: string, options: PackOptions = {}): Promise<WrittenDelta> {
  checkPatches();
  const opened: Bundle[] = [];
  try {
    const [before, after] = [await openBundle(older), await openBundle(newer)];
    opened.push(before, after);
    const known = new Set(Object.values(before.manifest.files).map(({ sha256 }) => sha256));
    const forms = new Map(Object.keys(before.manifest.files).map((path) => [withoutHashes(path), path]));
    const patches: Record<string, string> = {};
    const [from, to] = [await before.read('carrel.json'), await after.read('carrel.json')];
    const header: DeltaHeader = { format: 1, from: exportOf(before.manifest, from), to: exportOf(after.manifest, to), patches };
    let changed = 0;
    const archive = await archiveNewFiles(file, options, async ({ put }) => {
      for (const [path, { sha256, size }] of Object.entries(after.manifest.files)) {
        if (known.has(sha256)) continue;
        known.add(sha256);
        changed++;
        const base = forms.get(withoutHashes(path));
        const bytes = await after.read(path);
        if (base === undefined || Math.max(size, before.manifest.files[base]!.size) > largestPatched) put(`files/${path}`, bytes);
        else {
          put(`patches/${path}`, patchOf(bytes, await before.read(base)));
          patches[path] = base;
        }
      }
      put('patches/carrel.json', patchOf(to, from));
      for (const path of unlisted) {
        const bytes = path === 'carrel.json' ? undefined : await after.readIfThere(path);
        if (bytes) put(`files/${path}`, bytes);
      }
      put(headerFile, JSON.stringify(header));
    });
    archive.commit();
    return { ...header, changed };
  } finally {
    for (const bundle of opened) bundle.close();
  }
}

function exportOf({ site, version }: Manifest, manifest: Uint8Array): DeltaHeader['from'] {
  return { site, version, manifest: hash('sha256', manifest) };
}

/** The path without hashes of contents, which change with every edit. */
function withoutHashes(path: string): string {
  return path.replaceAll(/(?<=[/.])[0-9a-f]{10,12}(?=[/.])/g, '*');
}

/** The window must hold the dictionary and the file; 27 bits are the most that readers take without a setting. */
function patchOf(bytes: Uint8Array, base: Uint8Array): Uint8Array {
  const bits = Math.min(27, Math.max(17, Math.ceil(Math.log2(bytes.length + base.length + 1))));
  const params = {
    [constants.ZSTD_c_compressionLevel]: 12,
    [constants.ZSTD_c_windowLog]: bits,
    [constants.ZSTD_c_checksumFlag]: 1,
    // Tables for all of it: smaller ones, and long distance matching, miss most of what is the same.
    [constants.ZSTD_c_hashLog]: Math.min(24, bits),
    [constants.ZSTD_c_chainLog]: Math.min(24, bits),
  };
  return zstdCompressSync(bytes, { params, dictionary: base });
}

/** The file of a patch. Throws if the patch was made from another base, or the file is longer. */
function patched(patch: Uint8Array, base: Uint8Array, size: number): Uint8Array {
  return zstdDecompressSync(patch, { dictionary: base, maxOutputLength: Math.max(size, 1) });
}

/** False on a Node without dictionaries for Zstandard. */
export function deltasArePossible(): boolean {
  const base = Buffer.from('The same words, and no others.');
  try {
    return patchOf(base, base).length < base.length;
  } catch {
    // Node before 22.15 has no Zstandard.
    return false;
  }
}

/** Throws `ExportError` `DeltaNotPossible`. */
function checkPatches(): void {
  if (deltasArePossible()) return;
  throw new ExportError(
    'DeltaNotPossible',
    `Node ${process.versions.node} cannot make or apply deltas.`,
    'Use Node 22.19 or 24.6 or later, or the whole bundle.',
  );
}

export interface ApplyOptions {
  rules?: BundleRules;
  /** Archive to write of the new export. */
  zip?: string;
  signal?: AbortSignal;
  /** Called with the new manifest, and when it was signed, before its files are written; throws to refuse it. */
  accept?: (manifest: Manifest, signedAt?: Date) => void;
}

export interface AppliedDelta extends UnpackedBundle {
  /** Files of no export that the folder had. */
  problems: Problem[];
}

/**
 * Makes the newer export of an older one and a delta, in a folder that is replaced as a whole. Every file has the hash of the new manifest, and
 * that is signed as the rules say, before anything changes. Throws `ExportError`: `DeltaNotPossible`, `DeltaInvalid`, `DeltaBaseDiffers`, `BundleUnsafe`,
 * `BundleFileChanged`, and what `openBundle` and `beginExport` throw.
 */
export async function applyDelta(older: string, delta: string, out: string, options: ApplyOptions = {}): Promise<AppliedDelta> {
  checkPatches();
  const update = await openDelta(delta);
  let before: Bundle | undefined;
  let folder: ExportFolder | undefined;
  try {
    before = await openBundle(older);
    const base = await before.read('carrel.json');
    const { from } = update.header;
    if (hash('sha256', base) !== from.manifest)
      throw new ExportError(
        'DeltaBaseDiffers',
        `The delta "${delta}" is for version "${shownName(from.version)}" of ${shownName(from.site)}; "${older}" is ${before.manifest.version === from.version ? 'another export with that version' : `version "${shownName(before.manifest.version)}"`}.`,
        'Use the delta for this version, or the whole bundle.',
      );
    folder = beginExport(out, { processId: process.pid });
    return await applyTo(folder, { ...update, delta, older, before, base, out, options });
  } catch (error) {
    folder?.abandon();
    throw error;
  } finally {
    before?.close();
    update.close();
  }
}

type Delta = Awaited<ReturnType<typeof openDelta>>;

async function applyTo(
  folder: ExportFolder,
  {
    header,
    read,
    delta,
    older,
    before,
    base,
    out,
    options,
  }: Delta & { delta: string; older: string; before: Bundle; base: Uint8Array; out: string; options: ApplyOptions },
): Promise<AppliedDelta> {
  const { rules, zip, signal } = options;
  const damaged = (path: string, cause?: unknown) => fileChangedError(delta, path, cause);
  const fromPatch = async (path: string, from: Uint8Array, size: number) => {
    const patch = await read('patches', path, largestManifest);
    try {
      if (patch) return patched(patch, from, size);
    } catch (cause) {
      throw damaged(path, cause);
    }
    throw damaged(path);
  };
  const text = await fromPatch('carrel.json', base, largestManifest);
  if (hash('sha256', text) !== header.to.manifest) throw damaged('carrel.json');
  folder.write('carrel.json', text);
  for (const path of unlisted) {
    const bytes = path === 'carrel.json' ? undefined : await read('files', path, largestHeader);
    if (bytes) folder.write(path, bytes);
  }
  // Its manifest and signature are checked before its files are written.
  const staged = await openFolder(folder.staging);
  const entries = new Map(staged.entries.map((entry) => [entry.name, entry]));
  const { manifest, signature } = await readManifest(out, { archive: staged, entries, rules });
  // Its names stay in the folder, and its sizes fit: so a delta from anyone is safe to apply.
  const listedFiles = Object.entries(manifest.files).map(([name, { size }]) => ({ name, size, isFolder: false, isLink: false }));
  const all = [...staged.entries, ...listedFiles];
  const [problem] = checkEntries({ count: all.length, entries: all }, rules);
  if (problem) throw unsafeError(delta, problem);
  options.accept?.(manifest, signature?.time);
  const settings = expectedFile(manifest, settingsFile, rules);
  if (settings && (folder.files.get(settingsFile)?.sha256 ?? '') !== settings.sha256) throw damaged(settingsFile);
  const known = new Map(Object.entries(before.manifest.files).map(([path, { sha256 }]) => [sha256, path]));
  const written = new Map<string, string>();
  const isFolder = statSync(older).isDirectory();
  const changed = async (path: string, { sha256, size }: ListedFile): Promise<Uint8Array> => {
    const twin = written.get(sha256);
    if (twin !== undefined) return Buffer.from(folder.readBytes(twin));
    const from = Object.hasOwn(header.patches, path) ? header.patches[path]! : undefined;
    if (from !== undefined && size <= largestPatched) return fromPatch(path, await before.read(from), size);
    const whole = await read('files', path, size);
    if (whole) return whole;
    throw damaged(path);
  };
  for (const [path, listed] of Object.entries(manifest.files)) {
    signal?.throwIfAborted();
    const same = known.get(listed.sha256);
    // A folder's file is copied, however large it is.
    if (same !== undefined && isFolder) {
      if (folder.copy(path, join(older, same)).sha256 !== listed.sha256) throw fileChangedError(older, same);
      continue;
    }
    const bytes = await (same === undefined ? changed(path, listed) : before.read(same));
    if (folder.write(path, bytes).sha256 !== listed.sha256) throw damaged(path);
    written.set(listed.sha256, path);
  }
  const archive = zip === undefined ? undefined : await writeArchive(folder.staging, folder.files.keys(), zip, { signal });
  const { problems } = folder.commit();
  archive?.commit();
  return { manifest, manifestHash: header.to.manifest, problems };
}

/** What a delta is for; undefined for another file. Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`, `BundleUnsafe`. */
export async function deltaHeader(file: string): Promise<DeltaHeader | undefined> {
  try {
    const { header, close } = await openDelta(file);
    close();
    return header;
  } catch (error) {
    if (error instanceof ExportError && error.code === 'DeltaInvalid') return undefined;
    throw error;
  }
}

function unsafeError(file: string, { message, hint }: Problem): ExportError {
  return new ExportError('BundleUnsafe', `"${file}" was not applied. ${message}`, hint);
}

/** A delta, read in place. Throws `ExportError`: `BundleNotFound`, `BundleNotReadable`, `BundleUnsafe`, `DeltaInvalid`. */
async function openDelta(file: string) {
  const archive = await openArchive(file);
  try {
    const [problem] = checkEntries(archive, defaultRules);
    if (problem) throw unsafeError(file, problem);
    const entries = new Map(archive.entries.map((entry) => [entry.name, entry]));
    const readEntry = async (name: string, most: number): Promise<Uint8Array | undefined> => {
      const entry = entries.get(name);
      if (!entry) return undefined;
      if (entry.size > most) throw fileChangedError(file, name);
      return collect(archive, entry, file);
    };
    const { data: header } = headerSchema.safeParse(
      jsonValue(Buffer.from((await readEntry(headerFile, largestHeader)) ?? []).toString()),
    );
    if (!header)
      throw new ExportError(
        'DeltaInvalid',
        `"${file}" is not a delta.`,
        'Name a file that "carrel delta" wrote with this version of Carrel.',
      );
    return {
      header,
      read: (folder: 'files' | 'patches', path: string, most: number) => readEntry(`${folder}/${path}`, most),
      close: (): void => archive.close(),
    };
  } catch (error) {
    archive.close();
    throw error;
  }
}
