import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { listen, type Listener } from '../../../server/http/listen.ts';
import { writeBackup } from '../../../server/database/backup.ts';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { seal } from '../../../server/platform/secrets.ts';
import { createLog } from '../../../server/platform/log.ts';
import { command as backup } from '../../../src/cli/backup.ts';
import { command as restore } from '../../../src/cli/restore.ts';
import { insertSomeRows } from '../../server/database/some-rows.ts';
import { startChild } from '../../server/support/child.ts';
import { freshPostgres } from '../../server/support/databases.ts';
import { addEmptyDatabase } from '../../server/support/embedded.ts';
import { openTestServer, type TestServer } from '../../server/support/services.ts';
import { lessMemory, startCarrel } from './carrel.ts';

const log = createLog('silent');
const holder = new URL('../../server/database/hold-process.ts', import.meta.url);
let folder: string;
let file: string;
let server: TestServer;
let api: Listener;

beforeAll(async () => {
  server = await openTestServer();
  await insertSomeRows(server.services.database);
  api = await listen(0, '127.0.0.1');
  api.answer(server.api.fetch);
});
afterAll(() => api.close(0));

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrel-backup-'));
  file = join(folder, 'backup.sql');
  for (const name of ['DATABASE_URL', 'CARREL_CONFIG', 'CARREL_URL', 'CARREL_KEY']) vi.stubEnv(name, '');
  vi.stubEnv('CARREL_DATA', join(folder, 'data'));
  vi.spyOn(console, 'log').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

it('moves the embedded database to PostgreSQL and back, through files only their owner can read', async () => {
  await addEmptyDatabase(join(folder, 'data'));
  const embedded = await openDatabase({ dataFolder: join(folder, 'data'), log });
  await migrate(embedded);
  await insertSomeRows(embedded);
  await embedded.close();
  expect(await backup.start([file])).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['backup.sql', 'data']);

  vi.stubEnv('DATABASE_URL', await freshPostgres());
  expect(await restore.start([file])).toBe(0);
  const second = join(folder, 'second.sql');
  expect(await backup.start([second])).toBe(0);
  expect(readFileSync(second, 'utf8')).toBe(readFileSync(file, 'utf8'));
  await expect(restore.start([file])).rejects.toMatchObject({ code: 'DatabaseNotEmpty' });

  vi.stubEnv('DATABASE_URL', '');
  vi.stubEnv('CARREL_DATA', join(folder, 'new'));
  await addEmptyDatabase(join(folder, 'new'));
  expect(await restore.start([second])).toBe(0);
  expect(await backup.start([second])).toBe(0);
  expect(readFileSync(second, 'utf8')).toBe(readFileSync(file, 'utf8'));
});

it('a restore names what the secret of the machine does not decrypt', async () => {
  vi.stubEnv('DATABASE_URL', await freshPostgres());
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const database = await openDatabase({ dataFolder: '', databaseUrl: process.env.DATABASE_URL, log });
  await migrate(database);
  await database.query(`insert into carrel.organizations values ('acme', 'Acme', 'enterprise', now())`);
  const [secret, other] = ['the secret of the backed-up server, long', 'the secret of another server, long enough'];
  const hook = ['wh_1', seal('whsec_', 'wh_1', [secret])];
  await database.query(`insert into carrel.webhooks values ($1, 'acme', 'http://localhost/', '{}', $2, now())`, hook);
  await database.close();
  expect(await backup.start([file])).toBe(0);
  for (const [given, lost] of [
    [other, /webhook wh_1[^]*Set CARREL_SECRET/],
    [secret, /^$/],
  ] as const) {
    vi.stubEnv('CARREL_SECRET', given);
    vi.stubEnv('DATABASE_URL', await freshPostgres());
    expect(await restore.start([file])).toBe(0);
    expect(error.mock.calls.flat().join()).toMatch(lost);
    error.mockClear();
  }
});

it('the next backup removes what a killed one left beside its file, and nothing that another one is writing', async () => {
  const databases = await Promise.all([freshPostgres(), freshPostgres()]);
  const [held, other] = await Promise.all(databases.map((databaseUrl) => openDatabase({ dataFolder: '', databaseUrl, log })));
  try {
    for (const database of [held!, other!]) await migrate(database);
    await insertSomeRows(held!);
    const foreign = ['.backup.sql.swp', '.backup.sql.carrel-new-', 'backup.sql.old', '.other.sql.carrel-new-1'];
    for (const name of foreign) writeFileSync(join(folder, name), 'of someone else');
    let release!: () => void;
    const locked = new Promise<void>((resolve) => (release = resolve));
    const lock = held!.transaction(async (transaction) => {
      await transaction.query('lock table carrel.webhooks in access exclusive mode');
      await locked;
    });
    // It waits for the lock in the middle of its file.
    const { child, ended } = startCarrel(
      ['backup', file],
      { env: { ...process.env, DATABASE_URL: databases[0] } },
      [],
      lessMemory,
    );
    const beside = () => readdirSync(folder).filter((name) => name !== 'backup.sql' && !foreign.includes(name));
    await expect.poll(() => statSync(join(folder, beside()[0]!)).size).toBeGreaterThan(0);

    vi.stubEnv('DATABASE_URL', databases[1]);
    expect(await backup.start([file])).toBe(0);
    const whole = readFileSync(file, 'utf8');
    expect(beside()).toHaveLength(1);

    child.kill('SIGKILL');
    await ended;
    release();
    await lock;
    expect(beside()).toHaveLength(1);
    expect(readFileSync(file, 'utf8')).toBe(whole);
    expect(await backup.start([file])).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['backup.sql', ...foreign].sort());
    expect(readFileSync(file, 'utf8')).toBe(whole);
  } finally {
    await Promise.all([held!.close(), other!.close()]);
  }
});

it('a data folder without a database is reported, and none is created', async () => {
  await expect(backup.start([file])).rejects.toMatchObject({ code: 'DatabaseUnknown', message: expect.stringContaining(folder) });
  expect(readdirSync(folder)).toEqual([]);
});

it('a file that cannot be read is reported before a database is created', async () => {
  await expect(restore.start([file])).rejects.toMatchObject({ code: 'BackupUnknown', message: expect.stringContaining(file) });
  expect(readdirSync(folder)).toEqual([]);
});

it.each([
  ['cut short', (text: string) => text.slice(0, text.length / 2), 'BackupIncomplete'],
  ['of a newer format', (text: string) => text.replace('format 1', 'format 2'), 'BackupNewer'],
  ['of a newer version', (text: string) => text.replace(/migration \d+/, 'migration 999'), 'BackupNewer'],
  ['changed in one letter', (text: string) => text.replace('"Zulu"', '"Zula"'), 'BackupDamaged'],
  ['not a backup', () => 'PGDMP\u0001\u000e', 'BackupInvalid'],
])('a file that is %s is refused before a database is created or changed', async (_what, change, code) => {
  await writeBackup(server.services.database, file);
  const text = readFileSync(file, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(file, change(text));
  await expect(restore.start([file])).rejects.toMatchObject({ code });
  expect(readdirSync(folder)).toEqual(['backup.sql']);
  const databaseUrl = await freshPostgres();
  vi.stubEnv('DATABASE_URL', databaseUrl);
  await expect(restore.start([file])).rejects.toMatchObject({ code });
  const database = await openDatabase({ dataFolder: '', databaseUrl, log });
  expect(await database.query(`select to_regnamespace('carrel') as found`)).toEqual([{ found: null }]);
  await database.close();
});

it('a database that was never migrated is not backed up', async () => {
  vi.stubEnv('DATABASE_URL', await freshPostgres());
  await expect(backup.start([file])).rejects.toMatchObject({ code: 'DatabaseOther' });
  expect(readdirSync(folder)).toEqual([]);
});

it('a missing folder for the file leaves nothing behind', async () => {
  vi.stubEnv('DATABASE_URL', await freshPostgres());
  await expect(backup.start([join(folder, 'none', 'backup.sql')])).rejects.toMatchObject({ code: 'ENOENT' });
});

it('operators download the backup of a running server over HTTP', async () => {
  await addEmptyDatabase(join(folder, 'data'));
  const holding = startChild(holder, [join(folder, 'data')]);
  try {
    expect(await holding.line()).toBe('open');
    await expect(backup.start([file])).rejects.toMatchObject({ code: 'DataInUse', hint: expect.stringContaining('CARREL_URL') });
    const earlier = join(folder, 'earlier.sql');
    await writeBackup(server.services.database, earlier);
    await expect(restore.start([earlier])).rejects.toMatchObject({ code: 'DataInUse' });
    rmSync(earlier);

    vi.stubEnv('CARREL_URL', `${api.address}/`);
    vi.stubEnv('CARREL_KEY', await server.keyOf('default', ['write']));
    await expect(backup.start([file])).rejects.toMatchObject({
      code: 'ServerRefused',
      message: expect.stringContaining('operator'),
    });
    vi.stubEnv('CARREL_KEY', await server.keyOf('default', ['operator']));
    writeFileSync(file, 'an older backup');
    expect(await backup.start([file])).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);

    vi.stubEnv('CARREL_DATA', join(folder, 'elsewhere'));
    expect(await backup.start([file]), 'from a machine that has no data folder').toBe(0);
    vi.stubEnv('CARREL_DATA', join(folder, 'data'));

    const kept = { url: api.address, adminKey: process.env.CARREL_KEY };
    writeFileSync(join(folder, 'data', 'keys.json'), JSON.stringify(kept));
    vi.stubEnv('CARREL_URL', '');
    vi.stubEnv('CARREL_KEY', '');
    expect(await backup.start([file]), 'with the key that the first start left there').toBe(0);

    vi.stubEnv('CARREL_KEY', kept.adminKey);
    vi.stubEnv('CARREL_URL', 'http://127.0.0.1:1');
    await expect(backup.start([join(folder, 'other.sql')])).rejects.toMatchObject({ code: 'ServerUnreachable' });
    expect(readdirSync(folder).sort()).toEqual(['backup.sql', 'data']);
  } finally {
    await holding.kill();
  }
  vi.stubEnv('DATABASE_URL', await freshPostgres());
  expect(await restore.start([file])).toBe(0);
  expect(readdirSync(join(server.services.options.data, 'work'))).toEqual([]);
});
