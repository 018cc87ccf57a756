import type { JobObject } from '../../jobs/model/job-object.ts';
import type { Session } from './session.ts';

/** Starts an export of the whole site, or of the part that `options` names. */
export function startExport({ client }: Session, domain: string, options: object = {}): Promise<JobObject> {
  return client.call<JobObject>('POST', '/v1/static-export/jobs', { body: { domain, ...options } });
}

/** Job by its ID, without a request if it is among those that are known. */
export async function findJob(
  { client }: Session,
  id: string | null,
  jobs: JobObject[],
  signal: AbortSignal,
): Promise<JobObject | undefined> {
  if (id === null) return undefined;
  return (
    jobs.find(({ jobId }) => jobId === id) ?? (await client.call<JobObject>('GET', `/v1/static-export/jobs/${id}`, { signal }))
  );
}

/** The latest job of each site. */
export async function latestJobs({ client }: Session, signal: AbortSignal): Promise<Map<string, JobObject>> {
  const jobs = new Map<string, JobObject>();
  let cursor: string | undefined;
  do {
    const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/v1/static-export/jobs?latest=true&limit=100${after}`;
    const page = await client.call<{ jobs: JobObject[]; cursor?: string }>('GET', path, { signal });
    for (const job of page.jobs) jobs.set(job.domain, job);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return jobs;
}

export function isUnfinished(job: JobObject | undefined): boolean {
  return job?.status === 'running' || job?.status === 'queued';
}

const pollEvery = 2000;

/** Calls `load`, and again every two seconds as long as it returns true. Only an error of the first call is thrown. */
export function polled(load: () => Promise<boolean>, signal: AbortSignal): () => Promise<void> {
  let due: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(due));
  const again = () => {
    clearTimeout(due);
    if (!signal.aborted) due = setTimeout(() => void run().catch(again), pollEvery);
  };
  const run = async (): Promise<void> => {
    clearTimeout(due);
    if (await load()) again();
  };
  return run;
}
