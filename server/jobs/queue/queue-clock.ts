// pg-boss notes when it last looked after its queues and from when on a job may run. On a clock that was put back all of these lie ahead,
// and until they come no job is run and no killed worker's job is found. Here such times are brought back to now.
import type { Database } from '../../database/database.ts';

const secondsBetween = 5;

// Nothing is ever noted this far ahead but by a clock that was put back, save the times of retries, which begin with `created_on` behind us.
const ahead = `> now() + interval '10 seconds'`;

const bringBack = `
  with queues as (
    update pgboss.queue set monitor_claim_on = null, monitor_on = null, maintain_on = null
    where monitor_claim_on ${ahead} or monitor_on ${ahead} or maintain_on ${ahead}
  ), waiting as (
    update pgboss.job set start_after = now() where state < 'active' and created_on ${ahead} and start_after > now()
  )
  update pgboss.job set heartbeat_on = now() where state = 'active' and heartbeat_on ${ahead}`;

/** Looks every few seconds, for as long as the queue works. Gives what ends it. */
export function watchClock(database: Database): () => void {
  let looking = false;
  const timer = setInterval(async () => {
    if (looking) return;
    looking = true;
    // A database that is away is told of by others.
    await database.query(bringBack).catch(() => {});
    looking = false;
  }, secondsBetween * 1000).unref();
  return () => clearInterval(timer);
}
