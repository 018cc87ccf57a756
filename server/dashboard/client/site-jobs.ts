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
