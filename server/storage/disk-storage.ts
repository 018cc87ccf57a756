// Exports on the server's own disk. A key is a path below the folder; links to archives lead to the server itself (bundle-routes.ts).
import { errorCode } from '../../integration/errors.ts';
import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, unlink, writeFile, type FileHandle } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { dirname, join, relative, sep } from 'node:path';
import type { Secrets } from '../platform/secrets.ts';
import { signedUrl } from './bundle-link.ts';
import { StorageUnavailable, type Storage, type StoredFile } from './storage.ts';

export interface DiskStorageOptions {
  /** Created if it does not exist. */
  folder: string;
  /** URL of the API, without a slash at the end. */
  publicUrl: string;
  secrets: Secrets;
  /** Milliseconds since 1970. */
  now: () => number;
}

// The folder in which copies are written until they are complete: on the same file system as their final paths.
const stagingName = '.new';
const oneDay = 24 * 60 * 60 * 1000;

/**
 * Storage in a folder. A file on the same disk gets a second name (a hard link), which costs no time or space; others are copied.
 * After a crash of the server, files are whole. After a power cut the last files may be truncated: their size shows it, and the next export
 * replaces them.
 */
export function createDiskStorage({ folder, publicUrl, secrets, now }: DiskStorageOptions): Storage {
  const pathOf = (key: string) => join(folder, key);
  let tidied: Promise<void> | undefined;

  return {
    kind: 'disk',

    async put(key, file, { signal } = {}) {
      tidied ??= removeLeftovers(join(folder, stagingName), now());
      try {
        await tidied;
        signal?.throwIfAborted();
        await store(file, pathOf(key), join(folder, stagingName));
      } catch (error) {
        throw unavailable(error);
      }
    },

    async get(key) {
      const file = pathOf(key);
      const status = await stat(file).catch(unlessMissing);
      return status?.isFile() ? storedFile(file, status.size) : undefined;
    },

    async list(name) {
      const entries = (await readdir(pathOf(name), { recursive: true, withFileTypes: true }).catch(unlessMissing)) ?? [];
      const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      return files.map((file) => relative(folder, file).split(sep).join('/'));
    },

    async remove(keys) {
      for (const key of keys) await unlink(pathOf(key)).catch(unlessMissing);
    },

    async link(key, about) {
      return signedUrl(publicUrl, secrets, { ...about, key, nonce: randomBytes(8).toString('hex') });
    },

    async check() {
      const trial = join(folder, stagingName, randomBytes(8).toString('hex'));
      try {
        await mkdir(dirname(trial), { recursive: true });
        // A full disk still makes empty files, so this one has a content.
        await writeFile(trial, Buffer.alloc(4096));
      } catch (error) {
        throw unavailable(error);
      } finally {
        await rm(trial, { force: true }).catch(() => {});
      }
    },
  };
}

function storedFile(file: string, size: number): StoredFile {
  return {
    size,
    // Opened before it resolves, so that a file that was removed meanwhile is reported before an answer has begun.
    async read({ start, end } = { start: 0, end: size - 1 }) {
      return fileStream(await open(file), { start, end });
    },
  };
}

async function store(file: string, target: string, stagingFolder: string): Promise<void> {
  const { size } = await stat(file);
  const known = await stat(target).catch(unlessMissing);
  if (known?.size === size) return;
  if (known === undefined) {
    await mkdir(dirname(target), { recursive: true });
    // Appears whole or, when another has just put it, not at all.
    const linked = await link(file, target).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return true;
        if (noLinks.has(error.code ?? '')) return false;
        throw error;
      },
    );
    if (linked) return;
  }
  const copy = join(stagingFolder, randomBytes(8).toString('hex'));
  await mkdir(stagingFolder, { recursive: true });
  try {
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    await rename(copy, target);
  } finally {
    await rm(copy, { force: true }).catch(() => {});
  }
}

// Another disk, a file system without links, one with its links used up, or a guarded one.
const noLinks = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES']);

/** Copies that a killed process did not finish. A running one of another process is younger than a day. */
async function removeLeftovers(folder: string, now: number): Promise<void> {
  for (const name of (await readdir(folder).catch(unlessMissing)) ?? []) {
    const status = await stat(join(folder, name)).catch(unlessMissing);
    if (status && now - status.mtimeMs > oneDay) await rm(join(folder, name), { force: true });
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

const sharedAway = 'The shared disk of the server does not answer, so nothing can be stored. Check its host and its mount.';
const reasons: Record<string, string> = {
  ENOSPC: 'The disk of the server is full, so nothing more can be stored. Free some space in its data folder, then try again.',
  EDQUOT: 'The disk quota of the server is used up, so nothing more can be stored. Free some space, then try again.',
  EROFS: 'The data folder of the server is read-only, so nothing can be stored. Make it writable, then try again.',
  EACCES: 'The server may not write to its data folder, so nothing can be stored. Give its user the right to, then try again.',
  ESTALE: sharedAway,
  ENOTCONN: sharedAway,
  ETIMEDOUT: sharedAway,
  EHOSTDOWN: sharedAway,
  EIO: 'The disk of the server fails, so nothing can be stored. Check the disk and the log.',
};

function unavailable(error: unknown): unknown {
  const reason = reasons[errorCode(error) ?? ''];
  return reason === undefined ? error : new StorageUnavailable(reason, { cause: error });
}

// Large enough to be fast, small enough for a thousand readers.
const pieceSize = 128 * 1024;

/**
 * Bytes of an open file, both ends included, read one piece at a time on demand: a slow reader costs one piece of memory.
 * Closes the file at its end, on a fault, and when the reader leaves. A file that ends too early is a fault.
 */
function fileStream(handle: FileHandle, { start, end }: { start: number; end: number }): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const wanted = Math.min(pieceSize, end + 1 - position);
        if (wanted <= 0) {
          await handle.close();
          controller.close();
          return;
        }
        try {
          const { bytesRead, buffer } = await handle.read(new Uint8Array(wanted), 0, wanted, position);
          if (bytesRead === 0) throw new Error(`The file ends at ${position}, before ${end + 1}.`);
          position += bytesRead;
          controller.enqueue(buffer.subarray(0, bytesRead));
        } catch (error) {
          await handle.close();
          throw error;
        }
      },
      cancel: () => handle.close(),
    },
    { highWaterMark: 0 },
  );
}
