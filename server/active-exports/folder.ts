import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { SiteFile, SiteFiles } from './open-site.ts';

// Larger files (videos, archives) go out as a stream instead of through memory.
export const largestInMemory = 4 * 1024 * 1024;

/** The files below `root`, which must be a real path. A symbolic link that leaves `root` leads to nothing. */
export function openFolder(root: string): SiteFiles {
  return { file: (name) => openFile(root, name) };
}

async function openFile(root: string, name: string): Promise<SiteFile | undefined> {
  const file = await realpath(path.join(root, name)).catch(() => undefined);
  if (file === undefined || !file.startsWith(root + path.sep)) return undefined;
  const status = await stat(file).catch(() => undefined);
  if (!status?.isFile()) return undefined;
  return {
    path: name,
    size: status.size,
    tag: `${status.size.toString(36)}-${Math.round(status.mtimeMs * 1000).toString(36)}`,
    read: (start, end) => readBytes(file, { start, end }, status.size),
  };
}

async function readBytes(file: string, range: { start: number; end: number }, size: number) {
  if (size > largestInMemory) return Readable.toWeb(createReadStream(file, range)) as ReadableStream<Uint8Array>;
  return new Uint8Array(await readFile(file)).subarray(range.start, range.end + 1);
}
