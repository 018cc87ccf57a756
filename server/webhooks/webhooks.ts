// URLs that are called when a job ends or a model fails, signed as Standard Webhooks specifies (https://www.standardwebhooks.com).
import { createHash, randomBytes, createHmac } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { sealNames } from '../database/sealed-texts.ts';
import { ApiError } from '../platform/errors.ts';
import type { Job } from '../jobs/model/job.ts';
import { jobObject } from '../jobs/model/job-object.ts';
import type { Queue } from '../jobs/queue/queue.ts';
import type { Delivery } from '../jobs/queue/queues.ts';
import { guardedRequest, publicAddresses } from '../platform/public-addresses.ts';
import { seal, unseal, type Secrets } from '../platform/secrets.ts';

export const webhookEvents = ['job.completed', 'job.failed', 'model.failed', 'model.recovered'] as const;
type WebhookEvent = (typeof webhookEvents)[number];

export interface Webhook {
  /** `wh_` and 16 hex digits. */
  id: string;
  organization: string;
  url: string;
  events: WebhookEvent[];
  createdAt: Date;
}

/** An attempt to deliver a message, and how it ended. */
export interface DeliveryRecord {
  /** `del_` and 16 hex digits. */
  id: string;
  sent: Omit<Delivery, 'webhook'>;
  at: Date;
  milliseconds: number;
  /** Null without a response; `error` then says why. */
  status: number | null;
  /** The beginning of the response. */
  excerpt: string;
  error: string | null;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

export interface WebhookContext {
  database: Database;
  queue: Queue;
  /** Encrypts the secrets at rest. */
  secrets: Secrets;
  now: () => number;
  /** Without a slash at the end; messages contain the URL of the export below it. */
  sitesUrl: string;
  /** Private networks that are allowed. */
  privateHosts: string[];
  /** Timeout of a receiver's response. @default 15_000 */
  milliseconds?: number;
}

const mostWebhooks = 20;
/** Deliveries of a webhook that are remembered. */
const mostRecords = 100;
const recordColumns = 'id, sent, at, milliseconds, status, excerpt, error';

const columns = 'id, organization, url, events, created_at as "createdAt"';

export function createWebhooks(context: WebhookContext) {
  const { database, queue, now, sitesUrl } = context;
  const send = (receiver: Receiver, sent: DeliveryRecord['sent']) => sendMessage(context, receiver, sent);

  return {
    /**
     * `secret` (`whsec_…`) is returned only once; it is stored encrypted.
     * Throws `ApiError` 400 `WebhookAddressInvalid`, `AddressPrivate`, `HostUnknown`; 409 `TooManyWebhooks` above 20 of an organization.
     */
    create: (webhook: Wanted): Promise<{ webhook: Webhook; secret: string }> => createWebhook(context, webhook),

    /** Oldest first. */
    list: (organization: string): Promise<Webhook[]> =>
      database.query<Webhook>(`select ${columns} from carrel.webhooks where organization = $1 order by created_at, id`, [
        organization,
      ]),

    async remove(organization: string, id: string): Promise<boolean> {
      const statement = 'delete from carrel.webhooks where organization = $1 and id = $2 returning id';
      return (await database.query(statement, [organization, id])).length > 0;
    },

    /** The latest deliveries of a webhook, newest first; undefined if the organization has no such webhook. */
    async deliveries(organization: string, id: string): Promise<DeliveryRecord[] | undefined> {
      if (!(await own(organization, id))) return undefined;
      return await database.query<DeliveryRecord>(
        `select ${recordColumns} from carrel.deliveries where webhook = $1 order by at desc, id desc`,
        [id],
      );
    },

    /** Sends a message again, now and once. Undefined if the organization has no such webhook, or this no such delivery. */
    async again(organization: string, id: string, deliveryId: string): Promise<DeliveryRecord | undefined> {
      const webhook = await own(organization, id);
      const query = 'select sent from carrel.deliveries where webhook = $1 and id = $2';
      const [found] = webhook ? await database.query<Pick<DeliveryRecord, 'sent'>>(query, [id, deliveryId]) : [];
      return webhook && found && (await send(webhook, found.sent));
    },

    /** Sends a message that says nothing, now and once. Undefined if the organization has no such webhook. */
    async test(organization: string, id: string): Promise<DeliveryRecord | undefined> {
      const webhook = await own(organization, id);
      const message = `msg_${randomBytes(16).toString('hex')}`;
      return webhook && (await send(webhook, { message, event: 'webhook.test', at: now(), data: { webhookId: id } }));
    },

    /** Queues a delivery to every webhook of the job's organization for its status. */
    notify: (job: Job): Promise<void> =>
      queued({
        ...{ organization: job.organization, event: `job.${job.status}`, data: jobObject(job, sitesUrl) },
        // Every report of a job has the same one, since a job ends only once.
        ...{ subject: `${job.id} ${job.status}`, at: (job.finishedAt ?? job.updatedAt).getTime() },
      }),

    /** Queues a delivery to every webhook of an organization for an event, once for each `subject`. */
    queued,

    /** Starts deliveries; for workers. */
    open: (): Promise<void> => queue.workDeliveries(deliver),
  };

  async function queued({ organization, event, subject, at, data }: WebhookMessage): Promise<void> {
    const listening = 'select id from carrel.webhooks where organization = $1 and $2 = any(events) order by created_at, id';
    for (const { id } of await database.query<{ id: string }>(listening, [organization, event])) {
      await queue.sendDelivery({ webhook: id, message: messageId(id, subject), event, at, data });
    }
  }

  async function own(organization: string, id: string): Promise<Receiver | undefined> {
    const query = 'select id, url, secret from carrel.webhooks where organization = $1 and id = $2';
    return (await database.query<Receiver>(query, [organization, id]))[0];
  }

  /** Any status but 2xx is an error, so that the queue retries; 410 removes the webhook. */
  async function deliver({ webhook: id, ...sent }: Delivery): Promise<void> {
    const found = 'select id, url, secret from carrel.webhooks where id = $1';
    const [webhook] = await database.query<Receiver>(found, [id]);
    if (!webhook) return;
    const { status, fault } = await send(webhook, sent);
    if (status === 410) await database.query('delete from carrel.webhooks where id = $1', [id]);
    else if (status === null) throw fault;
    else if (status < 200 || status > 299) throw new Error(`The webhook ${id} responded with status ${status}.`);
  }
}

type Wanted = Pick<Webhook, 'organization' | 'url' | 'events'>;

async function createWebhook(
  { database, privateHosts, secrets, now }: WebhookContext,
  { organization, url, events }: Wanted,
): Promise<{ webhook: Webhook; secret: string }> {
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
      [id, organization, target.href, [...new Set(events)], seal(secret, sealNames.webhook(id), secrets), new Date(now())],
    );
    return { webhook: webhook!, secret };
  });
}

/** Sends a message and records how that ended. `fault` is what was thrown in place of a response. */
async function sendMessage(
  { database, now, privateHosts, secrets, milliseconds = 15_000 }: WebhookContext,
  { id, url, secret }: Receiver,
  sent: DeliveryRecord['sent'],
): Promise<DeliveryRecord & { fault?: unknown }> {
  const { message, event, at, data } = sent;
  const started = now();
  const body = JSON.stringify({ type: event, timestamp: new Date(at).toISOString(), data });
  const request = async () => {
    const signed = signedHeaders(message, started, body, unseal(secret, sealNames.webhook(id), secrets));
    const headers = { 'content-type': 'application/json', 'user-agent': 'Carrel-Webhooks', ...signed };
    return await guardedRequest({ url, headers, body, allowed: privateHosts, milliseconds });
  };
  let fault: unknown;
  const response = await request().catch((error: unknown) => void (fault = error));
  const record: DeliveryRecord = {
    id: `del_${randomBytes(8).toString('hex')}`,
    sent,
    at: new Date(started),
    milliseconds: now() - started,
    status: response?.status ?? null,
    excerpt: response?.excerpt ?? '',
    error: response ? null : fault instanceof Error ? fault.message : String(fault),
  };
  // One that was removed meanwhile has no records.
  await database.query(
    `insert into carrel.deliveries (webhook, ${recordColumns})
     select id, $2, $3::json, $4::timestamptz, $5::integer, $6::integer, $7, $8 from carrel.webhooks where id = $1`,
    [id, ...Object.values({ ...record, sent: JSON.stringify(sent) })],
  );
  await database.query(
    `delete from carrel.deliveries where webhook = $1 and id in (
       select id from carrel.deliveries where webhook = $1 order by at desc, id desc offset ${mostRecords}
     )`,
    [id],
  );
  return { ...record, fault };
}

type Receiver = Pick<Webhook, 'id' | 'url'> & { secret: string };

/** An event of an organization; `data` is what its webhooks get. */
export interface WebhookMessage {
  organization: string;
  event: string;
  /** Receivers get the same message only once. */
  subject: string;
  /** Milliseconds since 1970. */
  at: number;
  data: object;
}

function messageId(webhook: string, subject: string): string {
  return `msg_${createHash('sha256').update(`${webhook} ${subject}`).digest('hex').slice(0, 32)}`;
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
