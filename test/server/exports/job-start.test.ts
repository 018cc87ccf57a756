import { rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../../server/errors.ts';
import type { JobObject } from '../../../server/exports/job-object.ts';
import { jobsPath, openJobServer } from './job-server.ts';
import { completeJob } from './job-support.ts';

const server = await openJobServer();
const { clock, folder, keyOf, request, services } = server;
const domain = 'docs.acme.com';

const refusal = async (response: Response): Promise<ErrorBody & { status: number }> => ({
  status: response.status,
  ...((await response.json()) as ErrorBody),
});

describe('starting a job', () => {
  test('answers 202 with the whole job, its address, and queues it', async () => {
    const response = await request('POST', jobsPath, {
      domain: 'Docs.Acme.com',
      version: 'v14',
      paths: ['/guides/install/', 'guides/install.mdx', 'index', 'reference'],
      language: 'en',
    });
    expect(response.status).toBe(202);
    const job = (await response.json()) as JobObject;
    const at = new Date(clock.now).toISOString();
    expect(job).toEqual({
      jobId: expect.stringMatching(/^se_[0-9a-f]{16}$/),
      domain,
      status: 'queued',
      stage: null,
      progress: 0,
      pageCount: 0,
      version: 'v14',
      language: 'en',
      paths: ['guides/install', '', 'reference'],
      createdAt: at,
      updatedAt: at,
      startedAt: null,
      finishedAt: null,
      expiredAt: null,
      error: null,
      errorCode: null,
      activeUrl: null,
    });
    expect(response.headers.get('location')).toBe(`http://api.example.com${jobsPath}/${job.jobId}`);
    expect((await services.queue.counts()).queued).toBeGreaterThan(0);
  });

  test.each([
    ['no body', undefined],
    ['an empty body', ''],
    ['what is not JSON', '{"domain":'],
    ['a list', []],
    ['null', 'null'],
    ['a text', '"docs.acme.com"'],
    ['no domain', {}],
    ['a domain of wrong type', { domain: 7 }],
    ['a domain with a scheme', { domain: 'https://docs.acme.com' }],
    ['a domain with a path', { domain: 'docs.acme.com/docs' }],
    ['a domain with a slash', { domain: 'docs.acme.com/' }],
    ['a domain with a port', { domain: 'docs.acme.com:80' }],
    ['a domain with ..', { domain: '../docs' }],
    ['an empty domain', { domain: '' }],
    ['a domain without end', { domain: 'a'.repeat(300) }],
    ['an unknown key', { domain, groups: ['a'] }],
    ['an empty version', { domain, version: '' }],
    ['a version with a slash', { domain, version: '../v1' }],
    ['a long version', { domain, version: 'v'.repeat(65) }],
    ['a version of wrong type', { domain, version: 14 }],
    ['a language that is none', { domain, language: 'en; rm' }],
    ['no paths', { domain, paths: [] }],
    ['paths of wrong type', { domain, paths: 'guides' }],
    ['a path of wrong type', { domain, paths: [null] }],
    ['too many paths', { domain, paths: Array.from({ length: 1001 }, (_, index) => `page-${index}`) }],
    ['a path that leads out', { domain, paths: ['../secret'] }],
    ['a path that leads out further in', { domain, paths: ['guides/../../secret'] }],
    ['an address', { domain, paths: ['https://docs.acme.com/guides'] }],
    ['an address without scheme', { domain, paths: ['//docs.acme.com/guides'] }],
    ['a drive', { domain, paths: ['C:/docs'] }],
    ['a backslash', { domain, paths: ['guides\\install'] }],
    ['a query', { domain, paths: ['guides/install?x=1'] }],
    ['an anchor', { domain, paths: ['guides/install#npm'] }],
    ['a NUL', { domain, paths: ['guides/\0'] }],
    ['half a character', { domain, paths: ['guides/\ud800'] }],
    ['an endless path', { domain, paths: ['a'.repeat(1025)] }],
  ])('refuses %s', async (_what, body) => {
    const refused = await refusal(await request('POST', jobsPath, body, undefined, { 'content-type': 'application/json' }));
    expect(refused).toMatchObject({ status: 400, code: expect.stringMatching(/^(RequestInvalid|BodyInvalid)$/) });
  });

  test('tells all faults at once', async () => {
    const { error } = await refusal(await request('POST', jobsPath, { domain: 'a b', version: '/', paths: ['..'] }));
    expect(error).toContain('domain: must be a host name');
    expect(error).toContain('version: must be 1 to 64');
    expect(error).toContain('paths.0: ".." is not the path of a page');
  });

  test('refuses another type of body, and a large one', async () => {
    expect((await request('POST', jobsPath, '<x/>', undefined, { 'content-type': 'text/xml' })).status).toBe(415);
    expect((await request('POST', jobsPath, { domain, paths: ['a'.repeat(70_000)] })).status).toBe(413);
  });

  test.each(['nowhere.acme.com', 'docs.other.com'])('does not know the site %s', async (domain) => {
    expect(await refusal(await request('POST', jobsPath, { domain }))).toMatchObject({
      status: 404,
      code: 'SiteUnknown',
      error: expect.stringContaining(`"${domain}"`),
    });
  });

  test('asks for a key, its scope and the plan', async () => {
    const body = { domain };
    expect(await refusal(await request('POST', jobsPath, body, null))).toMatchObject({ status: 401, code: 'KeyMissing' });
    expect(await refusal(await request('POST', jobsPath, body, 'svc_unknown'))).toMatchObject({
      status: 401,
      code: 'KeyUnknown',
    });
    const reader = await keyOf('default', ['read']);
    expect(await refusal(await request('POST', jobsPath, body, reader))).toMatchObject({ status: 403, code: 'ScopeMissing' });
    await services.organizations.create({ id: 'small', name: 'Small', plan: 'standard' });
    const small = await keyOf('small');
    expect(await refusal(await request('POST', jobsPath, body, small))).toMatchObject({ status: 403, code: 'PlanWithoutExport' });
  });

  test('loses no job that cannot be sent, and sends it with the next request of its key', async () => {
    const { send } = services.queue;
    services.queue.send = () => Promise.reject(new Error('The queue is away.'));
    const headers = { 'idempotency-key': 'away' };
    const response = await request('POST', jobsPath, { domain }, undefined, headers);
    services.queue.send = send;
    expect(response.status).toBe(202);
    const { jobId } = (await response.json()) as JobObject;
    expect(await services.jobs.unfinished()).toContainEqual({ id: jobId, domain });
    const before = (await services.queue.counts()).queued;
    await request('POST', jobsPath, { domain }, undefined, headers);
    expect((await services.queue.counts()).queued).toBe(before + 1);
  });
});

describe('an Idempotency-Key', () => {
  const post = (body: object, key: string) => request('POST', jobsPath, body, undefined, { 'idempotency-key': key });

  test('makes one job of 50 equal requests at once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post({ domain, paths: ['index'] }, 'many')));
    expect(answers.every(({ status }) => status === 202)).toBe(true);
    const ids = await Promise.all(answers.map(async (answer) => ((await answer.json()) as JobObject).jobId));
    expect(new Set(ids).size).toBe(1);
  });

  test('takes another spelling of the same request for the same, and refuses another request', async () => {
    const first = (await (await post({ domain, paths: ['guides/install'] }, 'spelling')).json()) as JobObject;
    const same = (await (
      await post({ paths: ['/guides/install.mdx', 'guides/install'], domain: 'DOCS.acme.com' }, 'spelling')
    ).json()) as JobObject;
    expect(same.jobId).toBe(first.jobId);
    expect(await refusal(await post({ domain }, 'spelling'))).toMatchObject({ status: 409, code: 'IdempotencyKeyReused' });
  });

  test.each([
    ['empty', '', 400],
    ['too long', 'k'.repeat(256), 400],
    ['with a tab', 'a\tb', 400],
    ['as long as may be', 'k'.repeat(255), 202],
    ['with spaces', 'deploy 47 11', 202],
  ])('that is %s', async (_what, key, status) => {
    expect((await post({ domain }, key)).status).toBe(status);
  });
});

describe('paths', () => {
  test('are left to the job for a site that was never exported, and for git', async () => {
    expect((await request('POST', jobsPath, { domain, paths: ['nowhere'] })).status).toBe(202);
    expect((await request('POST', jobsPath, { domain: 'git.acme.com', paths: ['nowhere'] })).status).toBe(202);
  });

  test('are known from the active export and from the folder', async () => {
    const manifest = await server.keepManifest(domain, 'c'.repeat(64), ['', 'guides/install', 'api/list-users']);
    await completeJob(services.jobs, await server.start(), { manifest });
    clock.now += 1000;
    const paths = ['api/list-users', 'guides/new', 'reference', ''];
    expect((await request('POST', jobsPath, { domain, paths })).status).toBe(202);
    for (const path of ['guides/nowhere', 'images/logo.svg', 'guides', '%2e%2e/secret']) {
      expect(await refusal(await request('POST', jobsPath, { domain, paths: ['', path] }))).toMatchObject({
        status: 400,
        code: 'PathUnknown',
        error: expect.stringContaining(`"${path}"`),
      });
    }
  });

  test('are left to the job while the active export holds some pages only', async () => {
    const manifest = await server.keepManifest(domain, 'd'.repeat(64), ['']);
    await completeJob(services.jobs, await server.start({ domain, paths: [''] }), { manifest });
    clock.now += 1000;
    expect((await request('POST', jobsPath, { domain, paths: ['api/list-users'] })).status).toBe(202);
  });

  test('are left to the job when the export or the folder cannot be read here', async () => {
    await completeJob(services.jobs, await server.start(), { manifest: 'e'.repeat(64) });
    clock.now += 1000;
    expect((await request('POST', jobsPath, { domain, paths: ['nowhere'] })).status).toBe(202);
    const manifest = await server.keepManifest(domain, 'f'.repeat(64), ['']);
    await completeJob(services.jobs, await server.start(), { manifest });
    clock.now += 1000;
    expect((await request('POST', jobsPath, { domain, paths: ['nowhere'] })).status).toBe(400);
    await rm(folder, { recursive: true });
    expect((await request('POST', jobsPath, { domain, paths: ['nowhere'] })).status).toBe(202);
  });
});
