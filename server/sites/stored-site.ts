// A site as it is kept: the manifest says which contents its paths have.
import { fileKey, manifestKey, settingsKey } from '../links/keys.ts';
import { readManifest } from '../links/read-manifest.ts';
import type { Storage, StoredFile } from '../links/storage.ts';
import type { OpenedSite, SiteFile } from './open-site.ts';

/** A file that an opened site had is not kept any more: its export was removed after a newer one took its place. */
export class FileRemoved extends Error {
  override name = 'FileRemoved';
}

// Larger files (videos, archives) go out as a stream instead of through memory.
const largestInMemory = 4 * 1024 * 1024;

/**
 * Opens a kept export by the digest of its manifest; undefined when that was removed. Reading one of its files throws `FileRemoved`
 * when retention was faster, and `StorageUnavailable`.
 */
export async function openStoredSite(storage: Storage, domain: string, manifestDigest: string): Promise<OpenedSite | undefined> {
  const manifest = await readManifest(storage, domain, manifestDigest);
  if (!manifest) return undefined;
  const files = new Map(Object.entries(manifest.files));

  async function stored(path: string, key: string): Promise<StoredFile> {
    const file = await storage.get(key);
    if (!file) throw new FileRemoved(`"${path}" of "${domain}" was removed.`);
    return file;
  }

  return {
    name: manifest.site,
    deployment: manifest.deployment,
    async file(path): Promise<SiteFile | undefined> {
      const listed = files.get(path);
      if (listed) {
        // Answered from the manifest: what the reader has already is not fetched to say so.
        const { sha256, size } = listed;
        const read = async (start: number, end: number) => readPart(await stored(path, fileKey(domain, sha256)), start, end);
        return { path, size, tag: sha256.slice(0, 16), read };
      }
      const unlisted = unlistedKeys.get(path)?.(domain, manifestDigest);
      const file = unlisted === undefined ? undefined : await storage.get(unlisted);
      // Both are made once for an export, so the export's digest tells their state.
      const tag = manifestDigest.slice(0, 16);
      return file && { path, size: file.size, tag, read: (start, end) => readPart(file, start, end) };
    },
  };
}

const unlistedKeys = new Map([
  ['carrel.json', manifestKey],
  ['carrel.config.js', settingsKey],
]);

async function readPart(
  file: StoredFile,
  start: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>> {
  const stream = await file.read({ start, end });
  if (end - start + 1 > largestInMemory) return stream;
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}
