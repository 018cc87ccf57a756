import { readFileSync } from 'node:fs';
import { ExportError } from '../../integration/errors.ts';
import type { Database, Queryable } from './database.ts';

/** The steps that make the tables, in order. */
export const migrations = readFileSync(new URL('migrations.sql', import.meta.url), 'utf8')
  .split(/^-- Migration \d+$/m)
  .slice(1);

// An arbitrary number that no other program locks; it must never change.
const lock = 4_400_440_044;

/** Numbers of migrations: those that the database had, and those that it has now. */
export interface Migrated {
  from: number;
  to: number;
}

/**
 * Runs the pending steps, all or none. Several processes can call it at the same time: one runs the steps, the others wait.
 * Throws an `ExportError` with code `DatabaseNewer` when the database is ahead of this program.
 */
export async function migrate(database: Database, steps: string[] = migrations): Promise<Migrated> {
  return database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
    return runSteps(transaction, steps);
  });
}

/** Runs the pending steps inside a transaction of the caller. */
export async function runSteps(transaction: Queryable, steps: string[]): Promise<Migrated> {
  await transaction.query(`
    create schema if not exists carrel;
    create table if not exists carrel.migrations (number integer primary key, applied_at timestamptz not null default now());
  `);
  const reached = await reachedMigration(transaction);
  if (reached > steps.length) throw databaseNewerError(reached, steps.length);
  for (const [index, step] of steps.entries()) {
    if (index < reached) continue;
    await transaction.query(step);
    await transaction.query('insert into carrel.migrations (number) values ($1)', [index + 1]);
  }
  return { from: reached, to: steps.length };
}

/** Throws an `ExportError` with code `DatabaseOlder` or `DatabaseNewer` unless the database has all migrations, and only these. */
export async function requireMigrated(database: Queryable): Promise<void> {
  const reached = await reachedMigration(database);
  if (reached > migrations.length) throw databaseNewerError(reached, migrations.length);
  if (reached === migrations.length) return;
  throw new ExportError(
    'DatabaseOlder',
    `The database is at migration ${reached}, but this version of Carrel needs ${migrations.length}.`,
    'Back it up (`carrel backup`) and run `carrel migrate`, or set CARREL_MIGRATIONS=auto, so that the server migrates when it starts.',
  );
}

/** The last migration of a database; 0 when it has no tables of ours. */
export async function reachedMigration(database: Queryable): Promise<number> {
  const [found] = await database.query<{ is: boolean }>(`select to_regclass('carrel.migrations') is not null as is`);
  if (!found!.is) return 0;
  const [row] = await database.query<{ reached: number }>('select coalesce(max(number), 0) as reached from carrel.migrations');
  return row!.reached;
}

function databaseNewerError(reached: number, known: number): ExportError {
  return new ExportError(
    'DatabaseNewer',
    `The database is at migration ${reached}, but this version of Carrel knows only ${known}.`,
    'Start the version of Carrel that created it, or a newer one; to go back, restore a backup from the older version.',
  );
}
