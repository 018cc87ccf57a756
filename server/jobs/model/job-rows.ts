// Jobs as their table stores them.
import type { Job } from './job.ts';

/** The channel that carries the ids of changed jobs. */
export const jobsChannel = 'carrel_jobs';

/** The columns of a `Job`. */
export const jobColumns = `id, organization, domain, request, status, stage, progress, page_count as "pageCount", attempt, error,
  error_code as "errorCode", result, created_at as "createdAt", updated_at as "updatedAt", started_at as "startedAt",
  finished_at as "finishedAt", expired_at as "expiredAt"`;

/** For the `returning` of a statement that changes jobs: all processes are notified when the change is committed. */
export const notifyingColumns = `${jobColumns}, pg_notify('${jobsChannel}', id)`;

export type ChangedRow = Job & { pg_notify: unknown };

export function changedJob({ pg_notify: _, ...job }: ChangedRow): Job {
  return job;
}

/** A time that both databases read the same in any time zone. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** PostgreSQL cannot store NUL in a text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '');
}
