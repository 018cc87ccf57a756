// Site files of a bucket, cached on disk: a page that is read often is downloaded once. Files are named by their digest, so they never go stale.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';

/** A folder of at most `capacity` bytes; the least recently used file is deleted first. The folder may be deleted at any time, and shared by processes. */
export function createFileCache(folder: string, capacity = 512 * 1024 * 1024) {
  const evicted: string[] = [];
  const held = new LRUCache<string, number>({
    maxSize: capacity,
    sizeCalculation: (size) => Math.max(size, 1),
    dispose: (_size, name, reason) => void (reason === 'evict' && evicted.push(name)),
  });
  let opened: Promise<void> | undefined;

  const open = async () => {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const status = await stat(join(folder, name)).catch(() => undefined);
      if (/^[0-9a-f]{64}$/.test(name)) held.set(name, status?.size ?? 0);
      else await rm(join(folder, name), { force: true });
    }
  };

  return {
    /** Undefined if the file is not cached, or its bytes do not match the digest. */
    async get(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const bytes = await readFile(join(folder, sha256)).catch(() => undefined);
      if (!bytes || digestOf(bytes) !== sha256) return undefined;
      held.get(sha256);
      return new Uint8Array(bytes);
    },

    /** Never fails: if the disk is full, the file is not cached. */
    async put(sha256: string, bytes: Uint8Array): Promise<void> {
      if (bytes.length > capacity || digestOf(bytes) !== sha256) return;
      const stagingFile = join(folder, `.${sha256}-${randomBytes(4).toString('hex')}`);
      try {
        await (opened ??= open());
        await writeFile(stagingFile, bytes);
        await rename(stagingFile, join(folder, sha256));
        held.set(sha256, bytes.length);
        for (const oldest of evicted.splice(0)) await rm(join(folder, oldest), { force: true });
      } catch {
        opened = undefined;
        await rm(stagingFile, { force: true }).catch(() => {});
      }
    },
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
