import { describe, expect, test } from 'vitest';
import type { AnswerEvent } from '../../../../server/assistant/answer/answer-event.ts';
import { formFor, frame, lineStream, messageStream } from '../../../../server/assistant/stream/message-stream.ts';
import { messageChunkSchema } from '../../../../server/assistant/stream/message-chunks.ts';
import { shortAnswer } from '../scripted-assistant.ts';

async function streamed(events: AnswerEvent[], form: 'full' | 'strict' = 'full'): Promise<string> {
  const answer = (async function* () {
    yield* events;
  })();
  let text = '';
  for await (const piece of messageStream(answer, { messageId: 'msg_1', threadId: 'th_1', form })) text += piece;
  const chunks = text.split('\n\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  expect(chunks.map((chunk) => messageChunkSchema.parse(chunk))).toEqual(chunks);
  return text;
}

test('an answer is the stream that clients read', async () => {
  expect(await streamed(shortAnswer)).toMatchInlineSnapshot(`
    ": stream-open

    data: {"type":"start","messageId":"msg_1","messageMetadata":{"threadId":"th_1"}}

    data: {"type":"data-thread","data":{"threadId":"th_1"},"transient":true}

    data: {"type":"start-step"}

    data: {"type":"text-start","id":"text"}

    data: {"type":"text-delta","id":"text","delta":"Run it"}

    data: {"type":"source-url","sourceId":"s1","url":"/guides/install#npm","title":"Install","providerMetadata":{"carrel":{"number":1,"id":"guides/install#npm","headings":["Install","With npm"],"excerpt":"Run npm install.","score":1}}}

    data: {"type":"source-url","sourceId":"s2","url":"/","providerMetadata":{"carrel":{"number":2,"id":"index","headings":[],"excerpt":"Welcome."}}}

    data: {"type":"text-delta","id":"text","delta":" [1]."}

    data: {"type":"text-end","id":"text"}

    data: {"type":"finish-step"}

    data: {"type":"finish","messageMetadata":{"threadId":"th_1","finishReason":"stop","carrel":{"answer":"quotes"}},"finishReason":"stop","threadId":"th_1"}

    data: [DONE]

    "
  `);
});

test('for strict clients, finish has the thread in its metadata alone', async () => {
  const [full, strict] = [await streamed(shortAnswer), await streamed(shortAnswer, 'strict')];
  const lines = (text: string) => text.split('\n\n');
  const differing = lines(strict).filter((line, index) => line !== lines(full)[index]);
  expect(differing).toEqual([
    'data: {"type":"finish","messageMetadata":{"threadId":"th_1","finishReason":"stop","carrel":{"answer":"quotes"}}}',
  ]);
});

test('the end says that a model failed, in both forms', async () => {
  const events: AnswerEvent[] = [
    { type: 'text', text: 'So.' },
    { type: 'end', reason: 'stop', by: 'quotes', why: 'ModelTimeout' },
  ];
  const metadata =
    '"messageMetadata":{"threadId":"th_1","finishReason":"stop","carrel":{"answer":"quotes","reason":"ModelTimeout"}}';
  for (const form of ['full', 'strict'] as const) expect(await streamed(events, form)).toContain(metadata);
});

test('how many passages a model reads is said before its first word, and not kept in the message', async () => {
  const events: AnswerEvent[] = [{ type: 'reading', passages: 9 }, ...shortAnswer];
  const stream = await streamed(events);
  expect(stream).toContain('{"type":"start-step"}\n\ndata: {"type":"data-reading","data":{"passages":9},"transient":true}\n\n');
  expect(stream.replace(/data: \{"type":"data-reading".*\n\n/, '')).toBe(await streamed(shortAnswer));
});

test('the stream of an answer without sources and text has no chunks for them', async () => {
  const events: AnswerEvent[] = [
    { type: 'text', text: '' },
    { type: 'end', reason: 'length', by: 'model' },
  ];
  expect(await streamed(events)).not.toMatch(/text-|source-url/);
});

test('a failure follows the text, and the stream ends as usual', async () => {
  const failed: AnswerEvent = { type: 'failed', code: 'ModelCutOff', message: 'The model is away.' };
  const after: AnswerEvent = { type: 'text', text: 'never' };
  const types = (text: string) => [...text.matchAll(/"type":"([\w-]+)"/g)].map(([, type]) => type);
  const text = await streamed([{ type: 'text', text: 'Half' }, failed, after]);
  expect(types(text)).toEqual([
    'start',
    'data-thread',
    'start-step',
    'text-start',
    'text-delta',
    'text-end',
    'error',
    'finish-step',
    'finish',
  ]);
  expect(text).toContain('data: {"type":"error","errorText":"The model is away."}\n\n');
  expect(text).toContain('"finishReason":"error"');
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
  expect(text).toContain('"carrel":{"answer":"model","reason":"ModelCutOff"}');
  expect(text).not.toContain('never');
  expect(types(await streamed([failed]))).toEqual(['start', 'data-thread', 'start-step', 'error', 'finish-step', 'finish']);
});

test('an answer that stops without an end is an error', async () => {
  expect(await streamed([{ type: 'text', text: 'Half' }])).toMatch(/text-end.*was cut off.*finish-step.*"finish".*\[DONE\]/s);
});

test('any text is one line of JSON', async () => {
  const text = '\n\ndata: [DONE]\r\n\u2028\0"\\ \ud83d 🎉';
  const stream = await streamed([{ type: 'text', text }]);
  const delta = stream.split('\n\n').find((line) => line.includes('text-delta'))!;
  expect(JSON.parse(delta.slice(6)).delta).toBe(text);
});

test('other chunks and keys are not sent', () => {
  expect(frame({ type: 'reset-step' })).toBe('');
  expect(frame({ type: 'constructor' })).toBe('');
  expect(frame({ type: 'source-url', sourceId: 's1', url: '/', title: null, secret: 1 })).toBe(
    'data: {"type":"source-url","sourceId":"s1","url":"/"}\n\n',
  );
  expect(frame({ type: 'error', errorText: 'x', code: 'y' })).toBe('data: {"type":"error","errorText":"x"}\n\n');
});

describe('the form', () => {
  const form = (headers: Record<string, string>, setting: 'always' | 'auto' | 'never' = 'auto', isFromSdk = false) =>
    formFor(setting, { headers: new Headers(headers), isFromSdk });

  test("is strict for the AI SDK's transport, unless the setting says otherwise", () => {
    expect(form({}, 'auto', true)).toBe('strict');
    expect(form({ 'x-carrel-stream': 'full' }, 'auto', true)).toBe('strict');
    expect(form({}, 'always', true)).toBe('full');
    expect(form({}, 'never', true)).toBe('strict');
  });

  test.each<[Record<string, string>, 'full' | 'strict']>([
    [{}, 'full'],
    [{ 'user-agent': 'ai-sdk/5.0.60 runtime/node.js/24' }, 'strict'],
    [{ 'user-agent': 'Mozilla/5.0 ai-sdk/6.0.1 runtime/browser' }, 'strict'],
    [{ 'user-agent': 'ai-sdk/7.0.0' }, 'full'],
    [{ 'user-agent': 'my-ai-sdk/55.0' }, 'full'],
    [{ 'x-carrel-stream': 'Strict ' }, 'strict'],
    [{ 'x-carrel-stream': 'full' }, 'full'],
  ])('for %j is %s', (headers, expected) => {
    expect(form(headers)).toBe(expected);
    expect(form(headers, 'always')).toBe('full');
    expect(form(headers, 'never')).toBe('strict');
  });
});

async function linesOf(events: AnswerEvent[]): Promise<string> {
  const answer = (async function* () {
    yield* events;
  })();
  let text = '';
  for await (const piece of lineStream(answer, { messageId: 'msg_1', threadId: 'th_1' })) text += piece;
  return text;
}

test('an answer is the lines that clients of version 4 read', async () => {
  expect(await linesOf(shortAnswer)).toMatchInlineSnapshot(`
    "f:{"messageId":"msg_1"}
    2:[{"type":"thread","threadId":"th_1"}]
    8:[{"threadId":"th_1"}]
    0:"Run it"
    h:{"sourceType":"url","id":"s1","url":"/guides/install#npm","title":"Install"}
    h:{"sourceType":"url","id":"s2","url":"/"}
    0:" [1]."
    8:[{"carrel":{"answer":"quotes"}}]
    e:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"isContinued":false}
    d:{"finishReason":"stop","usage":{"promptTokens":0,"completionTokens":0},"threadId":"th_1"}
    "
  `);
});

test('a failure comes last, also for an answer that stops without an end', async () => {
  const failed: AnswerEvent = { type: 'failed', code: 'ModelAway', message: 'The model is away.' };
  expect((await linesOf([{ type: 'text', text: 'Half' }, failed])).split('\n').slice(-4)).toEqual([
    '0:"Half"',
    '8:[{"carrel":{"answer":"model","reason":"ModelAway"}}]',
    '3:"The model is away."',
    '',
  ]);
  expect(await linesOf([{ type: 'text', text: 'Half' }])).toMatch(/3:"The answer was cut off\. Ask again\."\n$/);
});

test('any text is one line', async () => {
  const lines = (
    await linesOf([
      { type: 'text', text: 'a\nb\r\n3:"x"' },
      { type: 'end', reason: 'stop', by: 'model' },
    ])
  ).split('\n');
  expect(lines).toContain('0:"a\\nb\\r\\n3:\\"x\\""');
});
