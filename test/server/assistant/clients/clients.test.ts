// What each client makes of a stream, written out: the rules that the endpoint's two forms follow.
import { expect, test } from 'vitest';
import { builds, hooks, type Chunk } from './builds.ts';
import { openChat } from './chat.ts';
import { openChat4 } from './chat-4.ts';
import { exchange, openParts, sourcesOf, textOf, threadOf, userMessage } from './exchange.ts';
import { openWrittenServer } from './written-server.ts';

const server = await openWrittenServer();
const metadata = { threadId: 'th_1' };
const strictFinish: Chunk = { type: 'finish', messageMetadata: metadata };
const finish: Chunk = { ...strictFinish, finishReason: 'stop', threadId: 'th_1' };

function stream({ end = finish, source = {} }: { end?: Chunk; source?: object } = {}): Chunk[] {
  return [
    { type: 'start', messageId: 'msg_1', messageMetadata: metadata },
    { type: 'data-thread', data: metadata, transient: true },
    { type: 'source-url', sourceId: 's1', url: '/guides/install#npm', title: 'Install', ...source },
    { type: 'start-step' },
    { type: 'text-start', id: 't1' },
    { type: 'text-delta', id: 't1', delta: 'Run ' },
    { type: 'text-delta', id: 't1', delta: 'it [1].' },
    { type: 'text-end', id: 't1' },
    { type: 'finish-step' },
    end,
  ];
}

const send = (build: (typeof builds)[number]) =>
  exchange(build, { api: server.url, body: { fp: 'anonymous' }, messages: [userMessage('How?')] });

test.each(builds)('$name reads the strict form without a fault', async (build) => {
  server.write(stream({ end: strictFinish }));
  const { chunks, message, errors } = await send(build);
  expect(errors).toEqual([]);
  expect(chunks.at(-1)).toEqual(strictFinish);
  expect([textOf(message), sourcesOf(message), openParts(message), threadOf(message)]).toEqual([
    'Run it [1].',
    ['/guides/install#npm'],
    [],
    'th_1',
  ]);
});

test.each(builds)('$name treats unknown keys as its release does', async (build) => {
  server.write(stream());
  const { chunks, errors, message } = await send(build);
  expect(textOf(message)).toBe('Run it [1].');
  expect(threadOf(message)).toBe('th_1');
  const isRefused = /unrecognized_keys[^]*threadId/.test(errors.join());
  expect(build.isStrict ? isRefused : [errors, chunks.at(-1)]).toEqual(build.isStrict || [[], finish]);
});

// [what is sent, whether builds that list their keys refuse it, whether the others do]
test.each<[string, Chunk[], boolean, boolean]>([
  ['a reason to finish', stream({ end: { ...strictFinish, finishReason: 'length' } }), false, false],
  ['a reason that there is not', stream({ end: { ...strictFinish, finishReason: 'tired' } }), true, true],
  [
    'excerpt and score below the name of a provider',
    stream({ end: strictFinish, source: { providerMetadata: { carrel: { score: 1 } } } }),
    false,
    false,
  ],
  ['another key of a source', stream({ end: strictFinish, source: { excerpt: 'Run' } }), true, false],
  ['a title that is null', stream({ end: strictFinish, source: { title: null } }), true, true],
  ['a chunk of a type of our own', [...stream({ end: { type: 'citation' } }), strictFinish], true, true],
  ['persistent data', [...stream({ end: { type: 'data-thread', data: metadata } }), strictFinish], false, false],
])('%s is read or refused as each release does', async (_, chunks, strictRefuse, refuse) => {
  server.write(chunks);
  const refused = [];
  for (const build of builds) refused.push([build.name, (await send(build)).errors.length > 0]);
  expect(refused).toEqual(builds.map(({ name, isStrict }) => [name, isStrict ? strictRefuse : refuse]));
});

test.each(hooks)('the hook of $name shows text, sources and thread, and sends both back', async (build) => {
  server.write(stream({ end: strictFinish }));
  const chat = await openChat(build, { api: server.url });
  const { status, messages, error } = await chat.ask('How?');
  expect([status, error]).toEqual(['ready', undefined]);
  expect(textOf(messages.at(-1))).toBe('Run it [1].');
  expect(chat.thread()).toBe('th_1');
  expect(chat.data).toMatchObject([{ type: 'data-thread', data: metadata }]);
  await chat.ask('And then?');
  const { messages: sent, ...rest } = server.bodies.at(-1)!;
  expect(rest).toMatchObject({ fp: 'anonymous', threadId: 'th_1', id: 'chat1', trigger: 'submit-message' });
  expect(JSON.stringify(sent)).toContain('"type":"source-url"');
  chat.close();
});

test.each(hooks)('the hook of $name ends as its release does on a thread at the top level', async (build) => {
  server.write(stream());
  const chat = await openChat(build, { api: server.url });
  const { status, messages } = await chat.ask('How?');
  expect([status, textOf(messages.at(-1)), threadOf(messages.at(-1))]).toEqual([
    build.isStrict ? 'error' : 'ready',
    'Run it [1].',
    'th_1',
  ]);
  chat.close();
});

test('the hook of ai 4.3.19 reads the data stream, and no event stream', async () => {
  server.write(
    [
      'f:{"messageId":"msg_1"}',
      '2:[{"type":"thread","threadId":"th_1"}]',
      '8:[{"threadId":"th_1"}]',
      'h:{"sourceType":"url","id":"s1","url":"/guides/install#npm","title":"Install"}',
      '0:"Run "',
      '',
      '0:"it [1]."',
      'e:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":1},"isContinued":false}',
      'd:{"finishReason":"stop","usage":{"promptTokens":1,"completionTokens":1},"threadId":"th_1"}\n',
    ].join('\n'),
  );
  const chat = await openChat4({ api: server.url });
  const shown = await chat.ask('How?');
  expect([shown.status, shown.error, shown.text, shown.sources, shown.thread]).toEqual([
    'ready',
    undefined,
    'Run it [1].',
    ['/guides/install#npm'],
    'th_1',
  ]);
  server.write(stream());
  expect((await chat.ask('And then?')).error).toContain('Failed to parse stream string');
  expect(server.bodies.at(-1)).toMatchObject({ fp: 'anonymous', threadId: 'th_1' });
  chat.close();
});
