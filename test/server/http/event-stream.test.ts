import { expect, test } from 'vitest';
import { whileAllowed } from '../../../server/http/event-stream.ts';

const streamOf = (pieces: Uint8Array<ArrayBuffer>[]) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });

test('the right to a stream is looked up ten times a second at most, however many pieces come', async () => {
  const pieces = Array.from({ length: 500 }, (_, index) => new Uint8Array([index % 256]));
  let checks = 0;
  const mayRead = async () => (checks++, true);
  const came: Uint8Array[] = [];
  const began = performance.now();
  for await (const piece of whileAllowed(streamOf(pieces), mayRead)) came.push(piece);
  expect(came).toEqual(pieces);
  expect(checks).toBeGreaterThan(0);
  expect(checks).toBeLessThanOrEqual(10 * Math.ceil((performance.now() - began) / 1000));
});

test('a stream whose reader may not read it has no piece', async () => {
  const stream = whileAllowed(streamOf([new Uint8Array(1)]), async () => false);
  expect(await new Response(stream).bytes()).toEqual(new Uint8Array());
});
