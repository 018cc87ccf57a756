import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { migrate } from '../../../../server/database/migrate.ts';
import { openDatabase } from '../../../../server/database/open-database.ts';
import { jobEvents } from '../../../../server/jobs/routes/job-events.ts';
import type { JobObject } from '../../../../server/jobs/model/job-object.ts';
import type { Job } from '../../../../server/jobs/model/job.ts';
import { createJobs, type Jobs } from '../../../../server/jobs/model/jobs.ts';
import { listen } from '../../../../server/http/listen.ts';
import { createLog } from '../../../../server/platform/log.ts';
import { freshPostgres } from '../../support/databases.ts';
import { jobsPath, openJobServer } from '../job-server.ts';
import { addOrganization, completeJob, jobResult } from '../job-support.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('events of a job over HTTP', async () => {
  const { adminKey, api, request, services, start } = await openJobServer();
  const { jobs } = services;
  const listener = await listen(0, '127.0.0.1');
  listener.answer(api.fetch);
  afterAll(() => listener.close(0));

  // Which jobs are watched right now.
  const watching: string[] = [];
  let onLeave: (() => void) | undefined;
  const { watch } = jobs;
  jobs.watch = (id, ...hear) => {
    watching.push(id);
    const stop = watch(id, ...hear);
    return () => {
      stop();
      if (watching.includes(id)) watching.splice(watching.indexOf(id), 1);
      onLeave?.();
    };
  };

  async function* follow(id: string, signal?: AbortSignal, headers = {}): AsyncGenerator<JobObject> {
    const response = await fetch(`${listener.address}${jobsPath}/${id}/events`, {
      headers: { ...('cookie' in headers ? {} : { authorization: `Bearer ${adminKey}` }), ...headers },
      signal,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toContain('no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events: EventSourceMessage[] = [];
    const parser = createParser({ onEvent: (event) => events.push(event) });
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      parser.feed(chunk);
      for (const { event, data } of events.splice(0)) {
        expect(event).toBe('job');
        yield JSON.parse(data) as JobObject;
      }
    }
  }

  test('contain the state at once and every change, and end with the job', async () => {
    const id = await start();
    const events = follow(id);
    const next = async () => (await events.next()).value as JobObject;
    expect(await next()).toMatchObject({ jobId: id, status: 'queued', progress: 0 });
    const { attempt } = (await jobs.start(id))!;
    expect(await next()).toMatchObject({ status: 'running' });
    await jobs.advance({ id, attempt }, { stage: 'render', progress: 30, pageCount: 4 });
    expect(await next()).toMatchObject({ stage: 'render', progress: 30, pageCount: 4 });
    await jobs.complete({ id, attempt }, jobResult);
    const last = await next();
    expect(last).toMatchObject({ status: 'completed', progress: 100, version: 'v14' });
    expect(last).toEqual(await (await request('GET', `${jobsPath}/${id}`)).json());
    expect(await events.next()).toMatchObject({ done: true });
    expect(watching).toEqual([]);
  });

  test('end when the server stops, even if the job continues elsewhere', async () => {
    const events = follow(await start());
    expect((await events.next()).value).toMatchObject({ status: 'queued' });
    await jobs.close();
    expect(await events.next()).toMatchObject({ done: true });
    expect(watching).toEqual([]);
    await jobs.open();
  });

  test.each(['completed', 'failed', 'canceled'])(
    'of a %s job are its state, regardless of the last event seen',
    async (status) => {
      const id = await start();
      if (status === 'canceled') await jobs.cancel(id);
      else if (status === 'completed') await completeJob(jobs, id);
      else await jobs.fail({ id, attempt: (await jobs.start(id))!.attempt }, { code: 'Broken', message: 'Broken.' });
      const seen = await all(follow(id, undefined, { 'last-event-id': '99\u00e9' }));
      expect(seen).toMatchObject([{ jobId: id, status }]);
      expect(watching).toEqual([]);
    },
  );

  test('are no longer watched when the reader has left', async () => {
    const id = await start();
    const leaving = new AbortController();
    const events = follow(id, leaving.signal);
    await events.next();
    expect(watching).toEqual([id]);
    const left = new Promise<void>((resolve) => (onLeave = resolve));
    leaving.abort();
    await expect(events.next()).rejects.toThrow();
    await left;
    expect(watching).toEqual([]);
    await jobs.cancel(id);
  });

  test('reach a hundred readers of one job', async () => {
    const id = await start();
    const readers = Array.from({ length: 100 }, () => follow(id));
    await Promise.all(readers.map((reader) => reader.next()));
    await completeJob(jobs, id);
    const ends = await Promise.all(readers.map(async (reader) => (await all(reader)).at(-1)));
    expect(ends.every((job) => job?.status === 'completed')).toBe(true);
    expect(watching).toEqual([]);
  });

  test('reach a reader with a session, until the session ends', async () => {
    const id = await start();
    const { token } = await services.sessions.create((await services.keys.find(adminKey))!, { address: '', agent: '' });
    const events = follow(id, undefined, { cookie: `carrel-session=${token}`, 'x-carrel-session': '1' });
    expect((await events.next()).value).toMatchObject({ jobId: id, status: 'queued' });
    await services.sessions.end(token);
    await completeJob(jobs, id);
    expect(await all(events)).toEqual([]);
  });

  test('open no watch for a HEAD request', async () => {
    const id = await start();
    const response = await fetch(`${listener.address}${jobsPath}/${id}/events`, {
      method: 'HEAD',
      headers: { authorization: `Bearer ${adminKey}` },
    });
    expect(response.status).toBe(200);
    expect(watching).toEqual([]);
  });
});

describe('the stream of events', () => {
  const running: Job = {
    id: 'se_0123456789abcdef',
    organization: 'acme',
    domain: 'docs.acme.com',
    request: {},
    status: 'running',
    stage: null,
    progress: 0,
    pageCount: 0,
    attempt: 1,
    error: null,
    errorCode: null,
    result: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    startedAt: null,
    finishedAt: null,
    expiredAt: null,
  };

  function stream(get: () => Promise<Job | undefined> = async () => running) {
    let tell: (job: Job) => void = () => {};
    const stop = vi.fn();
    const jobs: Pick<Jobs, 'get' | 'watch'> = {
      get,
      watch(_id, onChange) {
        tell = onChange;
        return stop;
      },
    };
    const reader = jobEvents(jobs, running.id, ({ status, progress }) => `${status} ${progress}`).getReader();
    const read = async () => new TextDecoder().decode((await reader.read()).value);
    return { stop, reader, read, tell: (change: Partial<Job>) => tell({ ...running, ...change }) };
  }

  afterEach(() => vi.useRealTimers());

  test('sends only the latest state to a slow reader', async () => {
    const { read, reader, stop, tell } = stream();
    expect(await read()).toBe('event: job\ndata: running 0\n\n');
    for (let progress = 1; progress <= 1000; progress++) tell({ progress: progress / 10 });
    expect(await read()).toBe('event: job\ndata: running 100\n\n');
    await reader.cancel();
    expect(stop).toHaveBeenCalled();
  });

  test('sends a heartbeat after a silence, and finds a missed change', async () => {
    vi.useFakeTimers();
    let present = running;
    const { read, tell, reader, stop } = stream(async () => present);
    expect(await read()).toBe('event: job\ndata: running 0\n\n');
    const silent = read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await silent).toBe(': still here\n\n');
    present = { ...running, progress: 50 };
    const missed = read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await missed).toBe(': still here\n\n');
    expect(await read()).toBe('event: job\ndata: running 50\n\n');
    tell({ progress: 50 });
    tell({ status: 'completed', progress: 100 });
    expect(await read()).toBe('event: job\ndata: completed 100\n\n');
    expect(stop).toHaveBeenCalled();
    expect((await reader.read()).done).toBe(true);
  });

  test('continues while the database is unavailable, and ends when the job is deleted', async () => {
    vi.useFakeTimers();
    let answer: () => Promise<Job | undefined> = async () => running;
    const { read, reader } = stream(() => answer());
    await read();
    answer = () => Promise.reject(new Error('The database is away.'));
    const silent = read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(await silent).toBe(': still here\n\n');
    answer = async () => undefined;
    const last = read();
    await vi.advanceTimersByTimeAsync(15_000);
    await last;
    expect((await reader.read()).done).toBe(true);
  });
});

test('a job is watched from another process on PostgreSQL', async () => {
  const databaseUrl = await freshPostgres();
  const database = await openDatabase({ dataFolder: '', databaseUrl, log: createLog('silent') });
  await migrate(database);
  await addOrganization(database, 'acme', ['docs.acme.com']);
  const jobs = createJobs(database, Date.now);
  const { id } = await jobs.create({ organization: 'acme', domain: 'docs.acme.com', request: {} });
  const watchers = [1, 2].map(() => {
    const child = spawn(process.execPath, [new URL('job-watcher.ts', import.meta.url).pathname, databaseUrl, id], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return { lines, errors: text(child.stderr), next: async () => (await lines.next()).value as string };
  });
  for (const watcher of watchers) expect(await watcher.next()).toBe('watching');
  const { attempt } = (await jobs.start(id))!;
  for (const watcher of watchers) expect(await watcher.next()).toBe('running 0');
  await jobs.advance({ id, attempt }, { stage: 'render', progress: 55, pageCount: 9 });
  for (const watcher of watchers) expect(await watcher.next()).toBe('running 55');
  await jobs.complete({ id, attempt }, jobResult);
  for (const watcher of watchers) {
    expect(await watcher.next()).toBe('completed 100');
    expect(await watcher.lines.next()).toMatchObject({ done: true });
    expect(await watcher.errors).toBe('');
  }
  await database.close();
});
