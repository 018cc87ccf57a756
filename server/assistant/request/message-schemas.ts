// Parts of the API description that routes of the assistant share.
import { z } from '@hono/zod-openapi';

export const domainParams = z.object({
  domain: z.string().openapi({ description: 'Identifier of the site.', example: 'docs.example.com' }),
});

export const threadHeaders = z.object({
  'x-thread-id': z.string().openapi({ description: 'The thread of this answer.', example: '01JD6Z0000ABCDEFGHJKMNPQRS' }),
  'x-thread-key': z.string().optional().openapi({ description: 'Its secret; given once, when the thread is opened.' }),
});

/** How a request without a body shows whose thread it is about. */
export const readerHeaders = z.object({
  'x-carrel-fp': z.string().max(256).optional().openapi({ description: 'The `fp` of the reader who asked.' }),
  'x-thread-key': z.string().max(200).optional().openapi({ description: 'The secret of the thread.' }),
});

export const streamAnswer = z.string().openapi('MessageStream', {
  description: [
    'Server-sent events. Each `data:` holds one chunk as JSON, `{ "type": … }`, the last one `[DONE]`; lines that begin with a colon are comments. The types, in their order:',
    '`start` (`messageId`, `messageMetadata.threadId`);',
    '`data-thread` (`data.threadId`, `transient`);',
    '`start-step`;',
    '`text-start`, `text-delta` (`delta`) and `text-end`, all with the `id` of the text;',
    '`source-url` (`sourceId`, `url`, `title`, and under `providerMetadata.carrel` `number`, `id`, `headings`, `excerpt`, `score`), one for each page that is cited, at its first citation between the pieces of the text;',
    '`error` (`errorText`), only where the answer failed;',
    '`finish-step`;',
    '`finish` (`messageMetadata` with `threadId`, `finishReason`, `answeredBy`, and `modelFailure` where a model failed; where the stream is not strict, `finishReason` and `threadId` besides).',
  ].join(' '),
  example: 'data: {"type":"text-delta","id":"text","delta":"Run npm install."}\n\n',
});

export const streamLines = z.string().openapi('MessageLines', {
  description: [
    'Lines of `CODE:JSON`. The codes: `f` (`messageId`), `2` and `8` (the thread), `0` (a piece of the text), `h` (a source at its first citation: `sourceType`, `id`, `url`, `title`),',
    '`8` (`answeredBy`, and `modelFailure` where a model failed), `e` and `d` (`finishReason`, `usage`; `d` has `threadId` besides); or `3` (why the answer failed), after which nothing follows.',
  ].join(' '),
  example: '0:"Run npm install."\n',
});

export const explanationSchema = z
  .object({
    retrieved: z.array(z.object({ id: z.string(), title: z.string(), score: z.number() })),
    prompt: z
      .object({
        instructions: z.string(),
        messages: z.array(z.object({ role: z.string(), content: z.string() })),
      })
      .optional(),
  })
  .openapi('Explanation', {
    description: 'The answer to `?explain=1`. All other answers are streams, `text/event-stream`, whatever a client asks for.',
  });
