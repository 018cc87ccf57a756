import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { freshPostgres } from '../../server/support/databases.ts';
import { addEmptyDatabase } from '../../server/support/embedded.ts';
import { startServerProcess } from '../../support/server-process.ts';
import { freePort } from '../../support/listen.ts';

function dataFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'carrel-first-key-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return join(root, 'data');
}

function keysIn(data: string): { adminKey: string; assistantKey: string } {
  const file = join(data, 'keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return JSON.parse(readFileSync(file, 'utf8'));
}

test('without a terminal the first start prints where its keys are, and no key', async () => {
  const data = dataFolder();
  await addEmptyDatabase(data);
  const server = await startServerProcess(data, { CARREL_LOG: 'info', CARREL_DRAIN_SECONDS: '0' });
  await server.stop();
  const { adminKey, assistantKey } = keysIn(data);
  expect(adminKey).toMatch(/^svc_/);
  expect(server.output()).toContain(join(data, 'keys.json'));
  expect(server.output()).toContain('$CARREL_KEY below is its "adminKey"');
  expect(server.output()).toContain('Bearer $CARREL_KEY');
  expect(server.output()).not.toContain(adminKey);
  expect(server.output()).not.toContain(assistantKey);
  expect(server.output()).not.toMatch(/svc_(?!\[hidden])/);
});

test('a server is ready only when its keys are written', async () => {
  const databaseUrl = await freshPostgres();
  const other = new Client(databaseUrl);
  await other.connect();
  onTestFinished(() => other.end());
  // As if another process were making them at this moment.
  const key = `hashtext('carrel first start')`;
  await other.query(`select pg_advisory_lock(${key})`);
  const port = await freePort();
  const data = dataFolder();
  const starting = startServerProcess(data, { PORT: String(port), DATABASE_URL: databaseUrl, CARREL_DRAIN_SECONDS: '0' });
  // Other tests have databases beside it, where processes wait, too.
  const own = `(select oid from pg_database where datname = current_database())`;
  const locks = `select 1 from pg_locks where locktype = 'advisory' and not granted and database = ${own}`;
  const waiting = async () => (await other.query(locks)).rowCount;
  await expect.poll(waiting, { timeout: 200_000 }).toBe(1);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect([ready.status, (await ready.json()).code]).toEqual([503, 'Starting']);
  await other.query(`select pg_advisory_unlock(${key})`);
  const server = await starting;
  expect((await fetch(`${server.address}/readyz`)).status).toBe(200);
  keysIn(data);
  await server.stop();
});

test('at a terminal it prints them, and at each start a link that signs in', async () => {
  const data = dataFolder();
  const database = { DATABASE_URL: await freshPostgres() };
  const first = await startAtTerminal(data, database);
  const { adminKey, assistantKey } = keysIn(data);
  expect(first.output).toContain(`Admin key      ${adminKey}`);
  expect(first.output).toContain(`Assistant key  ${assistantKey}`);
  const used = await signInByLink(first.output);
  expect(used).toMatchObject({ status: 201, again: 401 });
  await first.stop();

  const second = await startAtTerminal(data, database);
  expect(second.output).not.toContain(adminKey);
  expect(await signInByLink(second.output)).toEqual({ ...used, link: expect.not.stringMatching(used.link) });
  await second.stop();

  const other = await startAtTerminal(data, { ...database, CARREL_KEY: `svc_${'a'.repeat(43)}` });
  expect(other.output).not.toContain('#link=');
  expect(other.output).toContain('carrel dashboard` opens the dashboard');
  await other.stop();
});

const full = 'dd if=/dev/zero of="$0/fill" bs=1k 2>/dev/null;';

test.runIf(process.platform === 'linux').each<[name: string, prepare: string, environment: NodeJS.ProcessEnv, message: RegExp]>([
  ['its secret', full, {}, /^Error \(SecretNotKept\): .*\/data\/secret".*\(ENOSPC\)\.\nFree some space/],
  ['its lock', full, { CARREL_SECRET: 'x'.repeat(32) }, /^Error \(DiskFull\): .*\/data\/carrel\.lock".*\nFree some space/],
  ['its database', '', {}, /^Error \(DatabaseNotOpened\): .*\/data\/database".* its disk is full\.\nFree some space/],
  ['few files', 'ulimit -n 200;', {}, /^Error \(TooFewFiles\): .* 200 files .*\nRaise the limit/],
])('a start without room for %s says what to do', async (_, prepare, environment, message) => {
  const disk = dataFolder().replace(/data$/, '');
  const program = join(import.meta.dirname, '../../../src/cli/carrel.ts');
  // In a mount namespace of its own, so the disk is gone with the process, whatever becomes of it.
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--mount', '--map-root-user'];
  const run = `mount -t tmpfs -o size=64k carrel-test "$0" && mkdir "$0/data"; ${prepare} exec "$1" --liftoff-only "$2" server`;
  const child = spawn('unshare', [...namespace, 'bash', '-c', run, disk, process.execPath, program], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      SITES_PORT: '0',
      CARREL_DATA: join(disk, 'data'),
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  let output = '';
  for await (const piece of child.stderr) output += String(piece);
  expect(await ended).toEqual([1, null]);
  expect(output).toMatch(message);
  expect(output).not.toMatch(/^\s+at /m);
});

async function signInByLink(output: string) {
  const [, address, link = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/dashboard#link=([\w-]{43})/.exec(output)!;
  const post = () => fetch(`${address}/v1/session`, { method: 'POST', headers: { 'x-carrel-session-link': link } });
  const signedIn = await post();
  const { keyId } = await signedIn.json();
  return { link, keyId, status: signedIn.status, again: (await post()).status };
}

async function startAtTerminal(data: string, environment: Record<string, string> = {}) {
  const program = join(import.meta.dirname, '../../../src/cli/carrel.ts');
  const command = `exec '${process.execPath}' --liftoff-only '${program}' server`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, PORT: '0', SITES_PORT: '0', CARREL_DATA: data, CARREL_DRAIN_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for await (const piece of child.stdout) {
    output += String(piece);
    if (output.includes('Ctrl+C stops it')) break;
  }
  return {
    output,
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
