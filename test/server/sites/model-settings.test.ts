import { beforeEach, describe, expect, test } from 'vitest';
import { modelSchema, openedModel } from '../../../server/sites/model-settings.ts';
import { openAccessServer } from '../organizations/access-server.ts';

const { services, clock, newKey, request } = await openAccessServer();
const writer = await newKey({ scopes: ['write'] });
const operator = await newKey({ scopes: ['write', 'operator'] });
const source = { type: 'git', url: 'https://git.example.com/docs.git' };
const path = '/v1/sites/docs.example.com';
// A public address, so that no name is looked up.
const baseUrl = 'https://93.184.215.14/v1';
const put = (assistant: unknown, key = writer) => request('PUT', path, { body: { source, assistant }, key });
const kept = async () => (await services.sites.get('docs.example.com'))!.settings.assistant!;

beforeEach(async () => {
  await services.database.query('delete from carrel.sites');
  clock.now += 1001;
});

test('a model is set, answered without its secrets, and kept sealed', async () => {
  const model = {
    baseUrl: `${baseUrl}/`,
    model: 'small',
    apiKey: 'secret-key-1',
    headers: { 'x-team': 'secret-header' },
    temperature: 0,
  };
  const { status, body } = await put({ model, tools: true });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    assistant: {
      model: {
        baseUrl,
        model: 'small',
        temperature: 0,
        maxOutputTokens: 1024,
        contextTokens: 8192,
        timeouts: { firstChunkMs: 60_000, chunkMs: 30_000, totalMs: 300_000 },
        thinkingTag: 'think',
        apiKeyIsSet: true,
        headerNames: ['x-team'],
      },
      tools: true,
    },
  });
  const answers = [body, (await request('GET', path)).body, (await request('GET', '/v1/sites')).body];
  const rows = await services.database.query('select settings from carrel.sites');
  expect(JSON.stringify([answers, rows])).not.toContain('secret-');
  expect(JSON.stringify(answers)).not.toContain('sealed');
  const sealed = (await kept()).model!;
  expect(openedModel(sealed, 'docs.example.com', services.secrets)).toMatchObject({
    apiKey: 'secret-key-1',
    headers: { 'x-team': 'secret-header' },
  });
  expect(() => openedModel(sealed, 'other.example.com', services.secrets)).toThrow();
});

test('what is left out stays with its address; null removes it; another address gets nothing of it', async () => {
  const secrets = { apiKey: 'secret-key-1', headers: { 'x-a': 'b' } };
  const isSet = async (assistant?: unknown) => {
    const { body } = await (assistant === undefined ? request('PUT', path, { body: { source }, key: writer }) : put(assistant));
    return (body as { assistant?: { model?: { apiKeyIsSet: boolean; headerNames: string[] } | null } }).assistant?.model;
  };
  await put({ model: { baseUrl, model: 'a', ...secrets } });
  expect(await isSet()).toMatchObject({ apiKeyIsSet: true, headerNames: ['x-a'] });
  expect(await isSet({ model: { baseUrl, model: 'b' } })).toMatchObject({ apiKeyIsSet: true, headerNames: ['x-a'] });
  expect(await isSet({ model: { baseUrl, model: 'b', apiKey: null, headers: null } })).toMatchObject({
    apiKeyIsSet: false,
    headerNames: [],
  });
  await put({ model: { baseUrl, model: 'a', ...secrets } });
  const elsewhere = { baseUrl: 'https://93.184.215.15/v1', model: 'a' };
  expect(await isSet({ model: elsewhere })).toMatchObject({ apiKeyIsSet: false, headerNames: [] });
  expect(await isSet({ model: null })).toBeNull();
  expect(await isSet(null)).toBeUndefined();
  expect((await request('GET', path)).body).not.toHaveProperty('assistant');
});

test('a change of one setting keeps the models with their keys, and null removes what it names', async () => {
  const model = { baseUrl, model: 'a' };
  const fallback = { baseUrl: 'https://93.184.215.15/v1', model: 'b' };
  await put({ model: { ...model, apiKey: 'secret-key-1' }, fallback, tools: false, panel: false });
  const patch = async (assistant: object) => {
    const { status, body } = await request('PATCH', path, { body: { assistant }, key: writer });
    expect(status).toBe(200);
    return (body as { assistant: object }).assistant;
  };
  const rest = { tools: false, panel: false, fallback };
  expect(await patch({ answersPerDay: 0 })).toMatchObject({ ...rest, answersPerDay: 0, model: { ...model, apiKeyIsSet: true } });
  const changed = await patch({ answersPerDay: null, fallback: null, tools: null, panel: true, model: { ...model, model: 'c' } });
  expect(changed).toMatchObject({ panel: true, model: { model: 'c', apiKeyIsSet: true } });
  for (const name of ['answersPerDay', 'fallback', 'tools']) expect(changed).not.toHaveProperty(name);
  expect(openedModel((await kept()).model!, 'docs.example.com', services.secrets).apiKey).toBe('secret-key-1');
  expect(await patch({ model: null })).toEqual({ model: null, panel: true });
  expect(await patch({ model: 'server', answersPerDay: 5 })).toEqual({ answersPerDay: 5, panel: true });
  expect((await request('PATCH', path, { body: { assistant: { model: 'other' } } })).status).toBe(400);
  const wrong = await request('PATCH', path, { body: { assistant: { answersPerDay: -1, panel: null } } });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'RequestInvalid' } });
  expect(wrong.text).toContain('answersPerDay');
  expect(wrong.text).toContain('panel');
});

test('a budget can be set for a site without other settings, and while its model cannot be looked up', async () => {
  await request('PUT', path, { body: { source }, key: writer });
  const budget = (answersPerDay: number) => request('PATCH', path, { body: { assistant: { answersPerDay } }, key: writer });
  expect((await budget(5)).body).toMatchObject({ assistant: { answersPerDay: 5, panel: true } });
  const site = (await services.sites.get('docs.example.com'))!;
  const { apiKey: _, headers: __, ...given } = modelSchema.parse({ baseUrl: 'https://gone.invalid/v1', model: 'a' });
  const model = { ...given, trusted: false };
  await services.sites.put({ ...site, settings: { ...site.settings, assistant: { model } } });
  expect((await budget(0)).body).toMatchObject({ assistant: { answersPerDay: 0, model: { model: 'a' } } });
});

test('a model in a private network asks for an operator, or a listed host', async () => {
  const model = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'a' };
  expect(await put({ model })).toMatchObject({ status: 400, body: { code: 'AddressPrivate' } });
  expect(await put({ fallback: model })).toMatchObject({ status: 400, body: { code: 'AddressPrivate' } });
  expect((await put({ model }, operator)).status).toBe(200);
  // What an operator allowed may be changed, at the same address.
  expect((await put({ model: { ...model, model: 'b' } })).status).toBe(200);
  expect(await put({ model: { ...model, baseUrl: 'http://127.0.0.1:5432/v1' } })).toMatchObject({ status: 400 });
  services.options.privateHosts.push('127.0.0.0/8');
  expect((await put({ model: { ...model, baseUrl: 'http://127.0.0.1:5432/v1' } })).status).toBe(200);
  expect((await kept()).model!.trusted).toBe(false);
  services.options.privateHosts.length = 0;
});

describe('what is refused', () => {
  const model = { baseUrl, model: 'a' };
  const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);
  test.each<[string, unknown, string]>([
    ['another type', 'model', 'assistant'],
    ['an unknown key', { modle: model }, 'modle'],
    ['no name', { model: { baseUrl } }, 'assistant.model.model'],
    ['no address', { model: { model: 'a' } }, 'assistant.model.baseUrl'],
    ['a file', { model: { ...model, baseUrl: 'file:///etc/passwd' } }, 'http(s) URL'],
    ['a password in the address', { model: { ...model, baseUrl: 'https://user:secret-1@model.test/v1' } }, 'without a user name'],
    ['a query', { model: { ...model, baseUrl: 'https://model.test/v1?key=1' } }, 'without a user name, query'],
    ['a key on two lines', { model: { ...model, apiKey: 'a\r\nhost: b' } }, 'apiKey'],
    ['an empty key', { model: { ...model, apiKey: '' } }, 'apiKey'],
    ['a header on two lines', { model: { ...model, headers: { a: 'b\r\nc: d' } } }, 'one line'],
    ['the header of the key', { model: { ...model, headers: { Authorization: 'Bearer x' } } }, 'apiKey'],
    ['the host', { model: { ...model, headers: { host: 'internal' } } }, 'Host'],
    [
      '21 headers',
      { model: { ...model, headers: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`x-${i}`, ''])) } },
      'at most 20',
    ],
    ['messages in the body', { model: { ...model, body: { messages: [] } } }, 'messages'],
    ['a body with 33 levels', { model: { ...model, body: { a: nested(32) } } }, 'at most 32 levels'],
    ['a body of 20 KB', { model: { ...model, body: { a: 'x'.repeat(20_000) } } }, '16 KB'],
    ['temperatures', { model: { ...model, temperature: 3 } }, 'temperature'],
    ['tokens', { model: { ...model, maxOutputTokens: 1, contextTokens: 100.5 } }, 'contextTokens'],
    ['timeouts', { model: { ...model, timeouts: { firstChunkMs: 0, wait: 1 } } }, 'timeouts'],
    ['a tag', { model: { ...model, thinkingTag: '<think>' } }, 'thinkingTag'],
    ['no fallback', { fallback: null }, 'fallback'],
    ['tools', { tools: 'yes' }, 'tools'],
  ])('%s', async (_, assistant, named) => {
    const { status, body } = await put(assistant);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'RequestInvalid', error: expect.stringContaining(named) });
    expect(JSON.stringify(body)).not.toContain('secret-1');
  });

  test('a body that is deeper than any stack', () => {
    const { error } = modelSchema.safeParse({ ...model, body: { a: nested(100_000) } });
    expect(error?.issues).toMatchObject([{ path: ['body'], message: 'must have at most 32 levels' }]);
  });
});
