import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Bytes of all files below a folder, or of those whose names end so. */
export async function folderSize(folder: string, suffix = ''): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith(suffix)) size += (await stat(path.join(entry.parentPath, entry.name))).size;
  return size;
}
