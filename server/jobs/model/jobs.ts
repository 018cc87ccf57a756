// The jobs in the database, which is the source of truth; the queue only carries their ids.
import { createOneSecondCache } from '../../platform/one-second-cache.ts';
import type { Database, Queryable } from '../../database/database.ts';
import { pageOf, readCursor } from '../../database/paging.ts';
import { partFields, type Job, type JobResult, type JobStage, type JobStatus, type NewJob } from './job.ts';
import type { StoredArchive } from '../../storage/store-export.ts';
import { createJob } from './create-job.ts';
import { changedJob, jobColumns, jobsChannel, storable, notifyingColumns, timestamp, type ChangedRow } from './job-rows.ts';
import { createWatch } from './watch-jobs.ts';
import { sitesChannel } from '../../sites/sites.ts';

interface JobFilter {
  organization: string;
  domain?: string;
  status?: JobStatus;
  /** Part of the version, or the beginning of the commit or of the ID. */
  search?: string;
  /** Only the latest job of each domain. */
  isLatest?: boolean;
  cursor?: string;
  limit: number;
}

interface JobPage {
  jobs: Job[];
  /** Opaque; absent on the last page. */
  cursor?: string;
}

/** A run of a job, with the number that it got when it started. */
export type Run = Pick<Job, 'id' | 'attempt'>;

export type Jobs = ReturnType<typeof createJobs>;

const jobId = /^se_[0-9a-f]{16}$/;

export function createJobs(database: Database, now: () => number) {
  const load = async (id: string): Promise<Job | undefined> => {
    const [job] = await database.query<Job>(`select ${jobColumns} from carrel.jobs where id = $1`, [id]);
    return job;
  };
  const recent = createOneSecondCache(load, now);
  const latest = createOneSecondCache((audience) => latestFor(database, JSON.parse(audience) as AudienceOfSite), now);
  const watch = createWatch(load);
  let stopListening: (() => Promise<void>) | undefined;

  const changed = (id: string): void => {
    recent.forget(id);
    watch.changed(id);
  };

  /** Changes a job that matches `where`. `$1` is its id, `$2` the current time; `parameters` follow. */
  async function change(
    id: string,
    { set, where }: { set: string; where: string },
    parameters: unknown[] = [],
  ): Promise<Job | undefined> {
    const [row] = await database.query<ChangedRow>(update(set, where), [id, timestamp(now()), ...parameters]);
    // Even if nothing changed: another process was faster, and the cached state may be older.
    changed(id);
    return row && changedJob(row);
  }

  return {
    /**
     * Queues a job, or returns the one that the same idempotency key created within 24 hours.
     * Throws `ApiError` 409 `IdempotencyKeyReused` if the key came with another request, 429 `QueueFull` if too many are queued.
     */
    async create(job: NewJob): Promise<Job> {
      const created = await createJob(database, job, now());
      changed(created.id);
      return created;
    },
    /** A job of any organization: routes check whose it is. Cached until the job changes, for at most a second. */
    get: async (id: string): Promise<Job | undefined> => (jobId.test(id) ? await recent.get(id) : undefined),
    /** Newest first. Throws `ApiError` 400 `CursorInvalid`. */
    list: (filter: JobFilter): Promise<JobPage> => listJobs(database, filter),
    /** Undefined if it had finished. Its run, in any process, is notified. */
    cancel: (id: string): Promise<Job | undefined> =>
      change(id, { set: `status = 'canceled', finished_at = $2`, where: unfinished }),

    ...runsOf(database, { change, changed, now }),
    ...deltasOf({ change }),

    /** Text that its runs logged, oldest first; `after` is the id of the last known piece. */
    readLog: (id: string, after = 0): Promise<{ id: number; at: Date; text: string }[]> =>
      database.query('select id, at, text from carrel.job_log where job = $1 and id > $2 order by id', [id, after]),
    /** The report of the job's last run. */
    async readReport(id: string): Promise<string | undefined> {
      const rows = await database.query<{ report: string }>(
        'select report from carrel.job_reports join carrel.jobs using (attempt) where job = $1 and id = $1',
        [id],
      );
      return rows[0]?.report;
    },
    /** Removes the reports of a site's failed and canceled jobs except the newest; those of completed jobs are removed when these expire. */
    async removeReports(domain: string, keep: number): Promise<void> {
      await database.query(
        `delete from carrel.job_reports where job in (
           select id from carrel.jobs where domain = $1 and status in ('failed', 'canceled') order by created_at desc, id desc offset $2
         )`,
        [domain, keep],
      );
    },
    /** Queued and running jobs, which must be in the queue. */
    unfinished: (): Promise<{ id: string; domain: string }[]> =>
      database.query(`select id, domain from carrel.jobs where ${unfinished} order by created_at, id`),
    /** Completed jobs of a site whose files are stored, newest first. */
    stored: (domain: string): Promise<Job[]> =>
      database.query(
        `select ${jobColumns} from carrel.jobs where domain = $1 and status = 'completed' and expired_at is null
         order by created_at desc, id desc`,
        [domain],
      ),
    /** The ID of the stored export for exactly these groups that belongs to the active one. Cached for at most a second. */
    latestFor: (audience: AudienceOfSite): Promise<string | undefined> => latest.get(JSON.stringify(audience)),
    /** The last job for exactly these groups that belongs to any export of the whole site. */
    lastFor: (audience: Omit<AudienceOfSite, 'whole'>): Promise<Job | undefined> => lastFor(database, audience),
    /** Records that the files of a job were removed, and removes its report. */
    async expire(id: string): Promise<void> {
      await change(id, { set: 'expired_at = $2', where: `status = 'completed' and expired_at is null` });
      await database.query('delete from carrel.job_reports where job = $1', [id]);
    },
    /** Calls `onChange` at every change of a job, in any process, until `close`, which calls `onEnd`. Returns a function that stops it. */
    watch: watch.add,
    /** Listens for changes in other processes until `close`. */
    async open(): Promise<void> {
      stopListening ??= await database.listen(jobsChannel, changed, () => watch.changedAll());
    },
    async close(): Promise<void> {
      watch.end();
      await stopListening?.();
      stopListening = undefined;
    },
  };
}

interface AudienceOfSite {
  organization: string;
  domain: string;
  groups: string[];
  /** ID of the active export. */
  whole: string;
}

const isForGroups = `request->'groups' @> $3::jsonb and request->'groups' <@ $3::jsonb`;

/**
 * Implements `Jobs.latestFor`. While the export that belongs to the active one is being made, that of the one before is still served; once the
 * job has failed, none is: its pages may have been withdrawn.
 */
async function latestFor(
  database: Queryable,
  { organization, domain, groups, whole }: AudienceOfSite,
): Promise<string | undefined> {
  const [job] = await database.query<{ id: string }>(
    `with own as (
       select * from carrel.jobs
       where organization = $1 and domain = $2 and ${isForGroups}
     ), before as (
       select job.id from carrel.jobs job join carrel.jobs active on active.id = $4
       where job.organization = $1 and job.domain = $2 and job.status = 'completed' and not ${isPart('job.request')}
         and (job.created_at, job.id) < (active.created_at, active.id)
       order by job.created_at desc, job.id desc limit 1
     )
     select id from own
     where status = 'completed' and expired_at is null and removing_at is null and (
       request->>'whole' = $4
       or (request->>'whole' = (select id from before) and exists (
         select from own making where request->>'whole' = $4 and ${unfinished}
       ))
     )
     order by created_at desc, id desc limit 1`,
    [organization, domain, JSON.stringify(groups), whole],
  );
  return job?.id;
}

async function lastFor(
  database: Queryable,
  { organization, domain, groups }: Omit<AudienceOfSite, 'whole'>,
): Promise<Job | undefined> {
  const [job] = await database.query<Job>(
    `select ${jobColumns} from carrel.jobs where organization = $1 and domain = $2 and ${isForGroups} and request ? 'whole'
     order by created_at desc, id desc limit 1`,
    [organization, domain, JSON.stringify(groups)],
  );
  return job;
}

interface Changes {
  change(id: string, what: { set: string; where: string }, parameters?: unknown[]): Promise<Job | undefined>;
  /** Called when a job was changed without it. */
  changed(id: string): void;
  now: () => number;
}

/** What the runs of jobs change. */
function runsOf(database: Database, { change, changed, now }: Changes) {
  return {
    /** Begins a run; undefined if the job has finished. From now on, no earlier run can change the job. */
    start: (id: string): Promise<Job | undefined> =>
      change(id, {
        set: `status = 'running', stage = null, attempt = attempt + 1, started_at = coalesce(started_at, $2)`,
        where: unfinished,
      }),
    /** Records the commit that an unfinished job exports. */
    async setCommit(id: string, commit: string): Promise<void> {
      await change(id, { set: `request = request || jsonb_build_object('commit', $3::text)`, where: unfinished }, [commit]);
    },
    /** False if the run is superseded (job canceled, finished or started again): it must stop. `progress` never falls. */
    async advance(
      { id, attempt }: Run,
      { stage, progress, pageCount }: { stage: JobStage; progress: number; pageCount: number },
    ): Promise<boolean> {
      const set = 'stage = $4, progress = greatest(progress, $5), page_count = greatest(page_count, $6)';
      // 100 is for the completed job alone.
      const values = [attempt, stage, Math.min(progress, 99.9), pageCount];
      return (await change(id, { set, where: currentRun }, values)) !== undefined;
    },
    async log({ id, attempt }: Run, text: string): Promise<void> {
      await database.query(
        `insert into carrel.job_log (job, at, text) select id, $3::timestamptz, $4::text from carrel.jobs where id = $1 and attempt = $2`,
        [id, attempt, timestamp(now()), storable(text)],
      );
    },
    /** Stores the report of a run, unless it is superseded. */
    async saveReport({ id, attempt }: Run, text: string): Promise<void> {
      await database.query(
        `insert into carrel.job_reports (job, attempt, report)
         select id, attempt, $3::text from carrel.jobs where id = $1 and attempt = $2 and status = 'running'
         on conflict (job) do update set attempt = excluded.attempt, report = excluded.report`,
        [id, attempt, storable(text)],
      );
    },
    /** Completes the job. The export of a whole site becomes its active export, unless a newer job's is, or one is pinned. False as for `advance`. */
    async complete({ id, attempt }: Run, result: JobResult): Promise<boolean> {
      const set = `status = 'completed', stage = null, progress = 100, page_count = $4, result = $5::jsonb, finished_at = $2`;
      const values = [id, timestamp(now()), attempt, result.pages, JSON.stringify(result)];
      const completed = await database.transaction(async (transaction) => {
        const rows = await transaction.query(update(set, currentRun), values);
        if (rows.length > 0) await transaction.query(activate, [id]);
        return rows.length > 0;
      });
      changed(id);
      return completed;
    },
    /** False as for `advance`, but a released job can fail too, if it gets no other run. */
    async fail({ id, attempt }: Run, { code, message }: { code: string; message: string }): Promise<boolean> {
      const set = `status = 'failed', error = $4, error_code = $5, finished_at = $2`;
      return (
        (await change(id, { set, where: `${unfinished} and attempt = $3` }, [attempt, storable(message), code])) !== undefined
      );
    },
    /** Returns an unfinished job to the queue. False as for `advance`. */
    async release({ id, attempt }: Run): Promise<boolean> {
      return (await change(id, { set: `status = 'queued', stage = null`, where: currentRun }, [attempt])) !== undefined;
    },
  };
}

function deltasOf({ change }: Pick<Changes, 'change'>) {
  return {
    /** Records the delta to an export from an earlier one. False if the export is being removed. */
    setDelta: async (id: string, since: string, delta: StoredArchive | null): Promise<boolean> =>
      (await change(
        id,
        {
          set: `result = result || jsonb_build_object('deltas', coalesce(result->'deltas', '{}') || jsonb_build_object($3::text, $4::jsonb))`,
          where: `status = 'completed' and expired_at is null and removing_at is null`,
        },
        [since, JSON.stringify(delta)],
      )) !== undefined,
    /** Records that a delta was removed. */
    async forgetDelta(id: string, since: string): Promise<void> {
      await change(id, { set: `result = result #- array['deltas', $3::text]`, where: `result ? 'deltas'` }, [since]);
    },
  };
}

const unfinished = `status in ('queued', 'running')`;
// A superseded run has an older number, or its job is not running.
const currentRun = `status = 'running' and attempt = $3`;

function update(set: string, where: string): string {
  return `update carrel.jobs set ${set}, updated_at = greatest(updated_at, $2) where id = $1 and ${where} returning ${notifyingColumns}`;
}

/** SQL of whether a request is for a part of the site, or for some readers. */
function isPart(request: string): string {
  return `${request} ?| array[${partFields.map((field) => `'${field}'`).join(', ')}]`;
}

// Readers see nothing of an older job that ends late, nor of a partial export, which lacks the other pages, nor of any while one is pinned.
const activate = `
  with activated as (
    update carrel.sites set active_job = job.id from carrel.jobs job
    where job.id = $1 and not ${isPart('job.request')} and sites.domain = job.domain and sites.organization = job.organization
      and not sites.pinned and not exists (
      select from carrel.jobs active
      where active.id = sites.active_job and (active.created_at, active.id) > (job.created_at, job.id)
    )
    returning sites.domain
  )
  select pg_notify('${sitesChannel}', domain) from activated`;

// Jobs in pages, newest first. A cursor names the last job of a page, so jobs that come in between move nothing.
/** Implements `Jobs.list`. */
async function listJobs(database: Queryable, filter: JobFilter): Promise<JobPage> {
  const { organization, domain, status, search, isLatest = false, limit } = filter;
  const [at, id] = filter.cursor === undefined ? [] : readCursor(filter.cursor, /^(\d{1,13}) (se_[0-9a-f]{16})$/);
  const rows = await database.query<Job>(
    `select ${jobColumns} from carrel.jobs
     where organization = $1 and ($2::text is null or domain = $2) and ($3::text is null or status = $3)
       and ($4::timestamptz is null or (created_at, id) < ($4, $5::text))
       and ($8::text is null or starts_with(id, $8) or starts_with(coalesce(result->>'commit', request->>'commit'), $8)
         or strpos(lower(coalesce(result->>'version', request->>'version')), lower($8)) > 0)
       and (not $7::boolean or not exists (
         select from carrel.jobs later
         where later.domain = jobs.domain and later.organization = $1 and (later.created_at, later.id) > (jobs.created_at, jobs.id)
       ))
     order by created_at desc, id desc limit $6`,
    [
      ...[
        organization,
        domain ?? null,
        status ?? null,
        at === undefined ? null : timestamp(Number(at)),
        id ?? null,
        limit + 1,
        isLatest,
      ],
      search ?? null,
    ],
  );
  const { page: jobs, ...next } = pageOf(rows, limit, ({ createdAt, id }) => `${createdAt.getTime()} ${id}`);
  return { jobs, ...next };
}
