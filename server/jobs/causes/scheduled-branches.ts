// The branches of a site with previews and a schedule: what changed since the check before counts as pushed.
import type { Database } from '../../database/database.ts';
import { errorCode } from '../../../integration/errors.ts';
import type { RemoteBranches } from '../../sources/fetch-git.ts';
import type { GitSource } from '../../sources/git-url.ts';
import { hasPreview, type PreviewSettings } from '../../sites/preview-settings.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import type { Previews } from './previews.ts';
import { concerns } from './read-push.ts';
import type { StartParts } from '../start-export.ts';
import { exportBranch } from './export-branch.ts';

interface FoundBranches {
  url: string;
  commits: Record<string, string>;
}

/**
 * Exports the branches that have another commit than at the check before, and removes the previews of those that are gone. The first check of
 * a repository only records its branches. Returns the number of jobs.
 */
export async function checkBranches(
  parts: StartParts & { database: Database; previews: Previews },
  site: RegisteredSite & { source: GitSource },
  settings: PreviewSettings,
  read: () => Promise<RemoteBranches>,
): Promise<number> {
  const { database, previews, log } = parts;
  const { domain, source } = site;
  // Before the branches: one that is pushed meanwhile is in neither list.
  const shown = await previews.list(domain);
  const { commits, defaultBranch } = await read();
  const before = await branchesBefore();
  const found = new Map<string, string>();
  let started = 0;
  for (const [branch, commit] of commits) {
    if (concerns({ ref: `refs/heads/${branch}`, defaultBranch }, source.ref) || !hasPreview(settings, branch)) continue;
    const known = before?.get(branch);
    const isTaken = before === undefined || known === commit || (await start(branch, commit));
    if (isTaken) found.set(branch, commit);
    else if (known !== undefined) found.set(branch, known);
  }
  const stored: FoundBranches = { url: source.url, commits: Object.fromEntries(found) };
  await database.query('update carrel.sites set branches = $2::jsonb where domain = $1', [domain, JSON.stringify(stored)]);
  for (const { branch } of shown) if (!commits.has(branch)) await previews.remove(domain, { branch });
  return started;

  /** Undefined if the repository was not checked before. */
  async function branchesBefore(): Promise<Map<string, string> | undefined> {
    const [row] = await database.query<{ branches: FoundBranches | null }>(
      'select branches from carrel.sites where domain = $1',
      [domain],
    );
    return row?.branches?.url === source.url ? new Map(Object.entries(row.branches.commits)) : undefined;
  }

  /** False if the next check must try again. */
  async function start(branch: string, commit: string): Promise<boolean> {
    try {
      const exported = await exportBranch(parts, site, { branch, settings, commit });
      if ('job' in exported) started++;
      return true;
    } catch (error) {
      if (errorCode(error) !== 'QueueFull') throw error;
      log.warn({ domain, branch }, 'a branch was not exported, since too many jobs wait; the next check tries again');
      return false;
    }
  }
}
