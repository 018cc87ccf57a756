// A backup is plain SQL: the steps that create the tables, then each row on a line of its own, the same from both databases.
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Database, Queryable } from './database.ts';
import { ExportError } from '../../integration/errors.ts';
import { removeLeftovers } from '../../integration/output/output-path.ts';
import { migrations, reachedMigration } from './migrate.ts';

/** Writes a backup to a file that only its owner can read; it appears whole or not at all. */
export function writeBackup(database: Database, file: string): Promise<void> {
  return writeWhole(file, (write) => dump(database, write));
}

/** Passes `work` a function that writes to a temporary file, which replaces the file at the end. Removes what killed processes left beside it. */
export async function writeWhole(
  file: string,
  work: (write: (text: string | Uint8Array) => Promise<void>) => Promise<void>,
): Promise<void> {
  const stagingFile = join(dirname(file), `.${basename(file)}.carrel-new-${process.pid}`);
  removeLeftovers(dirname(file), basename(file), file, process.pid);
  const handle = await open(stagingFile, 'wx', 0o600);
  try {
    await work(async (text) => {
      await handle.writeFile(text);
    });
    await handle.sync();
    await handle.close();
    await rename(stagingFile, file);
  } catch (error) {
    await handle.close();
    await rm(stagingFile, { force: true });
    throw error;
  }
}

/** Version of the backup format. */
export const backupFormat = 1;
export const firstLine = /^-- Carrel backup, format (\d+), migration (\d+)$/;
/** The line before the last: the hash of all text above it. Backups of versions before this line do not have it. */
export const hashLine = /^-- SHA-256: ([0-9a-f]{64})$/;
export const lastLine = /^-- End of the backup: (\d+) rows$/;

const pageSize = 200;

/**
 * Writes all rows of one moment. The same rows give the same text from either database.
 * The embedded database does nothing else meanwhile, so `write` should be fast: a file rather than a connection.
 * Throws an `ExportError` with code `DatabaseOther` when the tables are not those of the `steps`.
 */
export async function dump(
  database: Database,
  write: (text: string) => Promise<void>,
  steps: string[] = migrations,
): Promise<void> {
  const hash = createHash('sha256');
  const writeHashed = (text: string) => {
    hash.update(text);
    return write(text);
  };
  await database.transaction(async (transaction) => {
    await transaction.query('set transaction isolation level repeatable read read only');
    await transaction.query(`set local timezone to 'UTC'`);
    const migration = await reachedMigration(transaction);
    if (migration !== steps.length)
      throw new ExportError(
        'DatabaseOther',
        `The database is at migration ${migration}, this version of Carrel at ${steps.length}.`,
        migration < steps.length
          ? 'Run `carrel migrate`, or create the backup with the running version.'
          : 'Create the backup with the running version of Carrel.',
      );
    await writeHashed(head(steps));
    let rows = 0;
    for (const table of await readTables(transaction)) rows += await dumpTable(transaction, table, writeHashed);
    await writeHashed('commit;\n');
    await write(`-- SHA-256: ${hash.digest('hex')}\n-- End of the backup: ${rows} rows\n`);
  });
}

function head(steps: string[]): string {
  const statements = steps.map((step, index) => `${step.trim()}\ninsert into carrel.migrations (number) values (${index + 1});`);
  return [
    `-- Carrel backup, format ${backupFormat}, migration ${steps.length}`,
    '-- Bring it back with: carrel restore FILE',
    'begin;',
    'create schema carrel;',
    'create table carrel.migrations (number integer primary key, applied_at timestamptz not null default now());',
    ...statements,
    '',
  ].join('\n');
}

async function dumpTable(
  transaction: Queryable,
  { name, order, counted }: Table,
  write: (text: string) => Promise<void>,
): Promise<number> {
  // As JSON, a row has no line breaks, and each column gets its type back.
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

export interface Table {
  name: string;
  /** The columns of its primary key, which order its rows in the same way in every database. */
  order: string[];
  /** Identity columns. */
  counted: string[];
}

/** Our tables that a backup contains: each after those that it refers to. */
export async function readTables(database: Queryable): Promise<Table[]> {
  const rows = await database.query<{ name: string; order: string[]; counted: string[]; refers: string[] }>(`
    select c.relname as name,
      array(
        select format('%I', a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
        from pg_index i, unnest(i.indkey::int[]) with ordinality as k(number, position)
        join pg_attribute a on a.attnum = k.number
        where i.indrelid = c.oid and i.indisprimary and a.attrelid = c.oid
        order by k.position
      ) as "order",
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as counted,
      array(
        select r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as refers
    from pg_class c
    where c.relnamespace = to_regnamespace('carrel') and c.relkind = 'r' and c.relname not in ('migrations', 'counts', 'sessions', 'session_links', 'challenges', 'visitor_salts')
    order by c.relname collate "C"
  `);
  const sorted: typeof rows = [];
  while (sorted.length < rows.length) {
    const next = rows.find(
      (row) => !sorted.includes(row) && row.refers.every((name) => sorted.some((earlier) => earlier.name === name)),
    );
    if (!next) throw new Error('Tables have circular references.');
    sorted.push(next);
  }
  return sorted;
}
