// The state of an export, shown at its commit by the service that reports the pushes. A job never fails because of it.
import { readFile } from 'node:fs/promises';
import type { Organizations } from '../../organizations/organizations.ts';
import type { Logger } from '../../platform/log.ts';
import type { ServerOptions } from '../../platform/options.ts';
import { guardedRequest } from '../../platform/public-addresses.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import { statusRequest, forges, type CommitStatus, type Forge } from '../../sources/forge.ts';
import { isFor, readGitCredentials, tokenOf } from '../../sources/git-credentials.ts';
import { gitUrl } from '../../sources/git-url.ts';
import { isWhole, type Job } from '../model/job.ts';

export interface CommitStatusParts {
  options: Pick<ServerOptions, 'gitCredentials' | 'gitAuthorities' | 'privateHosts'>;
  organizations: Pick<Organizations, 'list'>;
  /** The services that report pushes to the repository of a site. */
  pushHooks: { list(domain: string): Promise<{ service: string }[]> };
  sitesUrl: string;
  publicUrl: string;
  log: Pick<Logger, 'warn'>;
}

const milliseconds = 10_000;

/** `say` writes to the log of the job. */
export function createCommitStatus(parts: CommitStatusParts, job: Job, say: (text: string) => Promise<void>) {
  let shownAt: { site: RegisteredSite; commit: string } | undefined;
  let sent = Promise.resolve();

  return {
    /** An end before `begin` is shown at the commit that a push or an earlier run reported. Shows nothing yet: another one may be fetched. */
    expect(site: RegisteredSite): void {
      const { commit } = job.request;
      if (commit !== undefined && isWhole(job.request)) shownAt = { site, commit };
    },
    /** Shows that the export of a commit has begun, without waiting for the answer. */
    begin(site: RegisteredSite, commit: string): void {
      if (!isWhole(job.request)) return;
      shownAt = { site, commit };
      send('pending', 'The docs are being exported.');
    },
    /** Shows how the export ended; resolves when that is sent, or has failed. Does nothing if no commit is known. */
    async end(state: 'success' | 'failure', text: string): Promise<void> {
      if (shownAt) send(state, firstSentence(text));
      shownAt = undefined;
      await sent;
    },
  };

  function send(state: CommitStatus['state'], text: string): void {
    const { site, commit } = shownAt!;
    const name = `carrel/${site.previewOf ?? site.domain}`;
    const url = state === 'failure' ? `${parts.publicUrl}/dashboard` : `${parts.sitesUrl}/sites/${site.domain}/`;
    sent = sent
      .then(() => setStatus(parts, site, { commit, state, name, url, text }))
      .catch(async (err: unknown) => {
        const reason = err instanceof Error ? err.message : 'unknown';
        parts.log.warn({ reason, job: job.id, domain: job.domain }, 'the status of a commit could not be set');
        await say(`The status of the commit could not be set: ${reason}\n`);
      })
      .catch(() => undefined);
  }
}

export type CommitStatusReporter = ReturnType<typeof createCommitStatus>;

/** Does nothing where no service is known, or no token is for the repository. */
async function setStatus(parts: CommitStatusParts, site: RegisteredSite, status: CommitStatus): Promise<void> {
  const { gitCredentials, gitAuthorities, privateHosts } = parts.options;
  if (site.source.type !== 'git' || gitCredentials === undefined) return;
  const repository = gitUrl(site.source.url);
  const hooks = await parts.pushHooks.list(site.previewOf ?? site.domain);
  const forge = forges.find((known) => hooks.some(({ service }) => service === known));
  if (forge === undefined || repository.protocol !== 'https') return;
  const owner = { organization: site.organization, isAlone: (await parts.organizations.list()).length === 1 };
  const own = (await readGitCredentials(gitCredentials)).find((credential) => isFor(credential, owner, repository));
  if (own === undefined) return;
  const { status: code } = await guardedRequest({
    ...statusRequest(forge, repository.url, tokenOf(own), status),
    allowed: privateHosts,
    milliseconds,
    authorities: gitAuthorities === undefined ? undefined : await readFile(gitAuthorities, 'utf8'),
  });
  if (code < 200 || code > 299) throw new Error(refusalOf(forge, repository.host, code));
}

const permissions: Record<Forge, string> = {
  github: '"Commit statuses: write" (repo:status)',
  gitlab: 'the scope "api" and the role Developer',
  gitea: 'the scope "write:repository"',
};

function refusalOf(forge: Forge, host: string, code: number): string {
  const refused = `${host} answered with status ${code}.`;
  if (![401, 403, 404].includes(code)) return refused;
  return `${refused} The token in the file of CARREL_GIT_CREDENTIALS needs ${permissions[forge]} for this.`;
}

function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
