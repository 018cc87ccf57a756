// What nobody sends who means well, to the whole API.
import { describe, expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';

const { services, request, keyOf, adminKey, keyWith } = await openTestServer();

async function answered(answer: Response | Promise<Response>): Promise<[status: number, code: string]> {
  const { status } = await answer;
  const { code } = (await (await answer).json()) as { code: string };
  return [status, code];
}

describe('rejects what the database cannot store', () => {
  test.each([
    ['DELETE', '/v1/webhooks/%00', 404, 'RouteUnknown'],
    ['DELETE', '/v1/keys/key_%00', 404, 'RouteUnknown'],
    ['GET', '/v1/static-export/jobs/%00', 404, 'RouteUnknown'],
    ['DELETE', '/v1/sites/do%00cs', 404, 'RouteUnknown'],
    ['GET', '/v1/static-export/jobs?cursor=%00', 400, 'RequestInvalid'],
  ])('%s %s', async (method, path, status, code) => {
    expect(await answered(request(method, path))).toEqual([status, code]);
  });

  const git = { type: 'git', url: 'https://git.example.com/docs.git' };
  test.each([
    ['the path of a folder', { source: { type: 'folder', path: '/srv/\ud800' } }],
    ['a git URL', { source: { ...git, url: `${git.url}\udc00` } }],
    ['a branch', { source: { ...git, ref: 'main\ud800' } }],
    ['a folder in a repository', { source: { ...git, folder: 'docs\ud800' } }],
    ['the address of a site', { source: git, siteUrl: 'https://docs.example.com/\ud800' }],
  ])('half a character in %s', async (_what, body) => {
    expect(await answered(request('PUT', '/v1/sites/docs.example.com', body))).toEqual([400, 'RequestInvalid']);
  });
});

describe('a body without a plain JSON type', () => {
  test.each([
    ['application/json;;;', 415],
    ['application/json x', 415],
    ['application/jsonx', 415],
    ['application/json; charset', 415],
    ['text/plain', 415],
    ['Application/JSON; charset="utf-8"', 404],
    ['application/vnd.api2+json;charset=utf-8;', 404],
    ['application/json;', 404],
  ])('%s', async (type, status) => {
    const answer = request('POST', '/v1/static-export/jobs', { domain: 'nowhere' }, adminKey, { 'content-type': type });
    expect(await answered(answer)).toEqual([status, status === 415 ? 'BodyNotJson' : 'SiteUnknown']);
  });
});

describe('a method that a path does not support is rejected with those that it supports', async () => {
  const { paths } = (await (await request('GET', '/openapi.json')).json()) as { paths: Record<string, object> };
  const routes = Object.entries(paths).map(([path, operations]) => ({
    path: path.replaceAll(/\{\w+\}/g, 'manual'),
    methods: Object.keys(operations).map((method) => method.toUpperCase()),
  }));

  test.each([
    ...routes,
    ...['/', '/openapi.json', '/reference', '/dashboard', '/dashboard/default/manual'].map((path) => ({
      path,
      methods: ['GET'],
    })),
  ])('$path', async ({ path, methods }) => {
    const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();
    for (const method of ['DELETE', 'GET', 'PATCH', 'POST', 'PURGE', 'PUT'].filter((one) => !allowed.includes(one))) {
      const answer = await request(method, path, undefined, null, { 'content-type': 'text/plain' });
      expect([method, ...(await answered(answer)), answer.headers.get('allow')]).toEqual([
        method,
        405,
        'MethodNotAllowed',
        allowed.join(', '),
      ]);
    }
  });

  test('HEAD is answered like GET, without a body', async () => {
    expect(routes.length).toBeGreaterThan(20);
    await expect.poll(async () => (await request('GET', '/readyz')).status).toBe(200);
    for (const { path } of routes.filter(({ methods }) => methods.includes('GET'))) {
      const [head, get] = [await request('HEAD', path), await request('GET', path)];
      expect([path, head.status, await head.text()]).toEqual([path, get.status, '']);
      await get.body?.cancel();
    }
  });

  test.each([
    ['POST', '/v1/nothing'],
    ['GET', '/v1/sites/'],
    ['GET', '/v1/keys/key_0/more'],
  ])('%s %s has no route', async (method, path) => {
    expect(await answered(request(method, path, undefined, null, { 'content-type': 'text/plain' }))).toEqual([
      404,
      'RouteUnknown',
    ]);
  });
});

describe('what belongs to another organization is not found', async () => {
  const foreign = await keyOf('foreign', ['read', 'write']);
  const source = { type: 'git', url: 'https://git.example.com/docs.git' };
  await request('PUT', '/v1/sites/ours.example.com', { source });
  const job = await services.jobs.create({ organization: 'default', domain: 'ours.example.com', request: {} });
  const [key] = await services.keys.list('default');
  const jobs = '/v1/static-export/jobs';

  test.each([
    ['GET', `${jobs}/${job.id}`],
    ['GET', `${jobs}/${job.id}/events`],
    ['GET', `${jobs}/${job.id}/log`],
    ['POST', `${jobs}/${job.id}/bundle`],
    ['POST', `${jobs}/${job.id}/cancel`],
    ['GET', '/v1/sites/ours.example.com'],
    ['DELETE', '/v1/sites/ours.example.com'],
    ['DELETE', `/v1/keys/${key!.id}`],
  ])('%s %s', async (method, path) => {
    expect((await request(method, path, undefined, foreign)).status).toBe(404);
  });

  test('a site of the same name, a job of it, and the list of all jobs', async () => {
    const taken = await request('PUT', '/v1/sites/ours.example.com', { source }, foreign);
    expect(await taken.clone().text()).not.toMatch(/organi[sz]ation|belongs|default/);
    expect(await answered(taken)).toEqual([409, 'DomainTaken']);
    expect((await request('POST', jobs, { domain: 'ours.example.com' }, foreign)).status).toBe(404);
    // A cursor of ours names a job of ours; it opens nothing.
    const cursor = Buffer.from(`${Date.now() + 1000} ${job.id}`).toString('base64url');
    expect(await (await request('GET', `${jobs}?cursor=${cursor}`, undefined, foreign)).json()).toEqual({ jobs: [] });
    for (const organization of ['default', 'nobody'])
      expect((await request('GET', `/v1/keys?organization=${organization}`, undefined, foreign)).status).toBe(403);
  });

  test('an idempotency key belongs to one organization', async () => {
    await request('PUT', '/v1/sites/foreign.example.com', { source }, foreign);
    const headers = { 'idempotency-key': 'the same' };
    const own = await request('POST', jobs, { domain: 'ours.example.com' }, adminKey, headers);
    const other = await request('POST', jobs, { domain: 'foreign.example.com' }, foreign, headers);
    expect([own.status, other.status]).toEqual([202, 202]);
    expect(((await own.json()) as { jobId: string }).jobId).not.toBe(((await other.json()) as { jobId: string }).jobId);
  });
});

describe('event streams', async () => {
  const job = await services.jobs.create({ organization: 'default', domain: 'followed.example.com', request: {} });
  const path = `/v1/static-export/jobs/${job.id}/events`;

  test('end when their key is revoked', async () => {
    const { key, secret } = await keyWith({ name: 'reader', scopes: ['read'] });
    const reader = (await request('GET', path, undefined, secret)).body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await services.keys.revoke('default', key.id);
    const next = reader.read();
    await services.jobs.start(job.id);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('are counted while they are read, and released when readers leave', async () => {
    // A request without a body to read is not a reader.
    for (let stream = 0; stream < 200; stream++) expect((await request('HEAD', path)).status).toBe(200);
    const readers = [];
    for (let stream = 0; stream < 200; stream++) {
      const reader = (await request('GET', path)).body!.getReader();
      await reader.read();
      readers.push(reader);
    }
    const refused = await request('GET', path);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await answered(refused)).toEqual([429, 'TooManyStreams']);
    for (const reader of readers) await reader.cancel();
    expect((await request('GET', path)).status).toBe(200);
  });
});
