import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, describe, inject } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { openMemoryDatabase } from './embedded.ts';
import { requestFrom } from './on-first-request.ts';
import { migratedDatabase } from './postgres.ts';

/**
 * Describes the same behavior on both real databases. `open` gives this file's database of that kind: with all tables and
 * those of the queue, without rows. Opening again empties it; it is closed by itself at the end.
 */
export function eachDatabase(tests: (open: () => Promise<Database>, kind: Database['kind']) => void): void {
  describe.each(['embedded', 'postgresql'] as const)('%s', (kind) => {
    let opened: Promise<Database> | undefined;
    tests(async () => {
      opened ??= kind === 'embedded' ? openMemoryDatabase() : openPostgres();
      const database = await opened;
      await empty(database);
      return database;
    }, kind);
    afterAll(async () => (await opened?.catch(() => undefined))?.close());
  });
}

/**
 * What gives the file's database in PostgreSQL: with all tables and those of the queue, without rows. Opening again empties it. For what is
 * only SQL, which the embedded database runs as well: what each kind does in its own way is in test/server/database and jobs/queue.
 */
export function emptiedDatabase(): () => Promise<Database> {
  let opened: Promise<Database> | undefined;
  return async () => {
    const database = await (opened ??= openMigratedDatabase());
    await empty(database);
    return database;
  };
}

/** A copy of the migrated database. */
async function openPostgres(): Promise<Database> {
  const databaseUrl = await createPostgresDatabase(await requestFrom(inject('postgresPort')), migratedDatabase);
  return openDatabase({ dataFolder: '', databaseUrl, log: createLog('silent') });
}

/** Truncating a table makes files anew, so only those with rows are. */
async function empty(database: Database): Promise<void> {
  await database.query(`do $$
    declare
      one record;
      is_filled boolean;
    begin
      for one in select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname in ('carrel', 'pgboss') and tablename not in ('migrations', 'queue', 'version')
      loop
        execute format('select exists (select from %s)', one.name) into is_filled;
        if is_filled then execute format('truncate %s restart identity cascade', one.name); end if;
      end loop;
    end $$`);
}

/** The address of a new, empty database on the PostgreSQL server of this run. */
export async function freshPostgres(): Promise<string> {
  return createPostgresDatabase(await requestFrom(inject('postgresPort')));
}

/** A database of the test file's own in PostgreSQL, with all tables and those of the queue; closed at the file's end. */
export async function openMigratedDatabase(): Promise<Database> {
  const database = await openPostgres();
  atFileEnd(() => database.close());
  return database;
}

/** The address of a new database on a server: empty, or a copy of another one. */
export async function createPostgresDatabase(server: string, template = 'template1'): Promise<string> {
  const name = `carrel_${randomBytes(6).toString('hex')}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(`create database ${name} template ${template}`);
  } finally {
    await client.end();
  }
  return `${server}/${name}`;
}
