import { describe, expect, test } from 'vitest';
import type { ErrorBody } from '../../../../server/platform/errors.ts';
import type { BundleObject } from '../../../../server/jobs/routes/bundle-routes.ts';
import type { JobObject } from '../../../../server/jobs/model/job-object.ts';
import { jobsPath, openJobServer } from '../job-server.ts';
import { completeJob, jobResult } from '../job-support.ts';

const { clock, keyOf, request, services, start } = await openJobServer({ linkSeconds: 600 });
const { jobs } = services;
const stranger = await keyOf('other');
const reader = await keyOf('default', ['read']);

const refusal = async (response: Response): Promise<ErrorBody & { status: number }> => ({
  status: response.status,
  ...((await response.json()) as ErrorBody),
});
const run = async (id: string) => ({ id, attempt: (await jobs.start(id))!.attempt });
const fail = async (id: string) => jobs.fail(await run(id), { code: 'SourceBroken', message: 'docs.json is broken. Mend it.' });
const expire = async (id: string) => {
  await completeJob(jobs, id);
  await jobs.expire(id);
};

describe('a job that does not belong to the caller', () => {
  const calls = [
    ['GET', ''],
    ['POST', '/bundle'],
    ['POST', '/cancel'],
    ['GET', '/events'],
    ['GET', '/log'],
  ] as const;

  test.each([...calls, ['GET', '/report'] as const])(
    'is unknown to %s …%s: malformed, unknown, or of another organization',
    async (method, tail) => {
      const id = await start();
      for (const unknown of [
        'se_0123456789abcdef',
        'se_xyz',
        'SE_0123456789ABCDEF',
        "'%20or%201=1",
        'a'.repeat(2000),
        '..%2Fkeys',
      ]) {
        expect(await refusal(await request(method, `${jobsPath}/${unknown}${tail}`))).toMatchObject({
          status: 404,
          code: 'JobUnknown',
        });
      }
      expect(await refusal(await request(method, `${jobsPath}/${id}${tail}`, undefined, stranger))).toMatchObject({
        status: 404,
        code: 'JobUnknown',
        error: expect.stringContaining(id),
      });
      expect((await jobs.get(id))?.status).toBe('queued');
    },
  );

  test.each(calls)('is not shown by %s …%s without a key', async (method, tail) => {
    const address = `${jobsPath}/${await start()}${tail}`;
    expect(await refusal(await request(method, address, undefined, null))).toMatchObject({ status: 401, code: 'KeyMissing' });
    const scoped = await request(method, address, undefined, reader);
    expect(scoped.status).toBe(method === 'POST' ? 403 : 200);
    expect(scoped.ok ? await scoped.body?.cancel() : (await refusal(scoped)).code).toBe(scoped.ok ? undefined : 'ScopeMissing');
  });
});

describe('the status', () => {
  const status = async (id: string) => (await (await request('GET', `${jobsPath}/${id}`)).json()) as JobObject;

  test('follows a job from the queue to its export', async () => {
    const id = await start();
    expect(await status(id)).toMatchObject({ status: 'queued', progress: 0, pageCount: 0 });
    const running = await run(id);
    await jobs.advance(running, { stage: 'render', progress: 42.5, pageCount: 17 });
    expect(await status(id)).toMatchObject({ status: 'running', stage: 'render', progress: 42.5, pageCount: 17, version: null });
    expect((await status(id)).commit).toBeNull();
    clock.now += 5000;
    await jobs.complete(running, { ...jobResult, commit: 'c'.repeat(40) });
    expect(await status(id)).toMatchObject({
      status: 'completed',
      commit: 'c'.repeat(40),
      stage: null,
      progress: 100,
      pageCount: 3,
      version: 'v14',
      error: null,
      finishedAt: new Date(clock.now).toISOString(),
      activeUrl: 'http://sites.example.com/sites/docs.acme.com/',
    });
  });

  test.each([{ paths: ['guides/install'] }, { language: 'en' }, { groups: ['partner'] }])(
    'of a job for %o names no address: it is served nowhere',
    async (part) => {
      const id = await start({ domain: 'docs.acme.com', ...part });
      await completeJob(jobs, id);
      expect(await status(id)).toMatchObject({ status: 'completed', activeUrl: null });
    },
  );

  test('contains the error of a failed job', async () => {
    const id = await start();
    await fail(id);
    expect(await status(id)).toMatchObject({
      status: 'failed',
      error: 'docs.json is broken. Mend it.',
      errorCode: 'SourceBroken',
    });
  });
});

describe('the report', () => {
  const report = (id: string, key?: string) => request('GET', `${jobsPath}/${id}/report`, undefined, key);
  const written = {
    version: 'v14',
    warnings: [{ kind: 'link-without-target', severity: 'warning', page: 'a.mdx', message: 'm' }],
  };
  const problems = { errors: 1, warnings: 25, notes: 3 };

  test('of a completed job is the JSON that its export wrote, for keys with read access; the job counts its issues', async () => {
    const id = await start();
    const running = await run(id);
    await jobs.saveReport(running, JSON.stringify(written));
    expect(await (await request('GET', `${jobsPath}/${id}`)).json()).toMatchObject({ problems: null });
    expect(await refusal(await report(id))).toMatchObject({ status: 409, code: 'JobNotFinished' });
    await jobs.complete(running, { ...jobResult, problems });
    const answer = await report(id, reader);
    expect([answer.status, await answer.json()]).toEqual([200, written]);
    expect(await (await request('GET', `${jobsPath}/${id}`)).json()).toMatchObject({ problems });
    expect((await report(id, await keyOf('default', ['write']))).status).toBe(200);
    expect(await refusal(await report(id, stranger))).toMatchObject({ status: 404, code: 'JobUnknown' });
  });

  test('of a failed job says why it failed, if its exporter wrote one', async () => {
    const id = await start();
    const running = await run(id);
    const failed = { error: { code: 'EgressFound', message: 'It loads.' }, egress: [] };
    await jobs.saveReport(running, JSON.stringify(failed));
    await jobs.fail(running, { code: 'EgressFound', message: 'It loads.' });
    expect(await (await report(id)).json()).toEqual(failed);
    expect(await (await request('GET', `${jobsPath}/${id}`)).json()).toMatchObject({ status: 'failed', problems: null });
  });

  test.each([
    ['a queued job', 409, 'JobNotFinished', async () => {}],
    ['a running job', 409, 'JobNotFinished', run],
    ['a job that failed before there was one', 404, 'ReportMissing', fail],
    ['a canceled job', 404, 'ReportMissing', (id: string) => jobs.cancel(id)],
    ['a job of an earlier version of Carrel', 404, 'ReportMissing', (id: string) => completeJob(jobs, id)],
    ['an expired export', 410, 'ExportExpired', expire],
  ] as const)('of %s is refused with %i %s', async (_, status, code, prepare) => {
    const id = await start();
    await prepare(id);
    expect(await refusal(await report(id))).toMatchObject({ status, code });
  });
});

describe('a bundle', () => {
  const bundle = (id: string, body?: unknown) => request('POST', `${jobsPath}/${id}/bundle`, body);

  test('has a new link for each request, valid for a limited time', async () => {
    const id = await start({ domain: 'docs.acme.com', version: 'v14' });
    await completeJob(jobs, id);
    const response = await bundle(id);
    expect(response.status).toBe(200);
    const first = (await response.json()) as BundleObject;
    expect(first).toEqual({
      jobId: id,
      bundleUrl: expect.stringMatching(`^http://api.example.com/v1/bundles/${id}\\?`),
      expiresAt: new Date((Math.floor(clock.now / 1000) + 600) * 1000).toISOString(),
      sizeBytes: 1234,
      sha256: 'b'.repeat(64),
      version: 'v14',
      manifest: 'a'.repeat(64),
    });
    clock.now += 60_000;
    const second = (await (await bundle(id, {})).json()) as BundleObject;
    expect(second.bundleUrl).not.toBe(first.bundleUrl);
    expect(Date.parse(second.expiresAt)).toBe(Date.parse(first.expiresAt) + 60_000);
    expect((await jobs.get(id))?.status).toBe('completed');
  });

  test.each([
    ['a queued job', 409, 'JobNotFinished', async () => {}],
    ['a running job', 409, 'JobNotFinished', run],
    ['a failed job', 409, 'JobFailed', fail],
    ['a canceled job', 409, 'JobCanceled', (id: string) => jobs.cancel(id)],
    ['an expired export', 410, 'ExportExpired', expire],
  ])('of %s is refused with %d %s', async (_what, status, code, bring) => {
    const id = await start();
    await bring(id);
    expect(await refusal(await bundle(id))).toMatchObject({ status, code, error: expect.stringContaining(id) });
  });

  test.each([['{"seconds":5}'], ['[]'], ['nonsense']])('refuses a body such as %s', async (body) => {
    const id = await start();
    expect(await refusal(await bundle(id, body))).toMatchObject({ status: 400, code: 'BodyNotExpected' });
  });
});

describe('canceling', () => {
  const cancel = (id: string) => request('POST', `${jobsPath}/${id}/cancel`);

  test('ends a waiting and a running job, and can be repeated', async () => {
    const waiting = await start();
    const queued = (await services.queue.counts()).queued;
    expect(await (await cancel(waiting)).json()).toMatchObject({ jobId: waiting, status: 'canceled', error: null });
    expect((await services.queue.counts()).queued).toBe(queued - 1);
    expect((await cancel(waiting)).status).toBe(200);
    const running = await start();
    const itsRun = await run(running);
    expect(await (await cancel(running)).json()).toMatchObject({ status: 'canceled' });
    expect(await jobs.advance(itsRun, { stage: 'read', progress: 3, pageCount: 0 })).toBe(false);
    // The contract's clients know no such status; the rest of the job is as they expect.
    expect((await request('GET', `${jobsPath}/${running}`)).status).toBe(200);
  });

  test('a finished job is refused', async () => {
    const completed = await start();
    await completeJob(jobs, completed);
    expect(await refusal(await cancel(completed))).toMatchObject({
      status: 409,
      code: 'JobFinished',
      error: expect.stringContaining('already completed'),
    });
    const failed = await start();
    await fail(failed);
    expect(await refusal(await cancel(failed))).toMatchObject({ status: 409, code: 'JobFinished' });
  });
});

describe('the list', () => {
  const list = async (query: string, key?: string) =>
    (await (await request('GET', `${jobsPath}?${query}`, undefined, key)).json()) as { jobs: JobObject[]; cursor?: string };

  test('contains all jobs of the organization, newest first', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.unshift(await start({ domain: 'git.acme.com' }));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(`domain=git.acme.com&limit=2${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...page.jobs.map(({ jobId }) => jobId));
      cursor = page.cursor;
      if (seen.length === 2) await start({ domain: 'git.acme.com' });
    } while (cursor);
    expect(seen).toEqual(made);
    expect((await list('limit=100', stranger)).jobs).toEqual([]);
  });

  test('can be filtered by status', async () => {
    const id = await start({ domain: 'git.acme.com' });
    await jobs.cancel(id);
    expect((await list('status=canceled&domain=GIT.acme.com')).jobs.map(({ jobId }) => jobId)).toEqual([id]);
    expect((await list('domain=docs.other.com')).jobs).toEqual([]);
  });

  test('can have only the latest job of each site, in pages', async () => {
    const older = await start({ domain: 'git.acme.com' });
    await jobs.cancel(older);
    const newest = await start({ domain: 'git.acme.com' });
    const all: JobObject[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(`latest=true&limit=1${cursor ? `&cursor=${cursor}` : ''}`);
      all.push(...page.jobs);
      cursor = page.cursor;
    } while (cursor);
    const domains = all.map(({ domain }) => domain);
    expect(domains.length).toBeGreaterThan(1);
    expect(new Set(domains).size).toBe(domains.length);
    expect(all.find(({ domain }) => domain === 'git.acme.com')!.jobId).toBe(newest);
    for (const { domain, jobId } of all) expect((await list(`domain=${domain}&limit=1`)).jobs[0]!.jobId).toBe(jobId);
    expect((await list('latest=true&domain=git.acme.com&status=canceled')).jobs).toEqual([]);
    expect((await list('latest=false&domain=git.acme.com&status=canceled')).jobs.map(({ jobId }) => jobId)).toContain(older);
  });

  test.each([
    'latest=1',
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1.5',
    'status=done',
    'domain=a/b',
    `cursor=${'x'.repeat(300)}`,
  ])('refuses %s', async (query) => {
    expect(await refusal(await request('GET', `${jobsPath}?${query}`))).toMatchObject({ status: 400, code: 'RequestInvalid' });
  });

  test('refuses an invalid cursor', async () => {
    expect(await refusal(await request('GET', `${jobsPath}?cursor=abc`))).toMatchObject({ status: 400, code: 'CursorInvalid' });
  });
});

describe('the log', () => {
  test('is plain text, complete or from a cursor', async () => {
    const id = await start();
    const empty = await request('GET', `${jobsPath}/${id}/log`);
    expect([await empty.text(), empty.headers.get('x-log-cursor')]).toEqual(['', '0']);
    const itsRun = await run(id);
    await jobs.log(itsRun, 'Reading docs.json\n');
    await jobs.log(itsRun, 'Grüße <b>');
    const whole = await request('GET', `${jobsPath}/${id}/log`);
    expect(await whole.text()).toBe('Reading docs.json\nGrüße <b>\n');
    expect(whole.headers.get('content-type')).toMatch(/^text\/plain; charset=utf-8$/i);
    const cursor = whole.headers.get('x-log-cursor')!;
    await jobs.log(itsRun, 'More\n');
    const rest = await request('GET', `${jobsPath}/${id}/log?after=${cursor}`);
    expect(await rest.text()).toBe('More\n');
    const nothing = await request('GET', `${jobsPath}/${id}/log?after=${rest.headers.get('x-log-cursor')}`);
    expect([await nothing.text(), nothing.headers.get('x-log-cursor')]).toEqual(['', rest.headers.get('x-log-cursor')]);
  });

  test.each(['-1', 'x', '1.5', '9'.repeat(30)])('refuses after=%s', async (after) => {
    const id = await start();
    expect((await request('GET', `${jobsPath}/${id}/log?after=${after}`)).status).toBe(400);
  });
});
