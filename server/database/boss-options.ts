import type { ConstructorOptions } from 'pg-boss';

/** What the job queue is told on both databases. Times in seconds. */
export const bossOptions = {
  schema: 'pgboss',
  useListenNotify: true,
  // Nothing here runs by the clock.
  schedule: false,
  // A killed worker's job is found by its missing heartbeat: looked for each second.
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
} satisfies ConstructorOptions;
