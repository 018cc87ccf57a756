// Vitest's global set-up: one PostgreSQL server for a run, started when the first test file asks for it.
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { addTables } from './add-tables.ts';
import { onFirstRequest } from './on-first-request.ts';
import { migratedDatabase, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Port that tells the server's address. */
    postgresPort: number;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await onFirstRequest(startMigrated, ({ url }) => url);
  project.provide('postgresPort', postgres.port);
  return async () => (await postgres.end())?.end();
}

/** The server, with a migrated database to copy. */
async function startMigrated() {
  const postgres = await startPostgres();
  const client = new pg.Client({ connectionString: `${postgres.url}/postgres` });
  await client.connect();
  await client.query(`create database ${migratedDatabase}`);
  await client.end();
  const databaseUrl = `${postgres.url}/${migratedDatabase}`;
  await addTables(await openDatabase({ dataFolder: '', databaseUrl, log: createLog('silent') }));
  return postgres;
}
