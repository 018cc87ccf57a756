// The body of a message, version 1: messages have a text, `content`; their parts repeat it and are ignored.
import { z } from '@hono/zod-openapi';
import { contextSchema, filterSchema, pagesSchema, readerSchema, threadFields } from './message-fields.ts';
import type { Asked } from './message-request.ts';
import { questionOf, type Said } from './question-of.ts';

const attachmentSchema = z.object({ name: z.string().nullish(), contentType: z.string().nullish(), url: z.string() });

const messageSchema = z
  .object({
    // Clients send it only when they are configured to.
    id: z.string().nullish(),
    role: z.enum(['system', 'assistant', 'data', 'user']),
    content: z.string(),
    annotations: z.array(z.unknown()).nullish(),
    experimental_attachments: z.array(attachmentSchema).nullish(),
  })
  .openapi('MessageVersion1');

export const version1RequestSchema = z
  .object({
    id: z
      .string()
      .max(200)
      .nullish()
      .catch(undefined)
      .openapi({ type: ['string', 'null'] }),
    fp: readerSchema,
    messages: z.array(messageSchema).default([{ id: 'foobar', role: 'user', content: 'How do I get started' }]),
    ...threadFields,
    retrievalPageSize: pagesSchema,
    filter: filterSchema,
    context: contextSchema,
    currentPath: z.string().max(200).nullish(),
  })
  .openapi('MessageRequestVersion1');

/** Throws `ApiError` 400 `RequestInvalid` as `readMessageRequest` does. */
export function readVersion1Request(body: z.output<typeof version1RequestSchema>): Asked {
  const said = body.messages.map(({ role, content, annotations, experimental_attachments }): Said => ({
    role,
    text: content,
    files: (experimental_attachments ?? []).map(({ name, contentType, url }) => ({
      url,
      mediaType: contentType ?? '',
      name: name ?? undefined,
    })),
    threadId: annotations?.map(threadIdIn).findLast((id) => id !== undefined),
  }));
  return questionOf({ ...body, chatId: body.id ?? undefined }, said);
}

function threadIdIn(annotation: unknown): unknown {
  return typeof annotation === 'object' && annotation !== null && 'threadId' in annotation ? annotation.threadId : undefined;
}
