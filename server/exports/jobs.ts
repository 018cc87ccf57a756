// The jobs as the database holds them: the truth that the queue only carries ids of.
import type { Database } from '../database/database.ts';
import type { Job, JobRequest, JobResult, JobStage, JobStatus } from './job.ts';

export interface JobPage {
  jobs: Job[];
  /** Opaque; absent on the last page. */
  cursor?: string;
}

export interface NewJob {
  organization: string;
  domain: string;
  request: JobRequest;
  /** The caller's, with a digest of what was asked. */
  idempotency?: { key: string; requestHash: string };
}

/** A run of a job: the number it was given when it was started. */
export interface Run {
  id: string;
  attempt: number;
}

export interface Jobs {
  /**
   * Queues a job, or gives the one that the same idempotency key made within 24 hours.
   * Throws `ApiError` 409 `IdempotencyKeyReused` when that one was asked for something else.
   */
  create(job: NewJob): Promise<Job>;
  /** Of any organization: routes check whose it is. Finished jobs are answered from memory for at most a second. */
  get(id: string): Promise<Job | undefined>;
  /** Newest first. Throws `ApiError` 400 `CursorInvalid`. */
  list(filter: { organization: string; domain?: string; status?: JobStatus; cursor?: string; limit: number }): Promise<JobPage>;
  /** Undefined when it was finished before. The run, wherever it is, hears of it. */
  cancel(id: string): Promise<Job | undefined>;

  /** Begins a run, unless the job is finished: then undefined. An earlier run of it may change nothing from now on. */
  start(id: string): Promise<Job | undefined>;
  /** False when this run is not the job's any more (canceled, finished, started anew): it must stop. `progress` never falls. */
  advance(run: Run, work: { stage: JobStage; progress: number; pageCount: number }): Promise<boolean>;
  log(run: Run, text: string): Promise<void>;
  /** Completes the job and makes its export the site's active one, unless a newer job's is. False as for `advance`. */
  complete(run: Run, result: JobResult): Promise<boolean>;
  /** False as for `advance`. */
  fail(run: Run, error: { code: string; message: string }): Promise<boolean>;
  /** Gives an unfinished job back to the queue. False as for `advance`. */
  release(run: Run): Promise<boolean>;

  /** Text that its runs logged, oldest first; `after` the id of the last piece that is known. */
  readLog(id: string, after?: number): Promise<{ id: number; at: Date; text: string }[]>;
  /** Ids of queued and running jobs: what the queue must carry. */
  unfinished(): Promise<string[]>;
  /** Completed jobs of a site whose files are kept, newest first. */
  kept(domain: string): Promise<Job[]>;
  /** Notes that the files of a job were removed. */
  expire(id: string): Promise<void>;
  /** Hears of every change of a job, in any process. Gives what stops it. */
  watch(id: string, onChange: (job: Job) => void): () => void;
  /** Begins and ends hearing of changes in other processes. */
  open(): Promise<void>;
  close(): Promise<void>;
}

export function createJobs(_database: Database, _now: () => number): Jobs {
  throw new Error('Being written.');
}
