import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes files with their paths in a folder, and the folders that they need. Returns the folder. */
export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): string {
  for (const [path, contents] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), contents);
  }
  return folder;
}
