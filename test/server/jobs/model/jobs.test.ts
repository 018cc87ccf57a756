import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../../../server/database/database.ts';
import type { Job } from '../../../../server/jobs/model/job.ts';
import type { NewJob } from '../../../../server/jobs/model/job.ts';
import { createJobs, type Jobs } from '../../../../server/jobs/model/jobs.ts';
import { emptiedDatabase } from '../../support/databases.ts';
import { addOrganization, completeJob, jobResult, jobThat } from '../job-support.ts';

const start = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;

const open = emptiedDatabase();
let database: Database;
let jobs: Jobs;
const clock = { now: start };

beforeAll(async () => {
  database = await open();
  await addOrganization(database, 'acme', ['docs.acme.com', 'help.acme.com', 'api.acme.com']);
  await addOrganization(database, 'other', ['docs.other.com']);
  jobs = createJobs(database, () => clock.now);
  // Ends with the database.
  await jobs.open();
});

const create = (job: Partial<NewJob> = {}): Promise<Job> =>
  jobs.create({ organization: 'acme', domain: 'docs.acme.com', request: {}, ...job });
const activeJob = async (domain: string) =>
  (await database.query<{ active_job: string }>('select active_job from carrel.sites where domain = $1', [domain]))[0]
    ?.active_job;

describe('a job', () => {
  test('is queued when it is created, and stores its request', async () => {
    const request = { version: 'v14', paths: ['', 'guides/größe'], language: 'en' };
    const job = await create({ domain: 'api.acme.com', request });
    expect(job).toMatchObject({
      id: expect.stringMatching(/^se_[0-9a-f]{16}$/),
      organization: 'acme',
      domain: 'api.acme.com',
      request,
      status: 'queued',
      stage: null,
      progress: 0,
      pageCount: 0,
      attempt: 0,
      error: null,
      result: null,
      createdAt: new Date(start),
      updatedAt: new Date(start),
      startedAt: null,
      finishedAt: null,
    });
    expect(await jobs.get(job.id)).toEqual(job);
  });

  test('has only the report of its last run', async () => {
    const { id } = await create();
    await jobs.start(id);
    await jobs.saveReport({ id, attempt: 1 }, '{"version":"first"}');
    await jobs.release({ id, attempt: 1 });
    await jobs.start(id);
    await jobs.saveReport({ id, attempt: 1 }, '{"version":"late"}');
    expect(await jobs.readReport(id)).toBeUndefined();
    await jobs.saveReport({ id, attempt: 2 }, '{"version":"second \\u0000"}');
    await jobs.complete({ id, attempt: 2 }, jobResult);
    await jobs.saveReport({ id, attempt: 2 }, '{"version":"after"}');
    expect(await jobs.readReport(id)).toBe('{"version":"second \\u0000"}');
    await jobs.expire(id);
    expect(await jobs.readReport(id)).toBeUndefined();
  });

  test('keeps a number of reports of failed and canceled jobs of its site, and those of other sites', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      clock.now += 1000;
      const { id } = await create({ domain: n === 0 ? 'elsewhere.acme.com' : 'reports.acme.com' });
      ids.push(id);
      await jobs.start(id);
      await jobs.saveReport({ id, attempt: 1 }, '{}');
      if (n === 1) await jobs.complete({ id, attempt: 1 }, jobResult);
      else if (n === 2) await jobs.cancel(id);
      else await jobs.fail({ id, attempt: 1 }, { code: 'X', message: 'x' });
    }
    await jobs.removeReports('reports.acme.com', 2);
    expect(await Promise.all(ids.map((id) => jobs.readReport(id)))).toEqual(['{}', '{}', undefined, undefined, '{}', '{}']);
  });

  test('is queued, then running, then completed', async () => {
    const { id } = await create();
    clock.now += 1000;
    const running = await jobs.start(id);
    expect(running).toMatchObject({ status: 'running', attempt: 1, startedAt: new Date(clock.now) });
    const run = { id, attempt: 1 };
    expect(await jobs.advance(run, { stage: 'render', progress: 40, pageCount: 2 })).toBe(true);
    expect(await jobs.get(id)).toMatchObject({ stage: 'render', progress: 40, pageCount: 2 });
    clock.now += 1000;
    expect(await jobs.complete(run, jobResult)).toBe(true);
    expect(await jobs.get(id)).toMatchObject({
      status: 'completed',
      progress: 100,
      pageCount: 3,
      result: jobResult,
      stage: null,
      startedAt: new Date(clock.now - 1000),
      updatedAt: new Date(clock.now),
      finishedAt: new Date(clock.now),
    });
  });

  test('progress never decreases, and reaches 100 only when the job is completed', async () => {
    const { id } = await create();
    await jobs.start(id);
    const run = { id, attempt: 1 };
    await jobs.advance(run, { stage: 'render', progress: 60, pageCount: 10 });
    await jobs.advance(run, { stage: 'render', progress: 50, pageCount: 8 });
    expect(await jobs.get(id)).toMatchObject({ progress: 60, pageCount: 10 });
    await jobs.start(id);
    await jobs.advance({ id, attempt: 2 }, { stage: 'read', progress: 3, pageCount: 0 });
    expect(await jobs.get(id)).toMatchObject({ stage: 'read', progress: 60, attempt: 2 });
    await jobs.advance({ id, attempt: 2 }, { stage: 'archive', progress: 120, pageCount: 10 });
    expect((await jobs.get(id))!.progress).toBeLessThan(100);
    await jobs.cancel(id);
  });

  test('fails with a message, from which NUL characters are removed', async () => {
    const { id } = await create();
    await jobs.start(id);
    expect(await jobs.fail({ id, attempt: 1 }, { code: 'SourceBroken', message: 'docs.json is\0 broken.' })).toBe(true);
    expect(await jobs.get(id)).toMatchObject({
      status: 'failed',
      error: 'docs.json is broken.',
      errorCode: 'SourceBroken',
      finishedAt: new Date(clock.now),
    });
  });

  test('is queued again when its run is released', async () => {
    const { id } = await create();
    await jobs.start(id);
    await jobs.advance({ id, attempt: 1 }, { stage: 'render', progress: 40, pageCount: 2 });
    expect(await jobs.release({ id, attempt: 1 })).toBe(true);
    expect(await jobs.get(id)).toMatchObject({ status: 'queued', stage: null, attempt: 1 });
    const run = { id, attempt: 1 };
    expect(await jobs.advance(run, { stage: 'read', progress: 3, pageCount: 0 })).toBe(false);
    expect(await jobs.complete(run, jobResult)).toBe(false);
    expect(await jobs.start(id)).toMatchObject({ status: 'running', attempt: 2 });
    expect(await jobs.release({ id, attempt: 2 })).toBe(true);
    // When no other run will come.
    expect(await jobs.fail({ id, attempt: 2 }, { code: 'RunsLost', message: 'Lost.' })).toBe(true);
  });

  test('does not show the stage of a run that was interrupted, but its start time', async () => {
    const { id } = await create();
    const began = new Date(clock.now);
    await jobs.start(id);
    await jobs.advance({ id, attempt: 1 }, { stage: 'render', progress: 40, pageCount: 2 });
    clock.now += 1000;
    expect(await jobs.start(id)).toMatchObject({ status: 'running', stage: null, attempt: 2, startedAt: began });
    await jobs.cancel(id);
  });

  test('is canceled once, from queued and from running', async () => {
    const queued = await create();
    expect(await jobs.cancel(queued.id)).toMatchObject({ status: 'canceled', finishedAt: new Date(clock.now) });
    expect(await jobs.cancel(queued.id)).toBeUndefined();
    expect(await jobs.start(queued.id)).toBeUndefined();
    const running = await create();
    await jobs.start(running.id);
    expect(await jobs.cancel(running.id)).toMatchObject({ status: 'canceled' });
  });

  test.each(['nonsense', 'se_0123456789abcdef', "se_' or 1=1 --", 'se_\0'])('with the id %j does not exist', async (id) => {
    expect(await jobs.get(id)).toBeUndefined();
  });
});

describe('an abandoned run', () => {
  test.each([
    ['a newer run', (id: string) => jobs.start(id)],
    ['a cancelation', (id: string) => jobs.cancel(id)],
    ['its own end', (id: string) => jobs.complete({ id, attempt: 1 }, jobResult)],
  ])('changes nothing after %s', async (_what, takeAway) => {
    const { id } = await create();
    await jobs.start(id);
    await takeAway(id);
    const before = await jobs.get(id);
    const run = { id, attempt: 1 };
    expect(await jobs.advance(run, { stage: 'write', progress: 90, pageCount: 99 })).toBe(false);
    expect(await jobs.fail(run, { code: 'Late', message: 'Too late.' })).toBe(false);
    expect(await jobs.complete(run, { ...jobResult, version: 'late' })).toBe(false);
    expect(await jobs.release(run)).toBe(false);
    expect(await jobs.get(id)).toEqual(before);
    await jobs.cancel(id);
  });

  test('counts once when two end at the same time', async () => {
    const { id } = await create();
    await jobs.start(id);
    const ends = await Promise.all(Array.from({ length: 10 }, () => jobs.complete({ id, attempt: 1 }, jobResult)));
    expect(ends.filter(Boolean)).toHaveLength(1);
  });
});

describe('the active export of a site', () => {
  test('is the export of the newest completed job, whichever ends last', async () => {
    const older = await create({ domain: 'help.acme.com' });
    const newer = await create({ domain: 'help.acme.com' });
    expect(newer.createdAt.getTime()).toBeGreaterThan(older.createdAt.getTime());
    await completeJob(jobs, newer.id);
    expect(await activeJob('help.acme.com')).toBe(newer.id);
    await completeJob(jobs, older.id);
    expect(await activeJob('help.acme.com')).toBe(newer.id);
    expect((await jobs.get(older.id))?.status).toBe('completed');
    const newest = await create({ domain: 'help.acme.com' });
    await completeJob(jobs, newest.id);
    expect(await activeJob('help.acme.com')).toBe(newest.id);
  });

  test('is the newest one even if the clock was set back', async () => {
    const older = await create({ domain: 'api.acme.com' });
    clock.now -= hour;
    const newer = await create({ domain: 'api.acme.com' });
    await completeJob(jobs, older.id);
    await completeJob(jobs, newer.id);
    clock.now += hour;
    expect(await activeJob('api.acme.com')).toBe(newer.id);
  });

  test('is never an export of some pages, of one language or for some readers, which is stored all the same', async () => {
    await addOrganization(database, 'parts', ['parts.com']);
    const part = (request: NewJob['request']) => create({ organization: 'parts', domain: 'parts.com', request });
    const first = await part({ paths: ['guides'] });
    await completeJob(jobs, first.id);
    expect(await activeJob('parts.com')).toBeNull();
    const whole = await part({ version: 'v14' });
    const later: Job[] = [];
    for (const request of [{ paths: [''] }, { language: 'en' }, { groups: ['partner'] }, { language: 'en', paths: [''] }])
      later.push(await part(request));
    for (const { id } of [whole, ...later]) await completeJob(jobs, id);
    expect(await activeJob('parts.com')).toBe(whole.id);
    expect((await jobs.stored('parts.com')).map(({ id }) => id)).toEqual([...later.reverse(), whole, first].map(({ id }) => id));
  });

  test('stays when a job fails, and for a site of another organization', async () => {
    const before = await activeJob('api.acme.com');
    const { id } = await create({ domain: 'api.acme.com' });
    await jobs.start(id);
    await jobs.fail({ id, attempt: 1 }, { code: 'Broken', message: 'Broken.' });
    expect(await activeJob('api.acme.com')).toBe(before);
    // The domain has gone to another organization since the job was made.
    const foreign = await create({ domain: 'docs.other.com' });
    await completeJob(jobs, foreign.id);
    expect(await activeJob('docs.other.com')).toBeNull();
  });
});

describe('a refresh', () => {
  const domain = 'refresh.acme.com';
  const refresh = (commit?: string, more: Partial<NewJob> = {}) =>
    create({ domain, request: commit === undefined ? {} : { commit }, mayJoin: true, ...more });

  test('joins the job that waits, however many come at the same time, which is then for the last commit', async () => {
    await create({ domain, request: { paths: ['guides'] } });
    await create({ domain, request: { version: 'v14' } });
    await create({ domain, request: { groups: ['partner'] } });
    const deliveries = Array.from({ length: 30 }, (_, index) => ({ key: `push ${index}`, requestHash: 'same' }));
    const made = await Promise.all(deliveries.map((idempotency) => refresh('a'.repeat(40), { idempotency })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const last = await refresh('b'.repeat(40));
    expect(last).toMatchObject({ id: made[0]!.id, request: { commit: 'b'.repeat(40) } });
    expect((await refresh()).request).toEqual({ commit: 'b'.repeat(40) });
    // A delivery that is repeated later still finds its job.
    await completeJob(jobs, last.id);
    expect(await refresh('a'.repeat(40), { idempotency: deliveries[7] })).toMatchObject({ id: last.id, status: 'completed' });
  });

  test('joins a running job for the same commit alone', async () => {
    const { id } = await refresh('c'.repeat(40));
    await jobs.start(id);
    expect((await refresh('c'.repeat(40))).id).toBe(id);
    const next = await refresh('d'.repeat(40));
    expect(next.id).not.toBe(id);
    expect((await refresh()).id).toBe(next.id);
  });
});

describe('an idempotency key', () => {
  test('starts one job for 50 equal concurrent requests', async () => {
    const idempotency = { key: 'deploy 1', requestHash: 'one' };
    const made = await Promise.all(Array.from({ length: 50 }, () => create({ idempotency })));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    const rows = await database.query('select from carrel.jobs where id = $1', [made[0]!.id]);
    expect(rows).toHaveLength(1);
  });

  test('refuses a different request, and leaves no job', async () => {
    await create({ idempotency: { key: 'deploy 2', requestHash: 'one' } });
    const before = (await jobs.list({ organization: 'acme', limit: 100 })).jobs.length;
    await expect(create({ idempotency: { key: 'deploy 2', requestHash: 'two' } })).rejects.toMatchObject({
      status: 409,
      code: 'IdempotencyKeyReused',
      message: expect.stringContaining('"deploy 2"'),
    });
    expect((await jobs.list({ organization: 'acme', limit: 100 })).jobs).toHaveLength(before);
  });

  test('returns the current state of the job', async () => {
    const idempotency = { key: 'deploy 3', requestHash: 'one' };
    const { id } = await create({ idempotency });
    await jobs.cancel(id);
    expect(await create({ idempotency })).toMatchObject({ id, status: 'canceled' });
  });

  test('expires after 24 hours, and belongs to its organization', async () => {
    const idempotency = { key: 'deploy 4', requestHash: 'one' };
    const { id } = await create({ idempotency });
    const other = await create({ organization: 'other', domain: 'docs.other.com', idempotency });
    expect(other.id).not.toBe(id);
    clock.now += 24 * hour - 1;
    expect((await create({ idempotency })).id).toBe(id);
    clock.now += 1;
    const later = await create({ idempotency: { ...idempotency, requestHash: 'two' } });
    expect(later.id).not.toBe(id);
    const kept = await database.query('select from carrel.idempotency_keys');
    expect(kept).toHaveLength(1);
  });
});

describe('lists', () => {
  test('are newest first, in pages that new jobs do not shift', async () => {
    const made: string[] = [];
    for (let count = 0; count < 5; count++) made.unshift((await create({ organization: 'other', domain: 'list.other.com' })).id);
    const filter = { organization: 'other', domain: 'list.other.com', limit: 2 };
    const first = await jobs.list(filter);
    expect(first.jobs.map(({ id }) => id)).toEqual(made.slice(0, 2));
    await create({ organization: 'other', domain: 'list.other.com' });
    const second = await jobs.list({ ...filter, cursor: first.cursor });
    expect(second.jobs.map(({ id }) => id)).toEqual(made.slice(2, 4));
    const third = await jobs.list({ ...filter, cursor: second.cursor });
    expect(third.jobs.map(({ id }) => id)).toEqual(made.slice(4));
    expect(third.cursor).toBeUndefined();
  });

  test('show the jobs of one organization, site and status', async () => {
    const { id } = await create({ organization: 'other', domain: 'filter.other.com' });
    await jobs.cancel(id);
    await create({ organization: 'other', domain: 'filter.other.com' });
    const list = async (filter: object) => (await jobs.list({ organization: 'other', limit: 100, ...filter })).jobs;
    expect((await list({ domain: 'filter.other.com', status: 'canceled' })).map((job) => job.id)).toEqual([id]);
    expect(await list({ domain: 'docs.acme.com' })).toEqual([]);
    const all = await list({});
    expect(all.length).toBeGreaterThan(1);
    expect(all.filter(({ organization }) => organization !== 'other')).toEqual([]);
  });

  const misshapen = [
    '',
    'x',
    Buffer.from('1 se_zz').toString('base64url'),
    Buffer.from(`${'9'.repeat(20)} se_0123456789abcdef`).toString('base64url'),
  ];
  test.each(misshapen)('refuse the cursor %j', async (cursor) => {
    await expect(jobs.list({ organization: 'acme', limit: 5, cursor })).rejects.toMatchObject({
      status: 400,
      code: 'CursorInvalid',
    });
  });
});

describe('the log', () => {
  test('is read completely or from a position, and accepts nothing from an abandoned run', async () => {
    const { id } = await create();
    await jobs.start(id);
    await jobs.log({ id, attempt: 1 }, 'Reading.\n');
    await jobs.log({ id, attempt: 1 }, 'NUL \0 here.\n');
    await jobs.start(id);
    await jobs.log({ id, attempt: 1 }, 'Late.\n');
    const pieces = await jobs.readLog(id);
    expect(pieces.map(({ text }) => text)).toEqual(['Reading.\n', 'NUL  here.\n']);
    expect((await jobs.readLog(id, pieces[0]!.id)).map(({ text }) => text)).toEqual(['NUL  here.\n']);
    expect(await jobs.readLog(id, pieces[1]!.id)).toEqual([]);
    await jobs.cancel(id);
    await jobs.log({ id, attempt: 2 }, 'Canceled.\n');
    expect((await jobs.readLog(id)).at(-1)?.text).toBe('Canceled.\n');
  });
});

describe('the remaining work', () => {
  test('is listed for the queue with domains, oldest first', async () => {
    await database.query('delete from carrel.jobs');
    const first = await create();
    clock.now += 1;
    const second = await create({ domain: 'api.acme.com' });
    const done = await create();
    await completeJob(jobs, done.id);
    await jobs.start(second.id);
    expect(await jobs.unfinished()).toEqual([
      { id: first.id, domain: 'docs.acme.com' },
      { id: second.id, domain: 'api.acme.com' },
    ]);
  });

  test('is listed for retention: completed jobs with files', async () => {
    await database.query('delete from carrel.jobs');
    const [older, newer] = [await create(), await create()];
    await create();
    await completeJob(jobs, older.id);
    await completeJob(jobs, newer.id);
    expect((await jobs.stored('docs.acme.com')).map(({ id }) => id)).toEqual([newer.id, older.id]);
    await jobs.expire(older.id);
    expect((await jobs.stored('docs.acme.com')).map(({ id }) => id)).toEqual([newer.id]);
    expect((await jobs.get(older.id))?.expiredAt).toEqual(new Date(clock.now));
  });
});

describe('watching', () => {
  test('reports changes by another store on the same database', async () => {
    const elsewhere = createJobs(database, () => clock.now);
    const { id } = await create();
    const completed = jobThat(jobs, id, ({ status }) => status === 'completed');
    await completeJob(elsewhere, id);
    expect(await completed).toMatchObject({ id, progress: 100 });
    expect(await jobs.get(id)).toMatchObject({ status: 'completed' });
  });

  test('reports each state once, in order, and nothing after it was stopped', async () => {
    const { id } = await create();
    const reported: Job[] = [];
    const stop = jobs.watch(id, (job) => reported.push(job));
    const done = jobThat(jobs, id, ({ status }) => status === 'canceled');
    await jobs.start(id);
    await Promise.all(
      Array.from({ length: 30 }, (_, page) =>
        jobs.advance({ id, attempt: 1 }, { stage: 'render', progress: page, pageCount: page }),
      ),
    );
    await jobs.cancel(id);
    await done;
    const progress = reported.map((job) => job.progress);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(new Set(reported.map((job) => JSON.stringify(job))).size).toBe(reported.length);
    stop();
    const count = reported.length;
    await jobs.expire(id);
    const { id: another } = await create();
    const heard = jobThat(jobs, another, () => true);
    await jobs.cancel(another);
    await heard;
    expect(reported).toHaveLength(count);
  });

  // The embedded database has no connection to lose: nothing is terminated there.
  test('reports changes made while the listening connection was lost', async () => {
    const { id } = await create();
    const canceled = jobThat(jobs, id, ({ status }) => status === 'canceled');
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and query ilike 'listen%'`,
    );
    await createJobs(database, () => clock.now).cancel(id);
    expect(await canceled).toMatchObject({ id });
  });

  test('reports nothing of other processes before it is opened and after it is closed', async () => {
    const deaf = createJobs(database, () => clock.now);
    const { id } = await create();
    const reported: Job[] = [];
    deaf.watch(id, (job) => reported.push(job));
    await deaf.open();
    await deaf.close();
    const heard = jobThat(jobs, id, () => true);
    await jobs.cancel(id);
    await heard;
    expect(reported.filter(({ status }) => status === 'canceled')).toEqual([]);
  });

  test('works in one process without notifications', async () => {
    const alone = createJobs(database, () => clock.now);
    const { id } = await alone.create({ organization: 'acme', domain: 'docs.acme.com', request: {} });
    const canceled = jobThat(alone, id, ({ status }) => status === 'canceled');
    await alone.cancel(id);
    expect(await canceled).toMatchObject({ id });
  });
});

test('a job is cached until it changes, and concurrent readers share one query', async () => {
  const { id } = await create();
  const states = await Promise.all(Array.from({ length: 200 }, () => jobs.get(id)));
  expect(new Set(states).size).toBe(1);
  await jobs.start(id);
  expect(await jobs.get(id)).toMatchObject({ status: 'running' });
});
