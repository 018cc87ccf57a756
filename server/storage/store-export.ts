// From an export folder and its archive to the storage. The manifest comes last: where it exists, everything that it lists exists.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unlisted } from '../../integration/manifest.ts';
import { ExportError } from '../../integration/errors.ts';
import { contentType } from '../http/content-type.ts';
import { inParallel } from './in-parallel.ts';
import { archiveKey, fileKey, manifestKey } from './storage-keys.ts';
import { parseManifest, readManifest } from './read-manifest.ts';
import type { Storage } from './storage.ts';

export interface ExportToStore {
  domain: string;
  /** An export folder: `carrel.json`, `carrel.config.js` and what the manifest names. Its files may be stored by a hard link, so do not change them afterward. */
  folder: string;
  /** The zip of it. */
  archive: string;
  /** Books of its pages, by format. */
  books?: Record<string, string>;
  /** Number of files stored so far, of all; the archive counts as one. */
  onProgress?: (done: number, total: number) => void;
  /** Ends it between files, and within a large one. */
  signal?: AbortSignal;
}

export interface StoredArchive {
  sha256: string;
  sizeBytes: number;
}

export interface StoredExport {
  /** Digest of `carrel.json`. */
  manifest: string;
  archive: StoredArchive;
  books?: Record<string, StoredArchive>;
}

/** The storage, and what says which export of a site is active. */
export interface StoreParts {
  storage: Storage;
  sites: { get(domain: string): Promise<{ activeJob: string | null } | undefined> };
  jobs: { get(id: string): Promise<{ result: { manifest: string } | null; expiredAt: Date | null } | undefined> };
}

// A bucket answers each request late and many at once; small files are held whole meanwhile, so more would cost memory.
const lanes: Record<Storage['kind'], number> = { disk: 4, s3: 8 };

/**
 * Stores an export. May run twice, also at the same time: both store the same contents under the same keys.
 * Throws `ExportError` `ManifestInvalid` or `ExportIncomplete` when the folder does not contain what its manifest lists, and `StorageUnavailable`.
 */
export async function storeExport(
  services: StoreParts,
  { domain, folder, archive, books = {}, onProgress, signal }: ExportToStore,
): Promise<StoredExport> {
  const { storage } = services;
  const root = await realpath(folder);
  const text = await readFile(join(root, 'carrel.json'));
  const manifest = createHash('sha256').update(text).digest('hex');
  const files = distinctFiles(parseManifest(text.toString(), `of the export of "${domain}"`).files);
  const known = await filesOfActive(services, domain);

  let done = 0;
  const total = files.length + 1;
  const put = (key: string, file: string, type = contentType(key)) => storage.put(key, file, { contentType: type, signal });
  const putArchive = async (file: string): Promise<StoredArchive> => {
    const sha256 = await digestOf(file);
    await put(archiveKey(domain, sha256), file, contentType(file));
    return { sha256, sizeBytes: (await stat(file)).size };
  };
  await inParallel(files, lanes[storage.kind], async ({ path, sha256, size }) => {
    signal?.throwIfAborted();
    const key = fileKey(domain, sha256);
    if (!known.has(sha256) && !(await isStored(storage, key, size))) {
      await storage.put(key, await checkedFile(root, path, sha256), { contentType: contentType(path), signal });
    }
    onProgress?.(++done, total);
  });
  const storedBooks: Record<string, StoredArchive> = {};
  for (const [format, file] of Object.entries(books)) storedBooks[format] = await putArchive(file);
  const stored = { archive: await putArchive(archive), ...(Object.keys(books).length > 0 && { books: storedBooks }) };
  // The manifest is the first of them, and so the last here.
  for (const file of [...unlisted].reverse())
    if (existsSync(join(root, file))) await put(manifestKey(domain, manifest, file), join(root, file));
  onProgress?.(total, total);
  return { manifest, ...stored };
}

interface ListedFile {
  path: string;
  sha256: string;
  size: number;
}

/** One file for each content: an export may hold the same picture twice. */
function distinctFiles(files: Record<string, Omit<ListedFile, 'path'>>): ListedFile[] {
  return [...new Map(Object.entries(files).map(([path, { sha256, size }]) => [sha256, { path, sha256, size }])).values()];
}

/**
 * Digests that the site's active export has in the bucket, so that an export of a few changed pages is a few requests.
 * On disk a look at each file is as cheap, and repairs what a power cut left. Only the active export counts, because retention
 * never removes that one (retention.ts).
 */
async function filesOfActive({ storage, sites, jobs }: StoreParts, domain: string): Promise<Set<string>> {
  const active = storage.kind === 's3' ? (await sites.get(domain))?.activeJob : undefined;
  const job = active ? await jobs.get(active) : undefined;
  if (!job?.result || job.expiredAt) return new Set();
  const manifest = await readManifest(storage, domain, job.result.manifest);
  return new Set(Object.values(manifest?.files ?? {}).map(({ sha256 }) => sha256));
}

async function isStored(storage: Storage, key: string, size: number): Promise<boolean> {
  return storage.kind === 'disk' && (await storage.get(key))?.size === size;
}

/** The real path of a file in the folder, whose bytes are checked: what is stored under a digest has that digest. */
async function checkedFile(root: string, path: string, sha256: string): Promise<string> {
  const file = await realpath(join(root, path)).catch(() => undefined);
  const isInside = file?.startsWith(root + sep) && (await stat(file)).isFile();
  if (file !== undefined && isInside && (await digestOf(file)) === sha256) return file;
  throw new ExportError(
    'ExportIncomplete',
    `"${path}" of the export is not what its carrel.json says: it is missing, changed, or not a file of the folder.`,
    'Start the export again.',
  );
}

/** SHA-256 of a file, in hex. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 256 * 1024 }), hash);
  return hash.digest('hex');
}
