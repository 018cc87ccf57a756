import { join } from 'node:path';
import type { Logger } from '../platform/log.ts';
import type { Database } from './database.ts';

export interface OpenOptions {
  /** The embedded database is in its folder `database`; made when absent. */
  dataFolder: string;
  /** PostgreSQL to use instead of the embedded database. */
  databaseUrl?: string;
  log: Logger;
  /** Keeps the embedded database in memory only, for tests; it begins with a dump of PGlite's when that is given. */
  memory?: true | Blob;
}

/**
 * Opens the database without touching its tables: `migrate` brings those.
 * Throws an `ExportError` with code `DataInUse` when another process has the embedded database open.
 */
export async function openDatabase({ dataFolder, databaseUrl, log, memory }: OpenOptions): Promise<Database> {
  // Either driver is loaded only where it is used: PGlite alone is 27 MB.
  if (databaseUrl !== undefined) return (await import('./postgresql.ts')).openPostgresql(databaseUrl, log);
  const { openEmbedded, openMemory } = await import('./embedded.ts');
  return memory ? openMemory(memory, log) : openEmbedded(join(dataFolder, 'database'), log);
}
