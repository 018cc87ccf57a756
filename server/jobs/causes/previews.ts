// Previews of branches: made by a push or a scheduled check, and removed with their branch, when they expire, or by request.
import type { Database, Queryable } from '../../database/database.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { previewNames, type PreviewSettings } from '../../sites/preview-settings.ts';
import { sitesChannel, type RegisteredSite, type Sites } from '../../sites/sites.ts';
import type { JobStatus } from '../model/job.ts';
import type { Jobs } from '../model/jobs.ts';
import type { Queue } from '../queue/queue.ts';
import { removeOldExports, type RetentionParts } from '../retention.ts';

export interface Preview {
  /** Its name as a site: `docs.example.com--next`. */
  domain: string;
  branch: string;
  activeJob: string | null;
  /** The latest job. */
  lastJob: string | null;
  status: JobStatus | null;
  /** The commit of the active export. */
  commit: string | null;
  createdAt: Date;
  /** The last push. */
  updatedAt: Date;
  expiresAt: Date;
}

interface PutPreview {
  domain: string;
  isNew: boolean;
}

export type Previews = ReturnType<typeof createPreviews>;

interface PreviewParts extends RetentionParts {
  database: Database;
  sites: Pick<Sites, 'forget'>;
  jobs: Jobs;
  queue: Pick<Queue, 'remove'>;
  metrics: Pick<Metrics, 'jobs'>;
}

const day = 86_400_000;

export function createPreviews(parts: PreviewParts) {
  const { database, sites, jobs, queue, metrics, log, now } = parts;

  return {
    /** The preview of a branch, which then expires later; a new one if the site has fewer than its limit, else undefined. */
    async put(site: RegisteredSite, branch: string, { days, most }: PreviewSettings): Promise<PutPreview | undefined> {
      const put = await database.transaction((transaction) => putPreview(transaction, site, branch, { days, most, at: now() }));
      if (put) sites.forget(put.domain);
      return put;
    },

    /** Sorted by branch. */
    list: (whole: string): Promise<Preview[]> =>
      database.query<Preview>(
        `select site.domain, branch, active_job as "activeJob", last.id as "lastJob", last.status, active.result->>'commit' as commit,
           site.created_at as "createdAt", site.updated_at as "updatedAt", expires_at as "expiresAt"
         from carrel.sites site
         left join carrel.jobs active on active.id = active_job
         left join lateral (
           select id, status from carrel.jobs where jobs.domain = site.domain order by created_at desc, id desc limit 1
         ) last on true
         where preview_of = $1 order by branch collate "C"`,
        [whole],
      ),

    /** Removes a preview by its name or its branch, with its files. False if the site has no such preview. */
    async remove(whole: string, which: { domain: string } | { branch: string }): Promise<boolean> {
      const [column, value] = 'domain' in which ? ['domain', which.domain] : ['branch', which.branch];
      const [removed] = await database.query<{ domain: string }>(
        `delete from carrel.sites where preview_of = $1 and ${column} = $2 returning domain`,
        [whole, value],
      );
      if (!removed) return false;
      await clear(removed.domain);
      return true;
    },

    /** Removes previews that have expired, and those of sites that no longer have previews or have another repository. */
    async removeOld(): Promise<void> {
      const removed = await database.query<{ domain: string }>(
        `delete from carrel.sites site using carrel.sites whole
         where whole.domain = site.preview_of and (
           site.expires_at <= $1 or whole.settings->'previews' is null or whole.source->>'url' is distinct from site.source->>'url'
         )
         returning site.domain`,
        [new Date(now())],
      );
      for (const { domain } of removed) {
        await clear(domain);
        log.info({ domain }, 'a preview has expired');
      }
      // Also of sites whose removal was interrupted.
      const left = await database.query<{ domain: string }>(
        `select distinct domain from carrel.jobs
         where status = 'completed' and expired_at is null
           and not exists (select from carrel.sites where sites.domain = jobs.domain)`,
      );
      for (const { domain } of left) await removeExports(domain);
    },
  };

  /** What is left of a preview without its row. */
  async function clear(domain: string): Promise<void> {
    sites.forget(domain);
    await database.query(`select pg_notify('${sitesChannel}', $1)`, [domain]);
    for (const job of await jobs.unfinished()) {
      if (job.domain !== domain) continue;
      const canceled = await jobs.cancel(job.id);
      if (!canceled || canceled.startedAt) continue;
      metrics.jobs.inc({ status: 'canceled' });
      await queue
        .remove(job.id)
        .catch((err: unknown) => log.warn({ err, job: job.id }, 'a canceled job could not be removed from the queue'));
    }
    await removeExports(domain);
  }

  async function removeExports(domain: string): Promise<void> {
    await removeOldExports(parts, domain).catch((err: unknown) =>
      log.error({ err, domain }, 'the files of a removed site could not be removed'),
    );
  }
}

/** Implements `Previews.put`. */
async function putPreview(
  transaction: Queryable,
  site: RegisteredSite,
  branch: string,
  { days, most, at }: { days: number; most: number; at: number },
): Promise<PutPreview | undefined> {
  const { domain: whole, organization } = site;
  const source = JSON.stringify({ ...site.source, ref: `refs/heads/${branch}` });
  const times = [new Date(at), new Date(at + days * day)];
  // Locks the site, so that pushes at the same time cannot exceed the limit.
  await transaction.query('select from carrel.sites where domain = $1 for update', [whole]);
  const [known] = await transaction.query<{ domain: string }>(
    `update carrel.sites set source = $3::jsonb, updated_at = $4, expires_at = $5
     where preview_of = $1 and branch = $2 returning domain`,
    [whole, branch, source, ...times],
  );
  if (known) return { domain: known.domain, isNew: false };
  const others = await transaction.query('select from carrel.sites where preview_of = $1', [whole]);
  if (others.length >= most) return undefined;
  for (const name of previewNames(whole, branch)) {
    const [added] = await transaction.query(
      `with added as (
         insert into carrel.sites (domain, organization, source, settings, created_at, updated_at, preview_of, branch, expires_at)
         values ($1, $2, $3::jsonb, '{}', $4, $4, $6, $7, $5) on conflict (domain) do nothing returning domain
       )
       select pg_notify('${sitesChannel}', domain) from added`,
      [name, organization, source, ...times, whole, branch],
    );
    if (added) return { domain: name, isNew: true };
  }
  throw new Error(`No name for a preview of "${branch}" of ${whole} is free.`);
}
