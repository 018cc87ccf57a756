// What the services that host repositories send when someone pushes. Each signs or names a secret in its own header.
// GitHub: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
// GitLab: https://docs.gitlab.com/user/project/integrations/webhooks/ and https://docs.gitlab.com/administration/system_hooks/
// Gitea and Forgejo: https://docs.gitea.com/usage/webhooks
// Bitbucket Cloud: https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/
// Bitbucket Data Center: https://confluence.atlassian.com/bitbucketserver/event-payload-938025882.html
import { createHash, createHmac } from 'node:crypto';
import { jsonValue, listOf, objectOf } from '../../../integration/text/json.ts';
import { sameText } from '../../platform/secrets.ts';

export const pushServices = ['github', 'gitlab', 'gitea', 'bitbucket', 'bitbucket-data-center', 'generic'] as const;
export type PushService = (typeof pushServices)[number];

/** What a request reports. */
export interface Push {
  /** The same for a repeated delivery; undefined if the service does not number its deliveries. */
  delivery?: string;
  /** False for other events, such as the test of a new hook. */
  isPush: boolean;
  /** At least one. */
  changes: Change[];
  defaultBranch?: string;
  /** `group/project`, of a hook that reports the pushes to all repositories of a service. */
  repository?: string;
}

/** A branch or tag that was pushed. */
export interface Change {
  /** `refs/heads/main`; undefined for any. */
  ref?: string;
  /** The commit that the branch has now; undefined if it is not known. */
  commit?: string;
  /** The branch was deleted. */
  isDeleted: boolean;
  /** A pull request of the branch was opened: its commit is not new. */
  isOpened?: true;
}

/** Reads a delivery; undefined if it does not prove that it knows the secret. */
export function readPush(service: PushService, headers: Headers, body: Buffer, secret: string): Push | undefined {
  const { proof, delivery, event: named } = services[service](headers, body, secret);
  if (!proof) return undefined;
  const payload = objectOf(jsonValue(jsonOf(body.toString('utf8'))));
  const project = objectOf(payload.project);
  const isSystemHook = named === 'System Hook';
  const event = isSystemHook ? (textOf(payload.event_name) ?? '') : named;
  const refs = pushedRefs(payload, event);
  return {
    delivery: delivery ?? undefined,
    isPush: refs !== undefined || pushEvents.test(event ?? ''),
    changes: (refs?.length ? refs : [payload]).map(changeOf),
    defaultBranch: textOf(objectOf(payload.repository).default_branch) ?? textOf(project.default_branch),
    repository: isSystemHook ? (textOf(project.path_with_namespace) ?? '') : undefined,
  };
}

const pushEvents = /^(?:push|push hook|tag push hook|tag_push)$/i;

/** The changes of events that do not describe one as GitHub does, in its form; undefined for other events. */
function pushedRefs(payload: Record<string, unknown>, event: string | null | undefined): Record<string, unknown>[] | undefined {
  const changes = () => listOf(payload.changes).map(objectOf);
  if (event === undefined) return [{ ...payload, ref: fullRef(payload.ref ?? payload.branch) }];
  // GitHub and Gitea name a deleted branch without `refs/heads/`.
  if (event === 'delete' && payload.ref_type === 'branch') return [{ ref: fullRef(payload.ref), deleted: true }];
  if (event === 'pull_request' || event === 'Merge Request Hook') return openedRefs(payload);
  if (event === 'repository_update') return changes();
  if (event === 'repo:refs_changed') return changes().map(({ ref, toHash }) => ({ ref: objectOf(ref).id, after: toHash }));
  if (event === 'repo:push')
    return listOf(objectOf(payload.push).changes).map((change) => {
      const { new: after, old } = objectOf(change);
      const { type, name, target } = objectOf(after ?? old);
      return {
        ref: type === 'branch' ? fullRef(name) : `refs/tags/${textOf(name)}`,
        ...(after ? { after: objectOf(target).hash } : { deleted: true }),
      };
    });
  return undefined;
}

/** The branch of a pull request that was opened; undefined if it belongs to a fork. */
function openedRefs({ action, pull_request: pull, object_attributes: merge }: Record<string, unknown>) {
  const { head, base } = objectOf(pull);
  const { ref, sha, repo } = objectOf(head);
  const { action: mergeAction, source_branch: branch, last_commit: last, ...ids } = objectOf(merge);
  const [from, to] = [objectOf(repo).id ?? ids.source_project_id, objectOf(objectOf(base).repo).id ?? ids.target_project_id];
  if (from === undefined || from !== to || !/^(?:re)?open(?:ed)?$/.test(textOf(action ?? mergeAction) ?? '')) return undefined;
  return [{ ref: fullRef(ref ?? branch), after: sha ?? objectOf(last).id, opened: true }];
}

function changeOf({ ref, after, checkout_sha: checkedOut, commit: named, deleted, opened }: Record<string, unknown>): Change {
  const commit = textOf(after) ?? textOf(checkedOut) ?? textOf(named);
  return {
    ref: textOf(ref),
    commit: commit !== undefined && /^[0-9a-f]{40,64}$/i.test(commit) && !/^0+$/.test(commit) ? commit.toLowerCase() : undefined,
    isDeleted: deleted === true || /^0{40,64}$/.test(textOf(after) ?? ''),
    ...(opened === true && { isOpened: true }),
  };
}

/** A plain name is that of a branch. */
function fullRef(ref: unknown): string | undefined {
  return textOf(ref)?.replace(/^(?!refs\/)/, 'refs/heads/');
}

/** Whether a service tests that the URL of a hook can be reached. Bitbucket Data Center does not sign this request. */
export function isConnectionTest(service: PushService, headers: Headers): boolean {
  return service === 'bitbucket-data-center' && headers.get('x-event-key') === 'diagnostics:ping';
}

/** Whether the URL of a repository ends with a path such as `group/project`: hosts have several names, and some a path before it. */
export function isRepository(url: string, path: string): boolean {
  const plain = (text: string) => new URL(text).pathname.replace(/(?:\.git)?\/*$/, '').toLowerCase();
  return path !== '' && plain(url).endsWith(plain(`https://host/${path}`));
}

/** The branch of a push; undefined for a tag, or if it is not known. */
export function branchOf({ ref }: Change): string | undefined {
  return /^refs\/heads\/(.+)$/s.exec(ref ?? '')?.[1];
}

/** Whether a push changes what a source names: its branch or tag, or the default branch. */
export function concerns({ ref, defaultBranch }: { ref?: string; defaultBranch?: string }, wanted: string | undefined): boolean {
  if (ref === undefined) return true;
  // Without the name of the default branch, any branch may be it, but no tag.
  if (wanted === undefined)
    return defaultBranch === undefined ? !/^refs\/(?!heads\/)/.test(ref) : ref === `refs/heads/${defaultBranch}`;
  return [wanted, `refs/heads/${wanted}`, `refs/tags/${wanted}`].includes(ref);
}

interface Delivered {
  proof: boolean;
  delivery: string | null | undefined;
  /** Undefined where there are no kinds of events. */
  event: string | null | undefined;
}

const services: Record<PushService, (headers: Headers, body: Buffer, secret: string) => Delivered> = {
  github: (headers, body, secret) => ({
    proof: sameText(headers.get('x-hub-signature-256') ?? '', `sha256=${signatureOf(body, secret)}`),
    delivery: headers.get('x-github-delivery'),
    event: headers.get('x-github-event'),
  }),
  gitlab: (headers, _body, secret) => ({
    proof: sameText(headers.get('x-gitlab-token') ?? '', secret),
    delivery: headers.get('idempotency-key') ?? headers.get('x-gitlab-event-uuid'),
    event: headers.get('x-gitlab-event'),
  }),
  gitea: (headers, body, secret) => ({
    proof: sameText(headers.get('x-gitea-signature') ?? headers.get('x-forgejo-signature') ?? '', signatureOf(body, secret)),
    delivery: headers.get('x-gitea-delivery') ?? headers.get('x-forgejo-delivery'),
    event: headers.get('x-gitea-event') ?? headers.get('x-forgejo-event'),
  }),
  bitbucket: (headers, body, secret) => ({
    proof: sameText(headers.get('x-hub-signature') ?? '', `sha256=${signatureOf(body, secret)}`),
    delivery: headers.get('x-request-uuid'),
    event: headers.get('x-event-key'),
  }),
  'bitbucket-data-center': (headers, body, secret) => ({
    proof: sameText(headers.get('x-hub-signature') ?? '', `sha256=${signatureOf(body, secret)}`),
    delivery: headers.get('x-request-id'),
    event: headers.get('x-event-key'),
  }),
  generic: (headers, _body, secret) => ({
    proof: sameText(headers.get('authorization') ?? '', `Bearer ${secret}`),
    delivery: headers.get('idempotency-key'),
    event: undefined,
  }),
};

function signatureOf(body: Buffer, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** GitHub can also send the JSON as a field of a form. */
function jsonOf(text: string): string {
  return text.startsWith('payload=') ? (new URLSearchParams(text).get('payload') ?? '') : text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Stands for a change of a delivery in the keys of repeated requests. */
export function deliveryKey(service: PushService, domain: string, delivery: string, { ref }: Change): string {
  return `push ${createHash('sha256')
    .update(JSON.stringify([service, domain, delivery, ref]))
    .digest('hex')}`;
}
