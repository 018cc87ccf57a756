import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import pg from 'pg';
import { createPostgresDatabase } from '../server/support/databases.ts';
import { startPostgres } from '../server/support/postgres.ts';
import { tell } from './aims.ts';
import { benchIdle } from './idle-memory.ts';
import { followJob, startJob, startServerProcess, type ServerProcess } from '../support/server-process.ts';

export interface ServerBench {
  /** Jobs that wait while more are started. */
  queued: number;
  /** Jobs that two workers share. */
  jobs: number;
  /** Of asking for a status. */
  seconds: number;
}

const pausingServer = path.resolve(import.meta.dirname, '../server/faults/pausing-server.ts');
const jobsPath = '/v1/static-export/jobs';

/** A real server under load, on its embedded database and on PostgreSQL: each number beside its aim. */
export async function benchServer({ queued, jobs, seconds }: ServerBench): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-server-'));
  try {
    await benchIdle();
    await takingEvents(folder, seconds);
    await underLoad(folder, queued, seconds);
    const one = await shared(folder, jobs, { workers: 1 });
    const two = await shared(folder, jobs, { workers: 2 });
    tell('two workers, as fast as one', one / two, 'x', { least: 1.6 });
    await shared(folder, jobs, { workers: 2, killed: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The events that a server takes from readers. */
async function takingEvents(folder: string, seconds: number): Promise<void> {
  const unlimited = { CARREL_LIMITS: 'eventsPerHour=1000000000, eventsPerMinute=1000000000' };
  const server = await startServerProcess(path.join(folder, 'events'), unlimited);
  try {
    const { jobs } = (await (await server.request('GET', jobsPath)).json()) as { jobs: { jobId: string }[] };
    await followJob(server, jobs[0]!.jobId);
    await events(server, seconds);
  } finally {
    await server.stop();
  }
}

/** Five events a request, as a page sends them. */
async function events(server: ServerProcess, seconds: number): Promise<void> {
  await server.request('PATCH', '/v1/sites/manual', { features: { analytics: { mode: 'own' } } });
  const sent = [
    { type: 'view', path: 'serve' },
    { type: 'search', query: 'bundle', hits: 3, clicked: 'bundles' },
    { type: 'view', path: 'bundles' },
    { type: 'question', query: 'How do I verify a bundle?', answer: 'quotes', path: 'bundles' },
    { type: 'page_feedback', path: 'bundles', helpful: true },
  ];
  const result = await autocannon({
    url: `${server.address}/discovery/v1/events/manual`,
    method: 'POST',
    headers: {
      'content-type': 'text/plain',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    },
    body: JSON.stringify({ events: sent }),
    connections: 50,
    duration: seconds,
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed.`);
  tell('events from readers', result.requests.average * sent.length, 'events/s', { least: 1000 });
  tell('a request with five events, 99 of 100 within', result.latency.p99, 'ms', { most: 250 });
}

/** Its one worker stands still in its first job, so that all others wait and nothing but the API is measured. */
async function underLoad(folder: string, queued: number, seconds: number): Promise<void> {
  const data = path.join(folder, 'load');
  const server = await startServerProcess(data, {}, [pausingServer, 'read', path.join(folder, 'marker')]);
  try {
    const started = performance.now();
    for (let sent = 0; sent < queued; sent += 20)
      await Promise.all(Array.from({ length: 20 }, () => startJob(server, { domain: 'docs' })));
    console.log(`${queued} jobs queued in ${((performance.now() - started) / 1000).toFixed(1)} s`);

    const times: number[] = [];
    let jobId = '';
    for (let start = 0; start < 200; start++) {
      const before = performance.now();
      jobId = await startJob(server, { domain: 'docs' });
      times.push(performance.now() - before);
    }
    times.sort((a, b) => a - b);
    tell(`start with ${queued} jobs queued, 95 of 100 within`, times[Math.floor(times.length * 0.95)]!, 'ms', { most: 50 });

    const result = await autocannon({
      url: `${server.address}${jobsPath}/${jobId}`,
      headers: { authorization: `Bearer ${server.adminKey}` },
      connections: 50,
      duration: seconds,
    });
    if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed.`);
    tell('status, with the key checked', result.requests.average, 'requests/s', { least: 2000 });
  } finally {
    await server.kill();
  }
}

/** Seconds in which workers on one PostgreSQL do jobs of twenty sites. */
async function shared(folder: string, count: number, { workers, killed = false }: Workers): Promise<number> {
  const docs = path.join(folder, 'docs');
  await mkdir(docs, { recursive: true });
  await writeFile(path.join(docs, 'index.md'), '# One page\n\nAnd no more.\n');
  const postgres = await startPostgres();
  const servers: ServerProcess[] = [];
  try {
    const environment = { DATABASE_URL: await createPostgresDatabase(postgres.url), CARREL_SECRET: 'x'.repeat(32) };
    const data = path.join(folder, `shared-${workers}-${killed}`);
    for (const role of ['api', ...Array.from({ length: workers }, () => 'worker')])
      servers.push(await startServerProcess(data, { ...environment, CARREL_ROLE: role }));
    const [api, first] = servers as [ServerProcess, ServerProcess];
    const sites = Array.from({ length: 20 }, (_, site) => `site-${site}`);
    for (const site of sites) await api.request('PUT', `/v1/sites/${site}`, { source: { type: 'folder', path: docs } });

    const started = performance.now();
    const ids = await Promise.all(
      Array.from({ length: count }, (_, job) => startJob(api, { domain: sites[job % sites.length]! })),
    );
    if (killed) {
      await followJob(api, ids[0]!);
      await first.kill();
    }
    // Every job is asked for in turn: a stream for each would be too many.
    for (const id of ids) await followJob(api, id);
    const took = (performance.now() - started) / 1000;

    const client = new pg.Client({ connectionString: environment.DATABASE_URL });
    await client.connect();
    const { rows } = await client.query<{ completed: number; again: number }>(
      `select count(*) filter (where status = 'completed')::int as completed, count(*) filter (where attempt > 1)::int as again
       from carrel.jobs where id = any($1)`,
      [ids],
    );
    await client.end();
    const { completed, again } = rows[0]!;
    const what = killed ? `${workers} workers, one killed` : workers === 1 ? 'one worker' : `${workers} workers`;
    console.log(`${what}: ${count} jobs in ${took.toFixed(1)} s, ${again} started again`);
    tell(`${what}: jobs completed`, completed, `of ${count}`, { least: count });
    if (!killed) tell(`${what}: jobs started again`, again, 'jobs', { most: 0 });
    return took;
  } finally {
    for (const server of servers) await server.kill();
    await postgres.end();
  }
}

interface Workers {
  workers: number;
  /** Whether one of them is killed after its first job. */
  killed?: boolean;
}
