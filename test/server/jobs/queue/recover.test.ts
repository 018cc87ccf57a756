import { expect, test } from 'vitest';
import { createJobs } from '../../../../server/jobs/model/jobs.ts';
import { createQueue } from '../../../../server/jobs/queue/queue.ts';
import { keepEnqueuingMissingJobs } from '../../../../server/jobs/queue/recover.ts';
import { createLog } from '../../../../server/platform/log.ts';
import { emptiedDatabase } from '../../support/databases.ts';
import { addOrganization, completeJob } from '../job-support.ts';

const log = createLog('silent');

const open = emptiedDatabase();
async function start() {
  const database = await open();
  await addOrganization(database, 'acme', ['docs.acme.com']);
  const queue = createQueue(database, log);
  await queue.start();
  const jobs = createJobs(database, Date.now);
  // Made, and never sent: as when the database goes away between the two.
  const create = () => jobs.create({ organization: 'acme', domain: 'docs.acme.com', request: {} });
  return { database, queue, jobs, create };
}

/** Resolves with so many jobs that were run. */
const ran = (queue: ReturnType<typeof createQueue>, count: number) =>
  new Promise<string[]>((resolve, reject) => {
    const seen: string[] = [];
    void queue.work(
      1,
      async (id) => void (seen.push(id) === count && resolve(seen)),
      async (id) => reject(new Error(id)),
    );
  });

test('a job that could not be queued is queued once without a restart; a finished one never', async () => {
  const { queue, jobs, create } = await start();
  const [finished, sent, ...missing] = [await create(), await create(), await create(), await create()];
  await completeJob(jobs, finished.id);
  await queue.send(sent);
  const stops = [keepEnqueuingMissingJobs({ jobs, queue, log }, 5), keepEnqueuingMissingJobs({ jobs, queue, log }, 5)];
  expect((await ran(queue, 3)).sort()).toEqual([sent, ...missing].map(({ id }) => id).sort());
  await Promise.all(stops.map((stop) => stop()));
  await queue.stop(5);
});

test('an unavailable database ends nothing: the next check finds the jobs', async () => {
  const { database, queue, jobs, create } = await start();
  const job = await create();
  let looks = 0;
  const unfinished = async () => {
    if (++looks === 1) await database.query('select from nowhere');
    return jobs.unfinished();
  };
  const stop = keepEnqueuingMissingJobs({ jobs: { ...jobs, unfinished }, queue, log }, 5);
  expect(await ran(queue, 1)).toEqual([job.id]);
  expect(looks).toBeGreaterThan(1);
  await stop();
  const after = looks;
  await queue.stop(5);
  expect(looks).toBe(after);
});
