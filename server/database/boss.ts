// The job queue, with the same options on both databases.
import { PgBoss, type ConstructorOptions } from 'pg-boss';
import type { Logger } from '../platform/log.ts';
import { asUnavailable, DatabaseUnavailable } from './unavailable.ts';

/** Times in seconds. */
const common = {
  schema: 'pgboss',
  useListenNotify: true,
  // Nothing here runs by the clock.
  schedule: false,
  // A killed worker's job is found by its missing heartbeat: looked for each second.
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  // Tells which sites are busy: a site whose job has ended waits this long for its next one.
  queueCacheIntervalSeconds: 1,
  // pg-boss would not look after its queues while the machine's clock is put back; this clock only moves forward.
  clock: {
    now: () => performance.timeOrigin + performance.now(),
    setTimeout: (work, milliseconds) => setTimeout(work, milliseconds),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    setInterval: (work, milliseconds) => setInterval(work, milliseconds),
    clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
  },
} satisfies ConstructorOptions;

/** Milliseconds between two lines about an unreachable database: the queue queries it several times a second. */
const silence = 10_000;

/** Logs errors of the queue's own work, which no caller awaits. */
export function createBoss(options: ConstructorOptions, log: Logger): PgBoss {
  const boss = new PgBoss({ ...common, ...options });
  let last = -Infinity;
  boss.on('error', (error) => {
    if (!(asUnavailable(error) instanceof DatabaseUnavailable)) {
      log.error({ err: error }, 'the job queue met an error');
      return;
    }
    if (performance.now() - last < silence) return;
    last = performance.now();
    log.warn({ err: error }, 'the job queue cannot reach the database; it keeps trying');
  });
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'));
  return boss;
}
