import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Database } from './database.ts';
import { dump } from './dump.ts';
import { restore } from './restore.ts';

/** Writes a backup to a file that only its owner can read; it appears whole or not at all. */
export function writeBackup(database: Database, file: string): Promise<void> {
  return writeWhole(file, (write) => dump(database, write));
}

/** As `restore`. */
export async function readBackup(database: Database, file: string): Promise<number> {
  return restore(database, createReadStream(file, 'utf8'));
}

/** Hands `work` what writes to a file beside, which takes the file's place in the end. */
export async function writeWhole(
  file: string,
  work: (write: (text: string | Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const beside = join(dirname(file), `.${basename(file)}.${randomBytes(4).toString('hex')}`);
  const handle = await open(beside, 'wx', 0o600);
  try {
    await work(async (text) => {
      await handle.writeFile(text);
    });
    await handle.sync();
    await handle.close();
    await rename(beside, file);
  } catch (error) {
    await handle.close();
    await rm(beside, { force: true });
    throw error;
  }
}
