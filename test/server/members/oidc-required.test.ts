// An organization whose members have to sign in through its provider; a test sign-in; signing out there. The provider is a real one.
import { expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';
import {
  accountAt,
  begin,
  browser,
  comeBack,
  cookieIn,
  openLink,
  optionsFor,
  people,
  startProvider,
  through,
  who,
} from './provider.ts';
import { softPasskey, type SoftPasskey } from './soft-passkey.ts';

type Headers = Record<string, string>;
const issuer = await startProvider();
const server = await openTestServer(optionsFor(issuer));
const { request, keyOf } = server;

const read = async (answer: Response) => ({ status: answer.status, ...(await answer.json().catch(() => ({}))) });
const require = async (required: boolean, headers?: Headers, key?: string) =>
  read(await request('PATCH', '/v1/oidc/settings', { required }, headers ? null : key, headers));
const invite = async (email: string, role: string) => read(await request('POST', '/v1/members', { email, role }));
const account = async (headers: Headers) => (await request('GET', '/v1/account', undefined, null, headers)).status;
const signIn = async (id: string) => {
  who.id = id;
  const { url, cookie } = await begin(server);
  return comeBack(server, await through(url), cookie);
};
/** The session of an invited member, and their new passkey. */
const invited = async (email: string, role: string): Promise<{ session: Headers; passkey: SoftPasskey }> => {
  const { session } = await accountAt(server, new URL((await invite(email, role)).link.url));
  const passkey = softPasskey('http://api.example.com');
  const options = await read(await request('POST', '/v1/passkey-options', undefined, null, session));
  const added = await request('POST', '/v1/passkeys', { name: 'p', credential: passkey.create(options) }, null, session);
  expect(added.status).toBe(201);
  return { session, passkey };
};
const usePasskey = async (passkey: SoftPasskey) => {
  const options = await read(await request('POST', '/v1/session/passkey-options', undefined, null, browser));
  return read(await request('POST', '/v1/session/passkey', { credential: passkey.get(options) }, null, browser));
};
const refused = { status: 403, code: 'OidcRequired' };

test('a provider that has signed no one in cannot be required, nor one of another organization', async () => {
  expect(await require(true)).toMatchObject({ status: 409, code: 'OidcUntried' });
  expect(await require(false)).toMatchObject({ status: 200, required: false });
  expect(await require(true, undefined, await keyOf('other', ['owner']))).toMatchObject({ status: 404, code: 'OidcOff' });
  expect(await require(true, undefined, await keyOf('default', ['write']))).toMatchObject({ status: 403, code: 'ScopeMissing' });
});

test('while it is required, only owners also have their passkeys, and keys are as before', async () => {
  const [editor, owner] = [await invited('ed@example.com', 'editor'), await invited('owner@example.com', 'owner')];
  const demoted = await invited('former@example.com', 'owner');
  const [waiting, ownLink] = [await invite('late@example.com', 'viewer'), await invite('boss@example.com', 'owner')];
  const { session } = await accountAt(server, await signIn('ada'));
  expect(await require(true, session)).toEqual({ status: 200, required: true });

  expect([await account(editor.session), await account(owner.session), await account(session)]).toEqual([401, 200, 200]);
  const { sessions } = await read(await request('GET', '/v1/sessions'));
  expect(sessions.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Ada', 'former', 'owner']);
  expect(await usePasskey(editor.passkey)).toMatchObject(refused);
  expect((await usePasskey(owner.passkey)).status).toBe(201);
  for (const { link } of [waiting, ownLink]) expect(await read(await openLink(server, link.url))).toMatchObject(refused);
  const { memberId } = waiting.member;
  expect(await read(await request('POST', `/v1/members/${memberId}/session-links`))).toMatchObject(refused);
  expect(await invite('new@example.com', 'viewer')).toMatchObject({ status: 201, mailed: false, link: null });
  const { url } = await read(await request('POST', '/v1/session-links'));
  expect((await openLink(server, url)).status).toBe(201);
  expect((await accountAt(server, await signIn('bo'))).member.role).toBe('viewer');

  // Who is no owner any more loses the session that only an owner may have.
  const { members } = await read(await request('GET', '/v1/members?text=former'));
  await request('PATCH', `/v1/members/${members[0].memberId}`, { role: 'editor' });
  expect(await account(demoted.session)).toBe(401);

  expect(await require(false, owner.session)).toMatchObject({ required: false });
  // What has ended does not come back.
  expect([await account(editor.session), await account(demoted.session)]).toEqual([401, 401]);
  expect((await usePasskey(editor.passkey)).status).toBe(201);
  expect((await openLink(server, waiting.link.url)).status).toBe(201);
  const { entries } = await read(await request('GET', '/v1/audit?event=oidc.update'));
  expect(entries.map(({ name, target }: { name: string; target: string }) => [name, target])).toEqual([
    ['owner', 'optional'],
    ['Ada', 'required'],
    ['test', 'optional'],
  ]);
});

test('a server without the provider, or with one of another organization, requires nothing', async () => {
  const elsewhere = await openTestServer({ ...optionsFor(issuer), oidcOrganization: 'other' });
  await elsewhere.services.database.query('update carrel.organizations set oidc_required = true');
  const { link } = await read(await elsewhere.request('POST', '/v1/members', { email: 'a@example.com' }));
  const { session } = await accountAt(elsewhere, new URL(link.url));
  const found = await read(await elsewhere.request('GET', '/v1/account', undefined, null, session));
  expect([found.status, found.oidc]).toEqual([200, null]);
});

test('a link says whom it signs in, and stays unused', async () => {
  const { link } = await invite('zoe@example.com', 'viewer');
  const headers = { ...browser, 'x-carrel-session-link': link.url.split('#link=')[1]! };
  const peek = () => request('GET', '/v1/session-link', undefined, null, headers);
  const subject = { status: 200, name: 'zoe', email: 'z…@example.com', organization: 'default' };
  expect([await read(await peek()), await read(await peek())]).toEqual([subject, subject]);
  expect((await openLink(server, link.url)).status).toBe(201);
  expect(await read(await peek())).toMatchObject({ status: 401, code: 'SessionLinkInvalid' });
});

/** A test sign-in of this person, as an owner asks for it in their browser. */
async function tested(id: string, on = server) {
  who.id = id;
  const check = await on.request('POST', '/v1/oidc/check');
  const { problems, testUrl } = await check.json();
  expect(problems).toEqual([]);
  const back = await on.request('GET', `/v1/oidc/callback${await through(testUrl)}`, undefined, null, {
    cookie: cookieIn(check),
  });
  expect(back.headers.get('location')).toBe('http://api.example.com/dashboard?tab=members&oidc=tested');
  const headers = { authorization: `Bearer ${on.adminKey}`, cookie: cookieIn(back) };
  const result = await on.request('POST', '/v1/oidc/test-result', undefined, null, headers);
  expect(result.headers.get('set-cookie')).toContain('Max-Age=0');
  return { ...(await result.json()), again: () => on.request('POST', '/v1/oidc/test-result', undefined, null, headers) };
}
const rows = async () =>
  JSON.stringify([
    await server.services.database.query('select * from carrel.keys order by id'),
    await server.services.database.query('select * from carrel.session_links order by hash'),
    await server.services.database.query('select * from carrel.sessions order by hash'),
    await server.services.database.query('select * from carrel.audit order by id'),
  ]);

test('a test sign-in shows what the provider says and what follows, once, and changes nothing', async () => {
  people.tess = { email: 'Tess@Example.com', email_verified: true, name: 'Tess', groups: ['docs-team', 'partner'] };
  await request('GET', '/v1/account');
  const before = await rows();
  const { again, ...result } = await tested('tess');
  expect(result).toEqual({
    refusal: null,
    claims: { sub: 'tess', ...people.tess },
    role: 'editor',
    groups: ['docs-team', 'partner'],
  });
  expect(await read(await again())).toMatchObject({ claims: null, refusal: expect.stringContaining('invalid_grant') });
  expect(await tested('di')).toMatchObject({
    refusal: 'CARREL_OIDC_ROLES gives this person no role.',
    claims: { name: 'Di' },
    role: null,
  });
  expect(await tested('ed')).toMatchObject({
    refusal: expect.stringContaining('not verified'),
    claims: { email_verified: false },
  });
  expect(await rows()).toBe(before);
  expect(await read(await request('POST', '/v1/oidc/test-result'))).toMatchObject({
    refusal: expect.stringContaining('not begun'),
  });
});

test('a wrong secret of the client is seen when someone signs in', async () => {
  const wrong = await openTestServer({ ...optionsFor(issuer), oidcClientSecret: 'wrong' });
  const { refusal, claims } = await tested('ada', wrong);
  expect([refusal, claims]).toEqual([
    'The provider does not accept this client (invalid_client). Check CARREL_OIDC_CLIENT_ID and CARREL_OIDC_CLIENT_SECRET.',
    null,
  ]);
});

test('who signed in through the provider signs out there, too', async () => {
  const { session } = await accountAt(server, await signIn('ada'));
  const answer = await request('DELETE', '/v1/session', undefined, null, session);
  const { signOutUrl } = await answer.json();
  expect(answer.headers.get('set-cookie')).toContain('Max-Age=0');
  expect(await account(session)).toBe(401);
  const url = new URL(signOutUrl);
  expect([url.origin, Object.fromEntries(url.searchParams)]).toEqual([
    issuer,
    { client_id: 'carrel', post_logout_redirect_uri: 'http://api.example.com/dashboard' },
  ]);
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(`${issuer}/session/end/confirm`)]);
  const { link } = await invite('other@example.com', 'viewer');
  const byLink = await accountAt(server, new URL(link.url));
  expect((await request('DELETE', '/v1/session', undefined, null, byLink.session)).status).toBe(204);
});
