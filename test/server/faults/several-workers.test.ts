import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { verifyBundle } from '../../../integration/output/open-bundle.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { followJob, startJob, type ServerProcess } from '../../support/server-process.ts';
import { s3Credentials, startS3Server } from '../storage/s3-server.ts';
import { freshPostgres } from '../support/databases.ts';
import { receiver } from '../webhooks/receiver.ts';
import { carrel } from '../../src/cli/carrel.ts';
import { addSite, place, startServer } from './places.ts';

const jobs = 6;
const sites = 3;

interface Shared {
  root: string;
  data: string;
  /** The environment of all processes. */
  common: Record<string, string>;
  api: ServerProcess;
  workers: ServerProcess[];
  database: string;
  hook: Awaited<ReturnType<typeof receiver>>;
}

/** One database, one bucket, one that answers, two that work; all on the same data folder. */
async function start(): Promise<Shared> {
  const { root, data, docs } = place(atFileEnd);
  const s3 = await startS3Server();
  atFileEnd(() => s3.end());
  const database = await freshPostgres();
  const common = {
    DATABASE_URL: database,
    CARREL_SECRET: 'what all processes of this test share',
    CARREL_PRIVATE_HOSTS: '127.0.0.1',
    QUICK_EXPORT: '1000',
    ...s3Credentials,
    CARREL_S3_BUCKET: s3.bucket,
    CARREL_S3_ENDPOINT: s3.endpoint,
  };
  const [api, ...workers] = await Promise.all(
    ['api', 'worker', 'worker'].map((role) => startServer(data, { ...common, CARREL_ROLE: role }, atFileEnd)),
  );
  const hook = await receiver((_call, response) => response.end(), atFileEnd);
  expect((await api!.request('POST', '/v1/webhooks', { url: hook.url })).status).toBe(201);
  for (let site = 0; site < sites; site++) await addSite(api!, `site-${site}`, docs);
  return { root, data, common, api: api!, workers, database, hook };
}

async function startJobs({ api }: Shared): Promise<string[]> {
  return await Promise.all(Array.from({ length: jobs }, (_, job) => startJob(api, { domain: `site-${job % sites}` })));
}

/** Each job: completed, one whole bundle, and told to the webhook. */
async function expectCompleted({ root, api, database, hook }: Shared, ids: string[]): Promise<number[]> {
  const states = await Promise.all(ids.map((id) => followJob(api, id)));
  expect(states.filter(({ status }) => status !== 'completed')).toEqual([]);
  let bundles = 0;
  for (const id of ids) {
    const answer = await api.request('POST', `/v1/static-export/jobs/${id}/bundle`);
    // Those that newer ones of the same site took the place of were removed, and say so.
    const { bundleUrl } = (await answer.json()) as { bundleUrl?: string };
    expect([200, 410]).toContain(answer.status);
    if (!bundleUrl) continue;
    const file = join(root, `${id}.zip`);
    writeFileSync(file, Buffer.from(await (await fetch(bundleUrl)).arrayBuffer()));
    expect(await verifyBundle(file)).toEqual([]);
    bundles++;
  }
  expect(bundles).toBeGreaterThanOrEqual(sites);
  const notified = () => hook.received.map(({ body }) => JSON.parse(body).data.jobId as string).filter((id) => ids.includes(id));
  // What a killed worker was delivering returns to the queue after 10 s, and waits there for up to 30 s like any other repeat.
  await expect.poll(() => new Set(notified()).size).toBe(ids.length);
  // The same message may come again; another one about the same job may not.
  expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(new Set(hook.received.map(jobOf)).size);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  const { rows } = await client.query('select attempt from carrel.jobs where id = any($1)', [ids]);
  await client.end();
  return rows.map(({ attempt }) => attempt as number);
}

function jobOf({ body }: { body: string }): string {
  return JSON.parse(body).data.jobId as string;
}

let shared: Shared;
beforeAll(async () => {
  shared = await start();
});

test('two workers on one database share jobs, each run once', async () => {
  const ids = await startJobs(shared);
  const attempts = await expectCompleted(shared, ids);
  expect(new Set(attempts)).toEqual(new Set([1]));
  expect(shared.hook.received.map(jobOf).filter((id) => ids.includes(id))).toHaveLength(jobs);
});

test('what a killed worker had in hand is done by the other one', async () => {
  const ids = await startJobs(shared);
  await Promise.race(ids.slice(0, sites).map((id) => followJob(shared.api, id, ({ stage }) => stage === 'render')));
  await shared.workers[0]!.kill();
  const attempts = await expectCompleted(shared, ids);
  expect(attempts).toHaveLength(jobs);
  expect(attempts.filter((attempt) => attempt > 2)).toEqual([]);
});

test('workers lose no export on another database, by a backup that is made while exports run', async () => {
  const ids = await startJobs(shared);
  await Promise.race(ids.slice(0, sites).map((id) => followJob(shared.api, id, ({ stage }) => stage === 'render')));
  let file = '';
  const run = async (command: string, database: string) => {
    const environment = { ...process.env, ...shared.common, CARREL_DATA: shared.data, DATABASE_URL: database };
    const { code, stderr } = await carrel([command, file], { env: environment });
    expect([command, code, stderr]).toEqual([command, 0, '']);
  };
  // Between two jobs no worker has one in hand, and a backup on a busy machine may take longer than all jobs: then there are more of them,
  // and another backup.
  let backups = 0;
  const statesInBackup = async () => {
    if (backups > 0) ids.push(...(await startJobs(shared)));
    file = join(shared.root, `meanwhile-${(backups += 1)}.sql`);
    await run('backup', shared.database);
    return [...readFileSync(file, 'utf8').matchAll(/^insert into carrel\.jobs .*"status": "(\w+)"/gm)].map(([, state]) => state);
  };
  await expect.poll(statesInBackup).toEqual(expect.arrayContaining(['running', 'queued']));
  for (const server of [shared.api, ...shared.workers]) await server.kill();

  const database = await freshPostgres();
  await run('restore', database);
  const api = await startServer(shared.data, { ...shared.common, DATABASE_URL: database });
  await expectCompleted({ ...shared, api, database }, ids);
});
