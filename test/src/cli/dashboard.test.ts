import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { carrel } from './carrel.ts';
import { openRemoteServer, type RemoteServer } from './remote-server.ts';

let server: RemoteServer;
const folder = mkdtempSync(join(tmpdir(), 'carrel-dashboard-'));
beforeAll(async () => {
  server = await openRemoteServer();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the command with the browser that a script named `xdg-open` pretends to be. */
function run(opener: string, ...args: string[]) {
  const file = join(folder, 'xdg-open');
  writeFileSync(file, `#!/bin/sh\n${opener}\n`);
  chmodSync(file, 0o755);
  const env = { ...process.env, CARREL_URL: server.url, CARREL_KEY: server.adminKey };
  return carrel(['dashboard', ...args], { env: { ...env, PATH: `${folder}${delimiter}${process.env.PATH}` } });
}
const signIn = async (url: string) => {
  const [, address, link] = /^(.*)\/dashboard#link=([\w-]{43})$/.exec(url.trim())!;
  expect(address).toBe(server.url);
  return (await fetch(`${address}/v1/session`, { method: 'POST', headers: { 'x-carrel-session-link': link! } })).status;
};

test('opens a link that signs in, and prints nothing that does', async () => {
  const opened = join(folder, 'opened');
  const ended = await run(`printf %s "$1" > '${opened}'`);
  expect(ended).toMatchObject({ code: 0, stdout: `Opened ${server.url}/dashboard in the browser.\n`, stderr: '' });
  expect(await signIn(readFileSync(opened, 'utf8'))).toBe(201);
});

test.each([
  ['with --print', 'exit 0', ['--print']],
  ['where no browser can be opened', 'exit 3', []],
])('prints the link %s', async (_, opener, args) => {
  const { code, stdout } = await run(opener, ...args);
  expect(code).toBe(0);
  expect(await signIn(stdout)).toBe(201);
});

test('says why the server gives no link', async () => {
  const env = { ...process.env, CARREL_URL: server.url, CARREL_KEY: `svc_${'a'.repeat(43)}` };
  const ended = await carrel(['dashboard', '--print'], { env });
  expect([ended.code, ended.stdout]).toEqual([1, '']);
  expect(ended.stderr).toContain('KeyUnknown');
});
