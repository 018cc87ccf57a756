import { beforeAll, expect, test } from 'vitest';
import { carrel } from './carrel.ts';
import { openRemoteServer, type RemoteServer } from './remote-server.ts';

let server: RemoteServer;
const run = (...args: string[]) => carrel(args, { env: { ...process.env, CARREL_URL: server.url, CARREL_KEY: server.adminKey } });
beforeAll(async () => {
  server = await openRemoteServer();
  expect((await run('key', 'create', 'Nightly')).code).toBe(0);
  expect((await run('organization', 'create', 'team')).code).toBe(0);
});

test('changes are listed, latest first, and filtered', async () => {
  const { code, stdout } = await run('audit');
  expect(code).toBe(0);
  const [head, first, second, ...more] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^TIME +EVENT +TARGET +KEY +NAME +FROM$/);
  expect(first).toMatch(/^\S+Z +organization\.create +team +key_\w+ +First admin key +127\.0\.0\.1$/);
  expect(second).toMatch(/ key\.create +key_\w+ /);
  expect(more).toEqual([]);
  expect(JSON.parse((await run('audit', '--event', 'key.create', '--json')).stdout)).toMatchObject([{ event: 'key.create' }]);
  expect((await run('audit', '--target', 'team', '--limit', '1')).stdout).toContain('organization.create');
});

test('an unknown event is refused with those that there are', async () => {
  const { code, stderr } = await run('audit', '--event', 'key.made');
  expect(code).toBe(1);
  expect(stderr).toContain('key.create');
});
