// New jobs, and the jobs that repeated requests return.
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../../database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Job, NewJob } from './job.ts';
import { changedJob, jobColumns, notifyingColumns, timestamp, type ChangedRow } from './job-rows.ts';

const idempotencyHours = 24;

/** Implements `Jobs.create`; `at` is now. */
export async function createJob(database: Database, job: NewJob, at: number): Promise<Job> {
  const { organization, idempotency, mayJoin } = job;
  const make = async (queryable: Queryable) =>
    (mayJoin && (await sameJob(queryable, job))) || (await insertJob(queryable, job, at));
  if (!idempotency) return mayJoin ? await database.transaction(make) : await make(database);
  const oldest = timestamp(at - idempotencyHours * 3_600_000);
  const made = await database.transaction(async (transaction) => {
    // One request at a time for each key: the others wait here, then find its job.
    await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${organization} ${idempotency.key}`]);
    const [known] = await transaction.query<Known>(
      `select request_hash as "requestHash", ${jobColumns} from carrel.jobs join (
         select job, request_hash from carrel.idempotency_keys where organization = $1 and key = $2 and created_at > $3
       ) known on id = job`,
      [organization, idempotency.key, oldest],
    );
    if (known) return repeated(known, idempotency);
    const made = await make(transaction);
    await transaction.query(
      `insert into carrel.idempotency_keys (organization, key, request_hash, job, created_at) values ($1, $2, $3, $4, $5)
       on conflict (organization, key) do update
       set request_hash = excluded.request_hash, job = excluded.job, created_at = excluded.created_at`,
      [organization, idempotency.key, idempotency.requestHash, made.id, timestamp(at)],
    );
    return made;
  });
  await forgetKeys(database, oldest);
  return made;
}

interface KeyOfRequest {
  organization: string;
  key: string;
  requestHash: string;
  /** Now, in milliseconds since 1970. */
  at: number;
}

/** The job that a key created, or that did what its request asked for, within 24 hours. */
export async function jobOfKey(database: Database, { organization, key, at }: KeyOfRequest): Promise<Job | undefined> {
  const [job] = await database.query<Job>(
    `select ${jobColumns} from carrel.jobs where id = (
       select job from carrel.idempotency_keys where organization = $1 and key = $2 and created_at > $3
     )`,
    [organization, key, timestamp(at - idempotencyHours * 3_600_000)],
  );
  return job;
}

/** Records a key, with the job that does what its request asks for, if there is one. False if it came within 24 hours before. */
export async function claimKey(
  database: Database,
  { organization, key, requestHash, at }: KeyOfRequest,
  job?: string,
): Promise<boolean> {
  const oldest = timestamp(at - idempotencyHours * 3_600_000);
  const claimed = await database.query(
    `insert into carrel.idempotency_keys as known (organization, key, request_hash, job, created_at) values ($1, $2, $3, $4, $5)
     on conflict (organization, key) do update
     set request_hash = excluded.request_hash, job = excluded.job, created_at = excluded.created_at
     where known.created_at <= $6 returning key`,
    [organization, key, requestHash, job ?? null, timestamp(at), oldest],
  );
  await forgetKeys(database, oldest);
  return claimed.length > 0;
}

/** The job that will export the same as a new one, which is then for the commit of the new one. Call it in a transaction. */
async function sameJob(transaction: Queryable, { organization, domain, request }: NewJob): Promise<Job | undefined> {
  // One at a time for each site: the others wait here, then find its job.
  await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [domain]);
  const { commit } = request;
  const [row] = await transaction.query<ChangedRow>(
    `update carrel.jobs set request = request || $3::jsonb where id = (
       select id from carrel.jobs
       where organization = $1 and domain = $2 and request - 'commit' - 'preview' - 'startedBy' = $5::jsonb - 'commit'
         and (status = 'queued' or (status = 'running' and request->>'commit' = $4::text))
       order by status = 'running', created_at limit 1 for update
     ) returning ${notifyingColumns}`,
    [organization, domain, JSON.stringify(commit === undefined ? {} : { commit }), commit ?? null, JSON.stringify(request)],
  );
  return row && changedJob(row);
}

async function insertJob(queryable: Queryable, job: NewJob, at: number): Promise<Job> {
  const { organization, domain, request, mostQueued = null } = job;
  // The newest job of a site decides what is served, so each job is newer than the last one, even if the clock was set back.
  const [row] = await queryable.query<ChangedRow>(
    `insert into carrel.jobs (id, organization, domain, request, status, created_at, updated_at)
     select $1::text, $2::text, $3::text, $4::jsonb || coalesce((
       select jsonb_build_object('preview', jsonb_build_object('site', preview_of, 'branch', branch))
       from carrel.sites where domain = $3 and preview_of is not null
     ), '{}'), 'queued', at, at
     from (
       select greatest($5::timestamptz, (
         select created_at + interval '1 millisecond' from carrel.jobs where domain = $3 order by created_at desc limit 1
       )) as at
     ) clock
     where $6::integer is null or (
       select count(*) from (select from carrel.jobs where organization = $2 and status = 'queued' limit $6) waiting
     ) < $6
     returning ${notifyingColumns}`,
    [`se_${randomBytes(8).toString('hex')}`, organization, domain, JSON.stringify(request), timestamp(at), mostQueued],
  );
  if (row) return changedJob(row);
  throw new ApiError(
    'QueueFull',
    `${mostQueued} jobs of "${organization}" are already queued. Start this one when some have ended, or cancel those that are not needed.`,
    { headers: { 'retry-after': '60' } },
  );
}

interface Known extends Job {
  requestHash: string;
}

function repeated({ requestHash, ...job }: Known, { key, requestHash: hash }: NonNullable<NewJob['idempotency']>): Job {
  if (requestHash === hash) return job;
  throw new ApiError(
    'IdempotencyKeyReused',
    `The Idempotency-Key "${key}" was sent with another request within ${idempotencyHours} hours. Send a new key with a new request.`,
  );
}

/** Each new key removes a few expired ones. */
async function forgetKeys(database: Database, oldest: string): Promise<void> {
  await database.query(
    `delete from carrel.idempotency_keys where (organization, key) in (
       select organization, key from carrel.idempotency_keys where created_at <= $1 limit 100 for update skip locked
     )`,
    [oldest],
  );
}
