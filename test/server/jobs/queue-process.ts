// A worker process: begins jobs, says so, and completes those whose id is not "hang".
// Arguments: data folder, address of PostgreSQL or "", number of workers, id to hang at or "", milliseconds that a run takes.
import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '../../../server/database/migrate.ts';
import { openDatabase } from '../../../server/database/open-database.ts';
import type { JobResult } from '../../../server/jobs/model/job.ts';
import { createJobs } from '../../../server/jobs/model/jobs.ts';
import { createQueue } from '../../../server/jobs/queue/queue.ts';
import { createLog } from '../../../server/platform/log.ts';

const [dataFolder = '', databaseUrl = '', limit = '1', hangAt = '', time = '0'] = process.argv.slice(2);
const log = createLog('silent');
const database = await openDatabase({ dataFolder, databaseUrl: databaseUrl || undefined, log });
await migrate(database);
const jobs = createJobs(database, Date.now);
const queue = createQueue(database, log);
await queue.start();
await queue.recover(await jobs.unfinished());
await queue.work(
  Number(limit),
  async (id, signal) => {
    const job = await jobs.start(id);
    if (!job) return;
    console.log(`begin ${id}`);
    if (hangAt === 'all' || id === hangAt) await pause(600_000, undefined, { signal });
    await pause(Number(time));
    const result: JobResult = {
      version: '1',
      pages: 1,
      files: 1,
      bytes: 1,
      manifest: '',
      archive: { sha256: '', sizeBytes: 1 },
      warnings: {},
    };
    if (await jobs.complete({ id, attempt: job.attempt }, result)) console.log(`completed ${id}`);
  },
  async (id) => {
    const job = await jobs.get(id);
    await jobs.fail({ id, attempt: job!.attempt }, { code: 'RunsLost', message: 'All runs were lost.' });
    console.log(`given up ${id}`);
  },
);
console.log('ready');
process.stdin.resume();
process.stdin.once('end', async () => {
  await queue.stop(5);
  await database.close();
  process.exit();
});
