// pg-boss carries the ids of jobs to workers (one at a time for each site), and webhook deliveries.
import type { Database } from '../../database/database.ts';
import { asUnavailable } from '../../database/unavailable.ts';
import type { Logger } from '../../platform/log.ts';
import { createQueues, exportOptions, queueId, queues, type Delivery } from './queues.ts';
import { recoverJobs, sendUnknown } from './recover.ts';
import { createWorkers, type RunJob } from './workers.ts';

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(database: Database, log: Logger) {
  const boss = database.createBoss();
  const workers = createWorkers(boss, database, log);
  let stopWatching = () => {};
  return {
    start: (): Promise<void> =>
      reach(async () => {
        await boss.start();
        await createQueues(boss);
        stopWatching();
        stopWatching = watchClock(database);
      }),
    /** Hands a job to the workers, once for each id. Do not call it in a transaction: the embedded database would wait for itself. */
    send: ({ id, domain }: { id: string; domain: string }): Promise<void> =>
      reach(() => boss.send(queues.exports, { id }, exportOptions(id, domain))),
    /** Takes a job out of the queue; a run of it gets its signal within about a second. */
    remove: (id: string): Promise<void> => reach(() => boss.cancel(queues.exports, queueId(id))),
    /**
     * Works on jobs, at most `limit` at a time and one for each site. The signal is aborted when this process must stop working on the job:
     * it was removed or runs elsewhere, or the queue stops. A rejected promise hands the job to another run, up to three in total; `rejected`
     * is the number of runs that rejected before. After the third, `onGivenUp` is called with the job, here or in another worker process.
     * A run that ends with its process does not count, however often that happens.
     */
    work: (limit: number, run: RunJob, onGivenUp: (id: string) => Promise<void>): Promise<void> =>
      reach(() => workers.work(limit, run, onGivenUp)),
    /** Sends the same message to the same webhook only once. */
    sendDelivery: (delivery: Delivery): Promise<void> =>
      reach(() => boss.send(queues.deliveries, delivery, { id: queueId(`${delivery.message} ${delivery.webhook}`) })),
    /** Works on deliveries. A rejected promise is retried with growing pauses, for about a day. */
    workDeliveries: (deliver: (delivery: Delivery) => Promise<void>): Promise<void> =>
      reach(() => workers.workDeliveries(deliver)),
    /** Recovers the jobs of a killed process, and sends unfinished jobs that are not in the queue. Call it before `work`. */
    recover: (unfinished: { id: string; domain: string }[]): Promise<void> =>
      reach(() => recoverJobs(boss, database, unfinished)),
    /** Sends unfinished jobs that are not in the queue because sending them had failed. At any time, and in several processes at once. */
    sendMissing: (unfinished: { id: string; domain: string }[]): Promise<void> =>
      reach(() => sendUnknown(boss, database, unfinished)),
    /** Numbers of waiting and running jobs. */
    async counts(): Promise<{ queued: number; running: number }> {
      const [row] = await database.query<{ queued: number; running: number }>(
        `select count(*) filter (where state < 'active') as queued, count(*) filter (where state = 'active') as running
         from pgboss.job where name = $1`,
        [queues.exports],
      );
      return row ?? { queued: 0, running: 0 };
    },
    /** Accepts no new work, gives running work this long to end, then returns it to the queue: that run does not count. */
    async stop(seconds: number): Promise<void> {
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

// pg-boss records when it last maintained its queues, and when each job may run. After the clock was set back, all of these times are in the
// future, and until then no job runs and no killed worker's job is found. So such times are regularly set back to now.
const secondsBetweenChecks = 5;

// Only a clock that was set back records times this far ahead; retries also do, but their `created_on` is in the past.
const ahead = `> now() + interval '10 seconds'`;

const setTimesBack = `
  with queues as (
    update pgboss.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null
    where monitor_claim_on ${ahead} or monitor_on ${ahead} or maintain_on ${ahead}
  ), waiting as (
    update pgboss.job set start_after = now() where state < 'active' and created_on ${ahead} and start_after > now()
  )
  update pgboss.job set heartbeat_on = now() where state = 'active' and heartbeat_on ${ahead}`;

function watchClock(database: Database): () => void {
  let checking = false;
  const check = async () => {
    if (checking) return;
    checking = true;
    // Other parts report an unavailable database.
    await database.query(setTimesBack).catch(() => {});
    checking = false;
  };
  const timer = setInterval(() => void check(), secondsBetweenChecks * 1000).unref();
  return () => clearInterval(timer);
}
