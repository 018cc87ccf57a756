import { describe, expect, test } from 'vitest';
import { openTestServer } from '../support/services.ts';
import { receiver } from './receiver.ts';

const { request, keyOf, services } = await openTestServer({ privateHosts: ['127.0.0.1'] });
const url = 'http://127.0.0.1:9/hook';
const path = '/v1/webhooks';
const newJob = { organization: 'told', domain: 'docs.test', request: {} };

test('a webhook is added with its secret, listed without it, and removed', async () => {
  const added = await request('POST', path, { url });
  expect(added.status).toBe(201);
  const { secret, ...webhook } = await added.json();
  expect(webhook).toEqual({
    webhookId: expect.stringMatching(/^wh_[0-9a-f]{16}$/),
    url,
    events: ['job.completed', 'job.failed', 'model.failed', 'model.recovered'],
    createdAt: expect.stringMatching(/Z$/),
  });
  expect(secret).toMatch(/^whsec_/);
  expect(await (await request('GET', path)).json()).toEqual({ webhooks: [webhook] });
  expect((await request('DELETE', `${path}/${webhook.webhookId}`)).status).toBe(204);
  expect(await (await request('GET', path)).json()).toEqual({ webhooks: [] });
});

test.each([
  [{}, 'RequestInvalid'],
  [{ url: '' }, 'RequestInvalid'],
  [{ url: 7 }, 'RequestInvalid'],
  [{ url: `http://127.0.0.1/${'a'.repeat(2048)}` }, 'RequestInvalid'],
  [{ url, events: [] }, 'RequestInvalid'],
  [{ url, events: ['job.started'] }, 'RequestInvalid'],
  [{ url, secret: 'whsec_mine' }, 'RequestInvalid'],
  [{ url: 'ftp://127.0.0.1/' }, 'WebhookAddressInvalid'],
  [{ url: 'http://10.0.0.1/' }, 'AddressPrivate'],
  [{ url: 'http://nowhere.invalid/' }, 'HostUnknown'],
  ['{', 'BodyInvalid'],
])('refuses %j with %s', async (body, code) => {
  const answer = await request('POST', path, body);
  expect([answer.status, (await answer.json()).code]).toEqual([400, code]);
});

test('the 21st webhook is refused until one is removed', async () => {
  const key = await keyOf('many');
  const ids: string[] = [];
  for (let number = 0; number < 20; number++) ids.push((await (await request('POST', path, { url }, key)).json()).webhookId);
  const refused = await request('POST', path, { url }, key);
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'TooManyWebhooks']);
  await request('DELETE', `${path}/${ids[0]}`, undefined, key);
  expect((await request('POST', path, { url }, key)).status).toBe(201);
});

test('a canceled job calls no webhook; a failed one does through the queue', async () => {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { url: hook, received } = await receiver((_call, response) => {
    response.end();
    arrive();
  });
  const key = await keyOf('told');
  await request('POST', path, { url: hook }, key);
  await services.webhooks.open();
  const { jobs, webhooks } = services;
  const [canceled, failed] = [await jobs.create(newJob), await jobs.create(newJob)];
  await webhooks.notify((await jobs.cancel(canceled.id))!);
  const { attempt } = (await jobs.start(failed.id))!;
  await jobs.fail({ id: failed.id, attempt }, { code: 'SourceMissing', message: 'The folder is gone.' });
  await webhooks.notify((await jobs.get(failed.id))!);
  await arrived;
  expect(received.map(({ body }) => JSON.parse(body))).toEqual([
    {
      type: 'job.failed',
      timestamp: expect.stringMatching(/Z$/),
      data: await (await request('GET', `/v1/static-export/jobs/${failed.id}`, undefined, key)).json(),
    },
  ]);
});

describe('keys', () => {
  test('a read-only key lists webhooks, and changes none', async () => {
    const key = await keyOf('readers', ['read']);
    expect((await request('GET', path, undefined, key)).status).toBe(200);
    expect((await request('POST', path, { url }, key)).status).toBe(403);
    expect((await request('DELETE', `${path}/wh_0123456789abcdef`, undefined, key)).status).toBe(403);
  });

  test('a key of another organization sees no webhook and removes none', async () => {
    const { webhookId } = await (await request('POST', path, { url })).json();
    const other = await keyOf('other');
    expect(await (await request('GET', path, undefined, other)).json()).toEqual({ webhooks: [] });
    const refused = await request('DELETE', `${path}/${webhookId}`, undefined, other);
    expect([refused.status, (await refused.json()).code]).toEqual([404, 'WebhookUnknown']);
    expect(await services.webhooks.list('default')).toHaveLength(1);
  });

  test('without a key nothing is returned', async () => {
    expect((await request('GET', path, undefined, null)).status).toBe(401);
    expect((await request('POST', path, { url }, null)).status).toBe(401);
  });
});
