// Streams of server-sent events in the API's description: a text whose events are described by the schema of their data.
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
