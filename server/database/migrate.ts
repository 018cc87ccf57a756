import { ExportError } from '../../integration/errors.ts';
import type { Database, Queryable } from './database.ts';
import { migrations } from './migrations.ts';

// Any number works, as long as no other program locks it and it never changes.
const lock = 4_400_440_044;

/**
 * Runs the steps that the database has not seen, all or none. Several processes may do it at the same time: one does, the others wait.
 * Throws an `ExportError` with code `DatabaseNewer` when the database is ahead of this program.
 */
export async function migrate(database: Database, steps: string[] = migrations): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [lock]);
    await runSteps(transaction, steps);
  });
}

/** Runs the steps that were not run yet, inside a transaction of the caller. */
export async function runSteps(transaction: Queryable, steps: string[]): Promise<void> {
  await transaction.query(`
    create schema if not exists carrel;
    create table if not exists carrel.migrations (number integer primary key, applied_at timestamptz not null default now());
  `);
  const [row] = await transaction.query<{ reached: number }>('select coalesce(max(number), 0) as reached from carrel.migrations');
  const reached = row!.reached;
  if (reached > steps.length) throw newer(reached, steps.length);
  for (const [index, step] of steps.entries()) {
    if (index < reached) continue;
    await transaction.query(step);
    await transaction.query('insert into carrel.migrations (number) values ($1)', [index + 1]);
  }
}

function newer(reached: number, known: number): ExportError {
  return new ExportError(
    'DatabaseNewer',
    `The database is at migration ${reached}, but this version of Carrel knows only ${known}.`,
    'Start the version of Carrel that made it, or a newer one; to go back, restore a backup that the older version made.',
  );
}
