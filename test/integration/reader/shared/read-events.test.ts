import { expect, test } from 'vitest';
import { readEvents } from '../../../../integration/reader/shared/read-events.ts';

function bodyOf(...pieces: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
}

async function read(body: ReadableStream<Uint8Array>) {
  const events = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

const stream =
  ': stream-open\n\ndata: {"type":"start","messageId":"m"}\n\nevent: x\nid: 7\ndata: {"type":"text-delta","id":"t","delta":"Grüße 🚢"}\n\n: keep-alive\n\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n';
const events = [{ type: 'start', messageId: 'm' }, { type: 'text-delta', id: 't', delta: 'Grüße 🚢' }, { type: 'finish' }];

test('reads a stream', async () => {
  expect(await read(bodyOf(stream))).toEqual(events);
});

test.each(['\n', '\r\n', '\r'])('reads a stream byte by byte, with %j at the ends of lines', async (end) => {
  const bytes = new TextEncoder().encode(stream.replaceAll('\n', end) + (end === '\r' ? ': end' : ''));
  expect(await read(bodyOf(...[...bytes].map((byte) => Uint8Array.of(byte))))).toEqual(events);
});

test('skips lines that are not events', async () => {
  expect(await read(bodyOf('data:\n\ndata: {\n\ndata: 7\n\ndata: {"a":1}\n\nhello\n\ndata:{"type":"a"}\n\n'))).toEqual([
    { type: 'a' },
  ]);
});

test('joins the lines of one event', async () => {
  expect(await read(bodyOf('data: {"type":\ndata: "a"}\n\n'))).toEqual([{ type: 'a' }]);
});

test('skips a truncated event', async () => {
  expect(await read(bodyOf('data: {"type":"a"}\n\ndata: {"type":"b"}\n'))).toEqual([{ type: 'a' }]);
});

test('cancels the body when the reader stops', async () => {
  let ended = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: {"type":"a"}\n\n')),
    cancel: () => void (ended = true),
  });
  for await (const event of readEvents(body)) if (event.type === 'a') break;
  expect(ended).toBe(true);
});
