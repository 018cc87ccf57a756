// Stores the served bundle unpacked, so that the next start needs no link:
//   kept.json          names the current folder; replacing this file switches to another one
//   previous.json      names the bundles before it, newest first
//   sites/<id>/        an unpacked bundle
//   download.part …    a partial download (fetch-bundle.ts)
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BundleRules } from '../../integration/output/check-entries.ts';
import type { Manifest } from '../../integration/manifest.ts';
import { applyDelta } from '../../integration/output/delta.ts';
import { unpackBundle } from '../../integration/output/unpack-bundle.ts';
import { verifyBundle } from '../../integration/output/open-bundle.ts';
import { errorMessage, ExportError } from '../../integration/errors.ts';
import { writeError } from '../../integration/output/write-error.ts';
import { shownName } from '../../integration/text/escape.ts';
import type { BundleState } from './fetch-bundle.ts';
import { openFolder, openSite, type OpenedSite } from './open-site.ts';
import { readRecord, writeRecord } from '../platform/json-file.ts';

const recordSchema = z.strictObject({
  format: z.literal(1),
  /** Name below `sites`. */
  folder: z.string().regex(/^[0-9a-f]+-[0-9a-f]+$/),
  site: z.string(),
  version: z.string(),
  manifestHash: z.string(),
  /** Its source, and how to check whether there is a newer one. */
  address: z.string(),
  validator: z.string().optional(),
  fetchedAt: z.iso.datetime(),
});
export type StoredBundle = z.infer<typeof recordSchema>;

const previousSchema = z.strictObject({ format: z.literal(1), bundles: z.array(recordSchema) });

/** The records of the stored bundles: the current one first, then the previous ones, newest first. */
export async function recordsOf(keep: string): Promise<StoredBundle[]> {
  const current = await readRecord(join(keep, 'kept.json'), recordSchema);
  const previous = (await readRecord(join(keep, 'previous.json'), previousSchema))?.bundles ?? [];
  return [...(current ? [current] : []), ...previous.filter(({ folder }) => folder !== current?.folder)];
}

export interface ReadStoredOptions {
  rules?: BundleRules;
  /** Only this version. */
  version?: string;
  /** Receives a `KeptBundleDamaged` for each bundle that is skipped. */
  onDamage?: (damage: ExportError) => void;
}

/**
 * The stored bundle: the current one, or else the newest previous one that is intact. Every file was read and matches its hash in the
 * manifest, and the manifest matches its own.
 */
export async function readStored(
  keep: string,
  { rules, version, onDamage }: ReadStoredOptions = {},
): Promise<StoredBundle | undefined> {
  for (const stored of await recordsOf(keep)) {
    if (version !== undefined && stored.version !== version) continue;
    const fault = await damageOf(join(keep, 'sites', stored.folder), stored.manifestHash, rules);
    if (fault === undefined) return stored;
    onDamage?.(damagedError(keep, stored, fault));
  }
  return undefined;
}

/** Reads every file of a stored bundle. Throws `ExportError` `KeptBundleDamaged`. */
export async function checkStored(keep: string, stored: StoredBundle, rules?: BundleRules): Promise<void> {
  const fault = await damageOf(join(keep, 'sites', stored.folder), stored.manifestHash, rules);
  if (fault !== undefined) throw damagedError(keep, stored, fault);
}

function damagedError(keep: string, { version }: StoredBundle, fault: string): ExportError {
  return new ExportError(
    'KeptBundleDamaged',
    `The stored copy of version "${shownName(version)}" in "${keep}" is damaged: ${fault}`,
    'It is not served. Use a valid link to download it again.',
  );
}

/** Makes a stored bundle the current one. Those that were newer are forgotten; their files stay until the next bundle is stored. */
export async function rollBackTo(keep: string, stored: StoredBundle): Promise<void> {
  const records = await recordsOf(keep);
  const at = records.findIndex(({ folder }) => folder === stored.folder);
  if (at === 0) return;
  await writeRecord(join(keep, 'kept.json'), stored);
  await writeRecord(join(keep, 'previous.json'), { format: 1, bundles: records.slice(at + 1) });
}

async function damageOf(folder: string, manifestHash: string, rules?: BundleRules): Promise<string | undefined> {
  try {
    const hash = createHash('sha256');
    for await (const piece of createReadStream(join(folder, 'carrel.json'))) hash.update(piece as Uint8Array);
    if (hash.digest('hex') !== manifestHash) return 'its carrel.json has changed.';
    return (await verifyBundle(folder, rules))[0]?.message;
  } catch (error) {
    return `${errorMessage(error)}.`;
  }
}

/**
 * Unpacks an archive, or applies a delta, beside the stored bundles and makes it the current one. The files of the one before stay on the disk until the next
 * bundle is stored, for requests that still read them, and so do those that are to be stored. Throws what `unpackBundle` and `applyDelta` throw.
 */
export async function storeBundle(keep: string, archive: string, options: StoreOptions): Promise<StoredBundle> {
  const { rules, signal, accept, keepLast } = options;
  const records = await recordsOf(keep);
  await removeOthers(
    keep,
    records.slice(0, Math.max(keepLast - 1, 1)).map(({ folder }) => folder),
  );
  const name = `${options.now.toString(16)}-${randomBytes(4).toString('hex')}`;
  const folder = join(keep, 'sites', name);
  const { base } = options;
  const unpacked = await (base
    ? applyDelta(join(keep, 'sites', base.folder), archive, folder, { rules, signal, accept })
    : unpackBundle(archive, folder, { rules, signal, accept }));
  const stored: StoredBundle = {
    format: 1,
    folder: name,
    site: unpacked.manifest.site,
    version: unpacked.manifest.version,
    manifestHash: unpacked.manifestHash,
    ...options.state,
    fetchedAt: new Date(options.now).toISOString(),
  };
  // First, so that a process that ends in between leaves all of them known.
  const bundles = records.slice(0, keepLast - 1);
  if (bundles.length > 0) await writeRecord(join(keep, 'previous.json'), { format: 1, bundles });
  else await rm(join(keep, 'previous.json'), { force: true });
  await writeRecord(join(keep, 'kept.json'), stored);
  return stored;
}

export interface StoreOptions {
  state: BundleState;
  rules?: BundleRules;
  signal?: AbortSignal;
  /** Number of bundles to store, with the new one. */
  keepLast: number;
  /** Throws to refuse the bundle. */
  accept?: (manifest: Manifest, signedAt?: Date) => void;
  /** The stored bundle that the archive is a delta for. */
  base?: StoredBundle;
  /** Milliseconds since 1970. */
  now: number;
}

/** Removes what killed processes left behind, and bundles that no request reads any more. */
async function removeOthers(keep: string, folders: string[]): Promise<void> {
  const sites = join(keep, 'sites');
  try {
    await mkdir(sites, { recursive: true });
    for (const name of await readdir(sites)) {
      if (!folders.includes(name)) await rm(join(sites, name), { recursive: true, force: true });
    }
  } catch (error) {
    throw writeError(keep, error);
  }
}

/** Opens a stored bundle. The tags of its files are their hashes, so that several servers of one bundle send the same tags. */
export async function openStored(keep: string, stored: StoredBundle, keys?: BundleRules['keys']): Promise<OpenedSite> {
  const root = await realpath(join(keep, 'sites', stored.folder));
  const site = await openSite(root, keys);
  if (keys) return site;
  const { files } = await manifestOf(root);
  return {
    ...site,
    async file(path) {
      const file = await site.file(path);
      const listed = file && Object.hasOwn(files, path) ? files[path] : undefined;
      return file && listed ? { ...file, tag: listed.sha256.slice(0, 16) } : file;
    },
  };
}

async function manifestOf(root: string): Promise<Manifest> {
  const file = (await openFolder(root).file('carrel.json'))!;
  return new Response(await file.read(0, file.size - 1)).json() as Promise<Manifest>;
}
