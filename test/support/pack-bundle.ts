import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { writeArchive, type PackOptions } from '../../integration/output/write-archive.ts';

/** Packs an export folder into an archive. The same files give the same bytes; the archive appears whole or not at all. */
export async function packBundle(folder: string, archive: string, options: PackOptions = {}): Promise<void> {
  const pending = await writeArchive(folder, await filesIn(folder), archive, options);
  pending.commit();
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}
