// Which export of a site is served. A completed job changes it (jobs.ts), and so does a rollback; a pinned one stays.
import type { Database } from '../../database/database.ts';
import { sitesChannel } from '../../sites/sites.ts';

export type Activation = 'activated' | 'expired' | 'pinned' | 'unknown';

interface Choice {
  domain: string;
  organization: string;
  jobId: string;
}

/** What a site serves; undefined when it does not exist. */
export async function activeExport(
  database: Database,
  domain: string,
): Promise<{ activeJob: string | null; isPinned: boolean } | undefined> {
  const [site] = await database.query<{ activeJob: string | null; isPinned: boolean }>(
    'select active_job as "activeJob", pinned as "isPinned" from carrel.sites where domain = $1',
    [domain],
  );
  return site;
}

/** Serves the stored export of a completed job of the whole site: `pinned` if another export is pinned. */
export function activateExport(database: Database, choice: Choice): Promise<Activation> {
  return choose(database, choice, 'pinned');
}

/** Serves an export until it is unpinned, whatever is exported later. */
export function pinExport(database: Database, choice: Choice): Promise<Activation> {
  return choose(database, choice, 'true');
}

/** False when this export is not pinned. It stays active until the next job completes. */
export async function unpinExport(database: Database, { domain, organization, jobId }: Choice): Promise<boolean> {
  const unpinned = await database.query(
    'update carrel.sites set pinned = false where domain = $1 and organization = $2 and active_job = $3 and pinned returning domain',
    [domain, organization, jobId],
  );
  return unpinned.length > 0;
}

/** `pinned` is the SQL of the new state. Rows are locked in the order of a job that completes: job, then site. */
function choose(database: Database, { domain, organization, jobId }: Choice, pinned: 'pinned' | 'true'): Promise<Activation> {
  return database.transaction(async (transaction) => {
    const [job] = await transaction.query<{ gone: boolean }>(
      `select expired_at is not null or removing_at is not null as gone from carrel.jobs
       where id = $1 and domain = $2 and organization = $3 for update`,
      [jobId, domain, organization],
    );
    if (!job) return 'unknown';
    if (job.gone) return 'expired';
    const [site] = await transaction.query<{ isOtherPinned: boolean }>(
      `select pinned and active_job is distinct from $3 as "isOtherPinned" from carrel.sites
       where domain = $1 and organization = $2 for update`,
      [domain, organization, jobId],
    );
    if (!site) return 'unknown';
    if (site.isOtherPinned && pinned === 'pinned') return 'pinned';
    await transaction.query(
      `with changed as (update carrel.sites set active_job = $1, pinned = ${pinned} where domain = $2 returning domain)
       select pg_notify('${sitesChannel}', domain) from changed`,
      [jobId, domain],
    );
    return 'activated';
  });
}

/**
 * Marks exports, so that none of them can become active any more. Returns those that may be removed: also those that were marked earlier, and
 * never the active one.
 */
export function markForRemoval(database: Database, domain: string, ids: string[], now: number): Promise<string[]> {
  return database.transaction(async (transaction) => {
    const stored = `domain = $1 and status = 'completed' and expired_at is null and (id = any($2) or removing_at is not null)`;
    // An activation locks its export first; a statement of its own then sees what it did.
    await transaction.query(`select id from carrel.jobs where ${stored} order by id for update`, [domain, ids]);
    const marked = await transaction.query<{ id: string }>(
      `update carrel.jobs set removing_at = coalesce(removing_at, $3)
       where ${stored} and not exists (select from carrel.sites where active_job = carrel.jobs.id) returning id`,
      [domain, ids, new Date(now)],
    );
    return marked.map(({ id }) => id);
  });
}
