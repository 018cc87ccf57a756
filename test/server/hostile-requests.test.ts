// What nobody sends who means well, to the whole API.
import { describe, expect, test } from 'vitest';
import { openTestServer } from './support/services.ts';

const { services, request, keyOf, adminKey } = await openTestServer();

async function answered(answer: Response | Promise<Response>): Promise<[status: number, code: string]> {
  const { status } = await answer;
  const { code } = (await (await answer).json()) as { code: string };
  return [status, code];
}

describe('what the database cannot hold is refused before it comes there', () => {
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
    ['a git address', { source: { ...git, url: `${git.url}\udc00` } }],
    ['a branch', { source: { ...git, ref: 'main\ud800' } }],
    ['a folder in a repository', { source: { ...git, folder: 'docs\ud800' } }],
    ['the address of a site', { source: git, siteUrl: 'https://docs.example.com/\ud800' }],
  ])('half a character in %s', async (_what, body) => {
    expect(await answered(request('PUT', '/v1/sites/docs.example.com', body))).toEqual([400, 'RequestInvalid']);
  });
});

describe('what belongs to another organization is not there', async () => {
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
    expect(await answered(request('PUT', '/v1/sites/ours.example.com', { source }, foreign))).toEqual([409, 'DomainTaken']);
    expect((await request('POST', jobs, { domain: 'ours.example.com' }, foreign)).status).toBe(404);
    // A cursor of ours names a job of ours; it opens nothing.
    const cursor = Buffer.from(`${Date.now() + 1000} ${job.id}`).toString('base64url');
    expect(await (await request('GET', `${jobs}?cursor=${cursor}`, undefined, foreign)).json()).toEqual({ jobs: [] });
    for (const organization of ['default', 'nobody'])
      expect((await request('GET', `/v1/keys?organization=${organization}`, undefined, foreign)).status).toBe(403);
  });

  test('an idempotency key is an organization’s own', async () => {
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
    const { key, secret } = await services.keys.create(
      { organization: 'default', kind: 'admin', name: 'reader', scopes: ['read'] },
      { unlimited: true },
    );
    const reader = (await request('GET', path, undefined, secret)).body!.getReader();
    expect((await reader.read()).done).toBe(false);
    await services.keys.revoke('default', key.id);
    const next = reader.read();
    await services.jobs.start(job.id);
    expect(await next).toEqual({ done: true, value: undefined });
  });

  test('are counted while they are read, and let go of when readers leave', async () => {
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
