import type { ConstructorOptions } from 'pg-boss';

/** Options of the job queue on both databases. Times in seconds. */
export const bossOptions = {
  schema: 'pgboss',
  useListenNotify: true,
  // Nothing here runs by the clock.
  schedule: false,
  // A killed worker's job is found by its missing heartbeat: looked for each second.
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  // Says which sites are busy: a site whose job ended waits so long for its next one.
  queueCacheIntervalSeconds: 1,
  // Whatever happens to the clock of the machine, this one goes on: pg-boss would look after its queues when the time has come again.
  clock: {
    now: () => performance.timeOrigin + performance.now(),
    setTimeout: (work, milliseconds) => setTimeout(work, milliseconds),
    clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    setInterval: (work, milliseconds) => setInterval(work, milliseconds),
    clearInterval: (timer) => clearInterval(timer as NodeJS.Timeout),
  },
} satisfies ConstructorOptions;
