import type { PgBoss } from 'pg-boss';
import type { Database } from '../../database/database.ts';
import { exportOptions, queueId, queues } from './queues.ts';
import type { Logger } from '../../platform/log.ts';
import type { Jobs } from '../model/jobs.ts';

/** Implements `Queue.recover`. */
export async function recoverJobs(boss: PgBoss, database: Database, unfinished: { id: string; domain: string }[]): Promise<void> {
  // The embedded database has one process at a time, so jobs that are active now belong to a process that is gone.
  // With PostgreSQL, another process may run them; pg-boss returns a job without a heartbeat (`heartbeatSeconds` in queues.ts) to the queue.
  if (database.kind === 'embedded') {
    const lost = await idsIn(database, `state = 'active'`, []);
    if (lost.length > 0) await boss.fail(queues.exports, lost);
  }
  const ids = unfinished.map(({ id }) => queueId(id));
  // Jobs that have ended in the queue but not in our tables, because the result could not be stored. Another run finds out what is left to do.
  const ended = await idsIn(database, `state in ('completed', 'cancelled') and id = any($2::uuid[])`, [ids]);
  if (ended.length > 0) await boss.deleteJob(queues.exports, ended);
  const failed = new Set(await idsIn(database, `state = 'failed' and id = any($2::uuid[])`, [ids]));
  for (const { id } of unfinished) if (failed.has(queueId(id))) await boss.send(queues.givenUp, { id }, { id: queueId(id) });
  await sendUnknown(boss, database, unfinished);
}

/** Implements `Queue.sendMissing`: jobs in the queue stay unchanged, whatever their state is there. */
export async function sendUnknown(boss: PgBoss, database: Database, unfinished: { id: string; domain: string }[]): Promise<void> {
  const ids = unfinished.map(({ id }) => queueId(id));
  const known = new Set(ids.length === 0 ? [] : await idsIn(database, 'id = any($2::uuid[])', [ids]));
  const missing = unfinished.filter(({ id }) => !known.has(queueId(id)));
  // Another process may send them too: the queue accepts each id only once.
  for (let start = 0; start < missing.length; start += 500) {
    await boss.insert(
      queues.exports,
      missing.slice(start, start + 500).map(({ id, domain }) => ({ data: { id }, ...exportOptions(id, domain) })),
    );
  }
}

/** Regularly sends jobs that could not be sent when they were created, because the database was unavailable. Returns a function that stops it. */
export function keepEnqueuingMissingJobs(
  {
    jobs,
    queue,
    log,
  }: { jobs: Jobs; queue: { sendMissing(jobs: { id: string; domain: string }[]): Promise<void> }; log: Logger },
  milliseconds: number,
): () => Promise<void> {
  let timer: NodeJS.Timeout;
  let sending: Promise<void> = Promise.resolve();
  const send = async (): Promise<void> => {
    try {
      await queue.sendMissing(await jobs.unfinished());
    } catch (error) {
      log.warn({ err: error }, 'jobs missing in the queue could not be sent; the next attempt follows');
    }
    wait();
  };
  // The random part keeps processes from sending at the same time.
  const wait = (): void => {
    timer = setTimeout(() => void (sending = send()), milliseconds * (0.75 + Math.random() / 2)).unref();
  };
  wait();
  return async () => {
    clearTimeout(timer);
    await sending;
    clearTimeout(timer);
  };
}

async function idsIn(database: Database, where: string, parameters: unknown[]): Promise<string[]> {
  const rows = await database.query<{ id: string }>(`select id from pgboss.job where name = $1 and ${where}`, [
    queues.exports,
    ...parameters,
  ]);
  return rows.map(({ id }) => id);
}
