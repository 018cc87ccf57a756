// Jobs in pages, newest first. A cursor names the last job of a page, so jobs that come in between move nothing.
import type { Queryable } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Job } from './job.ts';
import { jobColumns, jobOf, timestamp, type JobRow } from './rows.ts';
import type { JobFilter, JobPage } from './jobs.ts';

/** Implements `Jobs.list`. */
export async function listJobs(database: Queryable, filter: JobFilter): Promise<JobPage> {
  const { organization, domain, status, limit } = filter;
  const after = filter.cursor === undefined ? undefined : placeOf(filter.cursor);
  const rows = await database.query<JobRow>(
    `select ${jobColumns} from carrel.jobs
     where organization = $1 and ($2::text is null or domain = $2) and ($3::text is null or status = $3)
       and ($4::timestamptz is null or (created_at, id) < ($4, $5::text))
     order by created_at desc, id desc limit $6`,
    [organization, domain ?? null, status ?? null, after?.createdAt ?? null, after?.id ?? null, limit + 1],
  );
  const jobs = rows.slice(0, limit).map(jobOf);
  const last = jobs.at(-1);
  return last && rows.length > limit ? { jobs, cursor: cursorOf(last) } : { jobs };
}

function cursorOf({ createdAt, id }: Job): string {
  return Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url');
}

function placeOf(cursor: string): { createdAt: string; id: string } {
  const place = Buffer.from(cursor, 'base64url');
  const [, milliseconds, id] = /^(\d{1,13}) (se_[0-9a-f]{16})$/.exec(place.toString('latin1')) ?? [];
  if (milliseconds !== undefined && id !== undefined && place.toString('base64url') === cursor)
    return { createdAt: timestamp(Number(milliseconds)), id };
  throw new ApiError(400, 'CursorInvalid', `The cursor "${cursor.slice(0, 100)}" is not one of ours. Begin again without one.`);
}
