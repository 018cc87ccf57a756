// Removes old exports when newer ones exist.
//
// The exports of a site share files, and an export that is being stored relies on files that are already stored. Nothing that it needs is
// removed, because
// - its job is `running` from before its first file until it is completed, and nothing is removed while a job of the site runs: this is
//   checked before every few keys, each removal ends within seconds, and a run takes longer than that from its start to its first file;
// - once completed, it is newer than the exports to remove, and a removal stops when it sees that a job was completed in the meantime;
// - the files of a superseded run can be removed, since no manifest lists them;
// - an export that is to be removed is marked first, and can't become active any more; the files of all others are needed;
// - in a bucket, it only relies on the files of the active export (store-export.ts), which are never removed.
// A removal that stops early because a job runs is repeated when that job has ended.
import { areSameGroups, type Audience } from '../sites/site-readers.ts';
import type { Job } from './model/job.ts';
import { markForRemoval } from './model/active-export.ts';
import type { Jobs } from './model/jobs.ts';
import type { Database } from '../database/database.ts';
import type { Logger } from '../platform/log.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { Storage } from '../storage/storage.ts';
import { archiveKey, fileKey, manifestKey, siteFolder } from '../storage/storage-keys.ts';
import { unlisted } from '../../integration/manifest.ts';
import { readManifest } from '../storage/read-manifest.ts';

export interface RetentionParts {
  storage: Storage;
  jobs: Jobs;
  database: Database;
  options: ServerOptions;
  log: Logger;
  now: () => number;
}

const keysAtOnce = 32;

/**
 * Keeps the newest `keepExports` exports of a site (of a preview, only the newest) with those of its audiences, and its active one, marks the others as expired and removes the files that only they
 * use, and deltas from them or to them; on disk, also the files of unfinished runs. Removes all exports of a site that is no longer registered or belonged to another
 * organization. Call it when a job of the site has ended, and when the site was deleted: it completes an interrupted removal.
 * Throws `StorageUnavailable`, `ExportError` `ManifestInvalid`; nothing is lost then.
 */
export async function removeOldExports(parts: RetentionParts, domain: string): Promise<void> {
  const { storage, jobs, log } = parts;
  const before = await jobsOf(parts, domain);
  if (before.running > 0) return;
  await jobs.removeReports(domain, parts.options.keepExports);
  const { current, old } = await sortOut(parts, domain);
  const manifests = new Set(current.map(({ result }) => result?.manifest));
  const deltas = current.flatMap((job) =>
    deltasOf(job).map((delta) => ({ ...delta, job, isStale: !manifests.has(delta.since) })),
  );
  const stale = deltas.filter(({ isStale }) => isStale);
  if (old.length === 0 && stale.length === 0 && !storage.list) return;

  const needed = new Set(deltas.flatMap(({ key, isStale }) => (key === undefined || isStale ? [] : [key])));
  for (const job of current) for (const key of await keysOf(parts, job)) needed.add(key);
  /** False if it had to stop before everything was removed. */
  const removeUnneeded = async (keys: string[]): Promise<boolean> => {
    const unneeded = keys.filter((key) => !needed.has(key));
    for (let from = 0; from < unneeded.length; from += keysAtOnce) {
      const { running, completed } = await jobsOf(parts, domain);
      if (running > 0 || completed !== before.completed) return false;
      await storage.remove(unneeded.slice(from, from + keysAtOnce));
    }
    return true;
  };
  for (const { job, since, key } of stale) {
    if (key !== undefined && !(await removeUnneeded([key]))) return;
    await jobs.forgetDelta(job.id, since);
  }
  for (const job of old) {
    const ofDeltas = deltasOf(job).flatMap(({ key }) => key ?? []);
    if (!(await removeUnneeded([...ofDeltas, ...(await keysOf(parts, job))]))) return;
    await jobs.expire(job.id);
    log.info({ job: job.id, domain }, 'export removed');
  }
  if (storage.list) await removeUnneeded(await storage.list(siteFolder(domain)));
}

async function sortOut(
  { database, jobs, options, now }: RetentionParts,
  domain: string,
): Promise<{ current: Job[]; old: Job[] }> {
  const [site] = await database.query<StoredSite>(
    `select organization, active_job as active, preview_of is not null as "isPreview", settings->'audiences' as audiences
     from carrel.sites where domain = $1`,
    [domain],
  );
  const all = await jobs.stored(domain);
  // A domain may have been another organization's before.
  const own = all.filter(({ organization }) => organization === site?.organization);
  const others = own.filter(({ request }) => request.whole === undefined).slice(0, site?.isPreview ? 1 : options.keepExports);
  const stays = new Set([...others.map(({ id }) => id), site?.active]);
  // An export for an audience stays as long as the audience, and as the export that it belongs to.
  for (const { id, request } of own) {
    const isForAudience = site?.audiences?.some(({ groups }) => areSameGroups(groups, request.groups ?? []));
    if (stays.has(request.whole) && isForAudience) stays.add(id);
  }
  const leaving = all.filter(({ id }) => !stays.has(id)).map(({ id }) => id);
  const marked = new Set(await markForRemoval(database, domain, leaving, now()));
  return { current: all.filter(({ id }) => !marked.has(id)), old: all.filter(({ id }) => marked.has(id)) };
}

interface StoredSite {
  organization: string;
  active: string | null;
  isPreview: boolean;
  audiences: Audience[] | null;
}

/** The deltas to an export, with the digest of the manifest that each is from. */
function deltasOf({ domain, result }: Job): { since: string; key: string | undefined }[] {
  const deltas = Object.entries(result?.deltas ?? {});
  return deltas.map(([since, delta]) => ({ since, key: delta ? archiveKey(domain, delta.sha256) : undefined }));
}

/** All storage keys of an export without its deltas, the manifest last, so that an interrupted removal can read it again. */
async function keysOf({ storage }: RetentionParts, { domain, result }: Job): Promise<string[]> {
  if (!result) return [];
  const manifest = await readManifest(storage, domain, result.manifest);
  const digests = new Set(Object.values(manifest?.files ?? {}).map(({ sha256 }) => sha256));
  return [
    ...[...digests].map((sha256) => fileKey(domain, sha256)),
    ...[result.archive, ...Object.values(result.books ?? {})].map(({ sha256 }) => archiveKey(domain, sha256)),
    ...[...unlisted].reverse().map((file) => manifestKey(domain, result.manifest, file)),
  ];
}

async function jobsOf({ database }: RetentionParts, domain: string): Promise<{ running: number; completed: number }> {
  const [counts] = await database.query<{ running: number; completed: number }>(
    `select count(*) filter (where status = 'running') as running, count(*) filter (where status = 'completed') as completed
     from carrel.jobs where domain = $1`,
    [domain],
  );
  return counts!;
}
