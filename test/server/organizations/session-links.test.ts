// Links that sign in once, and the list of sessions.
import { describe, expect, test } from 'vitest';
import { dump } from '../../../server/database/backup.ts';
import { openTestServer } from '../support/services.ts';

const { api, services, clock, adminKey, keyOf, request, keyWith } = await openTestServer();
const host = 'api.example.com';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';
const dashboard = { host, 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };

async function newLink(key = adminKey): Promise<string> {
  const answer = await request('POST', '/v1/session-links', undefined, key);
  expect(answer.status).toBe(201);
  return (await answer.json()).url.split('#link=')[1];
}
const signIn = (link: string, headers: Record<string, string> = {}) =>
  request('POST', '/v1/session', undefined, null, { ...dashboard, 'x-carrel-session-link': link, ...headers });
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')!.split(';')[0]!;
async function refused(answer: Response) {
  expect(answer.headers.get('set-cookie')).toBeNull();
  const { code, error } = await answer.json();
  return { status: answer.status, code, error };
}
const invalid = (words: string) => ({ status: 401, code: 'SessionLinkInvalid', error: expect.stringContaining(words) });
const account = async (cookie: string) => {
  const answer = await request('GET', '/v1/account', undefined, null, { ...dashboard, cookie });
  return answer.status === 200 ? (await answer.json()).key.keyId : (await answer.json()).code;
};

test('a link signs in with the key that made it, once, and only the hash of its token is stored', async () => {
  const { key, secret } = await keyWith({ scopes: ['read'] });
  const answer = await request('POST', '/v1/session-links', undefined, secret);
  const { url, expiresAt } = await answer.json();
  expect(url).toMatch(/^http:\/\/api\.example\.com\/dashboard#link=[\w-]{43}$/);
  expect(expiresAt).toBe(new Date(clock.now + 600_000).toISOString());
  const token = url.split('#link=')[1];
  const stored = JSON.stringify(await services.database.query('select * from carrel.session_links'));
  expect(stored).toContain(key.id);
  expect(stored).not.toContain(token);
  let backup = '';
  await dump(services.database, async (text) => void (backup += text));
  expect(backup).toContain('insert into carrel.keys');
  expect(backup).not.toContain('insert into carrel.session_links');

  const signedIn = await signIn(token);
  expect([signedIn.status, await account(cookieOf(signedIn))]).toEqual([201, key.id]);
  expect(await refused(await signIn(token))).toEqual(invalid('has been used'));
});

test('of ten browsers that open one link at once, one is signed in', async () => {
  const link = await newLink();
  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await signIn(link)).status));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, ...Array(9).fill(401)]);
});

test('a link stops working after 10 minutes', async () => {
  const [early, late] = [await newLink(), await newLink()];
  clock.now += 599_999;
  expect((await signIn(early)).status).toBe(201);
  clock.now += 1;
  expect(await refused(await signIn(late))).toEqual(invalid('has expired'));
  await services.sessionLinks.removeOld();
  expect(await refused(await signIn(late))).toEqual(invalid('has expired'));
  clock.now += 86_400_000;
  await services.sessionLinks.removeOld();
  expect(await services.database.query('select hash from carrel.session_links')).toEqual([]);
  expect(await refused(await signIn(late))).toEqual(invalid('is unknown'));
});

test.each(['', 'a', 'a'.repeat(43), 'a'.repeat(5000), adminKey, `' or 1=1 --`])('%j is not a link', async (link) => {
  expect(await refused(await signIn(link))).toEqual(invalid('is unknown'));
});

test('a link ends with its key: revoked, expired, or not for this IP address', async () => {
  const revoked = await keyWith();
  const link = await newLink(revoked.secret);
  await services.keys.revoke('default', revoked.key.id);
  expect(await refused(await signIn(link))).toMatchObject({ status: 401, code: 'KeyUnknown' });

  const brief = await keyWith({ expiresAt: new Date(clock.now + 1000) });
  const other = await newLink(brief.secret);
  clock.now += 1000;
  expect(await refused(await signIn(other))).toMatchObject({ status: 401, code: 'KeyExpired' });

  const local = await keyWith();
  const third = await newLink(local.secret);
  await services.database.query('update carrel.keys set addresses = $2 where id = $1', [local.key.id, ['192.0.2.0/24']]);
  expect(await refused(await signIn(third))).toMatchObject({ status: 403, code: 'AddressNotAllowed' });
  const allowed = await api.request(
    '/v1/session',
    { method: 'POST', headers: { ...dashboard, 'x-carrel-session-link': third } },
    { incoming: { socket: { remoteAddress: '192.0.2.7' } } },
  );
  expect(allowed.status).toBe(201);
});

test('a page of another origin cannot sign the browser in, and does not use the link up', async () => {
  const link = await newLink();
  const foreign = { status: 403, code: 'OriginNotAllowed' };
  expect(await refused(await signIn(link, { origin: `http://${host}:4401` }))).toMatchObject(foreign);
  expect(await refused(await signIn(link, { 'sec-fetch-site': 'cross-site' }))).toMatchObject(foreign);
  expect((await signIn(link)).status).toBe(201);
});

test('a session cannot make a link, which would renew it forever', async () => {
  const cookie = cookieOf(await signIn(await newLink()));
  const answer = await request('POST', '/v1/session-links', undefined, null, { ...dashboard, cookie });
  expect(await answer.json()).toMatchObject({ code: 'KeyMissing' });
});

describe('session fixation', () => {
  const planted = 'a'.repeat(43);

  test('a token that another page has set is never the token of a session', async () => {
    const cookie = cookieOf(await signIn(await newLink(), { cookie: `carrel-session=${planted}` }));
    expect(cookie).not.toContain(planted);
    expect(await account(`carrel-session=${planted}`)).toBe('SessionUnknown');
  });

  test('a session of another browser, whose cookie a page on another port has set, is not used', async () => {
    const cookieIn = async (browser: string) => cookieOf(await signIn(await newLink(), { 'x-carrel-session': browser }));
    const asked = async (browser: string, cookie: string) =>
      (await request('GET', '/v1/account', undefined, null, { ...dashboard, cookie, 'x-carrel-session': browser })).status;
    const [foreign, unbound, own] = [await cookieIn('attacker'), await cookieIn('1'), await cookieIn('reader')];
    for (const cookie of [foreign, unbound]) expect(await asked('reader', cookie)).toBe(401);
    expect(await asked('attacker', foreign)).toBe(200);
    expect(await asked('1', unbound)).toBe(200);
    expect(await asked('reader', own)).toBe(200);
    for (const browser of ['1', '', 'attacker']) expect(await asked(browser, own)).toBe(401);
  });

  test("the browser's earlier session ends, whether the next one is by link or by key", async () => {
    const first = cookieOf(await signIn(await newLink()));
    const second = cookieOf(await signIn(await newLink(), { cookie: first }));
    expect([await account(first), await account(second)]).toEqual(['SessionUnknown', expect.stringMatching(/^key_/)]);
    const third = cookieOf(await request('POST', '/v1/session', undefined, adminKey, { ...dashboard, cookie: second }));
    expect(new Set([first, second, third]).size).toBe(3);
    expect([await account(second), await account(third)]).toEqual(['SessionUnknown', expect.stringMatching(/^key_/)]);
  });

  test('a refused sign-in ends no session', async () => {
    const first = cookieOf(await signIn(await newLink()));
    expect((await signIn(planted, { cookie: first })).status).toBe(401);
    expect(await account(first)).toMatch(/^key_/);
  });
});

describe('the sessions of an organization', () => {
  const sessions = async (key: string, headers: Record<string, string> = {}, query = '') =>
    (await (await request('GET', `/v1/sessions${query}`, undefined, key === '' ? null : key, headers)).json()).sessions;
  const end = async (id: string, key = adminKey, query = '') => {
    const answer = await request('DELETE', `/v1/sessions/${id}${query}`, undefined, key);
    return answer.status === 204 ? 204 : (await answer.json()).code;
  };

  test('are listed without their tokens, and each can be ended at once', async () => {
    const key = await keyOf('listed');
    expect(await sessions(key)).toEqual([]);
    const answer = await api.request(
      '/v1/session',
      { method: 'POST', headers: { ...dashboard, authorization: `Bearer ${key}`, 'user-agent': firefox } },
      { incoming: { socket: { remoteAddress: '192.0.2.7' } } },
    );
    const cookie = cookieOf(answer);
    clock.now += 90_000;
    expect(await account(cookie)).toMatch(/^key_/);
    const [session, ...others] = await sessions(key);
    expect(others).toEqual([]);
    expect(session).toEqual({
      name: 'test',
      sessionId: expect.stringMatching(/^ses_[0-9a-f]{16}$/),
      keyId: await account(cookie),
      createdAt: new Date(clock.now - 90_000).toISOString(),
      lastUsedAt: new Date(clock.now).toISOString(),
      expiresAt: new Date(clock.now - 90_000 + 7 * 86_400_000).toISOString(),
      address: '192.0.2.7',
      userAgent: 'Firefox on Linux',
      current: false,
    });
    expect(await sessions('', { ...dashboard, cookie })).toMatchObject([{ sessionId: session.sessionId, current: true }]);
    expect(await end(session.sessionId, key)).toBe(204);
    expect(await account(cookie)).toBe('SessionUnknown');
    expect([await sessions(key), await end(session.sessionId, key)]).toEqual([[], 'SessionIdUnknown']);
  });

  test('are not those of others, except for operators', async () => {
    const key = await keyOf('private');
    const cookie = cookieOf(await request('POST', '/v1/session', undefined, key, dashboard));
    const [{ sessionId }] = await sessions(key);
    const stranger = await keyOf('strangers');
    expect(await sessions(stranger)).toEqual([]);
    expect(await end(sessionId, stranger)).toBe('SessionIdUnknown');
    expect(await end(sessionId, stranger, '?organization=private')).toBe('ScopeMissing');
    expect(await end(sessionId, adminKey)).toBe('SessionIdUnknown');
    expect(await account(cookie)).toMatch(/^key_/);
    expect(await sessions(adminKey, {}, '?organization=private')).toMatchObject([{ sessionId }]);
    expect(await end(sessionId, adminKey, '?organization=private')).toBe(204);
  });

  test('of a stronger key cannot be ended by a weaker one, nor by a page of another origin', async () => {
    const cookie = cookieOf(await request('POST', '/v1/session', undefined, adminKey, dashboard));
    const writer = await keyWith({ scopes: ['read', 'write'] });
    const own = (await sessions('', { ...dashboard, cookie })).find(({ current }: { current: boolean }) => current);
    expect(await end(own.sessionId, writer.secret)).toBe('ScopeMissing');
    const foreign = await request('DELETE', `/v1/sessions/${own.sessionId}`, undefined, null, {
      ...dashboard,
      cookie,
      origin: `http://${host}:4401`,
    });
    expect([foreign.status, await account(cookie)]).toEqual([403, own.keyId]);
  });

  test('all end at once but that of the request and those of stronger keys, each with its entry in the audit log', async () => {
    const writer = await keyOf('crowd', ['read', 'write']);
    const operator = await keyOf('crowd', ['operator']);
    const elsewhere = await keyOf('elsewhere', ['read', 'write']);
    const signedIn = async (key: string) => cookieOf(await request('POST', '/v1/session', undefined, key, dashboard));
    const endOthers = async (key: string | null, headers = {}, query = '') => {
      const answer = await request('DELETE', `/v1/sessions${query}`, undefined, key, headers);
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    const [own, first, second] = [await signedIn(writer), await signedIn(writer), await signedIn(writer)];
    const [strong, foreign] = [await signedIn(operator), await signedIn(elsewhere)];
    const states = async () => (await Promise.all([own, first, second, strong, foreign].map(account))).map(String);
    expect(await states()).toEqual(Array(5).fill(expect.stringMatching(/^key_/)));
    const ids = (await sessions(writer)).filter(({ keyId }: { keyId: string }) => keyId !== undefined);
    expect(ids).toHaveLength(4);

    expect(await endOthers(null, { ...dashboard, cookie: own, origin: `http://${host}:4401` })).toMatchObject({ status: 403 });
    expect(await endOthers(elsewhere, {}, '?organization=crowd')).toMatchObject({ code: 'ScopeMissing' });
    expect(await endOthers(null, { ...dashboard, cookie: own })).toEqual({ status: 200, ended: 2, notAllowed: 1 });
    const [lives, ended] = [expect.stringMatching(/^key_/), 'SessionUnknown'];
    expect(await states()).toEqual([lives, ended, ended, lives, lives]);
    const { entries } = await (await request('GET', '/v1/audit?event=session.end', undefined, writer)).json();
    expect(entries).toHaveLength(2);
    for (const { target } of entries) expect(ids.map(({ sessionId }: { sessionId: string }) => sessionId)).toContain(target);

    // A bearer token has no session of its own.
    expect(await endOthers(writer)).toEqual({ status: 200, ended: 1, notAllowed: 1 });
    expect(await endOthers(adminKey, {}, '?organization=crowd')).toEqual({ status: 200, ended: 1, notAllowed: 0 });
    expect(await states()).toEqual([ended, ended, ended, ended, lives]);
    expect(await endOthers(writer)).toEqual({ status: 200, ended: 0, notAllowed: 0 });
  });

  test('end at once with their key, and leave the list', async () => {
    const { key, secret } = await keyWith();
    const cookie = cookieOf(await request('POST', '/v1/session', undefined, secret, dashboard));
    const listed = async () => (await sessions(adminKey)).some(({ keyId }: { keyId: string }) => keyId === key.id);
    expect(await listed()).toBe(true);
    expect((await request('DELETE', `/v1/keys/${key.id}`)).status).toBe(204);
    expect([await account(cookie), await listed()]).toEqual(['KeyUnknown', false]);
  });
});
