// Embedded databases that begin with one of this run: making one anew takes most of a test file's time. The first start as
// users have it is in first-start.test.ts and open-database.test.ts.
import { openAsBlob } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { requestFrom } from './on-first-request.ts';

/** In memory, with all tables and those of the queue. */
export async function openMemoryDatabase(): Promise<Database> {
  const memory = await openAsBlob(join(await made(), 'migrated.tar'));
  return openDatabase({ dataFolder: '', log: createLog('silent'), memory });
}

/** Gives a data folder, made when absent, an embedded database without tables. */
export async function addEmptyDatabase(dataFolder: string): Promise<void> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await cp(join(await made(), 'database'), join(dataFolder, 'database'), { recursive: true });
}

function made(): Promise<string> {
  return requestFrom(inject('embeddedPort'));
}
