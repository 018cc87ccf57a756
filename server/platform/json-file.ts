import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { z } from 'zod';
import { writeError } from '../../integration/output/write-error.ts';

/** A small JSON file of ours; undefined when it is missing or does not match the schema. */
export async function readRecord<Schema extends z.ZodType>(file: string, schema: Schema): Promise<z.output<Schema> | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/** Replaces the file atomically. Throws `ExportError`: `DiskFull`, `OutputNotWritable`. */
export async function writeRecord(file: string, value: unknown): Promise<void> {
  const stagingFile = `${file}.${randomBytes(4).toString('hex')}.new`;
  try {
    await writeFile(stagingFile, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600, flush: true });
    await rename(stagingFile, file);
  } catch (error) {
    await rm(stagingFile, { force: true });
    throw writeError(file, error);
  }
}
