// What routes of the assistant have in common in their description.
import { z } from '@hono/zod-openapi';

export const domainParams = z.object({
  domain: z.string().openapi({ description: 'Identifier of the site.', example: 'docs.example.com' }),
});

export const threadHeaders = z.object({
  'x-thread-id': z.string().openapi({ description: 'The thread of this answer.', example: '01JD6Z0000ABCDEFGHJKMNPQRS' }),
  'x-thread-key': z.string().optional().openapi({ description: 'Its secret; given once, when the thread is opened.' }),
});

/** How a request without a body tells whose thread it is about. */
export const readerHeaders = z.object({
  'x-carrel-fp': z.string().max(256).optional().openapi({ description: 'The `fp` of the reader who asked.' }),
  'x-thread-key': z.string().max(200).optional().openapi({ description: 'The secret of the thread.' }),
});

export const streamAnswer = z.string().openapi({ description: 'A stream of text.' });

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
