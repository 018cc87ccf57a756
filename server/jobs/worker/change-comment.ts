// What a preview changes, as a comment of the pull requests of its branch. A job never fails because of it: its log says why there is none.
import { changesText, type Exported } from '../../../integration/output/changes-text.ts';
import type { Database } from '../../database/database.ts';
import type { Logger } from '../../platform/log.ts';
import { siteOf, type RegisteredSite, type Sites } from '../../sites/sites.ts';
import { openPullRequests, writeComment, type PullRequestApi } from '../../sources/pull-requests.ts';
import { readManifest } from '../../storage/read-manifest.ts';
import type { Storage } from '../../storage/storage.ts';
import { activeExport } from '../model/active-export.ts';
import { isWhole, type Job } from '../model/job.ts';
import { warningsOf } from '../model/job-report.ts';
import type { Jobs } from '../model/jobs.ts';
import { forgeOf, type ForgeParts } from './site-forge.ts';

export interface ChangeCommentParts extends ForgeParts {
  database: Database;
  storage: Storage;
  sites: Pick<Sites, 'get'>;
  jobs: Pick<Jobs, 'get' | 'log' | 'readReport'>;
  sitesUrl: string;
  log: Pick<Logger, 'warn'>;
}

const permissions = {
  github: '"Pull requests: write" (repo)',
  gitlab: 'the scope "api" and the role Reporter',
};

/** Does nothing unless the job has made what a preview shows now, and its site asks for comments. */
export async function commentChanges(parts: ChangeCommentParts, job: Job): Promise<void> {
  const { preview } = job.request;
  if (preview === undefined || job.status !== 'completed' || !isWhole(job.request)) return;
  try {
    const site = await siteOf(parts.sites, { domain: preview.site, organization: job.organization });
    if (!site?.settings.previews?.comment) return;
    const api = await pullRequestApi(parts, site);
    const pulls = await openPullRequests(api, api.owner, preview.branch);
    if (pulls.length === 0) return;
    const [before, now] = await Promise.all([exported(parts, site.activeJob), exported(parts, job.id)]);
    const url = `${parts.sitesUrl}/sites/${job.domain}/`;
    const list = changesText(before, now, { title: site.domain, commit: before.commit, url });
    // A later push may have been exported meanwhile.
    if ((await activeExport(parts.database, job.domain))?.activeJob !== job.id) return;
    const about = `${parts.sitesUrl}/sites/${site.domain}/`;
    for (const number of pulls) await writeComment(api, number, { ...list, about });
  } catch (err) {
    const reason = err instanceof Error ? err.message : 'unknown';
    parts.log.warn({ reason, job: job.id, domain: job.domain }, 'the comment on a pull request could not be written');
    await parts.jobs.log(job, `The comment on the pull request could not be written: ${reason}\n`).catch(() => undefined);
  }
}

async function pullRequestApi(parts: ForgeParts, site: RegisteredSite): Promise<PullRequestApi & { owner: string }> {
  const found = await forgeOf(parts, site);
  if (found === undefined)
    throw new Error(
      'this needs a push hook of the site for github or gitlab, and a token for its repository in the file of CARREL_GIT_CREDENTIALS.',
    );
  const { forge, url, owner, send } = found;
  if (forge === 'gitea') throw new Error('comments are written on GitHub and GitLab only.');
  // Many comments are many requests.
  const signal = AbortSignal.timeout(60_000);
  return {
    forge,
    url,
    owner,
    async send(method, to, body) {
      signal.throwIfAborted();
      return await send(method, to, body, permissions[forge]);
    },
  };
}

/** What a site serves; throws an `Error` if it serves nothing. */
async function exported(parts: ChangeCommentParts, id: string | null): Promise<Exported & { commit: string }> {
  const job = id === null ? undefined : await parts.jobs.get(id);
  const manifest = job?.result ? await readManifest(parts.storage, job.domain, job.result.manifest) : undefined;
  if (!job?.result || !manifest) throw new Error('the site has no export to compare with.');
  const { commit, version } = job.result;
  return { ...manifest, problems: await warningsOf(parts.jobs, job), commit: commit?.slice(0, 12) ?? version };
}
