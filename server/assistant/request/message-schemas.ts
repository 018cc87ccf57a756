// Parts of the API description that routes of the assistant share, and fields that the bodies of all versions share.
import { z } from '@hono/zod-openapi';

export const threadHeaders = z.object({
  'x-thread-id': z.string().openapi({ description: 'The thread of this answer.', example: '01JD6Z0000ABCDEFGHJKMNPQRS' }),
  'x-thread-key': z.string().optional().openapi({ description: 'The secret of the thread, only in the response that opens it.' }),
  'x-carrel-answer': z.enum(['quotes']).optional().openapi({
    description: 'The site has no model, so the answer quotes the docs. Otherwise the metadata of `finish` has it.',
  }),
});

/** How a request without a body proves that it owns a thread. */
export const readerHeaders = z.object({
  'x-carrel-fp': z.string().max(256).optional().openapi({ description: 'The `fp` of the reader who asked.' }),
  'x-thread-key': z.string().max(200).optional().openapi({ description: 'The secret of the thread.' }),
});

export const streamLines = z.string().openapi('MessageLines', {
  description: [
    'Lines of `CODE:JSON`. The codes: `f` (`messageId`), `2` and `8` (the thread), `0` (a piece of the text), `h` (a source, before its first citation: `sourceType`, `id`, `url`, `title`),',
    '`8` (`carrel`: what wrote the answer, and why), `e` and `d` (`finishReason`, `usage`; `d` also has `threadId`); or `3` (why the answer failed) as the last line.',
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
    description: 'The response to `?explain=1`. All other responses are streams, `text/event-stream`, regardless of `Accept`.',
  });

export const defaultPages = 5;
const mostContext = 20;
const longestContext = 20_000;

/** `anonymous`, or the id that the client gives its reader. */
export const readerSchema = z.string().min(1).max(256).openapi({
  description: 'Identifies the reader: a unique ID, or `anonymous`. Stored only as a hash.',
  example: 'anonymous',
});

const threadFields = {
  threadId: z.string().max(200).nullish().openapi({ description: 'Continues a thread; without it, a new one is opened.' }),
  threadKey: z.string().max(200).nullish().openapi({
    description:
      'The value of `X-Thread-Key` in the response that opened the thread. Without it, the API key and `fp` must be the same.',
  }),
};

const pagesSchema = z
  .int()
  .min(1)
  .max(50)
  .default(defaultPages)
  .openapi({ description: 'Number of pages to answer from; more is slower.' });

const label = z.string().max(200).nullish();

const filterSchema = z
  .object({
    version: label,
    language: label,
    groups: z
      .array(z.string().max(200))
      .max(100)
      .nullish()
      .openapi({ description: 'Only narrows the results: it gives access to no page.' }),
  })
  .nullish();

const contextSchema = z
  .array(
    z.object({
      type: z.enum(['code', 'textSelection']),
      value: z.string().max(longestContext),
      path: z.string().max(2000).nullish(),
      elementId: z.string().max(2000).nullish(),
    }),
  )
  .max(mostContext)
  .nullish()
  .openapi({ description: 'What the reader has selected on the page.' });

/** What a question has in all versions. */
export const questionFields = { ...threadFields, retrievalPageSize: pagesSchema, filter: filterSchema, context: contextSchema };
