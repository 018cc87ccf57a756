// Jobs that nobody starts by hand: a push, or the schedule of a site.
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../platform/log.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import { isWhole, type Job, type NewJob } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Queue } from '../queue/queue.ts';

export interface RefreshParts {
  database: Database;
  now: () => number;
  jobs: Jobs;
  queue: Pick<Queue, 'send'>;
  options: Pick<ServerOptions, 'queuedJobs'>;
  log: Logger;
}

export interface Refresh {
  idempotency?: NewJob['idempotency'];
  /** The one that the branch has now, if it is known. */
  commit?: string;
}

/**
 * Starts an export of the whole site, or returns the job that will export the same: one that waits, or runs for the same commit.
 * Throws `ApiError` 429 `QueueFull`.
 */
export async function startRefresh(
  { jobs, queue, options, log }: RefreshParts,
  { domain, organization }: Pick<RegisteredSite, 'domain' | 'organization'>,
  { idempotency, commit }: Refresh = {},
): Promise<Job> {
  const request = commit === undefined ? {} : { commit };
  const job = await jobs.create({
    ...{ organization, domain, request, idempotency },
    ...{ isRefresh: true, mostQueued: options.queuedJobs },
  });
  if (job.status === 'queued')
    await queue.send(job).catch((error: unknown) => log.error({ err: error, job: job.id }, 'a job could not be sent'));
  return job;
}

/** The commit that a site was last exported from, even if it was rolled back since; undefined if it is not known. */
export async function lastCommit(
  jobs: Jobs,
  { domain, organization }: Pick<RegisteredSite, 'domain' | 'organization'>,
): Promise<string | undefined> {
  const stored = await jobs.stored(domain);
  return stored.find((job) => job.organization === organization && isWhole(job.request))?.result?.commit;
}
