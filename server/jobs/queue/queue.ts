// pg-boss carries ids: of jobs to workers (one at a time for each site), and of webhook deliveries.
import type { Database } from '../../database/database.ts';
import { asUnavailable } from '../../database/unavailable.ts';
import type { Logger } from '../../platform/log.ts';
import { watchClock } from './clock.ts';
import { createQueues, exportOptions, queueId, queues } from './names.ts';
import { recoverJobs, sendUnknown } from './recover.ts';
import { createWorkers } from './workers.ts';

export interface Delivery {
  webhook: string;
  /** The same for all attempts: receivers recognise repeats by it. */
  message: string;
  event: string;
  /** Milliseconds since 1970. */
  at: number;
  data: unknown;
}

export interface Queue {
  start(): Promise<void>;
  /** Hands a job to the workers; the same id twice is one. Not inside a transaction: the embedded database would wait for itself. */
  send(job: { id: string; domain: string }): Promise<void>;
  /** Takes a job out of the queue; a run of it has its signal within about a second. */
  remove(id: string): Promise<void>;
  /**
   * Works on jobs, at most `limit` at a time and one for each site. The signal comes when this process may not go on with it:
   * the job was removed or runs elsewhere, or the queue stops. A rejected promise hands it to another run, up to three; `rejected` says
   * how many did before. When the third does too, `onGivenUp` is called with the job, here or in another process that works. A run that
   * ends with its process does not count, however often that happens.
   */
  work(
    limit: number,
    run: (id: string, signal: AbortSignal, rejected: number) => Promise<void>,
    onGivenUp: (id: string) => Promise<void>,
  ): Promise<void>;
  /** The same message to the same webhook twice is one. */
  sendDelivery(delivery: Delivery): Promise<void>;
  /** Works on deliveries. A rejected promise tries again later, with growing pauses, for about a day. */
  workDeliveries(deliver: (delivery: Delivery) => Promise<void>): Promise<void>;
  /** Recovers the jobs of a killed process, and sends unfinished jobs that the queue does not know. Before `work`. */
  recover(unfinished: { id: string; domain: string }[]): Promise<void>;
  /** Sends unfinished jobs that the queue does not know: sending them had failed. At any time, and in several processes at once. */
  sendMissing(unfinished: { id: string; domain: string }[]): Promise<void>;
  /** Jobs that wait and run. */
  counts(): Promise<{ queued: number; running: number }>;
  /** Takes no new work, lets running work end for so long, then returns it to the queue: that run does not count. */
  stop(seconds: number): Promise<void>;
}

export function createQueue(database: Database, log: Logger): Queue {
  const boss = database.createBoss();
  const workers = createWorkers(boss, database, log);
  let stopWatching = () => {};
  return {
    start: () =>
      reach(async () => {
        await boss.start();
        await createQueues(boss);
        stopWatching();
        stopWatching = watchClock(database);
      }),
    send: ({ id, domain }) => reach(() => boss.send(queues.exports, { id }, exportOptions(id, domain))),
    remove: (id) => reach(() => boss.cancel(queues.exports, queueId(id))),
    work: (limit, run, onGivenUp) => reach(() => workers.work(limit, run, onGivenUp)),
    sendDelivery: (delivery) =>
      reach(() => boss.send(queues.deliveries, delivery, { id: queueId(`${delivery.message} ${delivery.webhook}`) })),
    workDeliveries: (deliver) => reach(() => workers.workDeliveries(deliver)),
    recover: (unfinished) => reach(() => recoverJobs(boss, database, unfinished)),
    sendMissing: (unfinished) => reach(() => sendUnknown(boss, database, unfinished)),
    async counts() {
      const [row] = await database.query<{ queued: number; running: number }>(
        `select count(*) filter (where state < 'active') as queued, count(*) filter (where state = 'active') as running
         from pgboss.job where name = $1`,
        [queues.exports],
      );
      return row ?? { queued: 0, running: 0 };
    },
    async stop(seconds) {
      stopWatching();
      try {
        await workers.stop(seconds);
        await boss.stop({ graceful: true, timeout: 1_000 });
      } catch (error) {
        // Without the database nothing can be returned: running jobs come back by their missing heartbeat.
        log.warn({ err: error }, 'the queue did not stop cleanly');
      }
    },
  };
}

async function reach(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asUnavailable(error);
  }
}
