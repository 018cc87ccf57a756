// A job as its table stores it.
import type { Job, JobRequest, JobResult, JobStage, JobStatus } from './job.ts';

/** The channel of changes of jobs: the payload is the id. */
export const jobsChannel = 'carrel_jobs';

/** The columns that `jobOf` reads. */
export const jobColumns = `id, organization, domain, request, status, stage, progress, page_count, attempt, error, error_code, result,
  created_at, updated_at, started_at, finished_at, expired_at`;

/** For the `returning` of a statement that changes jobs: the rows; all processes are notified when the change is committed. */
export const notifyingColumns = `${jobColumns}, pg_notify('${jobsChannel}', id)`;

export interface JobRow {
  id: string;
  organization: string;
  domain: string;
  request: JobRequest;
  status: JobStatus;
  stage: JobStage | null;
  progress: number;
  page_count: number;
  attempt: number;
  error: string | null;
  error_code: string | null;
  result: JobResult | null;
  created_at: Date;
  updated_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  expired_at: Date | null;
}

export function jobOf(row: JobRow): Job {
  return {
    id: row.id,
    organization: row.organization,
    domain: row.domain,
    request: row.request,
    status: row.status,
    stage: row.stage,
    progress: row.progress,
    pageCount: row.page_count,
    attempt: row.attempt,
    error: row.error,
    errorCode: row.error_code,
    result: row.result,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiredAt: row.expired_at,
  };
}

/** A time that both databases read the same in any time zone. */
export function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** PostgreSQL holds no NUL in a text. */
export function storable(text: string): string {
  return text.replaceAll('\0', '');
}
