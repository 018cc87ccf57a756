import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import type { Answered, AskEvent, AskQuestion } from '../../../../integration/reader/ask/answer.ts';
import { askServer, sendFeedback } from '../../../../integration/reader/ask/ask-server.ts';
import type { AskServer } from '../../../../integration/reader/ask/settings.ts';
import { close, listen } from '../../../support/listen.ts';
import type { ServerSettings } from '../../../../integration/reader/shared/send-to-server.ts';

const asker = { fp: 'reader', filter: { language: 'en' } };
const question: AskQuestion = {
  messages: [{ id: 'q1', role: 'user', text: 'How?' }],
  context: [],
  page: 'guides/install',
  thread: undefined,
};
const running: (() => void)[] = [];
afterEach(() => running.splice(0).forEach((stop) => stop()));

async function serve(answer: (request: IncomingMessage, response: ServerResponse, body: unknown) => void) {
  const server = createServer((request, response) => void json(request).then((body) => answer(request, response, body)));
  running.push(() => close(server));
  return { url: `http://127.0.0.1:${await listen(server)}/discovery`, domain: 'harbour', key: 'svc_dsc_1' };
}

/** Settings that stay as they are when they are loaded again. */
const settingsOf = (server: AskServer): ServerSettings<AskServer> => ({ server: () => server, renew: async () => {} });

async function* quotes(): AsyncGenerator<AskEvent | Answered> {
  yield { type: 'text', text: 'A quote.' };
}

async function ask(server: AskServer, asked = question, settings = settingsOf(server)) {
  const events: (AskEvent | Answered)[] = [];
  for await (const event of askServer(settings, asked, asker, new AbortController().signal, quotes)) events.push(event);
  return events;
}

const sse = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

test('sends the request that the API expects, and reads the answer', async () => {
  let asked: unknown[] = [];
  const server = await serve((request, response, body) => {
    asked = [request.method, request.url, request.headers.authorization, request.headers['content-type'], body];
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-thread-id': 'T1', 'x-thread-key': 'K1' });
    response.end(
      sse(
        { type: 'start', messageId: 'msg_1', messageMetadata: { threadId: 'T1' } },
        {
          type: 'source-url',
          sourceId: 's1',
          url: '/guides/install#npm',
          title: 'Install',
          providerMetadata: { carrel: { number: 4, id: 'guides/install#npm', headings: ['npm'] } },
        },
        { type: 'source-url', sourceId: 's2', url: 'https://docs.example/a' },
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'So [4].' },
        { type: 'finish', threadId: 'T1' },
        { type: 'text-delta', id: 't', delta: 'too late' },
      ),
    );
  });
  const thread = { id: 'T1', key: 'K1' };
  expect(await ask(server)).toEqual([
    { type: 'thread', thread },
    { type: 'thread', thread },
    { type: 'message', id: 'msg_1' },
    { type: 'source', source: { number: 4, section: 'guides/install#npm', url: '/guides/install#npm', title: 'Install › npm' } },
    { type: 'source', source: { number: 2, url: 'https://docs.example/a', title: 'https://docs.example/a' } },
    { type: 'text', text: 'So [4].' },
    { type: 'thread', thread },
    { type: 'answered', by: 'model' },
  ]);
  expect(asked).toEqual([
    'POST',
    '/discovery/v2/assistant/harbour/message',
    'Bearer svc_dsc_1',
    'application/json',
    {
      fp: 'reader',
      messages: [{ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'How?' }] }],
      currentPath: 'guides/install',
      filter: { language: 'en' },
    },
  ]);
});

test('sends selected texts and the thread with its key, but no path that is too long', async () => {
  let body: unknown;
  const server = await serve((_request, response, given) => {
    body = given;
    response.end(sse({ type: 'finish' }));
  });
  const context = [{ type: 'code' as const, value: 'npm i', path: 'a', elementId: 'b' }];
  await ask(server, { ...question, page: 'a'.repeat(201), context, thread: { id: 'T1', key: 'K1' } });
  expect(body).toEqual({
    fp: 'reader',
    messages: [{ id: 'q1', role: 'user', parts: [{ type: 'text', text: 'How?' }] }],
    context,
    threadId: 'T1',
    threadKey: 'K1',
    filter: { language: 'en' },
  });
});

test.each<[string, (response: ServerResponse) => void, object]>([
  [
    'says why',
    (response) => response.writeHead(403).end('{"error":"Not from here.","code":"OriginNotAllowed"}'),
    { reason: 'refused', message: 'Not from here.' },
  ],
  [
    'says nothing that can be read',
    (response) => response.writeHead(502).end('<html>'),
    { reason: 'refused', message: 'HTTP 502' },
  ],
  [
    'says when to come again',
    (response) => response.writeHead(429, { 'retry-after': '30' }).end('{"error":"Slowly."}'),
    { reason: 'busy', seconds: 30 },
  ],
  [
    'says that it is too much',
    (response) => response.writeHead(429).end('{"error":"Slowly."}'),
    { reason: 'refused', message: 'Slowly.' },
  ],
  [
    'fails within the answer',
    (response) => response.end(sse({ type: 'error', errorText: 'The model failed.' }, { type: 'finish' })),
    { reason: 'refused', message: 'The model failed.' },
  ],
  [
    'says that it failed after its first words',
    (response) =>
      response.end(
        sse({ type: 'text-delta', id: 't', delta: 'It is' }, { type: 'error', errorText: 'Broken.' }, { type: 'finish' }),
      ),
    { reason: 'cut-off' },
  ],
  ['ends without an end', (response) => response.end(sse({ type: 'start' })), { reason: 'cut-off' }],
])('reports a server that %s', async (_title, answer, expected) => {
  const server = await serve((_request, response) => answer(response));
  expect((await ask(server)).at(-1)).toMatchObject({ type: 'failed', ...expected });
});

test('reports a connection that breaks after the beginning of the answer', async () => {
  const server = await serve((_request, response) => {
    response.write(sse({ type: 'text-delta', id: 't', delta: 'So' }), () => response.destroy());
  });
  const events = await ask(server);
  expect(events[0]).toEqual({ type: 'text', text: 'So' });
  expect(events.at(-1)).toMatchObject({ type: 'failed', reason: 'lost' });
});

test('reports a server that is unreachable', async () => {
  expect(await ask({ url: 'http://127.0.0.1:9/discovery', domain: 'a', key: '' })).toMatchObject([
    { type: 'failed', reason: 'lost' },
  ]);
});

test('closes the connection when the answer is stopped, and reports no failure', async () => {
  const stop = new AbortController();
  let left: () => void;
  const hasLeft = new Promise<void>((resolve) => (left = resolve));
  const server = await serve((_request, response) => {
    response.on('close', () => left());
    response.write(sse({ type: 'text-delta', id: 't', delta: 'So' }));
  });
  const events: (AskEvent | Answered)[] = [];
  for await (const event of askServer(settingsOf(server), question, asker, stop.signal, quotes)) {
    events.push(event);
    stop.abort();
  }
  await hasLeft;
  expect(events).toEqual([{ type: 'text', text: 'So' }]);
});

test('sends the rating of an answer', async () => {
  let asked: unknown[] = [];
  const server = await serve((request, response, body) => {
    asked = [request.url, body];
    response.writeHead(204).end();
  });
  expect(
    await sendFeedback(settingsOf(server), asker, {
      thread: { id: 'T1', key: 'K1' },
      messageId: 'msg_1',
      rating: 'down',
      comment: 'No.',
    }),
  ).toBe(true);
  expect(asked).toEqual([
    '/discovery/v2/assistant/harbour/feedback',
    { fp: 'reader', threadId: 'T1', threadKey: 'K1', messageId: 'msg_1', rating: 'down', comment: 'No.' },
  ]);
});

test('returns false when it does not arrive', async () => {
  const refusing = await serve((_request, response) => response.writeHead(404).end());
  const feedback = { thread: { id: 'T1' }, messageId: 'm', rating: 'up' as const };
  expect(await sendFeedback(settingsOf(refusing), asker, feedback)).toBe(false);
  expect(await sendFeedback(settingsOf({ ...refusing, url: 'http://127.0.0.1:9' }), asker, feedback)).toBe(false);
});

test.each<[object, object]>([
  [{ carrel: { answer: 'quotes', reason: 'ModelBroken' } }, { by: 'quotes' }],
  [{ carrel: { answer: 'quotes', reason: 'ModelBroken', answered: false } }, { by: 'none' }],
  [{ carrel: { answer: 'model' } }, { by: 'model' }],
  [{ carrel: null }, { by: 'model' }],
])('reads what wrote the answer from its end: %j', async (messageMetadata, answered) => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(sse({ type: 'source-url', sourceId: 's1', url: '/a' }, { type: 'finish', messageMetadata }));
  });
  expect((await ask(server)).at(-1)).toEqual({ type: 'answered', ...answered });
});

/** A server that accepts one key, and the keys that it saw. */
async function keyed(accepted: string) {
  const seen: (string | undefined)[] = [];
  const server = await serve((request, response) => {
    seen.push(request.headers.authorization?.replace('Bearer ', ''));
    if (seen.at(-1) !== accepted) return void response.writeHead(401).end('{"error":"Reload the page."}');
    response.end(sse({ type: 'text-delta', id: 't', delta: 'So' }, { type: 'finish' }));
  });
  return { server, seen };
}

/** Settings whose key is another one after they were loaded again. */
function renewing(server: AskServer, keys: string[]): ServerSettings<AskServer> {
  let loads = 0;
  return {
    server: () => (keys[loads] === undefined ? undefined : { ...server, key: keys[loads] }),
    renew: async () => void loads++,
  };
}

const tokenFor = (seconds: number) => `page_${Math.round(Date.now() / 1000) + seconds}.x`;
const answered = [
  { type: 'text', text: 'So' },
  { type: 'answered', by: 'none' },
];

test.each<[string, keys: string[], seen: string[]]>([
  ['stays while it is valid', ['page_9999999999.new', 'page_9999999999.other'], ['page_9999999999.new']],
  ['is renewed before it expires', [tokenFor(30), 'page_9999999999.new'], ['page_9999999999.new']],
  ['is renewed where the server refuses it', [tokenFor(3000), 'page_9999999999.new'], [tokenFor(3000), 'page_9999999999.new']],
])('a token %s', async (_name, keys, expected) => {
  const { server, seen } = await keyed('page_9999999999.new');
  expect(await ask(server, question, renewing(server, keys))).toEqual(answered);
  expect(seen).toEqual(expected);
  const feedback = { thread: { id: 'T1' }, messageId: 'm', rating: 'up' as const };
  expect(await sendFeedback(renewing(server, keys), asker, feedback)).toBe(true);
  expect(seen).toEqual([...expected, ...expected]);
});

test.each<[string, keys: string[], asked: number]>([
  ['the settings have the same key', ['svc_dsc_old', 'svc_dsc_old'], 1],
  ['the new one is refused, too', [tokenFor(3000), tokenFor(3600), tokenFor(3601)], 2],
])('a question is refused if %s', async (_name, keys, asked) => {
  const { server, seen } = await keyed('page_9999999999.new');
  expect(await ask(server, question, renewing(server, keys))).toEqual([
    { type: 'failed', reason: 'refused', message: 'Reload the page.' },
  ]);
  expect(seen).toEqual(keys.slice(0, asked));
});

test.each([[tokenFor(30)], [tokenFor(3000)]])(
  'the docs are quoted if the settings do not name a server any more',
  async (key) => {
    const { server } = await keyed('page_9999999999.new');
    expect(await ask(server, question, renewing(server, [key]))).toEqual([{ type: 'text', text: 'A quote.' }]);
  },
);
