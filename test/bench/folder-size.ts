import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Bytes of all files below a folder. */
export async function folderSize(folder: string): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) size += (await stat(path.join(entry.parentPath, entry.name))).size;
  return size;
}
