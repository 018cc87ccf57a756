import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import { createJobs } from '../../../server/jobs/model/jobs.ts';
import { createLog } from '../../../server/platform/log.ts';
import { startChild, type Child } from '../support/child.ts';
import { freshPostgres } from '../support/databases.ts';
import { addEmptyDatabase } from '../support/embedded.ts';

const worker = new URL('queue-process.ts', import.meta.url);
const log = createLog('silent');
let folder: string;
let children: Child[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carrel-queue-'));
  children = [];
});
afterEach(async () => {
  for (const child of children) await child.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a worker and waits until it works. */
async function work(databaseUrl: string | undefined, { limit = 1, hangAt = '', time = 0 } = {}): Promise<Child> {
  const child = startChild(worker, [folder, databaseUrl ?? '', String(limit), hangAt, String(time)]);
  children.push(child);
  return child;
}

/** Lines up to one, with it. */
async function until(child: Child, last: string): Promise<string[]> {
  const lines: string[] = [];
  do lines.push(await child.line());
  while (lines.at(-1) !== last);
  return lines.filter((line) => line !== 'ready');
}

/** Adds jobs, each of a site of its own, as the API does before it sends them. */
async function addJobs(databaseUrl: string | undefined, count: number): Promise<string[]> {
  if (!databaseUrl) await addEmptyDatabase(folder);
  const database = await openDatabase({ dataFolder: folder, databaseUrl, log });
  await migrate(database);
  await database.query(`insert into carrel.organizations values ('default', 'Default', 'enterprise', now())`);
  const jobs = createJobs(database, Date.now);
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    ids.push((await jobs.create({ organization: 'default', domain: `site-${index}`, request: {} })).id);
  }
  await database.close();
  return ids;
}

async function statuses(databaseUrl: string | undefined): Promise<{ status: string; attempt: number }[]> {
  const database = await openDatabase({ dataFolder: folder, databaseUrl, log });
  const rows = await database.query<{ status: string; attempt: number }>('select status, attempt from carrel.jobs');
  await database.close();
  return rows;
}

/** As if the ten seconds had passed after which a process counts as killed. */
async function missHeartbeats(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(
    `update pgboss.job set heartbeat_on = now() - interval '1 minute' where state = 'active'`,
  );
  await client.end();
  expect(rowCount).toBe(1);
}

// The number of runs is the queue's, and the same in both; when a process counts as killed is not.
describe.each([
  ['embedded', 1],
  ['postgresql', 4],
])('a killed process (%s)', (kind, kills) => {
  let databaseUrl: string | undefined;
  beforeEach(async () => {
    databaseUrl = kind === 'postgresql' ? await freshPostgres() : undefined;
  });

  it(`loses its job to the next process, without a failed attempt: after ${kills}, another one finishes the job`, async () => {
    const [id = ''] = await addJobs(databaseUrl, 1);
    for (let run = 0; run < kills; run++) {
      const child = await work(databaseUrl, { hangAt: id });
      await until(child, `begin ${id}`);
      await child.kill();
      // The first time, the next process waits until the killed one has missed its heartbeats.
      if (databaseUrl && run > 0) await missHeartbeats(databaseUrl);
    }
    const last = await work(databaseUrl);
    expect(await until(last, `completed ${id}`)).toEqual([`begin ${id}`, `completed ${id}`]);
    await last.kill();
    expect(await statuses(databaseUrl)).toEqual([{ status: 'completed', attempt: kills + 1 }]);
  });
});

it('two processes run each job exactly once, even if one of them is killed', async () => {
  const databaseUrl = await freshPostgres();
  const ids = await addJobs(databaseUrl, 40);
  const victim = await work(databaseUrl, { limit: 2, hangAt: 'all' });
  const lost = [await victim.line(), await victim.line(), await victim.line()].filter((line) => line !== 'ready');
  const [one, two] = [await work(databaseUrl, { limit: 2, time: 20 }), await work(databaseUrl, { limit: 2, time: 20 })];
  const lines: string[] = [];
  const completed = () => lines.filter((line) => line.startsWith('completed '));
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>();
  const read = async (child: Child) => {
    for (;;) {
      lines.push(await child.line());
      if (completed().length === ids.length) finish();
    }
  };
  const reading = [read(one), read(two)].map((lasting) => lasting.catch(() => {}));
  await victim.kill();
  await finished;
  await one.kill();
  await two.kill();
  await Promise.all(reading);
  expect(completed().sort()).toEqual(ids.map((id) => `completed ${id}`).sort());
  const begun = [...lost, ...lines.filter((line) => line.startsWith('begin '))];
  expect(begun.length).toBe(ids.length + lost.length);
  expect(await statuses(databaseUrl)).toEqual(ids.map(() => ({ status: 'completed', attempt: expect.any(Number) })));
});
