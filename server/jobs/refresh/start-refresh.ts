// Jobs that nobody starts by hand: a push, or the schedule of a site.
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../platform/log.ts';
import type { ServerOptions } from '../../platform/options.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import { isWhole, type Job, type NewJob } from '../model/job.ts';
import { claimKey } from '../model/create-job.ts';
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
 * Starts an export of the whole site. A job that is still waiting, or runs for the same commit, will export the same, so it is returned instead.
 * Throws `ApiError` 429 `QueueFull`.
 */
export async function startRefresh(
  { database, now, jobs, queue, options, log }: RefreshParts,
  { domain, organization }: Pick<RegisteredSite, 'domain' | 'organization'>,
  { idempotency, commit }: Refresh = {},
): Promise<Job> {
  const unfinished = (status: 'queued' | 'running') => jobs.list({ organization, domain, status, limit: 100 });
  const isSame = ({ request }: Job) => isWhole(request) && request.version === undefined;
  const isOfCommit = (job: Job) => isSame(job) && commit !== undefined && job.request.commit === commit;
  const same = (await unfinished('queued')).jobs.find(isSame) ?? (await unfinished('running')).jobs.find(isOfCommit);
  if (same) {
    // When the delivery is replayed, this job may have ended.
    if (idempotency) await claimKey(database, { ...idempotency, organization, at: now() }, same.id);
    if (commit !== undefined) await jobs.setCommit(same.id, commit);
    return same;
  }
  const request = commit === undefined ? {} : { commit };
  const job = await jobs.create({ organization, domain, request, idempotency, mostQueued: options.queuedJobs });
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
