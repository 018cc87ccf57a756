// Signing in through an OpenID Connect provider: the way there and back with a real one, and what a wrong one could say.
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';
import {
  accountAt as accountOf,
  begin,
  browser,
  clientId,
  comeBack,
  listen,
  optionsFor,
  people,
  startProvider,
  through,
  who,
} from './provider.ts';

const server = await openTestServer(optionsFor(await startProvider()));
const accountAt = (url: URL) => accountOf(server, url);

async function signIn(id: string, to = ''): Promise<URL> {
  who.id = id;
  const { url, cookie } = await begin(server, to);
  return comeBack(server, await through(url), cookie);
}

describe('a person of the provider', () => {
  test('becomes a member, with role and groups by its claims, and stays the same one', async () => {
    const url = await signIn('ada');
    expect(url.origin + url.pathname + url.search).toBe('http://api.example.com/dashboard');
    const { member } = await accountAt(url);
    expect(member).toMatchObject({ email: 'ada@example.com', name: 'Ada', role: 'owner', groups: ['docs-admins', 'partner'] });
    people.ada = { ...people.ada, email: 'lovelace@example.com', groups: ['docs-team'] };
    const later = await accountAt(await signIn('ada'));
    expect(later.member).toMatchObject({
      memberId: member.memberId,
      email: 'lovelace@example.com',
      role: 'editor',
      groups: ['docs-team'],
    });
    const { entries } = await (await server.request('GET', `/v1/audit?key=${member.memberId}`)).json();
    expect(entries.map(({ event }: { event: string }) => event)).toEqual([
      'session.create',
      'member.identify',
      'session.create',
      'member.identify',
    ]);
  });

  test('gets the role of their address without one of a group, which members from before keep theirs over', async () => {
    expect((await accountAt(await signIn('bo'))).member).toMatchObject({ role: 'viewer', name: 'bo' });
    const { members } = await (await server.request('GET', '/v1/members?text=bo@')).json();
    await server.request('PATCH', `/v1/members/${members[0].memberId}`, { role: 'editor' });
    expect((await accountAt(await signIn('bo'))).member.role).toBe('editor');
    expect((await accountAt(await signIn('cy'))).member.role).toBe('editor');
  });

  test('who was invited before is the same member', async () => {
    people.gus = { email: 'gus@example.com', email_verified: true, name: 'Gus', groups: ['docs-team'] };
    const { member } = await (await server.request('POST', '/v1/members', { email: 'gus@example.com', role: 'viewer' })).json();
    expect((await accountAt(await signIn('gus'))).member).toMatchObject({ memberId: member.memberId, role: 'editor' });
    // Another account with the same address is someone else.
    people.impostor = people.gus;
    expect((await signIn('impostor')).hash).toBe('#refused=OidcDenied');
  });

  test.each(['di', 'ed', 'fay'])('%s has no role, no verified address or no address, and is refused', async (id) => {
    expect((await signIn(id)).hash).toBe('#refused=OidcDenied');
    const { members } = await (await server.request('GET', `/v1/members?text=${id}@`)).json();
    expect(members).toEqual([]);
  });

  test('loses a role with the group that gave it, and is no member without any', async () => {
    people.hal = { email: 'hal@example.com', email_verified: true, groups: ['docs-admins', 'partner'] };
    const { session, member } = await accountAt(await signIn('hal'));
    people.hal = { ...people.hal, groups: undefined };
    // Of the domain; nothing is said of groups.
    expect((await accountAt(await signIn('hal'))).member).toMatchObject({ role: 'viewer', groups: ['docs-admins', 'partner'] });
    people.hal = { ...people.hal, email: 'hal@elsewhere.test' };
    expect((await signIn('hal')).hash).toBe('#refused=OidcDenied');
    expect((await server.request('GET', '/v1/account', undefined, null, session)).status).toBe(401);
    expect((await (await server.request('GET', '/v1/members?text=hal')).json()).members).toEqual([]);
    people.hal = { ...people.hal, groups: ['docs-team'] };
    expect((await accountAt(await signIn('hal'))).member.memberId).not.toBe(member.memberId);
  });

  test('what others made for a member before the first sign-in ends with it', async () => {
    const { member, link } = await (await server.request('POST', '/v1/members', { email: 'ivy@example.com' })).json();
    const before = await accountAt(new URL(link.url));
    people.ivy = { email: 'ivy@example.com', email_verified: true, groups: ['docs-admins'] };
    expect((await accountAt(await signIn('ivy'))).member).toMatchObject({ memberId: member.memberId, role: 'owner' });
    expect((await server.request('GET', '/v1/account', undefined, null, before.session)).status).toBe(401);
  });

  test('comes back to where they began, on the dashboard alone', async () => {
    expect((await signIn('ada', '?read=docs.test&state=1')).search).toBe('?read=docs.test&state=1');
    for (const to of ['//evil.test', '?a#b', '@evil.test', '?\r\nx: y'])
      expect((await signIn('ada', to)).href).toMatch(/^http:\/\/api\.example\.com\/dashboard#link=[\w-]{43}$/);
  });
});

test('an answer of the provider works once, and in the browser that asked', async () => {
  const [first, second] = [await begin(server), await begin(server)];
  const query = await through(first.url);
  const failed = '#refused=OidcFailed';
  expect((await comeBack(server, query, '')).hash).toBe(failed);
  expect((await comeBack(server, query, second.cookie)).hash).toBe(failed);
  expect((await comeBack(server, '?error=access_denied', first.cookie)).hash).toBe(failed);
  expect((await comeBack(server, query, first.cookie)).hash).toMatch(/^#link=/);
  expect((await comeBack(server, query, first.cookie)).hash).toBe(failed);
  for (const junk of ['', '?code=x', `?state=${'x'.repeat(5000)}`])
    expect((await comeBack(server, junk, second.cookie)).hash).toBe(failed);
});

test('while the provider is away, the page says so, and other ways work', async () => {
  const away = await openTestServer(optionsFor('http://127.0.0.1:9'));
  const answer = await away.request('GET', '/v1/oidc?to=%3Fa', undefined, null);
  expect(answer.headers.get('location')).toBe('http://api.example.com/dashboard?a#refused=OidcUnavailable');
  const { link } = await (await away.request('POST', '/v1/members', { email: 'a@example.com' })).json();
  const headers = { ...browser, 'x-carrel-session-link': link.url.split('#link=')[1] };
  expect((await away.request('POST', '/v1/session', undefined, null, headers)).status).toBe(201);
});

test('without a provider, there is no such way', async () => {
  const without = await openTestServer();
  expect((await without.request('GET', '/v1/oidc', undefined, null)).status).toBe(404);
  expect((await without.request('GET', '/v1/oidc/callback?code=x', undefined, null)).status).toBe(404);
});

describe('a token is refused', async () => {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const { privateKey: otherKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: '1' };
  let token = '';
  const fake = await listen((request, response) => {
    const { pathname } = new URL(request.url!, 'http://fake');
    const answers: Record<string, object> = {
      '/.well-known/openid-configuration': {
        ...{ issuer: fake, authorization_endpoint: `${fake}/auth`, token_endpoint: `${fake}/token`, jwks_uri: `${fake}/keys` },
        ...{ response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] },
      },
      '/keys': { keys: [jwk] },
      '/token': { access_token: 'x', token_type: 'bearer', id_token: token },
    };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[pathname] ?? {}));
  });
  const elsewhere = await openTestServer(optionsFor(fake));
  const attempt = async (changes: Record<string, unknown>, key = privateKey, alg = 'RS256') => {
    const { url, cookie } = await begin(elsewhere);
    const { searchParams } = new URL(url);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    const seconds = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: fake, aud: clientId, sub: 'ada', iat: seconds, exp: seconds + 60, nonce: searchParams.get('nonce') },
      ...{ email: 'ada@example.com', email_verified: true, groups: ['docs-admins'] },
      ...changes,
    };
    token = await new SignJWT(claims).setProtectedHeader({ alg, kid: '1' }).sign(key);
    return (await comeBack(elsewhere, `?code=1&state=${searchParams.get('state')}`, cookie)).hash;
  };

  test('unless it is right', async () => {
    expect(await attempt({})).toMatch(/^#link=/);
  });

  test.each<[string, () => Record<string, unknown>]>([
    ['of another issuer', () => ({ iss: 'https://evil.test' })],
    ['for another client', () => ({ aud: 'other' })],
    ['for several clients, of which another one asked', () => ({ aud: [clientId, 'other'], azp: 'other' })],
    ['that has expired, by a clock five minutes off', () => ({ exp: Math.floor(Date.now() / 1000) - 300 })],
    ['of another sign-in', () => ({ nonce: 'other' })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['without a subject', () => ({ sub: undefined })],
  ])('%s', async (_what, changes) => {
    expect(await attempt(changes())).toBe('#refused=OidcFailed');
  });

  test.each<[string, Record<string, unknown>]>([
    ['is not said to be verified, and has a member', { email_verified: undefined }],
    ['is verified in no way', { email_verified: 'false' }],
    ['is verified in a strange way', { email_verified: 1 }],
    ['has a letter of another alphabet that becomes ours', { email: 'mar\u212a@bank.test' }],
    ['is several', { email: 'mark@bank.test,x@example.com' }],
    ['contains NUL', { email: 'mark\0@bank.test' }],
  ])('whose address %s', async (_what, changes) => {
    await elsewhere.request('POST', '/v1/members', { email: 'mark@bank.test', role: 'operator' });
    expect(await attempt({ sub: 'mark', email: 'mark@bank.test', ...changes })).toBe('#refused=OidcDenied');
  });

  test.each(['a\0b', 'a'.repeat(6000), ''])('with a subject that cannot be stored: %j', async (sub) => {
    expect(await attempt({ sub })).toBe('#refused=OidcFailed');
  });

  test('in which a group is named as a domain of the roles, or as everyone', async () => {
    const claims = { sub: 'jo', email: 'jo@elsewhere.test', groups: ['@example.com', '*'] };
    expect(await attempt(claims)).toBe('#refused=OidcDenied');
    const unverified = { sub: 'kim', email: 'kim@example.com', email_verified: undefined, groups: [] };
    expect(await attempt(unverified)).toBe('#refused=OidcDenied');
    const many = Array.from({ length: 500 }, (_, at) => `g${at}`);
    expect(await attempt({ sub: 'lee', email: 'lee@elsewhere.test', groups: [...many, 'docs-team'] })).toMatch(/^#link=/);
  });

  test('with the signature of another key', async () => {
    expect(await attempt({}, otherKey)).toBe('#refused=OidcFailed');
  });
});
