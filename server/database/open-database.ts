import { join } from 'node:path';
import type { Logger } from '../platform/log.ts';
import type { Database } from './database.ts';

export interface OpenOptions {
  /** Its folder `database` contains the embedded database, and is created when absent. */
  dataFolder: string;
  /** PostgreSQL to use instead of the embedded database. */
  databaseUrl?: string;
  log: Logger;
  /** Keeps the embedded database in memory, for tests; a Blob is a PGlite dump to start with. */
  memory?: true | Blob;
}

/**
 * Opens the database without touching its tables, which `migrate` creates.
 * Throws an `ExportError` with code `DataInUse` when another process uses the embedded database.
 */
export async function openDatabase({ dataFolder, databaseUrl, log, memory }: OpenOptions): Promise<Database> {
  // Each driver is loaded only when it is used: PGlite alone is 27 MB.
  if (databaseUrl !== undefined) return (await import('./postgresql.ts')).openPostgresql(databaseUrl, log);
  const { openEmbedded, openMemory } = await import('./embedded.ts');
  return memory ? openMemory(memory === true ? undefined : memory, log) : openEmbedded(join(dataFolder, 'database'), log);
}
