// Sites with a schedule: at its times, a worker compares the commit of the repository with that of the last export.
import type { Database } from '../../database/database.ts';
import { JobError } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { scheduleSchema } from '../../sites/schedule.ts';
import type { RegisteredSite, Sites } from '../../sites/sites.ts';
import { remoteBranches, remoteCommit } from '../../sources/fetch-git.ts';
import { checkBranches } from './scheduled-branches.ts';
import type { Previews } from './previews.ts';
import { exportChange, lastCommit, type StartParts } from '../start-export.ts';
import { withRemote, type SourceParts } from '../worker/with-source.ts';

export interface ScheduledCheckParts extends StartParts, SourceParts {
  options: ServerOptions;
  database: Database;
  now: () => number;
  sites: Sites;
  metrics: Metrics;
  previews: Previews;
}

type Checked = 'started' | 'unchanged';

// A host that does not answer takes a minute or more, and other sites do not wait for it.
const checksAtOnce = 8;

/** Checks all sites that are due. Several processes can do this at once: each site is checked by one of them. */
export async function checkDueSites(parts: ScheduledCheckParts, signal: AbortSignal): Promise<void> {
  await Promise.all(Array.from({ length: checksAtOnce }, () => checkOneByOne(parts, signal)));
}

async function checkOneByOne(parts: ScheduledCheckParts, signal: AbortSignal): Promise<void> {
  for (;;) {
    if (signal.aborted) return;
    const site = await parts.sites.takeDue();
    if (!site) return;
    const { error: fault } = scheduleSchema.safeParse(site.settings.schedule);
    if (fault)
      parts.log.warn(
        { domain: site.domain, reason: fault.issues[0]?.message },
        'the schedule of a site is not valid, so the site is checked once a day; change its schedule',
      );
    const result = await checkSite(parts, site, signal).catch((error: unknown) => {
      parts.log.warn({ err: error, domain: site.domain }, 'a site could not be checked for changes');
      return 'failed' as const;
    });
    parts.metrics.checks.inc({ result });
  }
}

/** The site, and the branches that have previews. */
async function checkSite(parts: ScheduledCheckParts, site: RegisteredSite, signal: AbortSignal): Promise<Checked> {
  const organization = await parts.organizations.get(site.organization);
  if (organization?.plan !== 'enterprise') return 'unchanged';
  const result = await checkOwn(parts, site, signal);
  const { settings, source } = site;
  if (!settings.previews || source.type !== 'git') return result;
  const own = { ...site, source };
  const read = () => withRemote(parts, own, signal, (context) => remoteBranches(source, context));
  const started = await checkBranches(parts, own, settings.previews, read);
  return started > 0 ? 'started' : result;
}

// What made a commit fail may be gone after this time.
const retriedAfter = 60 * 60_000;

/** Folders have no commit, so they are exported each time. */
async function checkOwn(parts: ScheduledCheckParts, site: RegisteredSite, signal: AbortSignal): Promise<Checked> {
  const { jobs, log } = parts;
  let commit: string | undefined;
  const { source } = site;
  if (source.type === 'git') {
    const [last] = (await jobs.list({ organization: site.organization, domain: site.domain, limit: 1 })).jobs;
    const read = withRemote(parts, { ...site, source }, signal, (context) => remoteCommit(source, context));
    commit = await read.catch((error: unknown) => {
      // A job shows the reason to those who look after the site, once.
      if (!(error instanceof JobError) || last?.status === 'failed') throw error;
      return undefined;
    });
    if (commit !== undefined && commit === (await lastCommit(jobs, site))) return 'unchanged';
    const hasFailed = last?.status === 'failed' && commit !== undefined && last.request.commit === commit;
    if (hasFailed && parts.now() - last.finishedAt!.getTime() < retriedAfter) return 'unchanged';
  }
  const { id } = await exportChange(parts, site, { commit });
  log.info({ job: id, domain: site.domain }, 'a scheduled export');
  return 'started';
}

/** Checks now and after each pause in milliseconds. Returns a function that stops it and resolves when the last check has ended. */
export function keepChecking(parts: ScheduledCheckParts, pause: number): () => Promise<void> {
  const stop = new AbortController();
  let work = Promise.resolve();
  let isWorking = false;
  const check = () => {
    if (isWorking) return;
    isWorking = true;
    work = checkDueSites(parts, stop.signal)
      .catch((err: unknown) => parts.log.warn({ err }, 'sites could not be checked for changes'))
      .finally(() => (isWorking = false));
  };
  check();
  const timer = setInterval(check, pause).unref();
  return () => {
    clearInterval(timer);
    stop.abort();
    return work;
  };
}
