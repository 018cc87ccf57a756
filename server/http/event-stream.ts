// Streams of server-sent events. In the API's description, they are a text whose events are described by the schema of their data.
import { z } from '@hono/zod-openapi';

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
