// Site files of a bucket, kept near: a page that is read often is fetched once. Named by their digest, so they never grow old.
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface FileCache {
  /** Undefined when it is not there, or is not what its name says. */
  get(sha256: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Never fails: without room the file is only not kept. */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
}

/** A folder of at most `capacity` bytes; what was not read for longest goes first. May be deleted at any time, and shared by processes. */
export function createFileCache(folder: string, capacity = 512 * 1024 * 1024): FileCache {
  const sizes = new Map<string, number>();
  let held = 0;
  let opened: Promise<void> | undefined;

  const add = (name: string, size: number) => {
    forget(name);
    sizes.set(name, size);
    held += size;
  };
  const forget = (name: string) => {
    held -= sizes.get(name) ?? 0;
    sizes.delete(name);
  };
  const open = async () => {
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(folder)) {
      const status = await stat(join(folder, name)).catch(() => undefined);
      if (/^[0-9a-f]{64}$/.test(name)) add(name, status?.size ?? 0);
      else await rm(join(folder, name), { force: true });
    }
  };

  return {
    async get(sha256) {
      const bytes = await readFile(join(folder, sha256)).catch(() => undefined);
      if (!bytes || digestOf(bytes) !== sha256) return undefined;
      // Put back at the end: the order of a Map is the order of the last use.
      if (sizes.has(sha256)) add(sha256, bytes.length);
      return new Uint8Array(bytes);
    },

    async put(sha256, bytes) {
      if (bytes.length > capacity || digestOf(bytes) !== sha256) return;
      const beside = join(folder, `.${sha256}-${randomBytes(4).toString('hex')}`);
      try {
        await (opened ??= open());
        await writeFile(beside, bytes);
        await rename(beside, join(folder, sha256));
        add(sha256, bytes.length);
        for (const oldest of sizes.keys()) {
          if (held <= capacity) break;
          forget(oldest);
          await rm(join(folder, oldest), { force: true });
        }
      } catch {
        opened = undefined;
        await rm(beside, { force: true }).catch(() => {});
      }
    },
  };
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
