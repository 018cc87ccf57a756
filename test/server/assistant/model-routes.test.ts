import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelFailed } from '../../../server/assistant/model/model-outcome.ts';
import { openTestServer } from '../support/services.ts';
import { listen } from '../../support/listen.ts';

const { services, clock, request, keyOf } = await openTestServer();
const site = '/v1/sites/docs.example.com';
const source = { type: 'git', url: 'https://git.example.com/docs.git' };

/** A model's server that lists one model, to those who have its key. */
let server: Server;
let baseUrl: string;

beforeAll(async () => {
  server = createServer(({ url, headers }, answer) => {
    if (url === '/website/models') return void answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
    if (url === '/bare/models') return void answer.writeHead(200).end('[{ "id": "small" }]');
    const isKnown = headers.authorization === 'Bearer right-key';
    answer.writeHead(url !== '/v1/models' ? 404 : isKnown ? 200 : 401, { 'content-type': 'application/json' });
    answer.end(isKnown ? JSON.stringify({ data: [{ id: 'small' }] }) : '{}');
  });
  baseUrl = `http://127.0.0.1:${await listen(server)}/v1`;
});
afterAll(() => void server.close());

async function check(assistant: object | null) {
  const { status } = await request('PUT', site, { source, assistant });
  expect(status).toBe(200);
  clock.now += 1001;
  return (await request('GET', `${site}/model`)).json();
}

test('the model of a site is checked with its key, which no answer contains', async () => {
  const model = { baseUrl, model: 'small', apiKey: 'right-key' };
  expect(await check({ model })).toEqual({ state: 'ok', model: 'small' });
  expect(await check({ model: { ...model, model: 'large' } })).toEqual({ state: 'unlisted', model: 'large', detail: 'small' });
  expect(await check({ model: { ...model, apiKey: 'wrong-key' } })).toEqual({
    state: 'rejected',
    model: 'small',
    detail: 'status 401',
  });
  const closed = { ...model, baseUrl: 'http://127.0.0.1:9/v1' };
  expect(await check({ model: closed })).toMatchObject({
    state: 'unavailable',
    model: 'small',
    detail: expect.stringContaining('nothing listens'),
  });
  const at = (path: string) => check({ model: { baseUrl: baseUrl.replace('/v1', path), model: 'small' } });
  expect(await at('/website')).toEqual({
    state: 'unavailable',
    model: 'small',
    detail: expect.stringContaining('/website/models responds, but not with JSON'),
  });
  expect(await at('/bare')).toEqual({ state: 'ok', model: 'small' });
  expect(await at('/v2')).toMatchObject({ state: 'ok', detail: expect.stringMatching(/^it has no list of models: status 404/) });
  expect(await check({ model: null })).toEqual({ state: 'none' });
  expect(await check(null)).toEqual({ state: 'none' });
});

test('a key that was encrypted with another secret is reported', async () => {
  expect(await check({ model: { baseUrl, model: 'small', apiKey: 'right-key' } })).toMatchObject({ state: 'ok' });
  await services.database.query(
    `update carrel.sites set settings = jsonb_set(settings, '{assistant,model,sealedKey}', '"bm9uc2Vuc2U"') where domain = 'docs.example.com'`,
  );
  clock.now += 1001;
  expect(await (await request('GET', `${site}/model`)).json()).toMatchObject({
    state: 'rejected',
    detail: expect.stringContaining('enter it again'),
  });
});

test('only keys of the organization check it', async () => {
  expect(await check(null)).toEqual({ state: 'none' });
  const answer = await request('GET', `${site}/model`, undefined, await keyOf('strangers'));
  expect([answer.status, (await answer.json()).code]).toEqual([404, 'SiteUnknown']);
});

test('a model that fails is listed, and webhooks are called after three failures and when it answers again', async () => {
  const { modelRecord, database, sites, webhooks } = services;
  const domain = 'docs.example.com';
  await check({ model: { baseUrl, model: 'small', apiKey: 'right-key' } });
  await webhooks.create({ organization: 'default', url: 'http://93.184.215.14/', events: ['model.failed', 'model.recovered'] });
  const called = async () => {
    const rows = await database.query<{ event: string }>(
      `select data->>'event' as event from pgboss.job where name = 'webhook-deliveries' order by data->>'at'`,
    );
    return rows.map(({ event }) => event);
  };
  const listed = async (key?: string) => (await (await request('GET', '/v1/model-failures', undefined, key)).json()).failures;
  const site = (await sites.get(domain))!;
  const fail = async (detail: string) => {
    clock.now += 10;
    await modelRecord.failed(site, 'small', new ModelFailed('ModelUnreachable', detail));
  };
  expect(await listed()).toEqual([]);
  const since = new Date(clock.now + 10).toISOString();
  await fail('first');
  await fail('second');
  expect(await listed()).toMatchObject([
    { domain, model: 'small', failures: 2, since, code: 'ModelUnreachable', detail: 'second' },
  ]);
  expect(await listed(await keyOf('other'))).toEqual([]);
  expect(await called()).toEqual([]);
  for (const detail of ['third', 'fourth', 'fifth']) await fail(detail);
  expect(await called()).toEqual(['model.failed']);
  clock.now += 10;
  for (const _ of [1, 2]) await modelRecord.answered(site, 'small', { input: 1000, output: 20 });
  expect(await listed()).toEqual([]);
  expect(await called()).toEqual(['model.failed', 'model.recovered']);
  expect(await (await request('GET', '/v1/usage')).json()).toMatchObject({
    model: { days: 30, answers: 2, inputTokens: 2000, outputTokens: 40 },
  });

  await fail('of a model that was replaced');
  await check({ model: { baseUrl, model: 'large', apiKey: 'right-key' } });
  expect(await listed()).toEqual([]);

  const days = () => database.query('select from carrel.model_use');
  await modelRecord.removeOld();
  expect(await days()).toHaveLength(1);
  clock.now += 367 * 86_400_000;
  await modelRecord.removeOld();
  expect(await days()).toEqual([]);
});
