// pg-boss records when it last maintained its queues and from when on a job may run. After the clock was set back all of these times lie
// in the future, and until they come no job runs and no killed worker's job is found. This sets such times back to now.
import type { Database } from '../../database/database.ts';

const secondsBetween = 5;

// Only a clock that was set back records times this far ahead, except for retries, whose `created_on` is in the past.
const ahead = `> now() + interval '10 seconds'`;

const bringBack = `
  with queues as (
    update pgboss.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null
    where monitor_claim_on ${ahead} or monitor_on ${ahead} or maintain_on ${ahead}
  ), waiting as (
    update pgboss.job set start_after = now() where state < 'active' and created_on ${ahead} and start_after > now()
  )
  update pgboss.job set heartbeat_on = now() where state = 'active' and heartbeat_on ${ahead}`;

/** Checks every few seconds, for as long as the queue works. Returns what ends it. */
export function watchClock(database: Database): () => void {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    // Others report a database that is not available.
    await database.query(bringBack).catch(() => {});
    looking = false;
  }, secondsBetween * 1000).unref();
  return () => clearInterval(timer);
}
