import type { PgBoss } from 'pg-boss';
import type { Database } from '../../database/database.ts';
import { exportOptions, queueId, queues } from './names.ts';

/** What `Queue.recover` does. */
export async function recoverJobs(boss: PgBoss, database: Database, unfinished: { id: string; domain: string }[]): Promise<void> {
  // The embedded database has one process at a time: jobs that are active now belonged to a process that is gone.
  // With PostgreSQL another process may run them; a job whose process is gone has no heartbeat and comes back by itself.
  if (database.kind === 'embedded') {
    const lost = await idsIn(database, `state = 'active'`, []);
    if (lost.length > 0) await boss.fail(queues.exports, lost);
  }
  const ids = unfinished.map(({ id }) => queueId(id));
  // Ended for the queue but not in our tables: the result could not be stored. A run finds out what is left to do.
  const ended = await idsIn(database, `state in ('completed', 'cancelled') and id = any($2::uuid[])`, [ids]);
  if (ended.length > 0) await boss.deleteJob(queues.exports, ended);
  const failed = new Set(await idsIn(database, `state = 'failed' and id = any($2::uuid[])`, [ids]));
  for (const { id } of unfinished) if (failed.has(queueId(id))) await boss.send(queues.givenUp, { id }, { id: queueId(id) });
  await sendUnknown(boss, database, unfinished);
}

/** What `Queue.sendMissing` does: jobs that are in the queue, whatever their state there, are left alone. */
export async function sendUnknown(boss: PgBoss, database: Database, unfinished: { id: string; domain: string }[]): Promise<void> {
  const ids = unfinished.map(({ id }) => queueId(id));
  const known = new Set(ids.length === 0 ? [] : await idsIn(database, 'id = any($2::uuid[])', [ids]));
  const missing = unfinished.filter(({ id }) => !known.has(queueId(id)));
  // Another process may send them too: the same id twice is one.
  for (let start = 0; start < missing.length; start += 500) {
    await boss.insert(
      queues.exports,
      missing.slice(start, start + 500).map(({ id, domain }) => ({ data: { id }, ...exportOptions(id, domain) })),
    );
  }
}

async function idsIn(database: Database, where: string, parameters: unknown[]): Promise<string[]> {
  const rows = await database.query<{ id: string }>(`select id from pgboss.job where name = $1 and ${where}`, [
    queues.exports,
    ...parameters,
  ]);
  return rows.map(({ id }) => id);
}
