// URLs that are called when a job completes or fails, signed as Standard Webhooks specifies (https://www.standardwebhooks.com).
import { createHash, randomBytes, createHmac } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import type { Job } from '../jobs/model/job.ts';
import { jobObject } from '../jobs/model/job-object.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import type { Delivery } from '../jobs/queue/queues.ts';
import { guardedRequest, publicAddresses } from '../platform/public-addresses.ts';
import { seal, unseal } from '../platform/secrets.ts';

export const webhookEvents = ['job.completed', 'job.failed'] as const;
type WebhookEvent = (typeof webhookEvents)[number];

export interface Webhook {
  /** `wh_` and 16 hex digits. */
  id: string;
  organization: string;
  url: string;
  events: WebhookEvent[];
  createdAt: Date;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

export interface WebhookContext {
  database: Database;
  queue: Queue;
  /** Encrypts the secrets at rest. */
  secret: string;
  now: () => number;
  /** Without a slash at the end; messages contain the URL of the export below it. */
  sitesUrl: string;
  /** Private networks that are allowed. */
  privateHosts: string[];
  /** Timeout of a receiver's response. @default 15_000 */
  milliseconds?: number;
}

const mostWebhooks = 20;

const columns = 'id, organization, url, events, created_at as "createdAt"';

export function createWebhooks({
  database,
  queue,
  secret: serverSecret,
  now,
  sitesUrl,
  privateHosts,
  milliseconds = 15_000,
}: WebhookContext) {
  return {
    /**
     * `secret` (`whsec_…`) is returned only once; it is stored encrypted.
     * Throws `ApiError` 400 `WebhookAddressInvalid`, `AddressPrivate`, `HostUnknown`; 409 `TooManyWebhooks` above 20 of an organization.
     */
    async create({
      organization,
      url,
      events,
    }: Pick<Webhook, 'organization' | 'url' | 'events'>): Promise<{ webhook: Webhook; secret: string }> {
      const target = readUrl(url);
      await publicAddresses(target.hostname, privateHosts);
      const id = `wh_${randomBytes(8).toString('hex')}`;
      const secret = `whsec_${randomBytes(32).toString('base64')}`;
      return await database.transaction(async (transaction) => {
        // Locks the organization's row, so that concurrent requests cannot exceed the limit.
        await transaction.query('select from carrel.organizations where id = $1 for update', [organization]);
        const count = 'select count(*)::int as count from carrel.webhooks where organization = $1';
        const [row] = await transaction.query<{ count: number }>(count, [organization]);
        if (row && row.count >= mostWebhooks)
          throw new ApiError(
            'TooManyWebhooks',
            `The organization has ${mostWebhooks} webhooks, which is the limit. Remove one that is not needed.`,
          );
        const [webhook] = await transaction.query<Webhook>(
          `insert into carrel.webhooks (id, organization, url, events, secret, created_at)
           values ($1, $2, $3, $4, $5, $6) returning ${columns}`,
          [id, organization, target.href, [...new Set(events)], seal(secret, id, serverSecret), new Date(now())],
        );
        return { webhook: webhook!, secret };
      });
    },

    /** Oldest first. */
    list: (organization: string): Promise<Webhook[]> =>
      database.query<Webhook>(`select ${columns} from carrel.webhooks where organization = $1 order by created_at, id`, [
        organization,
      ]),

    async remove(organization: string, id: string): Promise<boolean> {
      const statement = 'delete from carrel.webhooks where organization = $1 and id = $2 returning id';
      return (await database.query(statement, [organization, id])).length > 0;
    },

    /** Queues a delivery to every webhook of the job's organization for its status. */
    async notify(job: Job): Promise<void> {
      const event = `job.${job.status}`;
      const listening = 'select id from carrel.webhooks where organization = $1 and $2 = any(events) order by created_at, id';
      const at = (job.finishedAt ?? job.updatedAt).getTime();
      for (const { id } of await database.query<{ id: string }>(listening, [job.organization, event])) {
        await queue.sendDelivery({ webhook: id, message: messageId(id, job), event, at, data: jobObject(job, sitesUrl) });
      }
    },

    /** Starts deliveries; for workers. */
    open: (): Promise<void> => queue.workDeliveries(deliver),
  };

  /** Any status but 2xx is an error, so that the queue retries; 410 removes the webhook. */
  async function deliver({ webhook: id, message, event, at, data }: Delivery): Promise<void> {
    const found = 'select url, secret from carrel.webhooks where id = $1';
    const [webhook] = await database.query<{ url: string; secret: string }>(found, [id]);
    if (!webhook) return;
    const body = JSON.stringify({ type: event, timestamp: new Date(at).toISOString(), data });
    const status = await guardedRequest({
      url: webhook.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Carrel-Webhooks',
        ...signedHeaders(message, now(), body, unseal(webhook.secret, id, serverSecret)),
      },
      body,
      allowed: privateHosts,
      milliseconds,
    });
    if (status === 410) await database.query('delete from carrel.webhooks where id = $1', [id]);
    else if (status < 200 || status > 299) throw new Error(`The webhook ${id} responded with status ${status}.`);
  }
}

/** The message id is the same for every report of a job, since a job ends only once. */
function messageId(webhook: string, job: Job): string {
  return `msg_${createHash('sha256').update(`${webhook} ${job.id} ${job.status}`).digest('hex').slice(0, 32)}`;
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '') return url;
  throw new ApiError(
    'WebhookAddressInvalid',
    `"${withoutPassword(text)}" is not a URL that a webhook can call. Use https://host/path, without user name, password and #fragment.`,
  );
}

function withoutPassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//…@');
}

/** The three headers of Standard Webhooks (https://www.standardwebhooks.com). `secret` is `whsec_` and the key in base64; `at` is the time of this attempt. */
export function signedHeaders(
  message: string,
  at: number,
  body: string,
  secret: string,
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${message}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': message, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
