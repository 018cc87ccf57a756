// The rotation itself: test/server/health/secret-routes.test.ts.
import { beforeEach, expect, test } from 'vitest';
import { carrel } from './carrel.ts';
import { openRemoteServer } from './remote-server.ts';

const { services, url, adminKey } = await openRemoteServer();
const { secrets, database } = services;
const [first] = secrets;
const rotate = (...more: string[]) =>
  carrel(['secret', 'rotate', ...more], { env: { PATH: process.env.PATH, CARREL_URL: url, CARREL_KEY: adminKey } });

beforeEach(async () => {
  secrets.splice(0, secrets.length, first);
  await database.query('delete from carrel.push_hooks');
  await services.pushHooks.put('manual', 'github');
});

test('a secret that the server did not generate needs the previous one, and then is replaced', async () => {
  const refused = await rotate();
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('Set CARREL_SECRET to a new one');
  secrets.unshift('a new secret of the tests, long enough');
  expect(await rotate()).toMatchObject({
    code: 0,
    stdout:
      'Encrypted 1 stored secrets with the current secret. The previous secret is not needed anymore: remove CARREL_SECRET_PREVIOUS, if it is set, and restart all processes.\n',
  });
  expect(JSON.parse((await rotate('--json')).stdout)).toEqual({ generated: false, encrypted: 0, lost: [] });
});

test('what no secret decrypts is named, with the next step', async () => {
  secrets.splice(0, 1, 'another secret of the tests, long enough', 'and one more, which is long enough too');
  const { code, stderr } = await rotate();
  expect(code).toBe(1);
  expect(stderr).toContain('push hook github of manual');
  expect(stderr).toContain('CARREL_SECRET_PREVIOUS');
});
