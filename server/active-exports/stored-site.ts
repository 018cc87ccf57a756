// An export as the storage has it: its manifest says which content each path has.
import type { Manifest } from '../../integration/manifest.ts';
import { fileKey, manifestKey, settingsKey } from '../storage/keys.ts';
import { readManifest } from '../storage/read-manifest.ts';
import type { Storage } from '../storage/storage.ts';
import type { OpenedSite, SiteFile } from './open-site.ts';

/** A file of an open export is not stored any more: the export was removed after a newer one took its place. */
export class FileRemoved extends Error {
  override name = 'FileRemoved';
}

// Larger files (videos, archives) go out as a stream instead of through memory.
const largestInMemory = 4 * 1024 * 1024;

/**
 * Opens a stored export by the digest of its manifest; undefined when that was removed. Reading one of its files throws `FileRemoved`
 * when retention was faster, and `StorageUnavailable`.
 */
export async function openStoredSite(
  storage: Storage,
  domain: string,
  manifestDigest: string,
): Promise<{ opened: OpenedSite; manifest: Manifest } | undefined> {
  const manifest = await readManifest(storage, domain, manifestDigest);
  if (!manifest) return undefined;
  const files = new Map(Object.entries(manifest.files));
  // Every page loads the settings, and the manifest does not list them: they are read once.
  const settings = await storage.get(settingsKey(domain, manifestDigest));
  const settingsBytes = settings && (await inMemory(await settings.read()));

  async function read(path: string, key: string, range: { start: number; end: number }) {
    const stored = await storage.get(key);
    const stream = await stored?.read(range).catch(unlessMissing);
    if (!stream) throw new FileRemoved(`"${path}" of "${domain}" was removed.`);
    return range.end - range.start < largestInMemory ? inMemory(stream) : stream;
  }

  const opened: OpenedSite = {
    name: manifest.site,
    deployment: manifest.deployment,
    guest: manifest.guest,
    async file(path): Promise<SiteFile | undefined> {
      const listed = files.get(path);
      if (listed) {
        // Answered from the manifest: a file that the reader already has is not fetched to say so.
        const { sha256, size } = listed;
        const key = fileKey(domain, sha256);
        return { path, size, tag: sha256.slice(0, 16), read: (start, end) => read(path, key, { start, end }) };
      }
      // Written once for an export, like the manifest itself, so the digest of the manifest identifies both.
      const tag = manifestDigest.slice(0, 16);
      if (path === 'carrel.config.js' && settingsBytes) {
        return { path, size: settingsBytes.length, tag, read: async (start, end) => settingsBytes.subarray(start, end + 1) };
      }
      const key = manifestKey(domain, manifestDigest);
      const stored = path === 'carrel.json' ? await storage.get(key) : undefined;
      return stored && { path, size: stored.size, tag, read: (start, end) => read(path, key, { start, end }) };
    },
  };
  return { opened, manifest };
}

async function inMemory(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream as ReadableStream<Uint8Array<ArrayBuffer>>).arrayBuffer());
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
