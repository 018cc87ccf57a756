// A process of its own that watches a job on a PostgreSQL database: node job-watcher.ts <address> <id>. It prints each state as a line.
import { openDatabase } from '../../../../server/database/open-database.ts';
import { isFinished } from '../../../../server/jobs/model/job.ts';
import { createJobs } from '../../../../server/jobs/model/jobs.ts';
import { createLog } from '../../../../server/platform/log.ts';

const [, , databaseUrl, id] = process.argv;
const database = await openDatabase({ dataFolder: '', databaseUrl, log: createLog('silent') });
const jobs = createJobs(database, Date.now);
await jobs.open();
jobs.watch(id!, ({ status, progress }) => {
  console.log(`${status} ${progress}`);
  if (isFinished(status)) void jobs.close().then(() => database.close());
});
console.log('watching');
