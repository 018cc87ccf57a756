// Sites with a schedule: at its times, a worker compares the commit of the repository with that of the last export.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Organizations } from '../../organizations/organizations.ts';
import { JobError } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { createRunLog } from '../../platform/run-log.ts';
import { scheduleSchema } from '../../sites/schedule.ts';
import type { RegisteredSite, Sites } from '../../sites/sites.ts';
import { remoteCommit } from '../../sources/fetch-git.ts';
import { mirrorOf } from '../../sources/fetch-source.ts';
import { makeRunFolder, removeRunFolder } from '../worker/run-folder.ts';
import { sourceContext } from '../worker/source-context.ts';
import { lastCommit, startRefresh, type RefreshParts } from './start-refresh.ts';

export interface ScheduledCheckParts extends RefreshParts {
  options: ServerOptions;
  organizations: Organizations;
  sites: Sites;
  metrics: Metrics;
}

/** Checks all sites that are due. Several processes can do this at once: each site is checked by one of them. */
export async function checkDueSites(parts: ScheduledCheckParts, signal: AbortSignal): Promise<void> {
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

/** Folders have no commit, so they are exported each time. */
async function checkSite(
  parts: ScheduledCheckParts,
  site: RegisteredSite,
  signal: AbortSignal,
): Promise<'started' | 'unchanged'> {
  const { jobs, organizations, log } = parts;
  const organization = await organizations.get(site.organization);
  if (organization?.plan !== 'enterprise') return 'unchanged';
  let commit: string | undefined;
  if (site.source.type === 'git') {
    commit = await currentCommit(parts, site, signal).catch(async (error: unknown) => {
      // A job shows the reason to those who look after the site, once.
      const [last] = (await jobs.list({ organization: site.organization, domain: site.domain, limit: 1 })).jobs;
      if (!(error instanceof JobError) || last?.status === 'failed') throw error;
      return undefined;
    });
    if (commit !== undefined && commit === (await lastCommit(jobs, site))) return 'unchanged';
  }
  const { id } = await startRefresh(parts, site, { commit });
  log.info({ job: id, domain: site.domain }, 'a scheduled export');
  return 'started';
}

async function currentCommit(parts: ScheduledCheckParts, { ...site }: RegisteredSite, signal: AbortSignal): Promise<string> {
  const { source, domain } = site;
  if (source.type !== 'git') throw new TypeError('only git has commits');
  const id = `check-${createHash('sha256').update(domain).digest('hex').slice(0, 16)}`;
  const folder = await makeRunFolder(join(parts.options.data, 'work'), { id, attempt: 1 });
  try {
    const context = await sourceContext(parts, site);
    const log = createRunLog({ keep: () => Promise.resolve(), onError: () => undefined, folder });
    return await remoteCommit(source, { ...context, folder, log, signal, mirror: mirrorOf(domain, source.url, context) });
  } finally {
    await removeRunFolder(folder);
  }
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
