import type { Metrics } from '../../platform/metrics.ts';
import { isFinished } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import type { JobListener } from './worker.ts';

/** Ends a job that the queue has abandoned, so that no one waits for it. */
export async function giveUp(
  { jobs, webhooks, metrics }: { jobs: Jobs; webhooks: JobListener; metrics: Metrics },
  id: string,
): Promise<void> {
  const job = await jobs.get(id);
  if (!job || isFinished(job.status)) return;
  const failed = await jobs.fail(
    { id, attempt: job.attempt },
    {
      code: 'RunsLost',
      message: `The job was started ${job.attempt} times, and its runs failed without a result; the server's log says why. Start the job again when that is fixed.`,
    },
  );
  const ended = failed ? await jobs.get(id) : undefined;
  if (!ended) return;
  metrics.jobs.inc({ status: ended.status });
  await webhooks.notify(ended);
}
