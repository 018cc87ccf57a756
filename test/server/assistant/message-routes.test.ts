import { beforeEach, describe, expect, test } from 'vitest';
import type { AnswerEvent } from '../../../server/assistant/answer/answer-event.ts';
import { chunksOf, messagePath, openAssistantServer, question, refused } from './assistant-server.ts';
import { shortAnswer } from './scripted-assistant.ts';

const server = await openAssistantServer();
const { assistant, ask, post, newKey, services, clock, request, adminKey } = server;

beforeEach(() => {
  assistant.questions = [];
  assistant.script = shortAnswer;
  // A minute of each test's own, so that the reader's bucket is full.
  clock.now += 61_000;
});

test('a question is answered as a stream that names its thread', async () => {
  const response = await ask();
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-vercel-ai-ui-message-stream': 'v1',
    'x-accel-buffering': 'no',
    'x-request-id': expect.stringMatching(/^req_/),
    'x-thread-id': expect.stringMatching(/^[0-9A-Z]{26}$/),
    'x-thread-key': expect.stringMatching(/^[\w-]{43}$/),
    'access-control-allow-origin': '*',
    'ratelimit-policy': '"organization";q=10000;w=3600, "address";q=10000;w=86400',
    ratelimit: expect.stringMatching(/^"organization";r=9999;t=\d+, "address";r=9999;t=\d+$/),
  });
  const threadId = response.headers.get('x-thread-id');
  const chunks = await chunksOf(response);
  expect(chunks[0]).toEqual({ type: 'start', messageId: expect.stringMatching(/^msg_/), messageMetadata: { threadId } });
  const messageMetadata = { threadId, finishReason: 'stop', carrel: { answer: 'quotes' } };
  expect(chunks.at(-1)).toEqual({ type: 'finish', finishReason: 'stop', threadId, messageMetadata });
  expect(assistant.questions).toEqual([
    { text: 'How do I install it?', turns: [], context: [], files: [], filter: {}, pages: 5 },
  ]);
});

test('a strict client gets the form that it can read', async () => {
  for (const [name, value] of [
    ['x-carrel-stream', 'strict'],
    ['user-agent', 'ai-sdk/5.0.60 runtime/browser'],
  ] as const) {
    const headers = { [name]: value };
    const finish = (await chunksOf(await ask({}, { headers }))).at(-1)!;
    const messageMetadata = { threadId: expect.any(String), finishReason: 'stop', carrel: { answer: 'quotes' } };
    expect(finish).toEqual({ type: 'finish', messageMetadata });
  }
});

test.each<[string, object, 'strict' | 'full']>([
  ['id and trigger, as the transport of the SDK sends them', { id: 'chat-1', trigger: 'submit-message' }, 'strict'],
  ['id and another trigger', { id: 'chat-1', trigger: 'regenerate-message' }, 'strict'],
  ['an id alone', { id: 'chat-1' }, 'full'],
  ['a trigger alone', { trigger: 'submit-message' }, 'full'],
  ['an id that is not a string', { id: 7, trigger: 'submit-message' }, 'full'],
  ['a trigger that is not a string', { id: 'chat-1', trigger: { submit: true } }, 'full'],
])('a body with %s', async (_, body, form) => {
  const response = await ask(body);
  const threadId = response.headers.get('x-thread-id');
  expect(threadId).toMatch(/^\w{26}$/);
  const chunks = await chunksOf(response);
  expect(chunks.find(({ type }) => type === 'data-thread')).toEqual({ type: 'data-thread', data: { threadId }, transient: true });
  expect(chunks.at(-1)).toMatchObject({ type: 'finish', messageMetadata: { threadId } });
  expect(chunks.at(-1)!.threadId).toBe(form === 'full' ? threadId : undefined);
  expect(chunks.at(-1)!.finishReason).toBe(form === 'full' ? 'stop' : undefined);
});

test('version 1 answers in lines', async () => {
  const path = '/discovery/v1/assistant/docs.example.com/message';
  const response = await post(path, { fp: 'reader-1', messages: [{ role: 'user', content: 'How?' }] });
  expect(response.headers.get('x-vercel-ai-data-stream')).toBe('v1');
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const threadId = response.headers.get('x-thread-id')!;
  const lines = (await response.text()).trim().split('\n');
  expect(lines.map((line) => line.slice(0, 2))).toEqual(['f:', '2:', '8:', '0:', 'h:', 'h:', '0:', '8:', 'e:', 'd:']);
  expect(JSON.parse(lines[2]!.slice(2))).toEqual([{ threadId }]);

  const messages = [
    { role: 'assistant', content: 'x', annotations: [{ threadId }] },
    { role: 'user', content: 'And?' },
  ];
  const next = await post(path, { fp: 'reader-1', messages });
  expect(next.headers.get('x-thread-id')).toBe(threadId);
  expect(await refused(post(path, { fp: 'reader-1', messages: [{ role: 'user', parts: [] }] }))).toEqual([400, 'RequestInvalid']);
});

test('an answer that fails says so, without anything from inside', async () => {
  assistant.script = async function* (): AsyncGenerator<AnswerEvent> {
    yield { type: 'text', text: 'Half' };
    throw new Error('password=hunter2');
  };
  const text = await (await ask()).text();
  expect(text).toMatch(/text-end.*"error".*finish-step.*"finish".*\[DONE\]/s);
  expect(text).not.toContain('hunter2');
});

describe('a thread goes on', () => {
  const open = async (more?: object) => {
    const response = await ask(more);
    await response.text();
    return { threadId: response.headers.get('x-thread-id')!, threadKey: response.headers.get('x-thread-key')! };
  };
  const threadOf = async (response: Response) => {
    await response.text();
    return [response.headers.get('x-thread-id'), response.headers.get('x-thread-key')];
  };

  test('by its id for the same reader, by its key for any', async () => {
    const { threadId, threadKey } = await open();
    expect(await threadOf(await ask({ threadId }))).toEqual([threadId, null]);
    const { secret: key } = await newKey();
    expect(await threadOf(await ask({ threadId, threadKey, fp: 'someone' }, { key }))).toEqual([threadId, null]);
  });

  test('by what a client sends back of the answer', async () => {
    const { threadId } = await open();
    const messages = [question, { id: 'a', role: 'assistant', parts: [], metadata: { threadId } }, question];
    expect(await threadOf(await ask({ messages }))).toEqual([threadId, null]);
    // One that is not theirs, or not there any more, is no reason to refuse what a client only repeats.
    const [another, key] = await threadOf(await ask({ messages, fp: 'reader-2' }));
    expect(another).not.toBe(threadId);
    expect(key).toMatch(/./);
  });

  test('but not for other readers', async () => {
    const { threadId, threadKey } = await open();
    const { secret: key } = await newKey();
    const unknown = [404, 'ThreadUnknown'];
    expect(await refused(ask({ threadId, fp: 'reader-2' }))).toEqual(unknown);
    expect(await refused(ask({ threadId }, { key }))).toEqual(unknown);
    expect(await refused(ask({ threadId, threadKey: `${threadKey.slice(0, -1)}~` }))).toEqual(unknown);
    expect(await refused(ask({ threadId: '01ARYZ6S41TSV4RRFFQ69G5FAV' }))).toEqual(unknown);
    expect(await refused(ask({ threadId: 'forged' }))).toEqual(unknown);
    const { secret: foreign } = await newKey({ organization: 'other', domains: ['foreign.example.com'] });
    const path = messagePath.replace('docs', 'foreign');
    expect(await refused(post(path, { fp: 'reader-1', threadId, threadKey }, { key: foreign }))).toEqual(unknown);
    clock.now += 31 * 86_400_000;
    expect(await refused(ask({ threadId, threadKey }))).toEqual(unknown);
  });
});

describe('who may ask', () => {
  const refusal = (options: object, path = messagePath) => refused(post(path, { fp: 'x' }, options));

  test('requests without a valid key are refused', async () => {
    expect(await refusal({ key: null })).toEqual([401, 'KeyMissing']);
    expect(await refusal({ key: `svc_dsc_${'a'.repeat(43)}` })).toEqual([401, 'KeyUnknown']);
    expect(await refusal({ key: 'svc_dsc_' })).toEqual([401, 'KeyUnknown']);
    const revoked = await newKey();
    await services.keys.revoke('default', revoked.id);
    expect(await refusal({ key: revoked.secret })).toEqual([401, 'KeyUnknown']);
    const expired = await newKey({ expiresAt: new Date(clock.now) });
    expect(await refusal({ key: expired.secret })).toEqual([401, 'KeyExpired']);
  });

  test('admin keys are refused', async () => expect(await refusal({ key: adminKey })).toEqual([403, 'KeyNotAssistant']));

  test('responds 404 SiteUnknown to a key for another site', async () => {
    const other = await newKey({ domains: ['empty.example.com'] });
    expect(await refusal({ key: other.secret })).toEqual([404, 'SiteUnknown']);
    const foreign = await newKey({ organization: 'other', domains: ['docs.example.com'] });
    expect(await refusal({ key: foreign.secret })).toEqual([404, 'SiteUnknown']);
    expect(await refusal({}, messagePath.replace('docs', 'nowhere'))).toEqual([404, 'SiteUnknown']);
    expect(await refusal({}, messagePath.replace('docs.example.com', "'%3B--"))).toEqual([404, 'SiteUnknown']);
  });

  test('a site that changed hands refuses its former keys', async () => {
    const source = { type: 'git' as const, url: 'https://git.example.com/docs.git' };
    const settings = { builder: 'docs' as const, deployment: 'client-hosted' as const };
    const domain = 'moving.example.com';
    await services.sites.put({ domain, organization: 'default', source, settings });
    const { secret: key } = await newKey({ domains: [domain] });
    const path = messagePath.replace('docs', 'moving');
    expect(await refusal({ key }, path)).toEqual([404, 'SiteWithoutExport']);
    await services.sites.remove('default', domain);
    expect(await refusal({ key }, path)).toEqual([404, 'SiteUnknown']);
    await services.sites.put({ domain, organization: 'other', source, settings });
    expect(await refusal({ key }, path)).toEqual([404, 'SiteUnknown']);
  });

  test('a site without an export says so', async () =>
    expect(await refusal({}, messagePath.replace('docs', 'empty'))).toEqual([404, 'SiteWithoutExport']));

  test('upper case in the name of the site makes no difference', async () => {
    expect((await post(messagePath.replace('docs', 'DOCS'), { fp: 'x' })).status).toBe(200);
  });

  test('a key works only from its addresses', async () => {
    const { secret: key } = await newKey({ addresses: ['198.51.100.0/24'] });
    expect(await refusal({ key })).toEqual([403, 'AddressNotAllowed']);
    expect((await ask({}, { key, from: '198.51.100.7' })).status).toBe(200);
  });
});

describe('invalid bodies', () => {
  test.each<[string, unknown, number, string]>([
    ['nothing', undefined, 400, 'BodyInvalid'],
    ['no JSON', '{"fp":', 400, 'BodyInvalid'],
    ['a list', '[]', 400, 'RequestInvalid'],
    ['null', 'null', 400, 'RequestInvalid'],
    ['no message', { fp: 'x', messages: [] }, 400, 'RequestInvalid'],
    ['ten megabytes', { fp: 'x', messages: [], more: 'x'.repeat(10_000_000) }, 413, 'BodyTooLarge'],
  ])('%s is refused', async (_, body, status, code) => {
    const response = await post(messagePath, body);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await refused(response)).toEqual([status, code]);
  });

  test('all faults are reported at once', async () => {
    const response = await post(messagePath, { fp: '', retrievalPageSize: 0, currentPath: 7 });
    const { error } = (await response.json()) as { error: string };
    for (const name of ['fp', 'retrievalPageSize', 'currentPath']) expect(error).toContain(name);
  });

  test('a megabyte of conversation is read, with ten thousand messages in it', async () => {
    const messages = Array.from({ length: 10_000 }, (_, number) => ({ ...question, id: `${number}` }));
    const body = { fp: 'reader-1', messages, more: '' };
    body.more = 'x'.repeat(1024 * 1024 - JSON.stringify(body).length);
    expect((await post(messagePath, body)).status).toBe(200);
    expect(assistant.questions[0]!.turns).toHaveLength(199);
    expect(await refused(post(messagePath, { ...body, more: `${body.more}x` }))).toEqual([413, 'BodyTooLarge']);
  });

  test('deeply nested values and characters that no database stores do not prevent an answer', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const text = 'How\\u0000 \\ud800?';
    const message = `{"id":"u","role":"user","parts":[{"type":"text","text":"${text}"},{"type":"data-x","data":${deep}}]}`;
    const response = await post(messagePath, `{"fp":"\\u0000","more":${deep},"messages":[${message}]}`);
    expect(response.status).toBe(200);
    expect((await chunksOf(response)).at(-1)!.type).toBe('finish');
  });

  test('a body with a content type other than JSON is refused', async () => {
    expect(await refused(post(messagePath, 'fp=x', { headers: { 'content-type': 'text/plain' } }))).toEqual([415, 'BodyNotJson']);
  });

  test('other routes have a smaller limit for bodies', async () => {
    const large = { domain: 'x'.repeat(70_000) };
    expect(await refused(request('POST', '/v1/static-export/jobs', large))).toEqual([413, 'BodyTooLarge']);
    expect(await refused(post('/discovery/v1/search/docs.example.com', large))).toEqual([413, 'BodyTooLarge']);
  });
});

describe('an explanation', () => {
  const path = `${messagePath}?explain=1`;

  test('is for admin keys of the site’s organization', async () => {
    const response = await post(path, { fp: 'x', messages: [question] }, { key: adminKey });
    expect(await response.json()).toEqual({ retrieved: [{ id: 'guides/install#npm', title: 'How do I install it?', score: 1 }] });
    expect(response.headers.get('x-thread-id')).toBeNull();
    expect(assistant.questions).toEqual([]);
    expect(await refused(post(path, { fp: 'x' }))).toEqual([403, 'KeyNotAdmin']);
    expect(await refused(post(path, { fp: 'x' }, { key: await server.keyOf('other') }))).toEqual([404, 'SiteUnknown']);
    expect(await refused(post(path.replace('docs', 'empty'), { fp: 'x' }, { key: adminKey }))).toEqual([
      404,
      'SiteWithoutExport',
    ]);
    expect(await refused(post(`${messagePath}?explain=yes`, { fp: 'x' }))).toEqual([400, 'RequestInvalid']);
  });
});

test('the description names the assistant’s routes, version and both content types', async () => {
  const document = await (await request('GET', '/openapi.json', undefined, null)).json();
  const operation = document.paths['/discovery/v2/assistant/{domain}/message'].post;
  expect(Object.keys(operation.responses['200'].content).sort()).toEqual(['application/json', 'text/event-stream']);
  // An admin key is for `explain=1` alone.
  expect(operation.security).toEqual([{ assistantKey: [] }, { pageToken: [] }, { adminKey: [] }]);
  expect(document.components.securitySchemes.assistantKey.scheme).toBe('bearer');
  expect(document.tags.find(({ name }: { name: string }) => name === 'Assistant').description).toContain('Version 1.0.0');
  const paths = Object.entries<Record<string, { tags: string[] }>>(document.paths).filter(([, operations]) =>
    Object.values(operations).some(({ tags }) => tags.includes('Assistant')),
  );
  expect(paths.map(([path]) => path).sort()).toEqual([
    '/discovery/v1/assistant/{domain}/message',
    '/discovery/v1/page/{domain}',
    '/discovery/v1/search/{domain}',
    '/discovery/v2/assistant/{domain}/feedback',
    '/discovery/v2/assistant/{domain}/message',
    '/discovery/v2/assistant/{domain}/message/{chatId}/stream',
    '/discovery/v2/assistant/{domain}/thread/{threadId}',
    '/v1/assistant/{domain}/feedback',
    '/v1/assistant/{domain}/threads',
    '/v1/assistant/{domain}/threads/{threadId}',
  ]);
});
