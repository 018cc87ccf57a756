import { setTimeout as pause } from 'node:timers/promises';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../platform/log.ts';
import { mostRetries, queueId, queues } from './names.ts';
import type { Delivery, Queue } from './queue.ts';

/** Seconds. pg-boss announces new jobs at once; a job that returns to the queue waits for the next poll. */
const times = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 1, heartbeatRefreshSeconds: 1 };

/** Seconds that runs have to end after their signal: a child process must be stopped and its log stored. */
const lastSeconds = 10;

const parallelDeliveries = 4;

// Seconds. Four runs that ended with their process are followed by the next at once. After that a job may be what takes the processes
// down: it waits ever longer, up to an hour, while the others go on, and not as long as they do, so that it runs without them in the end.
const pauseAfterDeath = `case when retry_count < 4 then 0 else least(1800, 15 * 2 ^ least(retry_count - 4, 10)) * (1 + random()) end`;

type ExportJob = JobWithMetadata<{ id: string }>;

export interface Workers extends Pick<Queue, 'work' | 'workDeliveries' | 'stop'> {}

export function createWorkers(boss: PgBoss, database: Database, log: Logger): Workers {
  const running = new Map<ExportJob, AbortController>();

  /** Changes an active job's row itself: pg-boss changes the limits of waiting jobs only. False when it could not. */
  async function change({ id, data }: ExportJob, set: string): Promise<boolean> {
    try {
      await database.query(`update pgboss.job set ${set} where name = $1 and id = $2 and state = 'active'`, [queues.exports, id]);
      return true;
    } catch (error) {
      log.warn({ err: error, job: data.id }, 'how often a job may run again could not be recorded');
      return false;
    }
  }

  async function runOne(job: ExportJob, run: Parameters<Queue['work']>[1]) {
    const stop = new AbortController();
    running.set(job, stop);
    // A process that dies records nothing, so each run begins as one that is not counted, and a run that rejects counts itself.
    const isUncounted = await change(job, `retry_limit = retry_limit + 1, retry_delay = ${pauseAfterDeath}`);
    const signal = AbortSignal.any([job.signal, stop.signal]);
    try {
      await run(job.data.id, signal, mostRetries - (job.retryLimit - job.retryCount));
      // It may have ended because of the signal: another run finds out, and does nothing when all is done.
      if (stop.signal.aborted) throw stop.signal.reason;
    } catch (error) {
      log.warn({ err: error, job: job.data.id }, 'a run did not end well; its job returns to the queue');
      if (isUncounted && !signal.aborted) await change(job, 'retry_limit = retry_limit - 1, retry_delay = 0');
      throw error;
    } finally {
      running.delete(job);
    }
  }

  /** Returns running work to the queue: what the worker then rejects goes to another run, at once. */
  async function giveBack(): Promise<void> {
    for (const [job, stop] of running) {
      await change(job, 'retry_delay = 0');
      stop.abort(new Error('The server stops.'));
    }
  }

  // pg-boss hands over lists, of one job each.
  return {
    async work(limit, run, onGivenUp) {
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

    async workDeliveries(deliver) {
      await boss.work<Delivery>(queues.deliveries, { ...times, localConcurrency: parallelDeliveries }, async (jobs) => {
        for (const { data } of jobs) await deliver(data);
      });
    },

    async stop(seconds) {
      const idle = Promise.all(Object.values(queues).map((name) => boss.offWork(name)));
      if (await isSooner(idle, seconds)) return;
      await giveBack();
      await isSooner(idle, lastSeconds);
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

async function isSooner(work: Promise<unknown>, seconds: number): Promise<boolean> {
  const timer = new AbortController();
  try {
    return await Promise.race([work.then(() => true), pause(seconds * 1000, false, { signal: timer.signal }).catch(() => false)]);
  } finally {
    timer.abort();
  }
}
