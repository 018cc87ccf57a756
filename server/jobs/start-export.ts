// What starts an export: a request, a push, or the schedule of a site.
import type { ServerOptions } from '../platform/options.ts';
import type { Logger } from '../platform/log.ts';
import type { RegisteredSite } from '../sites/sites.ts';
import { isWhole, type Job, type NewJob } from './model/job.ts';
import type { Jobs } from './model/jobs.ts';
import type { Queue } from './queue/queue.ts';

export interface StartParts {
  jobs: Jobs;
  queue: Pick<Queue, 'send'>;
  options: Pick<ServerOptions, 'queuedJobs'>;
  log: Logger;
}

/** Starts an export. Throws `ApiError` 429 `QueueFull`, 409 `IdempotencyKeyReused`. */
export async function startExport({ jobs, queue, options, log }: StartParts, wanted: NewJob): Promise<Job> {
  const job = await jobs.create({ ...wanted, mostQueued: options.queuedJobs });
  // The job is already in the database: if the queue is unavailable now, it is sent within minutes.
  if (job.status === 'queued')
    await queue.send(job).catch((error: unknown) => log.error({ err: error, job: job.id }, 'a job could not be sent'));
  return job;
}

export interface Change {
  idempotency?: NewJob['idempotency'];
  /** The one that the branch has now, if it is known. */
  commit?: string;
}

type SiteName = Pick<RegisteredSite, 'domain' | 'organization'>;

/**
 * Exports the whole site since its docs have changed, or returns the job that will export the same: one that waits, or runs for the same
 * commit. Throws `ApiError` 429 `QueueFull`.
 */
export function exportChange(
  parts: StartParts,
  { domain, organization }: SiteName,
  { idempotency, commit }: Change = {},
): Promise<Job> {
  const request = commit === undefined ? {} : { commit };
  return startExport(parts, { organization, domain, request, idempotency, mayJoin: true });
}

interface OfAudiences {
  /** ID of the export of the whole site that they belong to. */
  whole: string;
  /** The one that this was made from. */
  commit?: string | undefined;
  /** Whether audiences that have an export need no other one. */
  onlyMissing?: boolean;
}

/** Exports a site for each of its audiences. One that cannot be queued now is exported after the next export of the site. */
export async function exportForAudiences(
  parts: StartParts,
  { domain, organization, settings }: RegisteredSite,
  { whole, commit, onlyMissing = false }: OfAudiences,
): Promise<void> {
  for (const { groups } of settings.audiences ?? []) {
    if (onlyMissing && (await parts.jobs.latestFor({ organization, domain, groups, whole })) !== undefined) continue;
    const request = { groups, whole, ...(commit !== undefined && { commit }) };
    await startExport(parts, { organization, domain, request, mayJoin: true }).catch((error: unknown) =>
      parts.log.warn({ err: error, domain, groups }, 'an export for an audience could not be started'),
    );
  }
}

/** The commit that a site was last exported from, even if it was rolled back since; undefined if it is not known. */
export async function lastCommit(jobs: Jobs, { domain, organization }: SiteName): Promise<string | undefined> {
  const stored = await jobs.stored(domain);
  return stored.find((job) => job.organization === organization && isWhole(job.request))?.result?.commit;
}
