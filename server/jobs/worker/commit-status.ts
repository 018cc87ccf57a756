// The state of an export, shown at its commit by the service that reports the pushes. A job never fails because of it.
import type { Logger } from '../../platform/log.ts';
import type { RegisteredSite } from '../../sites/sites.ts';
import { statusBody, type CommitStatus } from '../../sources/forge.ts';
import { isWhole, type Job } from '../model/job.ts';
import { forgeOf, type ForgeParts } from './site-forge.ts';

export interface CommitStatusParts extends ForgeParts {
  sitesUrl: string;
  publicUrl: string;
  log: Pick<Logger, 'warn'>;
}

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
  const forge = await forgeOf(parts, site);
  await forge?.send('POST', `${forge.url}/statuses/${status.commit}`, statusBody(forge.forge, status), permissions[forge.forge]);
}

const permissions = {
  github: '"Commit statuses: write" (repo:status)',
  gitlab: 'the scope "api" and the role Developer',
  gitea: 'the scope "write:repository"',
};

function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  return /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
}
