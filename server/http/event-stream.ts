// Streams of server-sent events. In the API's description, they are a text whose events are described by the schema of their data.
import { z } from '@hono/zod-openapi';
import { orAfter } from '../platform/timing.ts';

export interface EventStreamFacts {
  /** Name of the schema of the JSON in each `data:`. */
  data: string;
  description: string;
  example: string;
}

/** The schema of a stream. OpenAPI 3.1 cannot describe single events; `contentSchema` of JSON Schema comes closest. */
export function eventStream({ data, ...facts }: EventStreamFacts) {
  return z.string().meta({
    ...facts,
    contentMediaType: 'text/event-stream',
    contentSchema: { $ref: `#/components/schemas/${data}` },
  });
}

/** The headers of a stream of events. Proxies must neither buffer nor compress it. */
export const eventStreamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Whether a response is a stream of events, in any of the forms that clients read. */
export function isEventStream({ headers }: Response): boolean {
  return headers.has('x-accel-buffering') || headers.get('content-type') === eventStreamHeaders['content-type'];
}

const checkMilliseconds = 1000;

/** An answer of a model has dozens of pieces a second. */
const mostChecksPerSecond = 10;

/** The stream, which ends when `mayRead` resolves to false: it is called before a piece and each second without one. It must not throw. */
export function whileAllowed(stream: ReadableStream<Uint8Array>, mayRead: () => Promise<boolean>): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  /** A piece that is already pending while the right is checked. */
  let coming: ReturnType<typeof reader.read> | undefined;
  let hasLeft = false;
  let [until, checks] = [0, 0];
  const mayReadNow = async (): Promise<boolean> => {
    const began = performance.now();
    if (began >= until) [until, checks] = [began + checkMilliseconds, mostChecksPerSecond];
    if (checks === 0) return true;
    checks -= 1;
    const may = await mayRead();
    const ended = performance.now();
    // While the database is away, each look takes its timeout.
    if (ended > until) [until, checks] = [ended + checkMilliseconds, 0];
    return may;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        while (!hasLeft) {
          const piece = await orAfter((coming ??= reader.read()), checkMilliseconds, { ref: false });
          const isOver = piece?.done || !(await mayReadNow());
          if (hasLeft) return;
          if (isOver) {
            controller.close();
            return reader.cancel();
          }
          if (!piece) continue;
          coming = undefined;
          return controller.enqueue(piece.value);
        }
      },
      cancel(reason) {
        hasLeft = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
