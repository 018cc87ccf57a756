import { expect, test } from 'vitest';
import { dump } from '../../../server/database/backup.ts';
import { openTestServer } from '../support/services.ts';
import { softPasskey, type SoftPasskey } from './soft-passkey.ts';

const { services, clock, request } = await openTestServer();
const origin = 'http://api.example.com';
const browser = { host: 'api.example.com', origin, 'x-carrel-session': 'browser 1', 'sec-fetch-site': 'same-origin' };
type Headers = Record<string, string>;

const codeOf = async (answer: Response): Promise<[number, string]> => [answer.status, (await answer.json()).code];
const cookieOf = (answer: Response) => answer.headers.get('set-cookie')!.split(';')[0]!;
let people = 0;

async function member(): Promise<{ id: string; headers: Headers }> {
  const { member: made, link } = await (await request('POST', '/v1/members', { email: `p${people++}@example.com` })).json();
  const headers = { ...browser, 'x-carrel-session-link': link.url.split('#link=')[1]! };
  const answer = await request('POST', '/v1/session', undefined, null, headers);
  return { id: made.memberId, headers: { ...browser, cookie: cookieOf(answer) } };
}
const optionsFor = async (path: string, headers: Headers) => {
  const answer = await request('POST', path, undefined, null, headers);
  expect(answer.status).toBe(201);
  return answer.json();
};
const add = async (headers: Headers, passkey: SoftPasskey, changes?: object, options?: { challenge: string; rp: object }) => {
  const given = options ?? (await optionsFor('/v1/passkey-options', headers));
  return request('POST', '/v1/passkeys', { name: 'Laptop', credential: passkey.create(given, changes) }, null, headers);
};
const signIn = async (passkey: SoftPasskey, changes?: object, headers: Headers = browser, options?: { challenge: string }) => {
  const given = options ?? (await optionsFor('/v1/session/passkey-options', headers));
  return request('POST', '/v1/session/passkey', { credential: passkey.get(given, changes) }, null, headers);
};

test('a member adds a passkey, signs in with it, and removes it', async () => {
  const { id, headers } = await member();
  const passkey = softPasskey(origin);
  const added = await (await add(headers, passkey)).json();
  expect(added).toMatchObject({ passkeyId: passkey.id, name: 'Laptop', lastUsedAt: null });
  expect((await optionsFor('/v1/passkey-options', headers)).excludeCredentials).toMatchObject([{ id: passkey.id }]);
  expect((await request('DELETE', '/v1/session', undefined, null, headers)).status).toBe(204);

  const answer = await signIn(passkey);
  expect(answer.status).toBe(201);
  const again = { ...browser, cookie: cookieOf(answer) };
  expect((await (await request('GET', '/v1/account', undefined, null, again)).json()).member.memberId).toBe(id);
  const { passkeys } = await (await request('GET', '/v1/passkeys', undefined, null, again)).json();
  expect(passkeys).toEqual([{ ...added, lastUsedAt: new Date(clock.now).toISOString() }]);
  expect((await request('DELETE', `/v1/passkeys/${passkey.id}`, undefined, null, again)).status).toBe(204);
  expect(await codeOf(await request('DELETE', `/v1/passkeys/${passkey.id}`, undefined, null, again))).toEqual([
    404,
    'PasskeyIdUnknown',
  ]);
  expect(await codeOf(await signIn(passkey))).toEqual([401, 'PasskeyUnknown']);
  const { entries } = await (await request('GET', `/v1/audit?key=${id}`)).json();
  expect(entries.map(({ event, target }: { event: string; target: string }) => [event, target])).toEqual([
    ['passkey.remove', 'Laptop'],
    ['session.create', expect.stringMatching(/^ses_/)],
    ['session.end', expect.stringMatching(/^ses_/)],
    ['passkey.add', 'Laptop'],
    ['session.create', expect.stringMatching(/^ses_/)],
  ]);
});

test('the passkey of a member who was removed signs no one in', async () => {
  const { id, headers } = await member();
  const passkey = softPasskey(origin);
  await add(headers, passkey);
  const options = await optionsFor('/v1/session/passkey-options', browser);
  await request('DELETE', `/v1/members/${id}`);
  expect(await codeOf(await signIn(passkey, {}, browser, options))).toEqual([401, 'PasskeyUnknown']);
});

test('a challenge works once, for five minutes, for the browser and the purpose that it was made for', async () => {
  const { headers } = await member();
  const passkey = softPasskey(origin);
  const creation = await optionsFor('/v1/passkey-options', headers);
  const invalid = [400, 'PasskeyInvalid'];
  const { headers: others } = await member();
  expect(await codeOf(await add(others, passkey, {}, creation))).toEqual(invalid);
  const signInOptions = await optionsFor('/v1/session/passkey-options', browser);
  expect(await codeOf(await add(headers, passkey, {}, { ...creation, challenge: signInOptions.challenge }))).toEqual(invalid);
  expect((await add(headers, passkey, {}, creation)).status).toBe(201);
  expect(await codeOf(await add(headers, softPasskey(origin), {}, creation))).toEqual(invalid);

  const unknown = [401, 'PasskeyUnknown'];
  const options = () => optionsFor('/v1/session/passkey-options', browser);
  const elsewhere = { ...browser, 'x-carrel-session': 'browser 2' };
  expect(await codeOf(await signIn(passkey, {}, elsewhere, await options()))).toEqual(unknown);
  const late = await options();
  clock.now += 5 * 60_000;
  expect(await codeOf(await signIn(passkey, {}, browser, late))).toEqual(unknown);
  const used = await options();
  const both = await Promise.all([signIn(passkey, {}, browser, used), signIn(passkey, {}, browser, used)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401]);
});

test('what an authenticator signs must fit the page, the person and the order of signatures', async () => {
  const { headers } = await member();
  const passkey = softPasskey(origin);
  const invalid = [400, 'PasskeyInvalid'];
  expect(await codeOf(await add(headers, passkey, { origin: 'http://sites.example.com' }))).toEqual(invalid);
  expect(await codeOf(await add(headers, passkey, { verified: false }))).toEqual(invalid);
  expect((await add(headers, passkey, { counter: 5 })).status).toBe(201);
  const unknown = [401, 'PasskeyUnknown'];
  expect(await codeOf(await signIn(passkey, { origin: 'http://sites.example.com', counter: 6 }))).toEqual(unknown);
  expect(await codeOf(await signIn(passkey, { verified: false, counter: 6 }))).toEqual(unknown);
  expect((await signIn(passkey, { counter: 6 })).status).toBe(201);
  // A copy of the authenticator has an older counter.
  expect(await codeOf(await signIn(passkey, { counter: 6 }))).toEqual(unknown);
  const signed = await Promise.all([
    optionsFor('/v1/session/passkey-options', browser),
    optionsFor('/v1/session/passkey-options', browser),
  ]);
  const atOnce = await Promise.all(signed.map((given) => signIn(passkey, { counter: 7 }, browser, given)));
  expect(atOnce.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 401]);
  const impostor = { ...softPasskey(origin), id: passkey.id };
  const options = await optionsFor('/v1/session/passkey-options', browser);
  const credential = { ...impostor.get(options, { counter: 8 }), id: passkey.id, rawId: passkey.id };
  expect(await codeOf(await request('POST', '/v1/session/passkey', { credential }, null, browser))).toEqual(unknown);
});

test('pages of other origins, keys and nonsense are refused', async () => {
  const { headers } = await member();
  const foreign = { ...browser, origin: 'http://sites.example.com', 'sec-fetch-site': 'same-site' };
  for (const path of ['/v1/session/passkey-options', '/v1/session/passkey'])
    expect((await request('POST', path, path.endsWith('s') ? undefined : {}, null, foreign)).status).toBeGreaterThan(399);
  expect(await codeOf(await request('POST', '/v1/session/passkey-options', undefined, null, foreign))).toEqual([
    403,
    'OriginNotAllowed',
  ]);
  expect(await codeOf(await request('POST', '/v1/passkey-options'))).toEqual([403, 'KeyNotMember']);
  const options = await optionsFor('/v1/passkey-options', headers);
  const right = softPasskey(origin).create(options) as { response: object };
  const wrongs = [
    { ...right, response: { clientDataJSON: '', attestationObject: '' } },
    { ...right, response: { ...right.response, attestationObject: 'oA' } },
    { ...right, response: { ...right.response, clientDataJSON: '%' } },
    { ...right, id: 'other' },
  ];
  for (const id of ['a\0', '\ud800', '', 'a b', 'a'.repeat(20_001)]) {
    const answer = await request('POST', '/v1/session/passkey', { credential: { ...right, id, rawId: id } }, null, browser);
    expect([answer.status, (await answer.json()).code]).toEqual([400, 'RequestInvalid']);
  }
  for (const credential of wrongs) {
    const answer = await request('POST', '/v1/passkeys', { name: 'x', credential }, null, headers);
    expect(await codeOf(answer)).toEqual([400, 'PasskeyInvalid']);
  }
});

test('a member has at most 20 passkeys, and the same one once', async () => {
  const { headers } = await member();
  const first = softPasskey(origin);
  expect((await add(headers, first)).status).toBe(201);
  const limit = [409, 'PasskeyLimit'];
  expect(await codeOf(await add(headers, first))).toEqual(limit);
  const spare = await optionsFor('/v1/passkey-options', headers);
  for (let at = 1; at < 20; at++) expect((await add(headers, softPasskey(origin))).status).toBe(201);
  expect(await codeOf(await add(headers, softPasskey(origin), {}, spare))).toEqual(limit);
  expect(await codeOf(await request('POST', '/v1/passkey-options', undefined, null, headers))).toEqual(limit);
});

test('challenges are stored as hashes, outside backups, and go with their time', async () => {
  const { challenge } = await optionsFor('/v1/session/passkey-options', browser);
  const rows = await services.database.query('select * from carrel.challenges');
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain(challenge);
  let backup = '';
  await dump(services.database, async (text) => void (backup += text));
  expect(backup).toContain('insert into carrel.passkeys');
  expect(backup).not.toContain('insert into carrel.challenges');
  clock.now += 5 * 60_000;
  await services.passkeys.removeOld();
  expect(await services.database.query('select * from carrel.challenges')).toEqual([]);
});
