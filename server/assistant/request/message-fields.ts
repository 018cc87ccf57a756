// Fields that the bodies of all versions share.
import { z } from '@hono/zod-openapi';

export const defaultPages = 5;
const mostContext = 20;
const longestContext = 20_000;

/** `anonymous`, or the id that the client gives its reader. */
export const readerSchema = z.string().min(1).max(256).openapi({
  description: 'Stands for the reader: a unique id, or `anonymous`. Kept as a hash only.',
  example: 'anonymous',
});

export const threadFields = {
  threadId: z.string().max(200).nullish().openapi({ description: 'Continues a thread; a new one is opened when absent.' }),
  threadKey: z.string().max(200).nullish().openapi({
    description: 'What `X-Thread-Key` gave when the thread was opened. Without it, API key and `fp` must be the same.',
  }),
};

export const pagesSchema = z
  .int()
  .min(1)
  .max(50)
  .default(defaultPages)
  .openapi({ description: 'Pages to answer from; more is slower.' });

const label = z.string().max(200).nullish();

export const filterSchema = z
  .object({
    version: label,
    language: label,
    groups: z.array(z.string().max(200)).max(100).nullish().openapi({ description: 'Narrows only: it opens no page.' }),
  })
  .nullish();

export const contextSchema = z
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
  .openapi({ description: 'What the reader marked on the page.' });
