// Every route of the whole API that asks for an admin key, as its description lists them.
import { expect, test } from 'vitest';
import { scopes, type Scope } from '../../../server/http/key.ts';
import { roleNames, roles, type Role } from '../../../server/members/roles.ts';
import { openTestServer } from '../support/services.ts';

const { services, clock, request, keyOf, adminKey, keyWith } = await openTestServer();

interface Operation {
  description: string;
  security?: Record<string, string[]>[];
}
type Route = readonly [method: string, path: string, scope: Scope];
const description = (await (await request('GET', '/openapi.json', undefined, null)).json()) as {
  paths: Record<string, Record<string, Operation>>;
};
const guarded: Route[] = Object.entries(description.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    .filter(([, { security }]) => security?.length && security.every((scheme) => 'adminKey' in scheme))
    .map(
      ([method, { security }]) =>
        [method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'manual'), security![0]!.adminKey![0] as Scope] as const,
    ),
);

test('covers all parts of the API', () => {
  expect(guarded.length).toBeGreaterThan(20);
  for (const path of ['/v1/keys', '/v1/sites', '/v1/organizations', '/v1/static-export/jobs', '/v1/webhooks']) {
    const methods = guarded.filter((route) => route[1] === path).map(([method]) => method);
    expect(methods).toEqual(expect.arrayContaining(path === '/v1/sites' ? ['GET'] : ['GET', 'POST']));
  }
  for (const scope of scopes) expect(guarded.some((route) => route[2] === scope)).toBe(true);
});

const send = async (
  [method, path]: readonly [string, string, ...unknown[]],
  key: string | null,
  headers?: Record<string, string>,
) => {
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : undefined;
  const answer = await request(method, path, body, key, headers);
  const { error, code, requestId } = await answer.json();
  expect(typeof error).toBe('string');
  expect(answer.headers.get('x-request-id')).toBe(requestId);
  return { status: answer.status, code };
};

test.each(guarded)('%s %s requires a valid admin key', async (...route) => {
  expect(await send(route, null)).toEqual({ status: 401, code: 'KeyMissing' });
  expect(await send(route, null, { authorization: 'Basic eDp5' })).toEqual({ status: 401, code: 'KeyMissing' });
  expect(await send(route, 'svc_nonsense')).toEqual({ status: 401, code: 'KeyUnknown' });
  expect(await send(route, `svc_${'a'.repeat(43)}`)).toEqual({ status: 401, code: 'KeyUnknown' });

  const assistant = await keyWith({ kind: 'assistant', domains: ['manual'] });
  expect(await send(route, assistant.secret)).toEqual({ status: 403, code: 'KeyNotAdmin' });
  const revoked = await keyWith({ scopes: ['operator'] });
  await services.keys.revoke('default', revoked.key.id);
  expect(await send(route, revoked.secret)).toEqual({ status: 401, code: 'KeyUnknown' });
  const elsewhere = await keyWith({ scopes: ['operator'], addresses: ['198.51.100.1'] });
  expect(await send(route, elsewhere.secret)).toEqual({ status: 403, code: 'AddressNotAllowed' });
  const expired = await keyWith({ scopes: ['operator'], expiresAt: new Date(clock.now) });
  expect(await send(route, expired.secret)).toEqual({ status: 401, code: 'KeyExpired' });
});

const host = 'api.example.com';
const dashboard = { host, 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
const operator = (await services.keys.find(adminKey))!;
const noLink = async () => {};
const members = await Promise.all(
  roleNames.map(async (role) => {
    const person = { organization: 'default', email: `${role}@example.com`, name: role, role };
    return (await services.members.invite(operator, person, noLink)).member;
  }),
);
/** For each request another session: some routes end them. */
const sessionOf = async (role: Role) => {
  const { token } = await services.sessions.create(members[roleNames.indexOf(role)]!, { address: '', agent: '' });
  return { ...dashboard, cookie: `carrel-session=${token}` };
};

const refused = (text: string) => /"code":"(?:ScopeMissing|KeyMissing|KeyUnknown|KeyNotAdmin|SessionUnknown)"/.exec(text)?.[0];

test.each(guarded)('%s %s is open to the scope %s, to the roles that have it, and to none below', async (method, path, scope) => {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const answers: [who: string, status: number, refusal: string | undefined][] = [];
  for (const role of roleNames) {
    const { secret } = await keyWith({ scopes: [roles[role]] });
    const answer = await request(method, path, body, secret);
    answers.push([`key ${role}`, answer.status, refused(await answer.text())]);
    const byMember = await request(method, path, body, null, await sessionOf(role));
    answers.push([role, byMember.status, refused(await byMember.text())]);
  }
  const isBelow = (who: string) => roleNames.indexOf(who.replace('key ', '') as Role) < scopes.indexOf(scope);
  const below = answers.filter(([who]) => isBelow(who));
  expect(below).toEqual(below.map(([who]) => [who, 403, '"code":"ScopeMissing"']));
  // A key has no passkeys, and a session makes no link that would outlive it.
  const isPersonal = path.startsWith('/v1/passkey') || path === '/v1/session-links';
  const above = answers.filter(([who]) => !isBelow(who) && !isPersonal);
  expect(above.filter(([, status, code]) => code !== undefined || status >= 500)).toEqual([]);
});

test('an editor of a site may call what says so for that site, and no other route that a viewer may not', async () => {
  const person = { organization: 'default', email: 'of-site@example.com', name: 'Of a site', role: 'viewer' as const };
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  expect((await request('PUT', '/v1/sites/edited.example.com', { source })).status).toBe(200);
  const { member } = await services.members.invite(operator, { ...person, editorOf: ['edited.example.com'] }, noLink);
  const { token } = await services.sessions.create(member, { address: '', agent: '' });
  const headers = { ...dashboard, cookie: `carrel-session=${token}` };
  const open: string[] = [];
  const closed: unknown[][] = [];
  for (const [method, path] of guarded.filter((route) => scopes.indexOf(route[2]) > 0)) {
    const job = await services.jobs.create({ organization: 'default', domain: 'edited.example.com', request: {} });
    const named = path.replace('/sites/manual', '/sites/edited.example.com').replace('/jobs/manual', `/jobs/${job.id}`);
    const body = method === 'GET' || method === 'DELETE' ? undefined : { domain: 'edited.example.com' };
    const answer = await request(method, named, body, null, headers);
    const refusal = refused(await answer.text());
    if (refusal === undefined) open.push(`${method} ${path}`);
    else closed.push([method, path, answer.status, refusal]);
  }
  expect(closed).toEqual(closed.map(([method, path]) => [method, path, 403, '"code":"ScopeMissing"']));
  const described = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, operation]) => operation.description.includes('Editors of the site may'))
      .map(([method]) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, 'manual')}`),
  );
  expect(open.toSorted()).toEqual(described.toSorted());
  expect(open.length).toBeGreaterThan(10);
  expect(open).not.toContain('DELETE /v1/sites/manual');
});

const writing = guarded.filter(([method, path]) => method !== 'GET' && path !== '/v1/session-links');

test('whatever changes something of the organization needs more than reading', () => {
  expect(writing.length).toBeGreaterThan(20);
  const own = writing.filter((route) => route[2] === 'read').map(([method, path]) => `${method} ${path}`);
  expect(own.toSorted()).toEqual([
    'DELETE /v1/passkeys/manual',
    'DELETE /v1/sessions/manual',
    'POST /v1/passkey-options',
    'POST /v1/passkeys',
    'POST /v1/reader-codes',
  ]);
});

test.each(writing)('%s %s ignores the cookie of a session that a page of another origin sends', async (...route) => {
  const { secret } = await keyWith({ scopes: ['operator'] });
  const signedIn = await request('POST', '/v1/session', undefined, secret, { host });
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
  const own = { host, cookie, origin: `http://${host}`, 'x-carrel-session': '1' };
  expect((await request('GET', '/v1/account', undefined, null, own)).status).toBe(200);
  // A form or an image of another page sends the cookie, but can't set the header.
  expect(await send(route, null, { host, cookie })).toEqual({ status: 401, code: 'KeyMissing' });
  const foreign = { status: 403, code: 'OriginNotAllowed' };
  expect(await send(route, null, { ...own, origin: 'http://sites.example.com' })).toEqual(foreign);
  expect(await send(route, null, { ...own, 'sec-fetch-site': 'same-site' })).toEqual(foreign);
});

test('a change of the plan applies to the next export', async () => {
  const key = await keyOf('team', ['write']);
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  expect((await request('PUT', '/v1/sites/docs.example.com', { source }, key)).status).toBe(200);
  const start = async () => (await request('POST', '/v1/static-export/jobs', { domain: 'docs.example.com' }, key)).status;
  const setPlan = (plan: string) => request('PATCH', '/v1/organizations/team', { plan });
  expect(await start()).toBe(202);
  await setPlan('standard');
  expect(await start()).toBe(403);
  await setPlan('enterprise');
  expect(await start()).toBe(202);
});
