import { lstatSync, type Stats } from 'node:fs';

/** What is known of a file of the export, and enough of its disk entry to detect a later change. */
export interface WrittenFile {
  sha256: string;
  size: number;
  mtime: number;
  inode: number;
}

/** Whether a file that was written is still at its path. */
export function isAt(folder: string, path: string, file: WrittenFile): boolean {
  const entry = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false });
  return entry !== undefined && isUnchanged(entry, file);
}

/** The same for an entry of the disk. */
export function isUnchanged(entry: Stats, { size, mtime, inode }: WrittenFile): boolean {
  return entry.isFile() && entry.size === size && entry.mtimeMs === mtime && entry.ino === inode;
}
