import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../server/database/database.ts';
import type { Job } from '../../../server/jobs/model/job.ts';
import type { Queue } from '../../../server/jobs/queue/queue.ts';
import type { Delivery } from '../../../server/jobs/queue/queues.ts';
import { createWebhooks, signedHeaders, webhookEvents, type Webhooks } from '../../../server/webhooks/webhooks.ts';
import type { Secrets } from '../../../server/platform/secrets.ts';
import { emptiedDatabase } from '../support/databases.ts';
import { receiver } from './receiver.ts';

const secrets: Secrets = ['a secret of a server, 32 characters'];
const organization = 'tidewater';
const finishedAt = new Date('2026-05-04T03:02:01.000Z');
const job: Job = {
  id: 'se_0123456789abcdef',
  organization,
  domain: 'docs.test',
  request: {},
  status: 'completed',
  stage: null,
  progress: 100,
  pageCount: 7,
  attempt: 1,
  error: null,
  errorCode: null,
  result: {
    ...{
      version: 'v1',
      pages: 7,
      files: 9,
      bytes: 9,
      manifest: 'a'.repeat(64),
      archive: { sha256: 'b'.repeat(64), sizeBytes: 9 },
    },
    ...{ warnings: {}, problems: { errors: 0, warnings: 25, notes: 1 } },
  },
  createdAt: finishedAt,
  updatedAt: finishedAt,
  startedAt: finishedAt,
  finishedAt,
  expiredAt: null,
};

const open = emptiedDatabase();
let database: Database;
let deliveries: Delivery[];
let webhooks: Webhooks;
let deliver: (delivery: Delivery) => Promise<void>;

const create = (overrides: Partial<Parameters<typeof createWebhooks>[0]> = {}) => {
  // The pauses between attempts are the queue's (test/server/jobs/queue/queue.test.ts); here each attempt is made by hand.
  const queue = {
    sendDelivery: async (delivery: Delivery) => void deliveries.push(structuredClone(delivery)),
    workDeliveries: async (work: typeof deliver) => void (deliver = work),
  } as Partial<Queue> as Queue;
  return createWebhooks({
    database,
    queue,
    secrets,
    now: Date.now,
    sitesUrl: 'https://sites.test',
    privateHosts: ['127.0.0.1'],
    ...overrides,
  });
};
const add = (url: string, events = [...webhookEvents]) => webhooks.create({ organization, url, events });

beforeEach(async () => {
  database = await open();
  deliveries = [];
  for (const id of [organization, 'other']) {
    await database.query(`insert into carrel.organizations values ($1, $1, 'enterprise', now())`, [id]);
  }
  webhooks = create();
  await webhooks.open();
});

test('stores the URL, and the secret only encrypted', async () => {
  const { webhook, secret: shown } = await add('http://127.0.0.1/hook?a=1', ['job.failed', 'job.failed']);
  expect(webhook).toEqual({
    id: expect.stringMatching(/^wh_[0-9a-f]{16}$/),
    organization,
    url: 'http://127.0.0.1/hook?a=1',
    events: ['job.failed'],
    createdAt: expect.any(Date),
  });
  expect(shown).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await webhooks.list(organization)).toEqual([webhook]);
  const [row] = await database.query('select * from carrel.webhooks');
  expect(JSON.stringify(row)).not.toContain(shown.slice(6));
});

test.each([
  ['ftp://ci.test/hook', 'WebhookAddressInvalid'],
  ['no address', 'WebhookAddressInvalid'],
  ['//ci.test/hook', 'WebhookAddressInvalid'],
  ['https://me:hidden@ci.test/hook', 'WebhookAddressInvalid'],
  ['https://ci.test/hook#part', 'WebhookAddressInvalid'],
  ['http://10.0.0.1/hook', 'AddressPrivate'],
  ['http://[::1]/hook', 'AddressPrivate'],
  ['http://0x0a000001/hook', 'AddressPrivate'],
  ['https://169.254.169.254/latest/meta-data', 'AddressPrivate'],
  ['https://nowhere.invalid/hook', 'HostUnknown'],
])('refuses %s: %s', async (url, code) => {
  const refused = await add(url).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 400, code });
  expect(String(refused)).not.toContain('hidden');
  expect(await webhooks.list(organization)).toEqual([]);
});

test('refuses the 21st webhook of an organization, also for concurrent requests', async () => {
  const results = await Promise.allSettled(Array.from({ length: 25 }, (_, at) => add(`http://127.0.0.1/${at}`)));
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(5).fill('TooManyWebhooks'));
  expect(await webhooks.list(organization)).toHaveLength(20);
  expect(
    (await webhooks.create({ organization: 'other', url: 'http://127.0.0.1/', events: ['job.failed'] })).webhook.id,
  ).toBeTruthy();
});

test('removes only webhooks of the organization', async () => {
  const { webhook } = await add('http://127.0.0.1/hook');
  expect(await webhooks.remove('other', webhook.id)).toBe(false);
  expect(await webhooks.list('other')).toEqual([]);
  expect(await webhooks.remove(organization, webhook.id)).toBe(true);
  expect(await webhooks.remove(organization, webhook.id)).toBe(false);
});

test('delivers an event to its webhooks, with the same message id when it is delivered again', async () => {
  const all = await add('http://127.0.0.1/all');
  const failures = await add('http://127.0.0.1/failures', ['job.failed']);
  await webhooks.create({ organization: 'other', url: 'http://127.0.0.1/', events: [...webhookEvents] });
  await webhooks.notify(job);
  expect(deliveries.map(({ webhook, event }) => [webhook, event])).toEqual([[all.webhook.id, 'job.completed']]);
  expect(deliveries[0]!.data).toMatchObject({
    jobId: job.id,
    domain: 'docs.test',
    site: 'docs.test',
    branch: null,
    startedBy: null,
    problems: { errors: 0, warnings: 25, notes: 1 },
  });
  await webhooks.notify(job);
  expect(deliveries[1]).toEqual(deliveries[0]);
  await webhooks.notify({ ...job, status: 'canceled' });
  await webhooks.notify({ ...job, status: 'running' });
  expect(deliveries).toHaveLength(2);
  await webhooks.notify({ ...job, status: 'failed', error: 'It broke.' });
  expect(deliveries.slice(2).map(({ webhook }) => webhook)).toEqual([all.webhook.id, failures.webhook.id]);
  expect(new Set(deliveries.map(({ message }) => message)).size).toBe(3);
});

test('tells the exports of a branch from those of its site', async () => {
  await add('http://127.0.0.1/all');
  const preview = { site: 'docs.test', branch: 'docs/Next' };
  await webhooks.notify({ ...job, domain: 'docs.test--docs-next-0123abcd', request: { preview } });
  expect(deliveries[0]!.data).toMatchObject({ domain: 'docs.test--docs-next-0123abcd', ...preview });
});

describe('delivery', () => {
  const deliveredTo = async (answer: (call: number, response: ServerResponse) => void) => {
    const { url, received } = await receiver(answer);
    const { webhook, secret } = await add(url);
    await webhooks.notify(job);
    return { webhook, secret, received, url, attempt: () => deliver(deliveries[0]!) };
  };

  test('is signed so that the reference implementation accepts it', async () => {
    const { attempt, received, secret } = await deliveredTo((_call, response) => response.writeHead(204).end());
    await attempt();
    const [{ headers, body }] = received as [(typeof received)[0]];
    const message = new Webhook(secret).verify(body, headers as Record<string, string>);
    expect(message).toMatchObject({
      type: 'job.completed',
      timestamp: '2026-05-04T03:02:01.000Z',
      data: {
        jobId: job.id,
        status: 'completed',
        progress: 100,
        pageCount: 7,
        activeUrl: 'https://sites.test/sites/docs.test/',
        createdAt: '2026-05-04T03:02:01.000Z',
      },
    });
    expect(body).not.toContain(organization);
    expect(headers['content-type']).toBe('application/json');
    expect(() => new Webhook(secret).verify(body.replace('7', '8'), headers as Record<string, string>)).toThrow();
  });

  test('is retried until it is accepted, with the same id and body', async () => {
    const { attempt, received } = await deliveredTo((call, response) => response.writeHead(call < 3 ? 500 : 200).end());
    await expect(attempt()).rejects.toThrow('responded with status 500');
    await expect(attempt()).rejects.toThrow('responded with status 500');
    await attempt();
    expect(new Set(received.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
  });

  test('has a timeout', async () => {
    webhooks = create({ milliseconds: 200 });
    await webhooks.open();
    const { attempt, received } = await deliveredTo(() => {});
    await expect(attempt()).rejects.toThrow('There was no complete response in time.');
    // On a busy machine, the request may not have arrived by then.
    expect(received.length).toBeLessThan(2);
  });

  test('does not follow a redirect', async () => {
    const inside = await receiver((_call, response) => response.end());
    const { attempt } = await deliveredTo((_call, response) => response.writeHead(302, { location: inside.url }).end());
    await expect(attempt()).rejects.toThrow('responded with status 302');
    expect(inside.received).toEqual([]);
  });

  test('succeeds when the response is accepted and huge', async () => {
    const { attempt } = await deliveredTo((_call, response) => response.end(Buffer.alloc(50 * 1024 * 1024)));
    await expect(attempt()).resolves.toBeUndefined();
  });

  test('removes the webhook when the receiver says that it is gone', async () => {
    const { attempt } = await deliveredTo((_call, response) => response.writeHead(410).end());
    await attempt();
    expect(await webhooks.list(organization)).toEqual([]);
  });

  test('is listed with the beginning of its response, and can be sent again by its organization', async () => {
    const { attempt, webhook, received } = await deliveredTo((call, response) =>
      response.writeHead(call < 3 ? 500 : 200).end(`Call ${call}: ${'a'.repeat(1000)}`),
    );
    await attempt().catch(() => {});
    const [failed, ...none] = (await webhooks.deliveries(organization, webhook.id))!;
    expect(none).toEqual([]);
    expect(failed).toMatchObject({ status: 500, error: null, excerpt: `Call 1: ${'a'.repeat(492)}` });
    expect(failed!.sent).toMatchObject({ event: 'job.completed', data: { jobId: job.id } });
    expect(await webhooks.again('other', webhook.id, failed!.id)).toBeUndefined();
    expect(await webhooks.again(organization, webhook.id, 'del_0')).toBeUndefined();
    expect(await webhooks.again(organization, webhook.id, failed!.id)).toMatchObject({ status: 500 });
    expect(new Set(received.map(({ headers, body }) => headers['webhook-id'] + body)).size).toBe(1);
    expect(await webhooks.test('other', webhook.id)).toBeUndefined();
    expect(await webhooks.test(organization, webhook.id)).toMatchObject({ status: 200 });
    expect(JSON.parse(received.at(-1)!.body)).toMatchObject({ type: 'webhook.test', data: { webhookId: webhook.id } });
    expect(await webhooks.deliveries('other', webhook.id)).toBeUndefined();
    expect((await webhooks.deliveries(organization, webhook.id))!.map(({ status }) => `${status}`).sort()).toEqual([
      '200',
      '500',
      '500',
    ]);
  });

  test('is remembered without a response, too, but not forever', async () => {
    const { webhook } = await add('http://127.0.0.1:9/');
    for (let sent = 0; sent < 102; sent++) await webhooks.test(organization, webhook.id);
    const records = (await webhooks.deliveries(organization, webhook.id))!;
    expect(records).toHaveLength(100);
    expect(records[0]).toMatchObject({ status: null, excerpt: '', error: expect.stringContaining('ECONNREFUSED') });
  });

  test('is dropped when the webhook was removed in the meantime', async () => {
    const { attempt, received, webhook } = await deliveredTo((_call, response) => response.end());
    await webhooks.remove(organization, webhook.id);
    await attempt();
    expect(received).toEqual([]);
  });

  test('is not sent to an address that is no longer allowed', async () => {
    const { attempt, received } = await deliveredTo((_call, response) => response.end());
    webhooks = create({ privateHosts: [] });
    await webhooks.open();
    await expect(attempt()).rejects.toMatchObject({ code: 'AddressPrivate' });
    expect(received).toEqual([]);
  });
});

test('signatures equal those of the reference implementation of Standard Webhooks', () => {
  const at = 1_614_265_330_123;
  for (const length of [24, 32, 64]) {
    const secret = `whsec_${randomBytes(length).toString('base64')}`;
    const body = '{"test": "ünï 2432232314"}';
    expect(signedHeaders('msg_1', at, body, secret)).toEqual({
      'webhook-id': 'msg_1',
      'webhook-timestamp': '1614265330',
      'webhook-signature': new Webhook(secret).sign('msg_1', new Date(at), body),
    });
  }
});
