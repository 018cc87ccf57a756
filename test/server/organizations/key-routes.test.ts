import { beforeEach, describe, expect, test } from 'vitest';
import { openAccessServer } from './access-server.ts';

const { services, clock, newKey, request } = await openAccessServer();
const create = (body: unknown, key?: string) => request('POST', '/v1/keys', { body, key });

// A new hour, in which no key has been made.
beforeEach(() => {
  clock.now += 2 * 3_600_000;
});

test('a key is created, used, listed without its secret, and revoked', async () => {
  const made = await create({
    kind: 'admin',
    name: ' Nightly export ',
    scopes: ['write', 'read'],
    expiresAt: '2040-01-01T01:00:00+01:00',
    addresses: ['192.0.2.0/24'],
  });
  expect(made.status).toBe(201);
  expect(made.headers.get('cache-control')).toBe('no-store');
  const { secret, ...key } = made.body;
  expect(key).toEqual({
    keyId: expect.stringMatching(/^key_[0-9a-f]{16}$/),
    organization: 'default',
    kind: 'admin',
    name: 'Nightly export',
    hint: secret.slice(-4),
    scopes: ['read', 'write'],
    addresses: ['192.0.2.0/24'],
    domains: [],
    origins: [],
    status: 'active',
    createdAt: new Date(clock.now).toISOString(),
    createdBy: 'test',
    expiresAt: '2040-01-01T00:00:00.000Z',
    lastUsedAt: null,
    revokedAt: null,
  });
  expect((await request('GET', '/v1/sites', { key: secret })).status).toBe(200);

  const listed = await request('GET', '/v1/keys');
  expect(listed.body.keys[0]).toMatchObject({ keyId: key.keyId, status: 'active' });
  expect(listed.text).not.toContain(secret.slice(4, -4));

  expect((await request('DELETE', `/v1/keys/${key.keyId}`)).status).toBe(204);
  expect((await request('DELETE', `/v1/keys/${key.keyId}`)).status).toBe(204);
  expect((await request('GET', '/v1/keys')).body.keys[0]).toMatchObject({ keyId: key.keyId, status: 'revoked' });
});

test('an admin key can read and write by default, and never expires', async () => {
  const { body } = await create({ kind: 'admin', name: 'plain' });
  expect(body).toMatchObject({ scopes: ['read', 'write'], addresses: [], expiresAt: null });
});

test('an assistant key is for sites of the organization', async () => {
  const settings = { builder: 'docs', deployment: 'client-hosted' } as const;
  const source = { type: 'folder', path: '/srv/docs' } as const;
  await services.sites.put({ domain: 'docs.example.com', organization: 'default', source, settings });
  await services.sites.put({ domain: 'foreign.example.com', organization: 'other', source, settings });
  const made = await create({
    kind: 'assistant',
    name: 'Website',
    domains: ['Docs.Example.com', 'docs.example.com'],
    origins: ['https://www.example.com'],
  });
  expect(made.body.secret).toMatch(/^svc_dsc_/);
  expect(made.body).toMatchObject({ scopes: [], domains: ['docs.example.com'], origins: ['https://www.example.com'] });
  for (const domain of ['foreign.example.com', 'nowhere.example.com']) {
    const refused = await create({ kind: 'assistant', name: 'Website', domains: ['docs.example.com', domain] });
    expect(refused).toMatchObject({ status: 404, body: { code: 'SiteUnknown' } });
    expect(refused.body.error).toContain(`no site "${domain}"`);
  }
});

describe('scopes', () => {
  test('a key grants no scope that it lacks', async () => {
    const writer = await newKey({ scopes: ['write'] });
    expect(await create({ kind: 'admin', name: 'more', scopes: ['operator'] }, writer)).toMatchObject({
      status: 403,
      body: { code: 'ScopeMissing' },
    });
    expect((await create({ kind: 'admin', name: 'same', scopes: ['write'] }, writer)).status).toBe(201);
    expect((await create({ kind: 'admin', name: 'more', scopes: ['operator'] })).status).toBe(201);
  });

  test('reading requires read, creating and revoking require write', async () => {
    const reader = await newKey({ scopes: ['read'] });
    expect((await request('GET', '/v1/keys', { key: reader })).status).toBe(200);
    expect((await request('HEAD', '/v1/keys', { key: reader })).status).toBe(200);
    expect((await create({ kind: 'admin', name: 'x', scopes: ['read'] }, reader)).body.code).toBe('ScopeMissing');
    expect((await request('DELETE', '/v1/keys/key_0000000000000000', { key: reader })).body.code).toBe('ScopeMissing');
  });
});

describe('a key with limits of its own', () => {
  const end = '2040-01-01T00:00:00.000Z';
  const range = ['127.0.0.0/8', '2001:db8::/32'];
  const wanted = { kind: 'admin', name: 'made by a limited one' };
  const create = (body: unknown, key: string) => request('POST', '/v1/keys', { body, key, from: '127.0.0.1' });

  test('passes them on', async () => {
    const limited = await newKey({ scopes: ['write'], expiresAt: new Date(end), addresses: range });
    const { status, body } = await create(wanted, limited);
    expect([status, body.expiresAt, body.addresses]).toEqual([201, end, range]);
    const within = { expiresAt: '2039-12-31T23:00:00.000Z', addresses: ['127.3.0.0/16', '2001:db8:1::/48', '127.0.0.1'] };
    expect((await create({ ...wanted, ...within }, limited)).body).toMatchObject(within);
    expect((await create({ ...wanted, expiresAt: null }, limited)).body.expiresAt).toBe(end);
  });

  test.each([
    [{ expiresAt: '2040-01-01T00:00:00.001Z' }, `this key expires on ${end}`],
    [{ addresses: ['192.0.2.1'] }, '192.0.2.1'],
    [{ addresses: ['127.0.0.1', '126.0.0.0/7'] }, '126.0.0.0/7'],
    [{ addresses: ['2001::/16'] }, '2001::/16'],
    [{ addresses: ['::ffff:192.0.2.0/120'] }, '::ffff:192.0.2.0/120'],
  ])('creates none for %o', async (more, words) => {
    const limited = await newKey({ scopes: ['write'], expiresAt: new Date(end), addresses: range });
    const refused = await create({ ...wanted, ...more }, limited);
    expect(refused).toMatchObject({ status: 403, body: { code: 'KeyTooStrong' } });
    expect(refused.body.error).toContain(words);
  });

  test('creates no assistant key that expires later', async () => {
    const settings = { builder: 'docs', deployment: 'client-hosted' } as const;
    await services.sites.put({ domain: 'l.test', organization: 'default', source: { type: 'folder', path: '/d' }, settings });
    const limited = await newKey({ scopes: ['write'], expiresAt: new Date(end) });
    const assistant = { kind: 'assistant', name: 'x', domains: ['l.test'] };
    expect((await create({ ...assistant, expiresAt: '2041-01-01T00:00:00Z' }, limited)).body.code).toBe('KeyTooStrong');
    expect((await create(assistant, limited)).body.expiresAt).toBe(end);
  });
});

describe('revoking', () => {
  test('requires every scope of the revoked key', async () => {
    const writer = await newKey({ scopes: ['write'] });
    const operator = await create({ kind: 'admin', name: 'operator', scopes: ['operator'] });
    const refused = await request('DELETE', `/v1/keys/${operator.body.keyId}`, { key: writer });
    expect(refused).toMatchObject({ status: 403, body: { code: 'ScopeMissing' } });
    expect((await request('GET', '/v1/sites', { key: operator.body.secret })).status).toBe(200);
    const account = await request('GET', '/v1/account', { key: writer });
    expect((await request('DELETE', `/v1/keys/${account.body.key.keyId}`, { key: writer })).status).toBe(204);
  });
});

describe('organizations', () => {
  test('only an operator can act for another one', async () => {
    const writer = await newKey({ scopes: ['write'] });
    const body = { kind: 'admin', name: 'for others', organization: 'other' };
    expect(await create(body, writer)).toMatchObject({ status: 403, body: { code: 'ScopeMissing' } });
    expect((await create({ ...body, organization: 'default' }, writer)).status).toBe(201);
    const made = await create(body);
    expect(made.body.organization).toBe('other');
    expect((await request('GET', '/v1/account', { key: made.body.secret })).body.organization.organizationId).toBe('other');

    const list = '/v1/keys?organization=other';
    expect((await request('GET', list)).body.keys[0].keyId).toBe(made.body.keyId);
    expect((await request('GET', list, { key: writer })).body.code).toBe('ScopeMissing');
    const one = `/v1/keys/${made.body.keyId}`;
    expect((await request('DELETE', one)).body.code).toBe('KeyIdUnknown');
    expect((await request('DELETE', `${one}?organization=other`, { key: writer })).body.code).toBe('ScopeMissing');
    expect((await request('DELETE', `${one}?organization=other`)).status).toBe(204);
    expect((await create({ ...body, organization: 'nobody' })).body.code).toBe('OrganizationUnknown');
  });

  test('a key of another organization is not found', async () => {
    const foreign = await newKey({ organization: 'other', scopes: ['write'] });
    const { body } = await create({ kind: 'admin', name: 'ours' });
    const answer = await request('DELETE', `/v1/keys/${body.keyId}`, { key: foreign });
    expect(answer).toMatchObject({ status: 404, body: { code: 'KeyIdUnknown' } });
    expect((await request('GET', '/v1/keys', { key: foreign })).text).not.toContain(body.keyId);
  });
});

test('an eleventh key per hour is rejected, even for an operator, with the time to wait; the account has the number', async () => {
  for (let n = 0; n < 10; n++) expect((await create({ kind: 'admin', name: `key ${n}` })).status).toBe(201);
  const account = await request('GET', '/v1/account');
  expect(account.body.limits).toEqual({ keysPerHour: { limit: 10, used: 10 } });
  const refused = await create({ kind: 'admin', name: 'one more' });
  expect(refused).toMatchObject({ status: 429, body: { code: 'TooManyKeys' } });
  expect(refused.headers.get('retry-after')).toBe('3600');
});

test('the account describes the key', async () => {
  const key = await newKey({ name: 'mine', scopes: ['read'] });
  const { body } = await request('GET', '/v1/account', { key });
  expect(body).toMatchObject({
    organization: { organizationId: 'default', name: 'default', plan: 'enterprise' },
    key: { name: 'mine', scopes: ['read'], status: 'active' },
    features: { staticExport: true },
  });
  expect(body.key.secret).toBeUndefined();
});

describe('bodies that are rejected with 400', () => {
  const admin = { kind: 'admin', name: 'x' };
  const assistant = { kind: 'assistant', name: 'x', domains: ['docs.example.com'] };

  test.each([
    ['no kind', { name: 'x' }, 'must be admin or assistant'],
    ['another kind', { kind: 'root', name: 'x' }, 'must be admin or assistant'],
    ['no name', { kind: 'admin' }, 'name'],
    ['an empty name', { ...admin, name: ' ' }, 'must not be empty'],
    ['a long name', { ...admin, name: 'x'.repeat(101) }, 'at most 100'],
    ['a name that turns the terminal red', { ...admin, name: '\u001b[31mx' }, 'must be one line'],
    ['a name that runs backwards', { ...admin, name: 'a\u202eb' }, 'must be one line'],
    ['a name of another type', { ...admin, name: 7 }, 'name'],
    ['an unknown key', { ...admin, role: 'root' }, '"role"'],
    ['an id of the caller', { ...admin, keyId: 'key_0000000000000000' }, '"keyId"'],
    ['an unknown scope', { ...admin, scopes: ['root'] }, 'must be one of read, write, owner, operator'],
    ['no scope', { ...admin, scopes: [] }, 'must contain a scope'],
    ['scopes of an assistant key', { ...assistant, scopes: ['read'] }, '"scopes"'],
    ['domains of an admin key', { ...admin, domains: ['docs.example.com'] }, '"domains"'],
    ['an assistant key without a domain', { ...assistant, domains: [] }, 'must contain a site'],
    ['a malformed domain', { ...assistant, domains: ['https://docs.example.com'] }, 'must be a host name'],
    ['an origin with a path', { ...assistant, origins: ['https://example.com/docs'] }, 'must be a web origin'],
    ['an origin of another scheme', { ...assistant, origins: ['file://x'] }, 'must be a web origin'],
    ['any origin', { ...assistant, origins: ['*'] }, 'must be a web origin'],
    ['a time that is none', { ...admin, expiresAt: 'tomorrow' }, 'must be a time'],
    ['a day that is none', { ...admin, expiresAt: '2040-02-31T00:00:00Z' }, 'must be a time'],
    ['a time without zone', { ...admin, expiresAt: '2040-01-01T00:00:00' }, 'must be a time'],
    ['an invalid address', { ...admin, addresses: ['example.com'] }, '"example.com" is neither an IP address'],
    ['a range too wide', { ...admin, addresses: ['192.0.2.0/33'] }, 'is neither an IP address'],
    ['every IPv4 address', { ...admin, addresses: ['0.0.0.0/0'] }, '"0.0.0.0/0" covers every IP address'],
    ['every IPv6 address', { ...admin, addresses: ['::/0'] }, '"::/0" covers every IP address'],
    ['every IPv4 address as IPv6', { ...admin, addresses: ['::ffff:0:0/96'] }, 'covers every IP address'],
    ['too many addresses', { ...admin, addresses: Array.from({ length: 101 }, (_, n) => `192.0.2.${n}`) }, 'addresses'],
    ['a malformed organization', { ...admin, organization: '../default' }, 'lower-case letters'],
    ['a list', [admin], 'The body is a list; it must be'],
  ])('%s', async (_, body, words) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'RequestInvalid' } });
    expect(answer.body.error).toContain(words);
  });

  test('a time in the past', async () => {
    const answer = await create({ ...admin, expiresAt: new Date(clock.now).toISOString() });
    expect(answer).toMatchObject({ status: 400, body: { code: 'ExpiryPassed' } });
  });

  test('a body that is not JSON', async () => {
    expect(await create('{"kind":')).toMatchObject({ status: 400, body: { code: 'BodyInvalid' } });
  });
});
