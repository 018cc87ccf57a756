import { describe, expect, test } from 'vitest';
import { sessionRoutes } from '../../../server/members/session-routes.ts';
import { emptyApi } from '../../../server/http/empty-api.ts';
import { addRoutes } from '../../../server/http/route.ts';
import { dump } from '../../../server/database/backup.ts';
import { openTestServer } from '../support/services.ts';

const host = 'api.example.com';
const { api, services, clock, adminKey, request, keyWith } = await openTestServer();

/** What the browser stores for the page that signs in. */
async function signIn(key = adminKey, headers: Record<string, string> = {}): Promise<string> {
  const answer = await request('POST', '/v1/session', undefined, key, { host, ...headers });
  expect(answer.status).toBe(201);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}
const dashboard = { host, 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
async function use(cookie: string, headers: Record<string, string> = dashboard, path = '/v1/account') {
  const answer = await request('GET', path, undefined, null, { cookie, ...headers });
  return { status: answer.status, ...((await answer.json()) as { code?: string; error?: string; key?: { keyId: string } }) };
}

test('a session replaces its key, and the database does not contain its cookie', async () => {
  const cookie = await signIn();
  expect(cookie).toMatch(/^carrel-session=[\w-]{43}$/);
  const byKey = await (await request('GET', '/v1/account')).json();
  expect((await use(cookie)).key!.keyId).toBe(byKey.key.keyId);
  expect((await use(cookie, { ...dashboard, origin: 'http://api.example.com' })).status).toBe(200);
  // A browser in a tunnel sends the name and port that it knows.
  const tunnel = { ...dashboard, host: 'localhost:9000', origin: 'http://localhost:9000' };
  expect((await use(cookie, tunnel)).status).toBe(200);
  const session = await request('GET', '/v1/session', undefined, null, { cookie, ...dashboard });
  expect(await session.json()).toEqual({
    keyId: byKey.key.keyId,
    expiresAt: new Date(clock.now + 7 * 86_400_000).toISOString(),
  });
  const rows = JSON.stringify(await services.database.query('select * from carrel.sessions'));
  expect(rows).toContain(byKey.key.keyId);
  expect(rows).not.toContain(cookie.split('=')[1]);
});

test('a backup contains no sessions', async () => {
  await signIn();
  const [row] = await services.database.query<{ hash: string }>('select hash from carrel.sessions');
  let backup = '';
  await dump(services.database, async (text) => void (backup += text));
  expect(backup).toContain('insert into carrel.keys');
  expect(backup).not.toContain(row!.hash);
  expect(backup).not.toContain('insert into carrel.sessions');
});

test('routes that write accept a session, with and without a body', async () => {
  const cookie = await signIn();
  const send = (method: string, path: string, body?: object) =>
    request(method, path, body, null, { cookie, ...dashboard, origin: `http://${host}` });
  const webhook = { url: 'https://93.184.215.14/hook', events: ['job.completed'] };
  const made = await send('POST', '/v1/webhooks', webhook);
  expect(made.status).toBe(201);
  expect((await send('DELETE', `/v1/webhooks/${(await made.json()).webhookId}`)).status).toBe(204);
  expect(await (await send('POST', '/v1/static-export/jobs/se_0000000000000000/cancel')).json()).toMatchObject({
    code: 'JobUnknown',
  });
});

test('a request without a session is not an error in the console of a browser', async () => {
  expect((await request('GET', '/v1/session', undefined, null, dashboard)).status).toBe(204);
  const cookie = await signIn();
  expect((await request('GET', '/v1/session', undefined, null, { cookie })).status).toBe(204);
});

describe('a session is rejected', () => {
  const missing = { status: 401, code: 'KeyMissing' };
  const ended = { status: 401, code: 'SessionUnknown' };
  const foreign = { status: 403, code: 'OriginNotAllowed' };

  test.each<[name: string, headers: Record<string, string>, refusal: object]>([
    ['without the header', { host, 'sec-fetch-site': 'same-origin' }, missing],
    ['from another site', { ...dashboard, origin: 'https://elsewhere.test' }, foreign],
    ['from another port of the same host', { ...dashboard, origin: `http://${host}:4401` }, foreign],
    ['from the sites', { ...dashboard, host: 'sites.example.com', origin: 'http://sites.example.com' }, foreign],
    ['from the same host by another scheme', { ...dashboard, origin: `https://${host}` }, foreign],
    ['from a host whose name begins alike', { ...dashboard, origin: `http://${host}.elsewhere.test` }, foreign],
    ['from a sandboxed page', { ...dashboard, origin: 'null' }, foreign],
    ['from an origin that cannot be read', { ...dashboard, origin: 'http://' }, foreign],
    ['by another port of a tunnel', { ...dashboard, host: 'localhost:9000', origin: 'http://localhost:9001' }, foreign],
    ['from the same site', { ...dashboard, 'sec-fetch-site': 'same-site' }, foreign],
    ['across sites', { ...dashboard, 'sec-fetch-site': 'cross-site' }, foreign],
    ['by typing an address', { ...dashboard, 'sec-fetch-site': 'none' }, foreign],
    ['beside a wrong bearer', { ...dashboard, authorization: 'Bearer svc_nonsense' }, { status: 401, code: 'KeyUnknown' }],
    ['beside another scheme', { ...dashboard, authorization: 'Basic eDp5' }, missing],
  ])('%s', async (_, headers, refusal) => {
    const cookie = await signIn();
    expect(await use(cookie, headers)).toMatchObject(refusal);
    // It still works where it may be used: none of these ended it.
    expect((await use(cookie)).status).toBe(200);
  });

  test.each<[name: string, cookie: (own: string) => string, refusal: object]>([
    ['no cookie', () => 'other=1', missing],
    ['an empty token', () => 'carrel-session=', ended],
    ['a made-up token', () => `carrel-session=${'a'.repeat(43)}`, ended],
    ['a key as token', () => `carrel-session=${adminKey}`, ended],
    ['a cookie of almost that name', (own) => `x${own}`, missing],
    ['two cookies, one of which another page has set', (own) => `carrel-session=${'a'.repeat(43)}; ${own}`, missing],
  ])('%s', async (_, cookieFrom, refusal) => {
    expect(await use(cookieFrom(await signIn()))).toMatchObject(refusal);
  });

  test('after Sign out, which removes the cookie', async () => {
    const cookie = await signIn();
    const other = await signIn();
    const answer = await request('DELETE', '/v1/session', undefined, null, { cookie, ...dashboard });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('set-cookie')).toBe('carrel-session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0');
    expect(await use(cookie)).toMatchObject({ ...ended, error: 'The session has ended. Sign in again.' });
    expect((await use(other)).status).toBe(200);
  });

  test('signing out from a foreign page ends no session', async () => {
    const cookie = await signIn();
    const signOut = (headers: Record<string, string>) =>
      request('DELETE', '/v1/session', undefined, null, { cookie, ...headers }).then(({ status }) => status);
    expect(await signOut({ host })).toBe(401);
    expect(await signOut({ ...dashboard, origin: `http://${host}:4401` })).toBe(403);
    expect((await use(cookie)).status).toBe(200);
  });

  test('after 12 hours without a request, and 7 days after its start', async () => {
    const hour = 3_600_000;
    const idle = await signIn();
    clock.now += 12 * hour - 1;
    expect((await use(idle)).status).toBe(200);
    clock.now += 12 * hour;
    expect(await use(idle)).toMatchObject(ended);
    const used = await signIn();
    for (let passed = 6; passed < 7 * 24; passed += 6) {
      clock.now += 6 * hour;
      expect((await use(used)).status, `after ${passed} hours`).toBe(200);
    }
    clock.now += 6 * hour;
    expect(await use(used)).toMatchObject(ended);
    const last = await signIn();
    await services.sessions.removeOld();
    expect(await services.database.query('select count(*)::int as count from carrel.sessions')).toEqual([{ count: 1 }]);
    expect((await use(last)).status).toBe(200);
  });

  test('when its key is revoked or has expired', async () => {
    const revoked = await keyWith();
    const cookie = await signIn(revoked.secret);
    expect((await use(cookie)).status).toBe(200);
    await services.keys.revoke('default', revoked.key.id);
    expect(await use(cookie)).toMatchObject({ status: 401, code: 'KeyUnknown' });

    const brief = await keyWith({ expiresAt: new Date(clock.now + 1000) });
    const other = await signIn(brief.secret);
    clock.now += 1000;
    expect(await use(other)).toMatchObject({ status: 401, code: 'KeyExpired' });
  });

  test('from an IP address that its key does not allow, which also ends it', async () => {
    const { secret } = await keyWith({ addresses: ['192.0.2.0/24'] });
    const send = (method: string, path: string, from: string, headers: Record<string, string>) =>
      api.request(path, { method, headers: { host, ...headers } }, { incoming: { socket: { remoteAddress: from } } });
    const signedIn = await send('POST', '/v1/session', '192.0.2.7', { authorization: `Bearer ${secret}` });
    const headers = { ...dashboard, cookie: signedIn.headers.get('set-cookie')!.split(';')[0]! };
    const from = async (address: string) => (await (await send('GET', '/v1/account', address, headers)).json()).code;
    expect(await from('192.0.2.8')).toBeUndefined();
    expect(await from('198.51.100.1')).toBe('AddressNotAllowed');
    expect(await from('192.0.2.8')).toBe('SessionUnknown');
  });

  test('from such an address, also where the session itself is asked for', async () => {
    const { key, secret } = await keyWith();
    const cookie = await signIn(secret);
    await services.database.query('update carrel.keys set addresses = $2 where id = $1', [key.id, ['192.0.2.0/24']]);
    clock.now += 1000;
    expect(await use(cookie, dashboard, '/v1/session')).toMatchObject({ status: 403, code: 'AddressNotAllowed' });
  });

  test('without a scope of its key', async () => {
    const { secret } = await keyWith({ scopes: ['read'] });
    const cookie = await signIn(secret);
    const answer = await request('POST', '/v1/keys', {}, null, { cookie, ...dashboard });
    expect(await answer.json()).toMatchObject({ code: 'ScopeMissing' });
  });
});

test('a secure cookie counts, whatever plain one a page of another port has set beside it', async () => {
  // Over TLS of a proxy that the server does not know of.
  const https = { host: 'docs.example.com', origin: 'https://docs.example.com' };
  const cookie = await signIn(adminKey, https);
  expect(cookie).toMatch(/^__Host-carrel-session=/);
  const planted = `carrel-session=${'a'.repeat(43)}`;
  expect((await use(`${planted}; ${cookie}`, { ...dashboard, ...https })).status).toBe(200);
});

describe('a session is not started', () => {
  const begin = async (key: string | null, headers: Record<string, string> = {}) => {
    const answer = await request('POST', '/v1/session', undefined, key, { host, ...headers });
    expect(answer.headers.get('set-cookie')).toBeNull();
    return { status: answer.status, code: (await answer.json()).code };
  };

  test('with an assistant key, an unknown key, a revoked one, or none', async () => {
    const assistant = await keyWith({ kind: 'assistant', domains: ['manual'] });
    const revoked = await keyWith();
    await services.keys.revoke('default', revoked.key.id);
    expect(await begin(assistant.secret)).toEqual({ status: 403, code: 'KeyNotAdmin' });
    expect(await begin(`svc_${'a'.repeat(43)}`)).toEqual({ status: 401, code: 'KeyUnknown' });
    expect(await begin(revoked.secret)).toEqual({ status: 401, code: 'KeyUnknown' });
    expect(await begin(null)).toEqual({ status: 401, code: 'KeyMissing' });
  });

  test('with another session, which would then never end', async () => {
    expect(await begin(null, { ...dashboard, cookie: await signIn() })).toEqual({ status: 401, code: 'KeyMissing' });
  });

  test('by a page of another origin', async () => {
    const foreign = { status: 403, code: 'OriginNotAllowed' };
    expect(await begin(adminKey, { origin: `http://${host}:4401` })).toEqual(foreign);
    expect(await begin(adminKey, { 'sec-fetch-site': 'same-site' })).toEqual(foreign);
  });
});

test('a route of the assistant does not accept a session', async () => {
  const answer = await request('POST', '/discovery/v1/search/manual', { query: 'a' }, null, {
    cookie: await signIn(),
    ...dashboard,
  });
  expect(await answer.json()).toMatchObject({ code: 'KeyMissing' });
});

describe('the cookie', () => {
  const at = async (publicUrl: string, headers: Record<string, string>) => {
    const own = emptyApi(services);
    addRoutes(own, { ...services, publicUrl }, sessionRoutes);
    const send = (method: string, more: object) => own.request('/v1/session', { method, headers: { ...headers, ...more } });
    const answer = await send('POST', { authorization: `Bearer ${adminKey}` });
    const cookie = answer.headers.get('set-cookie')!;
    const withCookie = { cookie: cookie.split(';')[0]!, 'x-carrel-session': '1' };
    return {
      cookie: cookie.replace(/=[\w-]{43};/, '=TOKEN;'),
      signedIn: (await send('GET', withCookie)).status,
      renamed: (await send('GET', { ...withCookie, cookie: withCookie.cookie.replace('__Host-', '') })).status,
      removed: (await send('DELETE', withCookie)).headers.get('set-cookie'),
    };
  };
  const plain = 'carrel-session=TOKEN; Path=/; HttpOnly; SameSite=Strict';
  const secure = '__Host-carrel-session=TOKEN; Path=/; HttpOnly; SameSite=Strict; Secure';

  test.each([
    ['http://api.example.com', { host }, plain, 200],
    ['http://api.example.com', { host, origin: 'http://api.example.com' }, plain, 200],
    ['https://api.example.com', { host }, secure, 204],
    ['https://api.example.com/carrel', { host, origin: 'https://api.example.com' }, secure, 204],
    // Through a tunnel to a server behind TLS, where a secure cookie would be lost.
    ['https://api.example.com', { host: 'localhost:9000', origin: 'http://localhost:9000' }, plain, 200],
    // A proxy with TLS that the server was not told of.
    ['http://127.0.0.1:4400', { host, origin: 'https://api.example.com' }, secure, 204],
    ['http://127.0.0.1:4400', { host, 'x-forwarded-proto': 'https, http' }, secure, 204],
  ] as [string, Record<string, string>, string, number][])(
    'of %s for %j is %s',
    async (publicUrl, headers, expected, renamed) => {
      const { cookie, ...answers } = await at(publicUrl, headers);
      expect(cookie).toBe(expected);
      expect(answers).toEqual({
        signedIn: 200,
        // Over https, a plain cookie of the same name may be anybody's.
        renamed,
        removed: `${expected.replace('TOKEN', '')}; Max-Age=0`,
      });
    },
  );
});
