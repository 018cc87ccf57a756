import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../platform/log.ts';
import { orAfter } from '../../platform/timing.ts';
import { mostRetries, queueId, queues, type Delivery } from './queues.ts';

/** Seconds. pg-boss announces new jobs at once; a job that returns to the queue waits for the next poll. */
const times = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 1, heartbeatRefreshSeconds: 1 };

/** Seconds that runs have to end after their signal: they stop their child process and store its log. */
const lastSeconds = 10;

const parallelDeliveries = 4;

// Seconds. The first four runs that end with their process are followed by the next immediately. After that, the job itself may be what
// ends the processes: it waits longer each time, up to an hour, while other jobs continue. Because of the random part, jobs that died
// together do not return together, so that in the end each runs without the others.
const pauseAfterDeath = `case when retry_count < 4 then 0 else least(1800, 15 * 2 ^ least(retry_count - 4, 10)) * (1 + random()) end`;

const stopped = () => new Error('The server stops.');

type ExportJob = JobWithMetadata<{ id: string }>;

export type RunJob = (id: string, signal: AbortSignal, rejected: number) => Promise<void>;

/** Implements `work`, `workDeliveries` and `stop` of the queue. */
export function createWorkers(boss: PgBoss, database: Database, log: Logger) {
  const running = new Map<ExportJob, AbortController>();
  let isStopping = false;

  /** Changes the row of an active job, since pg-boss changes the limits of waiting jobs only. False if this failed. */
  async function change({ id, data }: ExportJob, set: string): Promise<boolean> {
    try {
      await database.query(`update pgboss.job set ${set} where name = $1 and id = $2 and state = 'active'`, [queues.exports, id]);
      return true;
    } catch (error) {
      log.warn({ err: error, job: data.id }, 'the remaining retries of a job could not be recorded');
      return false;
    }
  }

  async function runOne(job: ExportJob, run: RunJob) {
    const stop = new AbortController();
    // It was on its way from the database when the others were told to end.
    if (isStopping) stop.abort(stopped());
    running.set(job, stop);
    // A process that dies records nothing, so each run begins uncounted, and a run that rejects counts itself.
    const isUncounted = await change(job, `retry_limit = retry_limit + 1, retry_delay = ${isStopping ? 0 : pauseAfterDeath}`);
    const signal = AbortSignal.any([job.signal, stop.signal]);
    try {
      signal.throwIfAborted();
      await run(job.data.id, signal, mostRetries - (job.retryLimit - job.retryCount));
      // It may have ended because of the signal. Another run finds out, and does nothing if everything is done.
      if (stop.signal.aborted) throw stop.signal.reason;
    } catch (error) {
      log.warn({ err: error, job: job.data.id }, 'a run failed; its job returns to the queue');
      if (isUncounted && !signal.aborted) await change(job, 'retry_limit = retry_limit - 1, retry_delay = 0');
      throw error;
    } finally {
      running.delete(job);
    }
  }

  /** Returns running work to the queue: what the worker then rejects goes to another run immediately. */
  async function returnRunning(): Promise<void> {
    isStopping = true;
    for (const [job, stop] of running) {
      await change(job, 'retry_delay = 0');
      stop.abort(stopped());
    }
  }

  // pg-boss passes lists of one job each.
  return {
    async work(limit: number, run: RunJob, onGivenUp: (id: string) => Promise<void>): Promise<void> {
      await boss.work<{ id: string }>(queues.givenUp, times, async (jobs) => {
        for (const { data } of jobs) {
          await onGivenUp(data.id);
          await boss.deleteJob(queues.exports, queueId(data.id));
        }
      });
      await boss.work<{ id: string }, void, WorkOptions>(
        queues.exports,
        { ...times, includeMetadata: true, localConcurrency: limit },
        async (jobs) => {
          for (const job of jobs) await runOne(job, run);
        },
      );
    },

    async workDeliveries(deliver: (delivery: Delivery) => Promise<void>): Promise<void> {
      await boss.work<Delivery>(queues.deliveries, { ...times, localConcurrency: parallelDeliveries }, async (jobs) => {
        for (const { data } of jobs) await deliver(data);
      });
    },

    async stop(seconds: number): Promise<void> {
      const idle = Promise.all(Object.values(queues).map((name) => boss.offWork(name)));
      if (await orAfter(idle, seconds * 1000)) return;
      await returnRunning();
      await orAfter(idle, lastSeconds * 1000);
    },
  };
}

interface WorkOptions {
  includeMetadata: true;
  localConcurrency: number;
  heartbeatRefreshSeconds: number;
  pollingIntervalSeconds: number;
  notifyPollingIntervalSeconds: number;
}
