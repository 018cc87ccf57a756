import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, migrations } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createLog } from '../../../server/platform/log.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { freshPostgres } from '../../server/support/databases.ts';
import { carrel } from './carrel.ts';

const log = createLog('silent');
const all = migrations.length;

async function postgres() {
  const databaseUrl = await freshPostgres();
  const database = await openDatabase({ dataFolder: '', databaseUrl, log });
  onTestFinished(() => database.close());
  const run = async (command: string, environment: Record<string, string> = {}) => {
    const cwd = temporaryFolder();
    const env = { ...process.env, DATABASE_URL: databaseUrl, CARREL_DATA: join(cwd, 'data'), PORT: '0', SITES_PORT: '0' };
    const { code, stdout, stderr } = await carrel([command], { cwd, env: { ...env, ...environment } });
    return { code, text: stdout + stderr };
  };
  return { database, run };
}

test('creates all tables, of the job queue too; at once in several processes, one does it', async () => {
  const { database, run } = await postgres();
  const runs = await Promise.all([run('migrate'), run('migrate')]);
  expect(runs.map(({ code, text }) => `${code} ${text}`).sort()).toEqual([
    `0 PostgreSQL already has all ${all} migrations.\n`,
    `0 PostgreSQL was migrated from 0 to ${all}.\n`,
  ]);
  const [row] = await database.query(
    `select count(*) as migrations, to_regclass('pgboss.job')::text as queue from carrel.migrations`,
  );
  expect(row).toEqual({ migrations: all, queue: 'pgboss.job' });
});

test('migrates the embedded database, which it creates', async () => {
  const cwd = temporaryFolder();
  const env = { ...process.env, CARREL_DATA: join(cwd, 'data') };
  const { code, stdout, stderr } = await carrel(['migrate'], { cwd, env });
  expect([code, stdout, stderr]).toEqual([0, `The database in ${join(cwd, 'data')} was migrated from 0 to ${all}.\n`, '']);
  expect(existsSync(join(cwd, 'data/database'))).toBe(true);
});

test('a server that must not migrate says which command does, and changes nothing', async () => {
  const { database, run } = await postgres();
  const { code, text } = await run('server', { CARREL_MIGRATIONS: 'manual' });
  expect(code).toBe(1);
  expect(text).toContain(`Error (DatabaseOlder): The database is at migration 0, but this version of Carrel needs ${all}.`);
  expect(text).toContain('run `carrel migrate`');
  expect(await database.query(`select to_regclass('carrel.migrations') as found`)).toEqual([{ found: null }]);
});

test('a database of a newer version is refused', async () => {
  const { database, run } = await postgres();
  await migrate(database);
  await database.query('insert into carrel.migrations (number) values (999)');
  for (const [command, mode] of [
    ['migrate', 'auto'],
    ['server', 'auto'],
    ['server', 'manual'],
  ] as const) {
    const { code, text } = await run(command, { CARREL_MIGRATIONS: mode });
    expect(code).toBe(1);
    expect(text).toContain(
      `Error (DatabaseNewer): The database is at migration 999, but this version of Carrel knows only ${all}.`,
    );
  }
});
