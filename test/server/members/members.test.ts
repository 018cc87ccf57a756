import { describe, expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';

const { services, clock, request, adminKey, keyOf, keyWith } = await openTestServer();
const host = 'api.example.com';
const browser = { host, 'x-carrel-session': '1', 'sec-fetch-site': 'same-origin' };
let people = 0;

interface Invited {
  member: { memberId: string; email: string; name: string; role: string; status: string; invitedBy: string };
  link: { url: string; expiresAt: string };
}
async function invite(more: object = {}, key: string | null = adminKey, headers?: Record<string, string>): Promise<Invited> {
  const answer = await request('POST', '/v1/members', { email: `person${people++}@example.com`, ...more }, key, headers);
  expect(answer.status).toBe(201);
  return answer.json();
}
const open = (url: string) =>
  request('POST', '/v1/session', undefined, null, { ...browser, 'x-carrel-session-link': url.split('#link=')[1]! });
async function signIn({ link }: Pick<Invited, 'link'>): Promise<Record<string, string>> {
  const answer = await open(link.url);
  expect(answer.status).toBe(201);
  return { ...browser, cookie: answer.headers.get('set-cookie')!.split(';')[0]! };
}
async function codeOf(answer: Response): Promise<[number, string | undefined]> {
  return [answer.status, answer.status === 204 ? undefined : (await answer.json()).code];
}
const as = (headers: Record<string, string>, method: string, path: string, body?: object) =>
  request(method, path, body, null, headers);

test('who is invited signs in by the link, once, and acts as themselves', async () => {
  const invited = await invite({ email: 'Ada@Example.com', name: 'Ada', role: 'editor' });
  const member = { email: 'ada@example.com', name: 'Ada', role: 'editor' };
  expect(invited.member).toMatchObject({ ...member, status: 'invited', invitedBy: 'test' });
  expect(Date.parse(invited.link.expiresAt) - clock.now).toBe(7 * 86_400_000);
  const ada = await signIn(invited);
  expect(await codeOf(await open(invited.link.url))).toEqual([401, 'SessionLinkInvalid']);

  const account = await (await as(ada, 'GET', '/v1/account')).json();
  expect(account.member).toMatchObject(member);
  const made = await (await as(ada, 'POST', '/v1/keys', { kind: 'admin', name: 'Of Ada' })).json();
  expect(made).toMatchObject({ createdBy: 'Ada', scopes: ['read', 'write'] });
  const { keys } = await (await as(ada, 'GET', '/v1/keys')).json();
  expect(keys).toContainEqual(expect.objectContaining({ name: 'Of Ada', createdBy: 'Ada' }));
  expect(JSON.stringify(keys)).not.toContain('mem_');
  const { entries } = await (await as(ada, 'GET', '/v1/audit')).json();
  expect(entries[0]).toMatchObject({ event: 'key.create', name: 'Ada', keyId: invited.member.memberId });
  expect(entries.at(-1)).toMatchObject({ event: 'member.invite', target: 'ada@example.com' });
  const { members } = await (await as(ada, 'GET', '/v1/members?text=ADA')).json();
  expect(members).toMatchObject([{ ...member, status: 'active' }]);
});

test('an invitation ends with its time, and a new link replaces those before it', async () => {
  const { member, link } = await invite();
  const next = await (await request('POST', `/v1/members/${member.memberId}/session-links`)).json();
  expect(await codeOf(await open(link.url))).toEqual([401, 'SessionLinkInvalid']);
  clock.now += 7 * 86_400_000;
  expect(await codeOf(await open(next.url))).toEqual([401, 'SessionLinkInvalid']);
  const last = await (await request('POST', `/v1/members/${member.memberId}/session-links`)).json();
  // Of two at once, one gets in.
  const statuses = await Promise.all([open(last.url), open(last.url)]).then((both) => both.map(({ status }) => status));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 401]);
});

test('the links and sessions of members are stored as hashes alone, and nobody has the secret of a member', async () => {
  const invited = await invite();
  const { cookie } = await signIn(invited);
  const rows = await Promise.all(
    ['keys', 'sessions', 'session_links'].map((table) => services.database.query(`select * from carrel.${table}`)),
  );
  const text = JSON.stringify(rows);
  expect(text).toContain(invited.member.memberId);
  for (const secret of [invited.link.url.split('#link=')[1]!, cookie!.split('=')[1]!]) expect(text).not.toContain(secret);
});

describe('roles', () => {
  test.each([
    ['viewer', 200, 403, 403, 403],
    ['editor', 200, 201, 403, 403],
    ['owner', 200, 201, 201, 403],
    ['operator', 200, 201, 201, 200],
  ])('%s', async (role, read, write, own, operate) => {
    const person = await signIn(await invite({ role }));
    const email = `by-${role}@example.com`;
    const answers = [
      await as(person, 'GET', '/v1/sites'),
      await as(person, 'POST', '/v1/keys', { kind: 'admin', name: role, scopes: ['read'] }),
      await as(person, 'POST', '/v1/members', { email }),
      await as(person, 'GET', '/v1/organizations'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([read, write, own, operate]);
    for (const answer of answers.filter(({ status }) => status === 403))
      expect(await answer.json()).toMatchObject({ code: 'ScopeMissing', error: expect.stringContaining('change your role') });
  });

  test('nobody gives, takes or signs in with more rights than their own', async () => {
    const owner = await signIn(await invite({ role: 'owner' }));
    const above = await invite({ role: 'operator' });
    const below = await invite();
    const refused = [403, 'ScopeMissing'];
    const path = `/v1/members/${above.member.memberId}`;
    expect(await codeOf(await as(owner, 'POST', '/v1/members', { email: 'x@example.com', role: 'operator' }))).toEqual(refused);
    expect(await codeOf(await as(owner, 'PATCH', `/v1/members/${below.member.memberId}`, { role: 'operator' }))).toEqual(refused);
    expect(await codeOf(await as(owner, 'PATCH', path, { role: 'viewer' }))).toEqual(refused);
    expect(await codeOf(await as(owner, 'DELETE', path))).toEqual(refused);
    expect(await codeOf(await as(owner, 'POST', `${path}/session-links`))).toEqual(refused);
    expect((await as(owner, 'PATCH', `/v1/members/${below.member.memberId}`, { role: 'owner' })).status).toBe(200);
  });

  test('a changed role and a removal count from the next request', async () => {
    const { member, link } = await invite({ role: 'editor' });
    const person = await signIn({ link });
    const path = `/v1/members/${member.memberId}`;
    const makeKey = async () => (await as(person, 'POST', '/v1/keys', { kind: 'admin', name: 'k', scopes: ['read'] })).status;
    expect((await request('PATCH', path, { role: 'viewer', name: 'New name' })).status).toBe(200);
    expect(await makeKey()).toBe(403);
    expect((await (await as(person, 'GET', '/v1/account')).json()).member).toMatchObject({ role: 'viewer', name: 'New name' });
    await request('PATCH', path, { role: 'editor' });
    expect(await makeKey()).toBe(201);

    const later = await (await request('POST', `${path}/session-links`)).json();
    expect((await request('DELETE', path)).status).toBe(204);
    expect(await codeOf(await as(person, 'GET', '/v1/account'))).toEqual([401, 'SessionUnknown']);
    expect(await codeOf(await open(later.url))).toEqual([401, 'SessionLinkInvalid']);
    expect(await codeOf(await request('DELETE', path))).toEqual([404, 'MemberUnknown']);
    expect((await (await request('GET', `/v1/members?text=${member.email}`)).json()).members).toEqual([]);
    // The same person may come back, as someone new.
    expect((await invite({ email: member.email })).member.memberId).not.toBe(member.memberId);
  });
});

describe('what an owner could use to become more', () => {
  const path = ({ member }: Invited) => `/v1/members/${member.memberId}`;

  test('a demotion holds, whatever its member sends at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const invited = await invite({ role: 'owner' });
      const person = await signIn(invited);
      await Promise.all([
        request('PATCH', path(invited), { role: 'viewer' }),
        ...Array.from({ length: 4 }, () => as(person, 'PATCH', path(invited), { role: 'owner' })),
      ]);
      expect((await (await as(person, 'GET', '/v1/account')).json()).member.role).toBe('viewer');
    }
  });

  test('who becomes an operator has no session, link or passkey from before', async () => {
    const invited = await invite();
    const person = await signIn(invited);
    const link = await (await request('POST', `${path(invited)}/session-links`)).json();
    expect((await request('PATCH', path(invited), { role: 'operator' })).status).toBe(200);
    expect(await codeOf(await as(person, 'GET', '/v1/account'))).toEqual([401, 'SessionUnknown']);
    expect(await codeOf(await open(link.url))).toEqual([401, 'SessionLinkInvalid']);
  });

  test('a link ends with the rights of who made it', async () => {
    const maker = await invite({ role: 'owner' });
    const owner = await signIn(maker);
    const [first, second] = [await invite({ role: 'owner' }, null, owner), await invite({}, null, owner)];
    await request('PATCH', path(maker), { role: 'editor' });
    const invalid = [401, 'SessionLinkInvalid'];
    expect(await codeOf(await open(first.link.url))).toEqual(invalid);
    expect((await open(second.link.url)).status).toBe(201);
    await request('PATCH', path(maker), { role: 'owner' });
    expect((await open(first.link.url)).status).toBe(201);
    const third = await invite({}, null, owner);
    await request('DELETE', path(maker));
    expect(await codeOf(await open(third.link.url))).toEqual(invalid);
  });

  test('a key with limits that members do not have manages none, and no session makes a link for itself', async () => {
    const invited = await invite();
    const limits = { scopes: ['owner' as const], expiresAt: new Date(clock.now + 60_000) };
    const { secret } = await keyWith({ name: 'k', ...limits });
    const answers = [
      await request('POST', '/v1/members', { email: 'x@example.com' }, secret),
      await request('PATCH', path(invited), { role: 'owner' }, secret),
      await request('POST', `${path(invited)}/session-links`, undefined, secret),
      await request('DELETE', path(invited), undefined, secret),
    ];
    for (const answer of answers) expect(await codeOf(answer)).toEqual([403, 'KeyTooStrong']);
    const owner = await invite({ role: 'owner' });
    const person = await signIn(owner);
    expect(await codeOf(await as(person, 'POST', `${path(owner)}/session-links`))).toEqual([403, 'LinkForSelf']);
  });
});

test('members end their own sessions, editors those of others, and all of them at once', async () => {
  const invited = await invite();
  const viewer = await signIn(invited);
  const link = await (await request('POST', `/v1/members/${invited.member.memberId}/session-links`)).json();
  const second = await signIn({ link });
  const { sessions } = await (await as(viewer, 'GET', '/v1/sessions')).json();
  const own = sessions.filter(({ keyId }: { keyId: string }) => keyId === invited.member.memberId);
  const other = own.find(({ current }: { current: boolean }) => !current);
  expect((await as(viewer, 'DELETE', `/v1/sessions/${other.sessionId}`)).status).toBe(204);
  expect((await as(second, 'GET', '/v1/account')).status).toBe(401);
  const editor = await signIn(await invite({ role: 'editor' }));
  const mine = (await (await as(editor, 'GET', '/v1/sessions')).json()).sessions.find(
    ({ current }: { current: boolean }) => current,
  );
  expect(await codeOf(await as(viewer, 'DELETE', `/v1/sessions/${mine.sessionId}`))).toEqual([403, 'ScopeMissing']);
  const ended = await (await as(editor, 'DELETE', '/v1/sessions')).json();
  expect(ended.ended).toBeGreaterThan(0);
  expect((await as(viewer, 'GET', '/v1/account')).status).toBe(401);
  expect((await as(editor, 'GET', '/v1/account')).status).toBe(200);
});

test('an operator who is a member changes members of an organization without an owner', async () => {
  await keyOf('ownerless');
  const { member } = await invite({ organization: 'ownerless' });
  const operator = await signIn(await invite({ role: 'operator' }));
  const path = `/v1/members/${member.memberId}?organization=ownerless`;
  expect((await as(operator, 'PATCH', path, { name: 'Renamed' })).status).toBe(200);
  expect((await as(operator, 'DELETE', path)).status).toBe(204);
});

test('an organization keeps an owner, also when two remove each other at once', async () => {
  const key = await keyOf('owners');
  const [one, other] = [
    await invite({ role: 'owner', organization: 'owners' }),
    await invite({ role: 'owner', organization: 'owners' }),
  ];
  const [first, second] = [await signIn(one), await signIn(other)];
  const [path, otherPath] = [`/v1/members/${one.member.memberId}`, `/v1/members/${other.member.memberId}`];
  const both = await Promise.all([as(first, 'DELETE', otherPath), as(second, 'DELETE', path)]);
  const codes = await Promise.all(both.map(codeOf));
  expect(codes.filter(([status]) => status === 204)).toHaveLength(1);
  const [left, leftPath] = codes[0]![0] === 204 ? [first, path] : [second, otherPath];
  const last = [409, 'LastOwner'];
  expect(await codeOf(await as(left, 'DELETE', leftPath))).toEqual(last);
  expect(await codeOf(await as(left, 'PATCH', leftPath, { role: 'editor' }))).toEqual(last);
  expect((await as(left, 'PATCH', leftPath, { name: 'The last' })).status).toBe(200);
  // A key that writes is no owner.
  expect(await codeOf(await request('DELETE', leftPath, undefined, key))).toEqual([403, 'ScopeMissing']);
});

test('a person is a member of an organization once, in any spelling', async () => {
  const { member } = await invite();
  const again = { email: member.email.toUpperCase() };
  expect(await codeOf(await request('POST', '/v1/members', again))).toEqual([409, 'MemberExists']);
  await keyOf('elsewhere');
  expect((await invite({ ...again, organization: 'elsewhere' })).member.email).toBe(member.email);
});

test.each<[string, object, string]>([
  ['no address', {}, 'email'],
  ['no email address', { email: 'ada' }, 'email'],
  ['a long address', { email: `${'a'.repeat(250)}@example.com` }, 'email'],
  ['an address of two lines', { email: 'ada@example.com\nBcc: all@example.com' }, 'email'],
  ['an unknown role', { email: 'a@example.com', role: 'admin' }, 'role'],
  ['a name with control characters', { email: 'a@example.com', name: 'A\u001b[31m' }, 'name'],
  ['a name that looks empty', { email: 'a@example.com', name: '\u3164' }, 'name'],
  ['a name that changes the direction', { email: 'a@example.com', name: 'A\u061cB' }, 'name'],
  ['a group of 301 characters', { email: 'a@example.com', groups: ['a'.repeat(301)] }, 'groups.0'],
])('an invitation with %s is refused, and names the field', async (_what, body, path) => {
  const answer = await request('POST', '/v1/members', body);
  expect([answer.status, (await answer.json()).fields[0].path]).toEqual([400, path]);
});

test('a list of 10,000 members comes in pages, whole and in order', async () => {
  await keyOf('crowd');
  await services.database.query(
    `insert into carrel.keys (id, organization, kind, name, hash, hint, scopes, addresses, domains, origins, created_at, email)
     select 'mem_' || n, 'crowd', 'admin', 'Person ' || n, 'hash ' || n, '', '{read}', '{}', '{}', '{}', now(), n || '@example.com'
     from generate_series(1, 10000) n`,
  );
  const emails: string[] = [];
  let cursor = '';
  do {
    const page = await (await request('GET', `/v1/members?organization=crowd&limit=100${cursor && `&cursor=${cursor}`}`)).json();
    expect(page.members.length).toBeLessThanOrEqual(100);
    emails.push(...page.members.map(({ email }: { email: string }) => email));
    cursor = page.cursor;
  } while (cursor);
  expect(emails).toHaveLength(10_000);
  expect(emails).toEqual(emails.toSorted());
  for (const wrong of ['x', 'AA', 'YQ='])
    expect(await codeOf(await request('GET', `/v1/members?cursor=${wrong}`))).toEqual([400, 'CursorInvalid']);
});

test('an editor of single sites changes and exports these, and nothing else of the organization', async () => {
  const [own, other] = ['own.example.com', 'other.example.com'];
  const site = { source: { type: 'git', url: 'https://git.example.com/docs.git' } };
  for (const domain of [own, other]) expect((await request('PUT', `/v1/sites/${domain}`, site)).status).toBe(200);
  const missing = { email: 'eve@example.com', editorOf: ['missing.example.com'] };
  expect(await codeOf(await request('POST', '/v1/members', missing))).toEqual([404, 'SiteUnknown']);
  const invited = await invite({ editorOf: [own.toUpperCase(), own] });
  expect(invited.member).toMatchObject({ role: 'viewer', editorOf: [own] });
  const eve = await signIn(invited);

  const job = (domain: string) => services.jobs.list({ organization: 'default', domain, limit: 1 }).then(({ jobs }) => jobs[0]!);
  const start = (domain: string) => as(eve, 'POST', '/v1/static-export/jobs', { domain });
  const does = async (domain: string) => {
    const path = `/v1/sites/${domain}`;
    const started = (await start(domain)).status;
    if (started !== 202) await request('POST', '/v1/static-export/jobs', { domain });
    const jobPath = `/v1/static-export/jobs/${(await job(domain)).id}`;
    const statuses = [
      ...[started, (await as(eve, 'POST', `${jobPath}/cancel`)).status, (await as(eve, 'POST', `${jobPath}/bundle`)).status],
      ...[(await as(eve, 'PUT', path, site)).status, (await as(eve, 'PATCH', path, { visibility: 'members' })).status],
      ...[(await as(eve, 'PUT', `${path}/hooks/github`)).status, (await as(eve, 'POST', `${path}/proof`)).status],
    ];
    return [...statuses, (await as(eve, 'DELETE', `${path}/previews/${domain}--next`)).status];
  };
  expect(await does(own)).toEqual([202, 200, 409, 200, 200, 200, 200, 404]);
  expect(await does(other)).toEqual(Array.from({ length: 8 }, () => 403));
  for (const [method, path, body] of [
    ['DELETE', `/v1/sites/${own}`],
    ['PUT', '/v1/sites/new.example.com', site],
    ['POST', '/v1/static-export/jobs', { domain: [own] }],
    ['POST', '/v1/static-export/jobs'],
    ['POST', '/v1/static-export/jobs/se_0000000000000000/cancel'],
    ['POST', '/v1/keys', { kind: 'assistant', name: 'x', domains: [own] }],
    ['POST', '/v1/webhooks', { url: 'https://hooks.example.com', events: ['job.completed'] }],
    ['PATCH', `/v1/members/${invited.member.memberId}`, { editorOf: [other] }],
  ] as const)
    expect(await codeOf(await as(eve, method, path, body)), `${method} ${path}`).toEqual([403, 'ScopeMissing']);

  const path = `/v1/members/${invited.member.memberId}`;
  const changed = await (await request('PATCH', path, { editorOf: [other] })).json();
  expect(changed).toMatchObject({ role: 'viewer', editorOf: [other] });
  expect([(await start(own)).status, (await start(other)).status]).toEqual([403, 202]);
  // The site is removed while a request of its editor is under way.
  await services.database.query('delete from carrel.sites where domain = $1', [other]);
  expect(await codeOf(await as(eve, 'PUT', `/v1/sites/${other}`, site))).toEqual([403, 'ScopeMissing']);
  expect((await request('PUT', `/v1/sites/${other}`, site)).status).toBe(200);
  // A site of the same name that comes later is another one.
  expect((await request('DELETE', `/v1/sites/${other}`)).status).toBe(204);
  expect((await request('PUT', `/v1/sites/${other}`, site)).status).toBe(200);
  expect((await start(other)).status).toBe(403);
});

test('an editor of a site sees it as its audiences do', async () => {
  const domain = 'viewed.example.com';
  const site = {
    source: { type: 'git', url: 'https://git.example.com/docs.git' },
    visibility: 'members',
    audiences: [{ groups: ['partner'] }],
  };
  expect((await request('PUT', `/v1/sites/${domain}`, site)).status).toBe(200);
  const view = { domain, state: 'a'.repeat(64), to: '', view: ['partner'] };
  const invited = await invite();
  const eve = await signIn(invited);
  expect(await codeOf(await as(eve, 'POST', '/v1/reader-codes', view))).toEqual([403, 'ScopeMissing']);
  await request('PATCH', `/v1/members/${invited.member.memberId}`, { editorOf: [domain] });
  expect((await as(eve, 'POST', '/v1/reader-codes', view)).status).toBe(201);
});
