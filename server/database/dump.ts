// A backup is plain SQL: the steps that make the tables, then each row on a line of its own, alike from both databases.
import { ExportError } from '../../integration/errors.ts';
import type { Database, Queryable } from './database.ts';
import { migrations } from './migrations.ts';
import { readTables, type Table } from './tables.ts';

/** Version of the backup's form. */
export const backupFormat = 1;
export const firstLine = /^-- Carrel backup, format (\d+), migration (\d+)$/;
export const lastLine = /^-- End of the backup: (\d+) rows$/;

const pageSize = 200;

/**
 * Writes all rows as they are at one moment. The same rows give the same text, from either database.
 * The embedded database does nothing else meanwhile, so `write` should be quick: a file rather than somebody's connection.
 * Throws an `ExportError` with code `DatabaseOther` when the tables are of another version of Carrel.
 */
export async function dump(database: Database, write: (text: string) => Promise<void>): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read read only');
    await transaction.query(`set local timezone to 'UTC'`);
    const migration = await reachedMigration(transaction);
    if (migration !== migrations.length) throw otherMigration(migration);
    await write(head(migration));
    let rows = 0;
    for (const table of await readTables(transaction)) rows += await dumpTable(transaction, table, write);
    await write(`commit;\n-- End of the backup: ${rows} rows\n`);
  });
}

/** The last step that a database has seen; 0 when it has no tables of ours. */
async function reachedMigration(database: Queryable): Promise<number> {
  const [found] = await database.query<{ is: boolean }>(`select to_regclass('carrel.migrations') is not null as is`);
  if (!found!.is) return 0;
  const [row] = await database.query<{ reached: number }>('select coalesce(max(number), 0) as reached from carrel.migrations');
  return row!.reached;
}

function head(migration: number): string {
  const steps = migrations.map((step, index) => `${step.trim()}\ninsert into carrel.migrations (number) values (${index + 1});`);
  return [
    `-- Carrel backup, format ${backupFormat}, migration ${migration}`,
    '-- Bring it back with: carrel restore FILE',
    'begin;',
    'create schema carrel;',
    'create table carrel.migrations (number integer primary key, applied_at timestamptz not null default now());',
    ...steps,
    '',
  ].join('\n');
}

async function dumpTable(
  transaction: Queryable,
  { name, order, counted }: Table,
  write: (text: string) => Promise<void>,
): Promise<number> {
  // JSON keeps line breaks out of a row's line, and each column finds its type again.
  const statement = `insert into carrel.${name} overriding system value select * from jsonb_populate_record(null::carrel.${name}, %L);`;
  await transaction.query(`
    declare dumped no scroll cursor for
    select format('${statement}', to_jsonb(t)) as line from carrel.${name} t order by ${order.join(', ')}
  `);
  let count = 0;
  for (;;) {
    const rows = await transaction.query<{ line: string }>(`fetch ${pageSize} from dumped`);
    if (rows.length === 0) break;
    await write(rows.map(({ line }) => `${line}\n`).join(''));
    count += rows.length;
  }
  await transaction.query('close dumped');
  for (const column of counted) {
    const [row] = await transaction.query<{ most: number | null }>(`select max(${column}) as most from carrel.${name}`);
    if (row!.most !== null) await write(`select setval(pg_get_serial_sequence('carrel.${name}', '${column}'), ${row!.most});\n`);
  }
  return count;
}

function otherMigration(migration: number): ExportError {
  return new ExportError(
    'DatabaseOther',
    `The database is at migration ${migration}, this version of Carrel at ${migrations.length}.`,
    migration < migrations.length
      ? 'Start this version of the server once, which brings the database up, or make the backup with the version that runs.'
      : 'Make the backup with the version of Carrel that runs.',
  );
}
