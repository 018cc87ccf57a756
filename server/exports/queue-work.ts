import { setTimeout as pause } from 'node:timers/promises';
import type { JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../database/database.ts';
import type { Logger } from '../operation/log.ts';
import { queueId, queues } from './queue-names.ts';
import type { Delivery, Queue } from './queue.ts';

/** Seconds. New jobs are told at once; a job that comes back is not, and waits for the next look. */
const looks = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 1 };

/** Seconds that runs get to end themselves after their signal: a child process has to be stopped and its log be kept. */
const lastSeconds = 10;

const parallelDeliveries = 4;

export interface Workers extends Pick<Queue, 'work' | 'workDeliveries' | 'stop'> {}

export function createWorkers(boss: PgBoss, database: Database, log: Logger): Workers {
  const running = new Map<JobWithMetadata<{ id: string }>, AbortController>();

  async function runOne(job: JobWithMetadata<{ id: string }>, run: (id: string, signal: AbortSignal) => Promise<void>) {
    const stop = new AbortController();
    running.set(job, stop);
    try {
      await run(job.data.id, AbortSignal.any([job.signal, stop.signal]));
      // It may have ended because of the signal: another run finds out, and does nothing when all is done.
      if (stop.signal.aborted) throw stop.signal.reason;
    } catch (error) {
      log.warn({ err: error, job: job.data.id }, 'a run did not end well; the job is handed back');
      throw error;
    } finally {
      running.delete(job);
    }
  }

  /** Gives running work back: what the worker then rejects goes to another run, one more than else. */
  async function giveBack(): Promise<void> {
    for (const [job, stop] of running) {
      // pg-boss changes the limits of waiting jobs only; without this a third run that is given back would be given up.
      await database
        .query(`update pgboss.job set retry_limit = retry_limit + 1 where name = $1 and id = $2 and state = 'active'`, [
          queues.exports,
          job.id,
        ])
        .catch((error: unknown) => log.warn({ err: error, job: job.data.id }, 'a job could not be given back'));
      stop.abort(new Error('The server stops.'));
    }
  }

  return {
    async work(limit, run, onGivenUp) {
      await boss.work<{ id: string }>(queues.givenUp, looks, async ([job]) => {
        await onGivenUp(job!.data.id);
        await boss.deleteJob(queues.exports, queueId(job!.data.id));
      });
      await boss.work<{ id: string }, void, WorkOptions>(
        queues.exports,
        {
          ...looks,
          includeMetadata: true,
          localConcurrency: limit,
          heartbeatRefreshSeconds: 1,
        },
        async ([job]) => runOne(job!, run),
      );
    },

    async workDeliveries(deliver) {
      await boss.work<Delivery>(queues.deliveries, { ...looks, localConcurrency: parallelDeliveries }, async ([job]) =>
        deliver(job!.data),
      );
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
