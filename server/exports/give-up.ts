import type { Services } from '../services.ts';
import { isFinished } from './job.ts';

/** Ends a job whose runs were all lost, mostly with the processes that ran them, so that nobody waits for it. */
export async function giveUp({ jobs, webhooks, metrics }: Services, id: string): Promise<void> {
  const job = await jobs.get(id);
  if (!job || isFinished(job.status)) return;
  const failed = await jobs.fail(
    { id, attempt: job.attempt },
    {
      code: 'RunsLost',
      message: `The job was started ${job.attempt} times, and every time its worker ended before it did. The export may take more memory than there is; the job's log says how far it came.`,
    },
  );
  const ended = failed ? await jobs.get(id) : undefined;
  if (!ended) return;
  metrics.jobs.inc({ status: ended.status });
  await webhooks.tell(ended);
}
