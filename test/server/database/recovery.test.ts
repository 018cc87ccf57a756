// A server's whole life moves with its backup: between both kinds of database, from every earlier version, and over kills.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dump, readTables } from '../../../server/database/backup.ts';
import type { Database } from '../../../server/database/database.ts';
import { migrate, migrations, reachedMigration } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { readBackup, restore } from '../../../server/database/restore.ts';
import { createKeys } from '../../../server/organizations/keys.ts';
import { createLog } from '../../../server/platform/log.ts';
import { command as backupCommand } from '../../../src/cli/backup.ts';
import { command as restoreCommand } from '../../../src/cli/restore.ts';
import { lessMemory, startCarrel } from '../../src/cli/carrel.ts';
import { followJob, startJob, type ServerProcess } from '../../support/server-process.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { firstExport, place, startServer } from '../faults/places.ts';
import { startChild } from '../support/child.ts';
import { freshPostgres, openMigratedDatabase } from '../support/databases.ts';
import { addEmptyDatabase } from '../support/embedded.ts';
import { insertSomeRows } from './some-rows.ts';

const log = createLog('silent');
const domain = 'docs.example.com';
const urls = { CARREL_PUBLIC_URL: 'https://api.example.com', CARREL_SITES_URL: 'https://sites.example.com' };
// What the servers export after a move.
const quick = { QUICK_EXPORT: '0' };
const newest = migrations.length;

describe('a server with everything in it', () => {
  let root: string;
  let data: string;
  let backup: string;
  let life: Life;
  let before: Awaited<ReturnType<typeof stateOf>>;
  beforeAll(async () => {
    const here = place(atFileEnd);
    [root, data] = [here.root, here.data];
    const server = await startServer(data, { ...urls, SITE: domain }, atFileEnd);
    life = await live(server);
    before = await stateOf(server, life);
    expect(await server.stop()).toBe(0);
    expect(before.jobs.jobs.map(({ status }: { status: string }) => status)).toContain('completed');
    expect([before.page.status, before.bundle.status]).toEqual([200, 200]);
    expect(before.log).toContain('Exported 11 pages');
    for (const name of ['sites', 'hooks', 'keys', 'jobs', 'exports', 'webhooks', 'entries', 'threads', 'feedback'] as const)
      expect(JSON.stringify(before[name]), name).toMatch(/"(?:domain|service|\w+Id)":"/);
    for (const [name, state] of Object.entries(before)) expect(JSON.stringify(state), name).not.toContain('"error":"');
    backup = join(root, 'backup.sql');
    await run(backupCommand, backup, { CARREL_DATA: data });
  });

  // The way back is that of a file: restore.test.ts.
  test('is the same after a move from the embedded database to PostgreSQL', async () => {
    const postgres = { ...urls, DATABASE_URL: await freshPostgres() };
    await run(restoreCommand, backup, { CARREL_DATA: data, ...postgres });
    const moved = await startServer(data, { ...postgres, ...quick });
    expect(await stateOf(moved, life)).toEqual(before);
    await expectUsable(moved, life);
    expect(moved.output()).not.toMatch(/"level":"(?:error|fatal)"/);
  });

  // The versions between are restored below, without a server.
  test('is served from its backup as the first version of the tables wrote it', async () => {
    const file = join(root, 'version-1.sql');
    writeFileSync(file, await (await writerOf(1, await openUnmigrated()))(readFileSync(backup, 'utf8')));
    const environment = { ...urls, DATABASE_URL: await freshPostgres() };
    await run(restoreCommand, file, { CARREL_DATA: data, ...environment });
    const server = await startServer(data, { ...environment, ...quick });
    const after = await stateOf(server, life);
    const known = (Object.keys(before) as (keyof typeof before)[]).filter((name) => !later.includes(name));
    expect(known).toEqual(expect.arrayContaining(['page', 'bundle', 'sites', 'keys', 'jobs', 'log', 'webhooks']));
    // It did not record by whom keys were made.
    const withoutMakers = (_key: string, value: object) => ('createdBy' in Object(value) ? { ...value, createdBy: null } : value);
    for (const name of known) expect(after[name], name).toEqual(JSON.parse(JSON.stringify(before[name]), withoutMakers as never));
    await expectUsable(server, life);
  });
});

/** Parts of the state that the first version of the tables did not have. */
const later = ['threads', 'thread', 'feedback', 'report', 'hooks', 'entries', 'exports'];

/** What a test needs of the life that it compares. */
interface Life {
  /** Of an export: signed before the backup. */
  bundlePath: string;
  jobId: string;
  cookie: string;
  threadId: string;
  keys: { admin: string; assistant: string };
}

async function live(server: ServerProcess): Promise<Life> {
  const send = async <T>(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<T> => {
    const answer = await server.request(method, path, body, headers);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const jobId = await firstExport(server);
  await send('PATCH', `/v1/sites/${domain}`, {
    schedule: { everyMinutes: 44_640 },
    assistant: { answersPerDay: 7 },
    features: { analytics: { mode: 'own' } },
  });
  await send('PUT', `/v1/sites/${domain}/hooks/github`);
  await send('PUT', `/v1/sites/${domain}/exports/${jobId}/pin`);
  const { bundleUrl } = await send<{ bundleUrl: string }>('POST', `/v1/static-export/jobs/${jobId}/bundle`);
  await send('POST', '/v1/webhooks', { url: 'https://93.184.215.14/hook', events: ['job.failed'] });
  const admin = await send<{ secret: string }>('POST', '/v1/keys', { kind: 'admin', name: 'CI', scopes: ['read', 'write'] });
  const reader = { kind: 'assistant', name: 'Reader', domains: [domain] };
  const assistant = await send<{ secret: string }>('POST', '/v1/keys', reader);
  const headers = { authorization: `Bearer ${assistant.secret}` };
  const question = {
    fp: 'reader',
    messages: [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'How do I get started?' }] }],
  };
  const answer = await server.request('POST', `/discovery/v2/assistant/${domain}/message`, question, headers);
  const streamed = await answer.text();
  expect([answer.status, streamed]).toEqual([200, expect.stringContaining('[DONE]')]);
  const { threads } = await send<{ threads: { threadId: string }[] }>('GET', `/v1/assistant/${domain}/threads`);
  const threadId = threads[0]!.threadId;
  const [messageId] = /msg_[0-9a-f]+/.exec(streamed)!;
  const rated = { fp: 'reader', threadId, messageId, rating: 'down' };
  await send('POST', `/discovery/v2/assistant/${domain}/feedback`, rated, headers);
  const signedIn = await server.request('POST', '/v1/session');
  expect(signedIn.status).toBe(201);
  return {
    bundlePath: bundleUrl.slice(urls.CARREL_PUBLIC_URL.length),
    jobId,
    cookie: signedIn.headers.get('set-cookie')!.split(';')[0]!,
    threadId,
    keys: { admin: admin.secret, assistant: assistant.secret },
  };
}

/** All that its API, its sites and its links give. */
async function stateOf(server: ServerProcess, { jobId, bundlePath, threadId }: Life) {
  const get = async (path: string) => {
    const answer = await server.request('GET', path);
    const text = await answer.text();
    // Uses of a key are written a while after them, and errors name their request.
    return JSON.parse(text, (key, value: unknown) => (key === 'lastUsedAt' || key === 'requestId' ? undefined : value));
  };
  const bundle = await fetch(server.address + bundlePath);
  const page = await fetch(`${server.sites}/sites/${domain}/`);
  return {
    page: { status: page.status, text: await page.text() },
    bundle: { status: bundle.status, sha256: sha256(Buffer.from(await bundle.arrayBuffer())) },
    sites: await get('/v1/sites'),
    hooks: await get(`/v1/sites/${domain}/hooks`),
    keys: await get('/v1/keys'),
    jobs: await get('/v1/static-export/jobs'),
    log: await (await server.request('GET', `/v1/static-export/jobs/${jobId}/log`)).text(),
    report: await get(`/v1/static-export/jobs/${jobId}/report`),
    exports: await get(`/v1/sites/${domain}/exports`),
    webhooks: await get('/v1/webhooks'),
    entries: await get('/v1/audit'),
    threads: await get(`/v1/assistant/${domain}/threads`),
    thread: await get(`/v1/assistant/${domain}/threads/${threadId}`),
    feedback: await get(`/v1/assistant/${domain}/feedback`),
  };
}

/** Old keys authenticate, browsers sign in again, and exports go on. */
async function expectUsable(server: ServerProcess, { cookie, keys }: Life): Promise<void> {
  const withKey = (key: string, path: string) => server.request('GET', path, undefined, { authorization: `Bearer ${key}` });
  expect((await withKey(keys.admin, '/v1/sites')).status).toBe(200);
  expect((await withKey(keys.assistant, '/v1/sites')).status).toBe(403);
  const found = await server.request(
    'POST',
    `/discovery/v1/search/${domain}`,
    { query: 'troubleshooting' },
    { authorization: `Bearer ${keys.assistant}` },
  );
  expect([found.status, await found.text()]).toEqual([200, expect.stringContaining('"path"')]);
  const dashboard = { cookie, 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
  expect((await fetch(`${server.address}/v1/account`, { headers: dashboard })).status).toBe(401);
  const next = await followJob(server, await startJob(server, { domain }));
  expect(next).toMatchObject({ status: 'completed', error: null });
}

/** Runs a command, which must succeed without a warning. */
async function run(command: typeof backupCommand, file: string, environment: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  vi.spyOn(console, 'log').mockReturnValue();
  const warn = vi.spyOn(console, 'error').mockReturnValue();
  expect(await command.start([file])).toBe(0);
  expect(warn.mock.calls).toEqual([]);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
}

/** What writes the rows of a backup as an earlier version has them: without tables and columns that it did not know. */
async function writerOf(version: number, database: Database): Promise<(backup: string) => Promise<string>> {
  await migrate(database, migrations.slice(0, version));
  const tables = (await readTables(database)).map(({ name }) => name);
  return async (backup) => {
    const rows = backup.split('\n').filter((line) => {
      const [, table] = /^insert into carrel\.([a-z_]+) overriding/.exec(line) ?? [];
      return table !== undefined && tables.includes(table);
    });
    await database.query(
      `truncate ${tables.map((name) => `carrel.${name}`).join()} restart identity cascade; ${rows.join('\n')}`,
    );
    return await textOf(database, version);
  };
}

/** The steps are the same SQL for both kinds of database, and PostgreSQL runs them in half the time. */
async function openUnmigrated(): Promise<Database> {
  const database = await openDatabase({ dataFolder: '', databaseUrl: await freshPostgres(), log });
  atFileEnd(() => database.close());
  return database;
}

async function textOf(database: Database, version = newest): Promise<string> {
  let text = '';
  await dump(database, async (piece) => void (text += piece), migrations.slice(0, version));
  return text;
}

async function* once(text: string) {
  yield text;
}

describe('rows of every table', () => {
  let current: string;
  beforeAll(async () => {
    const database = await openMigratedDatabase();
    await insertSomeRows(database);
    for (const { name } of await readTables(database))
      expect(await database.query(`select 1 from carrel.${name} limit 1`), name).toHaveLength(1);
    current = await textOf(database);
  });

  // From one version to the next.
  let writer: Database;
  let database: Database;
  beforeAll(async () => {
    [writer, database] = await Promise.all([openUnmigrated(), openUnmigrated()]);
  });
  beforeEach(() => database.query('drop schema if exists carrel cascade'));

  test.each(migrations.map((_step, index) => index + 1))('of version %i are restored', async (version) => {
    const asWritten = await writerOf(version, writer);
    const old = await asWritten(current);
    const rows = await restore(database, once(old));
    expect(rows).toBeGreaterThan(450);
    expect(await reachedMigration(database)).toBe(newest);
    expect(await asWritten(await textOf(database))).toBe(old);
  });

  test('of a database that version 7 made itself are taken over: its steps are still the same', async () => {
    const written = readFileSync(join(import.meta.dirname, 'migration-7.backup.sql'), 'utf8');
    for (const step of migrations.slice(0, 7)) expect(written).toContain(step.trim());
    // A backup is plain SQL, which makes the tables as that version did.
    await database.query(written);
    expect(await migrate(database)).toEqual({ from: 7, to: newest });
    const [row] = await database.query<{ count: number }>('select count(*) as count from carrel.keys');
    expect(row).toEqual({ count: 2 });
  });

  test('of a file that version 7 wrote are restored, and its key authenticates', async () => {
    expect(await readBackup(database, join(import.meta.dirname, 'migration-7.backup.sql'))).toBe(19);
    const key = await createKeys(database, Date.now).find('svc_kyjtrxDxiK7P0s3YuGwbvQcjhwMFD7ndXWOnvX29pJ8');
    expect(key).toMatchObject({ organization: 'alpha', name: 'Old', scopes: ['read', 'write', 'operator'] });
    expect(await database.query('select domain, pinned, next_check_at from carrel.sites')).toEqual([
      { domain: 'manual', pinned: false, next_check_at: null },
    ]);
  });
});

test('a first start that is killed while it writes its database leaves a data folder that the next one opens', async () => {
  const { root } = place();
  const data = join(root, 'data');
  mkdirSync(data);
  const holder = new URL('./hold-process.ts', import.meta.url);
  const first = startChild(holder, [data]);
  const opened = first.line().then(
    () => true,
    () => false,
  );
  const isWritten = () => ['database', 'database.new'].some((name) => existsSync(join(data, name, 'PG_VERSION')));
  while (!isWritten()) await pause(1);
  await first.kill();
  expect(await opened, 'The kill came too late to test anything.').toBe(false);
  expect(existsSync(join(data, 'database')), 'PGlite takes the folder for a whole database.').toBe(false);
  await (await openDatabase({ dataFolder: data, log })).close();
  expect(readdirSync(data).filter((name) => name.startsWith('database'))).toEqual(['database']);
});

// PostgreSQL rolls back by itself; how the embedded database does depends on us.
test('a restore into the embedded database, killed at a random moment of each third, leaves an empty database or a full one', async () => {
  const kills = 3;
  const rows = 1000;
  // The webhook among the rows is encrypted with no secret.
  const lost = /^The secret of this server does not decrypt what is stored: webhook wh_1, [^]*$/;
  const { root } = place();
  const file = join(root, 'many.sql');
  const filled = await openMigratedDatabase();
  await insertSomeRows(filled);
  await filled.query(
    `insert into carrel.job_log (job, at, text) select 'se_1', now(), repeat('words ', 100) || n from generate_series(1, $1) n`,
    [rows],
  );
  const backup = await textOf(filled);
  writeFileSync(file, backup);
  const start = (data: string) => startCarrel(['restore', file], { env: { ...process.env, CARREL_DATA: data } }, [], lessMemory);
  const look = async (dataFolder: string) => {
    const database = await openDatabase({ dataFolder, log });
    try {
      if ((await reachedMigration(database)) === 0) return 'empty';
      const counts = await Promise.all(
        (await readTables(database)).map(({ name }) => database.query(`select 1 from carrel.${name} limit 1`)),
      );
      if (counts.every((found) => found.length === 0)) return 'empty';
      return (await textOf(database)) === backup ? 'full' : 'partial';
    } finally {
      await database.close();
    }
  };
  // A kill while the database itself is written is above.
  const folder = async (attempt: number) => {
    const data = join(root, `data-${attempt}`);
    await addEmptyDatabase(data);
    return data;
  };
  const began = performance.now();
  let data = await folder(0);
  expect((await start(data).ended).code).toBe(0);
  const whole = performance.now() - began;
  expect(await look(data)).toBe('full');

  const seen: string[] = [];
  data = await folder(1);
  for (let kill = 1; kill <= kills; kill++) {
    const after = Math.floor((whole * (kill - Math.random())) / kills);
    const { child, ended } = start(data);
    await Promise.race([pause(after), ended]);
    child.kill('SIGKILL');
    const { stderr } = await ended;
    const state = await look(data);
    seen.push(`${state} after ${after} ms${stderr.replace(lost, '') && `: ${stderr}`}`);
    if (state === 'full') data = await folder(kill + 1);
  }
  expect(seen.filter((text) => !/^(empty|full) after \d+ ms$/.test(text))).toEqual([]);
  // What a kill left takes the backup still.
  expect(await start(data).ended).toMatchObject({ code: 0, stderr: expect.stringMatching(lost) });
  expect(await look(data)).toBe('full');
});

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
