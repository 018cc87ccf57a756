// Answers over real connections: readers that are slow, leave, come back, or say nothing.
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AnswerEvent } from '../../../server/assistant/answer/answer-event.ts';
import { streamBody } from '../../../server/assistant/stream/stream-body.ts';
import { listen } from '../../../server/http/listen.ts';
import { chunksOf, messagePath, openAssistantServer, question, refused } from './assistant-server.ts';
import { hanging, shortAnswer } from './scripted-assistant.ts';

const server = await openAssistantServer({ streamsPerKey: 3, streams: 4 });
const { assistant, key, newKey, clock, adminKey } = server;
const listener = await listen(0, '127.0.0.1');
listener.answer(server.api.fetch);
const sockets: Socket[] = [];
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await listener.close(0);
});

beforeEach(() => {
  assistant.script = shortAnswer;
  assistant.signals = [];
  clock.now += 61_000;
});

const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
const body = (more: object = {}) => JSON.stringify({ id: 'chat-1', fp: 'reader-1', messages: [question], ...more });
const ask = (more?: object, init: RequestInit = {}) =>
  fetch(listener.address + messagePath, { method: 'POST', headers, body: body(more), ...init });
const again = (chat: string, more: Record<string, string>) =>
  fetch(`${listener.address}${messagePath}/${chat}/stream`, { headers: { ...headers, ...more } });

/** A promise that a test keeps. */
function deferred<Value>(): { promise: Promise<Value>; resolve: (value: Value) => void } {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((settle) => (resolve = settle));
  return { promise, resolve };
}

/** A connection of its own, which reads only what a test reads. */
function open(text: string): Socket {
  const socket = connect(Number(new URL(listener.address).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

function request(more: object = {}): string {
  const content = body(more);
  const lines = [
    `POST ${messagePath} HTTP/1.1`,
    'host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return [...lines, `content-length: ${Buffer.byteLength(content)}`, '', content].join('\r\n');
}

async function aborted(): Promise<void> {
  await expect.poll(() => assistant.signals.at(-1)?.aborted, { timeout: 1000, interval: 10 }).toBe(true);
}

async function begun(count = 1): Promise<void> {
  await expect.poll(() => assistant.signals.length, { timeout: 10_000, interval: 10 }).toBe(count);
}

test('the stream begins before the answer does', async () => {
  assistant.script = hanging;
  const leaving = new AbortController();
  const response = await ask({}, { signal: leaving.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('"delta":"Well"')) text += (await reader.read()).value;
  expect(text).toMatch(/^: stream-open\n\ndata: {"type":"start"/);
  leaving.abort();
  await aborted();
});

test('the answer ends when its reader leaves, in any way', async () => {
  assistant.script = hanging;
  for (const leave of ['destroy', 'resetAndDestroy', 'end'] as const) {
    assistant.signals = [];
    const socket = open(request());
    await once(socket, 'data');
    await begun();
    expect(assistant.signals[0]!.aborted).toBe(false);
    socket[leave]();
    await aborted();
  }
});

test('a reader that leaves before the answer begins is not answered', async () => {
  const { answer } = assistant;
  const waiting = deferred<AbortSignal>();
  assistant.answer = async (domain, asked, signal) => {
    waiting.resolve(signal);
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    return answer(domain, asked, signal);
  };
  const socket = open(request());
  const signal = await waiting.promise;
  socket.destroy();
  await expect.poll(() => signal.aborted, { timeout: 1000, interval: 10 }).toBe(true);
  assistant.answer = answer;
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('a slow reader slows the answer down, and nothing piles up', async () => {
  let made = 0;
  assistant.script = async function* (): AsyncGenerator<AnswerEvent> {
    for (; made < 10_000; made++) yield { type: 'text', text: 'x'.repeat(10_000) };
    yield { type: 'end', reason: 'stop', by: 'model' };
  };
  const socket = open(request());
  socket.pause();
  let before = -1;
  // It stands still when the buffers of both ends are full.
  while (made !== before) {
    before = made;
    await pause(300);
  }
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThan(3000);
  socket.resume();
  let length = 0;
  socket.on('data', (piece) => (length += piece.length));
  await expect.poll(() => made, { timeout: 30_000 }).toBe(10_000);
  await expect.poll(() => length, { timeout: 30_000 }).toBeGreaterThan(100_000_000);
  socket.destroy();
}, 90_000);

test('a reader that takes nothing for too long is disconnected', async () => {
  const calls: string[] = [];
  const pieces = (async function* () {
    while (true) yield 'x';
  })();
  const stream = streamBody(pieces, {
    heartbeat: '',
    onClose: () => calls.push('close'),
    disconnect: () => calls.push('disconnect'),
    timeout: 50,
  });
  const reader = stream.getReader();
  await reader.read();
  await expect.poll(() => calls).toEqual(['close', 'disconnect']);
  await expect(reader.read()).rejects.toThrow('has read nothing for 50 ms');
});

test('heartbeats fill silence, and no text is lost', async () => {
  const next = deferred<string>();
  const pieces = (async function* () {
    yield 'a';
    yield '';
    yield await next.promise;
  })();
  const stream = streamBody(pieces, { heartbeat: '~', onClose: () => undefined, silence: 20 });
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => (await reader.read()).value;
  expect([await read(), await read(), await read()]).toEqual(['a', '~', '~']);
  next.resolve('b');
  let text = await read();
  while (text === '~') text = await read();
  expect(text).toBe('b');
  expect(await read()).toBeUndefined();
});

test('a reader whose connection was lost reads the running answer from its beginning', async () => {
  const more = deferred<void>();
  assistant.script = async function* () {
    yield* shortAnswer.slice(0, 2);
    await more.promise;
    yield* shortAnswer.slice(2);
  };
  const first = await ask({ id: 'running' });
  const second = await again('running', { 'x-carrel-fp': 'reader-1' });
  expect(second.status).toBe(200);
  expect(second.headers.get('x-thread-id')).toBe(first.headers.get('x-thread-id'));
  expect(second.headers.get('x-thread-key')).toBeNull();
  more.resolve();
  const [one, two] = await Promise.all([chunksOf(first), chunksOf(second)]);
  expect(two).toEqual(one);
  expect(one.at(-1)!.type).toBe('finish');
  // And a moment after its end, by the key of the thread.
  const threadKey = first.headers.get('x-thread-key')!;
  expect(await chunksOf(await again('running', { 'x-thread-key': threadKey }))).toEqual(one);
  expect(assistant.signals).toHaveLength(1);
});

test('an answer with two readers continues when one leaves', async () => {
  const more = deferred<void>();
  assistant.script = async function* () {
    yield* shortAnswer.slice(0, 2);
    await more.promise;
    yield* shortAnswer.slice(2);
  };
  const socket = open(request({ id: 'shared' }));
  await once(socket, 'data');
  const second = await again('shared', { 'x-carrel-fp': 'reader-1' });
  expect(second.status).toBe(200);
  const third = open(request({ id: undefined }));
  await begun(2);
  socket.destroy();
  // The place that it had is free when it is gone.
  const leaving = new AbortController();
  await expect.poll(async () => (await ask({ id: undefined }, { signal: leaving.signal })).status).toBe(200);
  more.resolve();
  expect((await chunksOf(second)).at(-1)!.type).toBe('finish');
  expect(assistant.signals[0]!.aborted).toBe(false);
  leaving.abort();
  third.destroy();
});

test('other readers get no content, as for an answer that does not exist', async () => {
  const response = await ask({ id: 'mine' });
  await response.text();
  const other = await newKey();
  for (const [chat, more] of [
    ['mine', {}],
    ['mine', { 'x-carrel-fp': 'reader-2' }],
    ['mine', { 'x-carrel-fp': 'anonymous' }],
    ['mine', { 'x-thread-key': 'forged' }],
    ['mine', { 'x-carrel-fp': 'reader-1', authorization: `Bearer ${other.secret}` }],
    ['other', { 'x-carrel-fp': 'reader-1' }],
    ['%27%3B--', { 'x-carrel-fp': 'reader-1' }],
  ] as [string, Record<string, string>][]) {
    const answer = await again(chat, more);
    expect([chat, more, answer.status, await answer.text()]).toEqual([chat, more, 204, '']);
  }
  expect((await again('mine', { 'x-carrel-fp': 'reader-1' })).status).toBe(200);
  expect(await refused(again('mine', { authorization: `Bearer ${adminKey}` }))).toEqual([403, 'KeyNotAssistant']);
  clock.now += 31_000;
  expect((await again('mine', { 'x-carrel-fp': 'reader-1' })).status).toBe(204);
});

test('two anonymous readers with the same chat id get their own answers', async () => {
  const one = await ask({ id: 'chat', fp: 'anonymous' });
  await one.text();
  expect((await again('chat', { 'x-carrel-fp': 'anonymous' })).status).toBe(204);
  expect((await again('chat', { 'x-thread-key': one.headers.get('x-thread-key')! })).status).toBe(200);
});

test('the number of running answers is limited, for each key and in total', async () => {
  assistant.script = hanging;
  const places = [1, 2, 3].map(() => open(request({ id: undefined })));
  await begun(3);
  const refusal = await ask();
  expect(refusal.headers.get('retry-after')).toBe('5');
  expect(await refused(refusal)).toEqual([429, 'TooManyAnswers']);
  const other = (await newKey()).secret;
  const leaving = new AbortController();
  const init = { headers: { ...headers, authorization: `Bearer ${other}` } };
  await ask({}, { ...init, signal: leaving.signal });
  expect(await refused(ask({}, init))).toEqual([503, 'StreamsFull']);
  leaving.abort();
  for (const socket of places) socket.destroy();
  assistant.script = shortAnswer;
  await expect.poll(async () => (await ask()).status).toBe(200);
});

test('a client that sends nothing, or only part of a request, is disconnected', async () => {
  const short = await listen(0, '127.0.0.1', '', { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 });
  short.answer(server.api.fetch);
  const port = Number(new URL(short.address).port);
  for (const text of ['', 'POST /discovery', `${request().slice(0, -20)}`]) {
    const socket = connect(port, '127.0.0.1');
    if (text) socket.write(text);
    socket.on('error', () => undefined).resume();
    await once(socket, 'close');
    expect(socket.closed).toBe(true);
  }
  await short.close(0);
});

/** A request over the agent's one connection; `chunked` leaves its length out. */
function over(
  agent: Agent,
  { authorization = headers.authorization, path = messagePath, content = body(), chunked = false },
): Promise<{ status: number; connection: string | undefined; reused: boolean; text: string }> {
  return new Promise((resolve, reject) => {
    const length = chunked ? {} : { 'content-length': Buffer.byteLength(content) };
    const sent = httpRequest(
      listener.address + path,
      { method: 'POST', agent, headers: { ...headers, authorization, ...length } },
      async (response: IncomingMessage) => {
        const text = (await response.setEncoding('utf8').toArray()).join('');
        const { connection } = response.headers;
        resolve({ status: response.statusCode!, connection, reused: sent.reusedSocket, text });
      },
    );
    sent.on('error', reject);
    sent.end(content);
  });
}

const long = (kb: number) => body({ currentPath: 'x'.repeat(kb * 1024) });

test.each([
  ['a body that is too large', 413, { content: long(3000) }],
  ['a body that is too large and does not say so', 413, { content: long(3000), chunked: true }],
  ['an unknown key', 401, { content: long(400), authorization: `Bearer svc_dsc_${'a'.repeat(43)}` }],
  ['a site that the key is not for', 404, { content: long(400), path: messagePath.replace('docs.', 'foreign.') }],
])('the connection still answers requests after %s', async (_, status, refusal) => {
  assistant.script = async function* () {
    yield { type: 'text', text: 'Well' };
    // Longer than an HTTP server waits for the rest of a body.
    await pause(700);
    yield* shortAnswer;
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let times = 0; times < 2; times++) {
    const refused = await over(agent, refusal);
    expect([refused.status, refused.connection]).toEqual([status, 'keep-alive']);
    const answered = await over(agent, {});
    expect([answered.status, answered.reused]).toEqual([200, true]);
    expect(answered.text).toMatch(/Well.*"finish".*\[DONE\]/s);
  }
  agent.destroy();
});

test('a body that is far too large is refused with a reason, and its connection ends', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (const chunked of [false, true]) {
    const refused = await over(agent, { content: 'x'.repeat(40_000_000), chunked });
    expect([refused.status, refused.connection]).toEqual([413, 'close']);
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'BodyTooLarge' });
    expect(await over(agent, {})).toMatchObject({ status: 200, reused: false });
  }
  agent.destroy();
});
