import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { checkPlan } from '../../../server/organizations/authenticate.ts';
import { inParallel } from '../../../server/storage/in-parallel.ts';
import { openAccessServer } from './access-server.ts';

const logged: string[] = [];
const log = new Writable({
  write(chunk, _, done) {
    logged.push(String(chunk));
    done();
  },
});
const proxied = await openAccessServer({ options: { trustedProxies: ['10.0.0.0/8'] }, log });
const { services, clock, newKey, request, operatorKey } = proxied;

const routes: [method: string, path: string][] = [
  ['POST', '/v1/keys'],
  ['GET', '/v1/keys'],
  ['DELETE', '/v1/keys/key_0000000000000000'],
  ['POST', '/v1/organizations'],
  ['GET', '/v1/organizations'],
  ['GET', '/v1/organizations/default'],
  ['PATCH', '/v1/organizations/default'],
  ['GET', '/v1/account'],
  ['GET', '/v1/sites'],
  ['GET', '/v1/sites/manual'],
  ['PUT', '/v1/sites/manual'],
  ['DELETE', '/v1/sites/manual'],
];

describe.each(routes)('%s %s', (method, path) => {
  const refusal = async (authorization: string | undefined) => {
    const { status, body, headers } = await request(method, path, {
      key: null,
      headers: authorization === undefined ? {} : { authorization },
      body: method === 'GET' || method === 'DELETE' ? undefined : {},
    });
    expect(Object.keys(body).sort()).toEqual(['code', 'error', 'requestId']);
    expect(headers.get('www-authenticate')?.startsWith('Bearer') ?? false).toBe(status === 401);
    return { status, code: body.code };
  };

  test('requires a known admin key that is neither expired nor revoked', async () => {
    const missing = { status: 401, code: 'KeyMissing' };
    const unknown = { status: 401, code: 'KeyUnknown' };
    expect(await refusal(undefined)).toEqual(missing);
    expect(await refusal('')).toEqual(missing);
    expect(await refusal('Bearer')).toEqual(missing);
    expect(await refusal(`Basic ${btoa(`user:${operatorKey}`)}`)).toEqual(missing);
    expect(await refusal(operatorKey)).toEqual(missing);
    expect(await refusal(`Bearer ${operatorKey} more`)).toEqual(missing);
    expect(await refusal('Bearer nonsense')).toEqual(unknown);
    expect(await refusal(`Bearer svc_${'a'.repeat(43)}`)).toEqual(unknown);
    expect(await refusal(`Bearer svc_dsc_${'a'.repeat(43)}`)).toEqual(unknown);
    expect(await refusal(`Bearer ${operatorKey.slice(0, -1)}`)).toEqual(unknown);
    expect(await refusal(`Bearer ${operatorKey.replace('svc_', 'svc_dsc_')}`)).toEqual(unknown);

    const secret = await newKey({ scopes: ['operator'], expiresAt: new Date(clock.now + 1000) });
    clock.now += 1000;
    expect(await refusal(`Bearer ${secret}`)).toEqual({ status: 401, code: 'KeyExpired' });
  });

  test('rejects an assistant key, although its prefix begins with that of an admin key', async () => {
    const assistantKey = await newKey({ kind: 'assistant', domains: ['manual'] });
    expect(await refusal(`Bearer ${assistantKey}`)).toEqual({ status: 403, code: 'KeyNotAdmin' });
    // Not even when somebody wrote scopes into its row.
    const odd = await newKey({ kind: 'assistant', scopes: ['operator'] });
    expect(await refusal(`Bearer ${odd}`)).toEqual({ status: 403, code: 'KeyNotAdmin' });
  });

  test('names the scope that a key lacks', async () => {
    const wanted = path.startsWith('/v1/organizations') ? 'operator' : method === 'GET' ? 'read' : 'write';
    if (wanted === 'read') return;
    const secret = await newKey({ scopes: wanted === 'operator' ? ['write'] : ['read'] });
    expect(await refusal(`Bearer ${secret}`)).toEqual({ status: 403, code: 'ScopeMissing' });
  });

  test('rejects IP addresses that are not on the list of the key', async () => {
    const secret = await newKey({ scopes: ['operator'], addresses: ['198.51.100.0/24'] });
    expect(await refusal(`Bearer ${secret}`)).toEqual({ status: 403, code: 'AddressNotAllowed' });
  });
});

test('accepts the scheme in any case', async () => {
  const answer = await request('GET', '/v1/account', { key: null, headers: { authorization: `bearer ${operatorKey}` } });
  expect(answer.status).toBe(200);
});

test('a revoked key is rejected from the next request on, even if it revoked itself', async () => {
  const { key, secret } = await services.keys.create(
    { organization: 'default', kind: 'admin', name: 'brief' },
    { unlimited: true },
  );
  expect((await request('GET', '/v1/account', { key: secret })).status).toBe(200);
  expect((await request('DELETE', `/v1/keys/${key.id}`, { key: secret })).status).toBe(204);
  expect((await request('GET', '/v1/account', { key: secret })).body.code).toBe('KeyUnknown');
});

test('a cached key expires', async () => {
  const secret = await newKey({ expiresAt: new Date(clock.now + 500) });
  expect((await request('GET', '/v1/account', { key: secret })).status).toBe(200);
  clock.now += 500;
  expect((await request('GET', '/v1/account', { key: secret })).body.code).toBe('KeyExpired');
});

describe('a list of addresses', () => {
  const status = async (addresses: string[], from: string, forwarded?: string) => {
    const key = await newKey({ addresses });
    const headers: Record<string, string> = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
    return (await request('GET', '/v1/account', { key, from, headers })).status;
  };

  test.each([
    [['192.0.2.7'], '192.0.2.7', undefined, 200],
    [['192.0.2.7'], '192.0.2.8', undefined, 403],
    [['192.0.2.7'], '::ffff:192.0.2.7', undefined, 200],
    [['2001:db8::/32'], '2001:db8:5::1', undefined, 200],
    [['2001:db8::/32'], '192.0.2.7', undefined, 403],
    [['192.0.2.7'], '10.0.0.1', '192.0.2.7', 200],
    [['192.0.2.7'], '10.0.0.1', '192.0.2.7, 198.51.100.1', 403],
    [['192.0.2.7'], '198.51.100.1', '192.0.2.7', 403],
    [['192.0.2.7'], '10.0.0.1', undefined, 403],
    // Nothing on the list can be read, which must not open the key to all.
    [['192.0.2.'], '192.0.2.7', undefined, 403],
  ])('%j used from %s (forwarded for %s): %s', async (addresses, from, forwarded, expected) => {
    expect(await status(addresses, from, forwarded)).toBe(expected);
  });
});

test('reports the last use of a key', async () => {
  const secret = await newKey({ name: 'used' });
  const lastUsed = async () => (await services.keys.list('default')).find(({ name }) => name === 'used')?.lastUsedAt;
  expect(await lastUsed()).toBeNull();
  await request('GET', '/v1/account', { key: secret });
  await services.keys.flush();
  expect(await lastUsed()).toEqual(new Date(clock.now));
});

test('static export requires the Enterprise plan, and a change of the plan applies to the next request', async () => {
  const key = await services.keys.find(await newKey());
  await checkPlan(services, key!);
  await services.organizations.update('default', { plan: 'standard' });
  await expect(checkPlan(services, key!)).rejects.toMatchObject({ status: 403, code: 'PlanWithoutExport' });
  await services.organizations.update('default', { plan: 'enterprise' });
  await checkPlan(services, key!);
});

test('answers two thousand requests correctly, a hundred at a time', async () => {
  const other = await newKey({ organization: 'other' });
  const keys = [operatorKey, other, `svc_${'b'.repeat(43)}`];
  const answers: string[] = [];
  await inParallel(Array(2000).keys(), 100, async (n) => {
    const { body } = await request('GET', '/v1/account', { key: keys[n % 3]! });
    answers[n] = body.organization?.organizationId ?? body.code;
  });
  expect(answers).toEqual(Array.from(answers, (_, n) => ['default', 'other', 'KeyUnknown'][n % 3]));
  expect(answers).toHaveLength(2000);
});

test('neither the log nor a response contains a key, known or invented', async () => {
  const madeUp = `svc_${'zq9'.repeat(14)}z`;
  const answers = await Promise.all([
    request('GET', '/v1/keys'),
    request('GET', '/v1/account'),
    request('GET', '/v1/keys', { key: madeUp }),
    request('POST', '/v1/keys', { body: `{"kind":"admin","name":"${madeUp}` }),
    request('GET', `/v1/nothing`, { key: madeUp }),
  ]);
  const shown = logged.join('') + answers.map(({ text }) => text).join('');
  expect(logged.length).toBeGreaterThan(0);
  expect(shown).not.toContain(operatorKey.slice(4, 20));
  expect(shown).not.toContain(madeUp.slice(4, 20));
});
