// What the services that host repositories send when someone pushes. Each signs or names a secret in its own header.
// GitHub: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
// GitLab: https://docs.gitlab.com/user/project/integrations/webhooks/
// Gitea and Forgejo: https://docs.gitea.com/usage/webhooks
import { createHash, createHmac } from 'node:crypto';
import { jsonValue, objectOf } from '../../../integration/text/json.ts';
import { sameText } from '../../platform/secrets.ts';

export const pushServices = ['github', 'gitlab', 'gitea', 'generic'] as const;
export type PushService = (typeof pushServices)[number];

/** What a request reports. */
export interface Push {
  /** The same for a repeated delivery; undefined if the service does not number its deliveries. */
  delivery?: string;
  /** False for other events, such as the test of a new hook. */
  isPush: boolean;
  /** `refs/heads/main`; undefined for any. */
  ref?: string;
  defaultBranch?: string;
  /** The commit that the branch has now; undefined if it is not known. */
  commit?: string;
  /** The branch was deleted. */
  isDeleted: boolean;
}

/** Reads a delivery; undefined if it does not prove that it knows the secret. */
export function readPush(service: PushService, headers: Headers, body: Buffer, secret: string): Push | undefined {
  const { proof, delivery, event } = services[service](headers, body, secret);
  if (!proof) return undefined;
  const payload = objectOf(jsonValue(jsonOf(body.toString('utf8'))));
  // The event `delete` of GitHub and Gitea has the plain name of a branch.
  const isDeletion = event === 'delete' && payload.ref_type === 'branch';
  const ref = isDeletion ? `refs/heads/${textOf(payload.ref)?.replace(/^refs\/heads\//, '')}` : textOf(payload.ref);
  const commit = textOf(payload.after) ?? textOf(payload.checkout_sha) ?? textOf(payload.commit);
  return {
    delivery: delivery ?? undefined,
    isPush: event === undefined || isDeletion || /^(?:push|push hook|tag push hook)$/i.test(event ?? ''),
    ref,
    defaultBranch: textOf(objectOf(payload.repository).default_branch) ?? textOf(objectOf(payload.project).default_branch),
    commit: commit !== undefined && /^[0-9a-f]{40,64}$/i.test(commit) && !/^0+$/.test(commit) ? commit.toLowerCase() : undefined,
    isDeleted: isDeletion || payload.deleted === true || /^0{40,64}$/.test(textOf(payload.after) ?? ''),
  };
}

/** The branch of a push; undefined for a tag, or if it is not known. */
export function branchOf({ ref }: Push): string | undefined {
  return /^refs\/heads\/(.+)$/s.exec(ref ?? '')?.[1];
}

/** Whether a push changes what a source names: its branch or tag, or the default branch. */
export function concerns({ ref, defaultBranch }: Partial<Push>, wanted: string | undefined): boolean {
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

/** Stands for a delivery in the keys of repeated requests. */
export function deliveryKey(service: PushService, domain: string, delivery: string): string {
  return `push ${createHash('sha256')
    .update(JSON.stringify([service, domain, delivery]))
    .digest('hex')}`;
}
