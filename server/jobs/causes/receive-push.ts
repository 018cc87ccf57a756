// What follows from a push: an export of the site or of a preview, or the end of a preview.
import type { Database } from '../../database/database.ts';
import { hasPreview, type PreviewSettings } from '../../sites/preview-settings.ts';
import type { RegisteredSite, Sites } from '../../sites/sites.ts';
import { remoteDefaultBranch } from '../../sources/fetch-git.ts';
import { claimKey, jobOfKey } from '../model/create-job.ts';
import type { NewJob } from '../model/job.ts';
import { exportChange, lastCommit, type StartParts } from '../start-export.ts';
import { withRemote, type SourceParts } from '../worker/with-source.ts';
import { exportBranch } from './export-branch.ts';
import type { Previews } from './previews.ts';
import { branchOf, concerns, deliveryKey, isRepository, type Change, type Push, type PushService } from './read-push.ts';

export const pushReasons = [
  'pushed',
  'not-a-push',
  'other-branch',
  'other-repository',
  'unchanged',
  'preview-removed',
  'previews-full',
] as const;

export interface Received {
  jobId: string | null;
  reason: (typeof pushReasons)[number];
  /** The preview that shows the branch. */
  preview?: string;
}

export interface ReceiverParts extends StartParts, SourceParts {
  options: SourceParts['options'];
  database: Database;
  now: () => number;
  sites: Pick<Sites, 'get'>;
  previews: Previews;
  /** Pushes that arrive together ask the repository once. */
  defaultBranches: { get(domain: string): Promise<string | undefined> };
}

/** What follows from each change of a push. */
export async function receivePush(
  parts: ReceiverParts,
  push: Push,
  site: RegisteredSite,
  service: PushService,
): Promise<Received[]> {
  if (!push.isPush) return [notPushed('not-a-push')];
  const { source } = site;
  if (push.repository !== undefined && !(source.type === 'git' && isRepository(source.url, push.repository)))
    return [notPushed('other-repository')];
  const isAsked = push.defaultBranch === undefined && push.changes.some((change) => branchOf(change) !== undefined);
  const defaultBranch = isAsked ? await parts.defaultBranches.get(site.domain) : push.defaultBranch;
  const received: Received[] = [];
  for (const change of push.changes)
    received.push(
      await receiveChange(parts, { ...change, defaultBranch }, site, idempotencyOf(push, change, site.domain, service)),
    );
  return received;
}

async function receiveChange(
  parts: ReceiverParts,
  change: BranchChange,
  site: RegisteredSite,
  idempotency: NewJob['idempotency'],
): Promise<Received> {
  const { commit, isDeleted, isOpened } = change;
  if (isOpened && !site.settings.previews?.comment) return notPushed('not-a-push');
  if (site.source.type !== 'git' || concerns(change, site.source.ref)) {
    if (isDeleted) return notPushed('other-branch');
    if (commit !== undefined && commit === (await lastCommit(parts.jobs, site))) return notPushed('unchanged');
    return { jobId: (await exportChange(parts, site, { idempotency, commit })).id, reason: 'pushed' };
  }
  const { previews: settings } = site.settings;
  const branch = branchOf(change);
  if (!settings || branch === undefined) return notPushed('other-branch');
  return isDeleted
    ? removePreview(parts, site, branch, idempotency)
    : exportPreview(parts, { commit, site, branch, settings, idempotency, isOpened });
}

/** The branch that the repository of a site names; undefined if it is not needed or not found in time. */
export async function defaultBranchOf(
  parts: Omit<ReceiverParts, 'defaultBranches'>,
  domain: string,
): Promise<string | undefined> {
  const site = await parts.sites.get(domain);
  if (site?.source.type !== 'git' || site.source.ref !== undefined) return undefined;
  const { source } = site;
  const signal = AbortSignal.timeout(remoteMilliseconds);
  return withRemote(parts, { ...site, source }, signal, (context) => remoteDefaultBranch(source, context)).catch(
    (err: unknown) => {
      parts.log.warn({ err, domain }, 'the default branch could not be read, so a push to any branch exports the site');
      return undefined;
    },
  );
}

async function removePreview(
  parts: ReceiverParts,
  site: RegisteredSite,
  branch: string,
  delivery: NewJob['idempotency'],
): Promise<Received> {
  // A delivery that is replayed must not remove the preview of a branch that was pushed again since.
  const isFirst =
    !delivery || (await claimKey(parts.database, { ...delivery, organization: site.organization, at: parts.now() }));
  const isRemoved = isFirst && (await parts.previews.remove(site.domain, { branch }));
  return notPushed(isRemoved ? 'preview-removed' : 'other-branch');
}

async function exportPreview(
  parts: ReceiverParts,
  { commit, site, branch, settings, idempotency, isOpened }: PreviewPush,
): Promise<Received> {
  if (!hasPreview(settings, branch)) return notPushed('other-branch');
  const { organization } = site;
  // A delivery that is replayed must not bring back a preview that was removed since.
  const known = idempotency && (await jobOfKey(parts.database, { ...idempotency, organization, at: parts.now() }));
  if (known) return { jobId: known.id, reason: 'pushed', preview: known.domain };
  const exported = await exportBranch(parts, site, { branch, settings, idempotency, commit, isAgain: isOpened });
  if (!('job' in exported)) return { jobId: null, ...exported };
  const { id, domain } = exported.job;
  return { jobId: id, reason: 'pushed', preview: domain };
}

export const notPushed = (reason: Received['reason']): Received => ({ jobId: null, reason });

type BranchChange = Change & Pick<Push, 'defaultBranch'>;

// Services wait for an answer for about ten seconds.
const remoteMilliseconds = 5000;

interface PreviewPush {
  commit: string | undefined;
  site: RegisteredSite;
  branch: string;
  settings: PreviewSettings;
  idempotency: NewJob['idempotency'];
  isOpened: Change['isOpened'];
}

function idempotencyOf({ delivery }: Push, change: Change, domain: string, service: PushService) {
  if (delivery === undefined) return undefined;
  const key = deliveryKey(service, domain, delivery, change);
  return { key, requestHash: key };
}
