import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { ExportError } from '../../integration/errors.ts';
import { jsonValue } from '../../integration/text/json.ts';
import type { Database, Queryable } from './database.ts';
import { backupFormat, firstLine, hashLine, lastLine, readTables } from './backup.ts';
import { migrate, runSteps, migrations } from './migrate.ts';

const pageSize = 200;
const rowLine =
  /^insert into carrel\.([a-z_]+) overriding system value select \* from jsonb_populate_record\(null::carrel\.\1, (?: ?(E)?'(.*)')\);$/;

/**
 * Inserts the rows of a backup into an empty database, all or none, and returns their number. It reads only the rows of the text:
 * nothing in it runs as SQL. A backup of an older version is migrated.
 * Throws an `ExportError`: `DatabaseNotEmpty`, and those of `checkBackup`.
 */
export async function restore(database: Database, text: AsyncIterable<string>): Promise<number> {
  await migrate(database);
  return database.transaction(async (transaction) => {
    await transaction.query('lock table carrel.migrations in access exclusive mode');
    await refuseRows(transaction);
    const { migration, rows } = await readText(text);
    await transaction.query('drop schema carrel cascade; create schema carrel');
    await runSteps(transaction, migrations.slice(0, migration));
    const count = await insertRows(transaction, rows);
    // A step cannot change a table while a deferred constraint of its rows is still to be checked.
    await transaction.query('set constraints all immediate');
    await runSteps(transaction, migrations);
    return count;
  });
}

/** Restores from a file, as `restore` does. */
export function readBackup(database: Database, file: string): Promise<number> {
  return restore(database, createReadStream(file, 'utf8'));
}

/**
 * Reads a backup without a database, so that a bad one is refused before anything changes.
 * Throws an `ExportError`: `BackupInvalid`, `BackupNewer`, `BackupIncomplete`, `BackupDamaged`.
 */
export async function checkBackup(file: string): Promise<void> {
  const { rows } = await readText(createReadStream(file, 'utf8'));
  for await (const _row of rows);
}

async function refuseRows(transaction: Queryable): Promise<void> {
  for (const { name } of await readTables(transaction)) {
    const found = await transaction.query(`select 1 from carrel.${name} limit 1`);
    if (found.length === 0) continue;
    throw new ExportError(
      'DatabaseNotEmpty',
      `The database already has rows (in carrel.${name}); a backup can be restored only into an empty one.`,
      'Use a new data folder (CARREL_DATA) or an empty PostgreSQL database (DATABASE_URL), and restore before a server starts with it.',
    );
  }
}

function readHead(line: string | void): number {
  const [, format, migration] = firstLine.exec(line ?? '') ?? [];
  if (format === undefined) {
    throw new ExportError(
      'BackupInvalid',
      'This is not a Carrel backup: its first line is missing.',
      'Use a file that `carrel backup` wrote.',
    );
  }
  if (Number(format) !== backupFormat) {
    throw new ExportError(
      'BackupNewer',
      `The backup has format ${format}, but this version of Carrel reads format ${backupFormat}.`,
      'Restore it with the version of Carrel that created it, or a newer one.',
    );
  }
  if (Number(migration) > migrations.length) {
    throw new ExportError(
      'BackupNewer',
      `The backup is of migration ${migration}, but this version of Carrel knows only ${migrations.length}.`,
      'Restore it with the version of Carrel that created it, or a newer one.',
    );
  }
  return Number(migration);
}

interface Row {
  table: string;
  /** Its columns, as JSON. */
  json: string;
}

async function readText(text: AsyncIterable<string>): Promise<{ migration: number; rows: AsyncGenerator<Row, void> }> {
  const lines = linesOf(text);
  const first = (await lines.next()).value;
  const migration = readHead(first);
  return { migration, rows: readRows(first!, lines) };
}

async function* readRows(first: string, lines: AsyncIterable<string>): AsyncGenerator<Row, void> {
  const hash = createHash('sha256').update(`${first}\n`);
  let count = 0;
  let number = 1;
  for await (const line of lines) {
    number += 1;
    const end = lastLine.exec(line);
    if (end) {
      if (Number(end[1]) !== count) throw backupIncompleteError(`It should have ${end[1]} rows and has ${count}.`);
      return;
    }
    const [, expected] = hashLine.exec(line) ?? [];
    if (expected !== undefined) {
      if (hash.copy().digest('hex') !== expected) throw backupDamagedError('The text is not the one whose checksum it contains.');
    }
    hash.update(`${line}\n`);
    const [, table, escapes, literal] = rowLine.exec(line) ?? [];
    if (table === undefined || literal === undefined) continue;
    const json = literal.replace(escapes ? /''|\\\\/g : /''/g, (pair) => pair[0]!);
    if (jsonValue(json) === undefined) throw backupDamagedError(`Line ${number} is not a row.`);
    count += 1;
    yield { table, json };
  }
  throw backupIncompleteError('Its last line is missing.');
}

async function insertRows(transaction: Queryable, rows: AsyncIterable<Row>): Promise<number> {
  const tables = await readTables(transaction);
  let count = 0;
  let page: { table: string; rows: string[] } = { table: '', rows: [] };
  const flush = async () => {
    if (page.rows.length === 0) return;
    await transaction.query(
      `insert into carrel.${page.table} overriding system value select * from jsonb_populate_recordset(null::carrel.${page.table}, $1::jsonb)`,
      [`[${page.rows.join(',')}]`],
    );
    count += page.rows.length;
  };
  for await (const { table, json } of rows) {
    if (!tables.some(({ name }) => name === table)) {
      throw new ExportError(
        'BackupInvalid',
        `The backup has rows of the unknown table "${table}".`,
        'Use a file that `carrel backup` wrote.',
      );
    }
    if (page.table !== table || page.rows.length >= pageSize) {
      await flush();
      page = { table, rows: [] };
    }
    page.rows.push(json);
  }
  await flush();
  await countOn(transaction, tables);
  return count;
}

/** Identity columns continue after the highest number. */
async function countOn(transaction: Queryable, tables: Awaited<ReturnType<typeof readTables>>): Promise<void> {
  for (const { name, counted } of tables) {
    for (const column of counted) {
      await transaction.query(
        `select setval(pg_get_serial_sequence('carrel.${name}', '${column}'), max(${column})) from carrel.${name} having max(${column}) is not null`,
      );
    }
  }
}

function backupIncompleteError(what: string): ExportError {
  return new ExportError('BackupIncomplete', `The backup is incomplete. ${what}`, 'Use a complete file; nothing was changed.');
}

function backupDamagedError(what: string): ExportError {
  return new ExportError(
    'BackupDamaged',
    `The backup is damaged, or was edited. ${what}`,
    'Use an undamaged copy; nothing was changed. If you have edited it, remove its line "-- SHA-256: …".',
  );
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string, void> {
  let rest = '';
  for await (const piece of text) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
  }
  if (rest !== '') yield rest;
}
