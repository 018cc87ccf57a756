// The bodies of a message, versions 2 and 1, and the question in them. Anything else that clients add or send back is ignored.
import { z } from '@hono/zod-openapi';
import { namedObject } from '../../http/error-answers.ts';
import { defaultPages, questionFields, readerSchema } from './message-schemas.ts';
import { questionOf, type Asked, type Said } from './question.ts';

const metadata = z.record(z.string(), z.unknown()).nullish();

/** Parts of the contract. Others, which clients send back from streams (`tool-…`, `data-…`), are ignored. */
const parts = {
  text: z.object({ type: z.literal('text'), text: z.string() }),
  reasoning: z.object({ type: z.literal('reasoning'), text: z.string(), providerMetadata: metadata }),
  'source-url': z.object({
    type: z.literal('source-url'),
    sourceId: z.string(),
    url: z.string(),
    title: z.string().nullish(),
    providerMetadata: metadata,
  }),
  file: z.object({ type: z.literal('file'), mediaType: z.string(), url: z.string(), filename: z.string().nullish() }),
  'step-start': z.object({ type: z.literal('step-start') }),
};

const schemaOf = new Map<string, z.ZodType>(Object.entries(parts));

const partSchema = z
  .looseObject({ type: z.string() })
  .superRefine((part, context) => {
    for (const issue of schemaOf.get(part.type)?.safeParse(part).error?.issues ?? []) context.addIssue({ ...issue });
  })
  .openapi({
    type: 'object',
    description: 'One of the shapes below. Parts of other types, and other keys, are accepted and ignored.',
    // Without an open shape beside them: generated types would check nothing then.
    anyOf: Object.values(parts).map(jsonSchema) as never,
  });

const messageSchema = namedObject('Message', {
  id: z.string(),
  role: z
    .enum(['system', 'assistant', 'user'])
    .openapi({ description: '`system` is accepted and ignored: the server sets the instructions.' }),
  parts: z.array(partSchema),
  createdAt: z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T00:00:00Z' }).nullish(),
  metadata: metadata.openapi({ description: 'As the response sent it: its `threadId` continues the thread.' }),
});

const defaultMessages: z.input<typeof messageSchema>[] = [
  { id: 'foobar', role: 'user', parts: [{ type: 'text', text: 'How do I get started' }] },
];

/** A text that chat clients add by themselves; a value of another type counts as absent. */
const sentByClient = (description?: string) =>
  z
    .string()
    .max(200)
    .nullish()
    .catch(undefined)
    .openapi({ type: ['string', 'null'], ...(description && { description }) });

export const messageRequestSchema = z
  .object({
    id: sentByClient('ID of the chat, as chat clients send it, for reconnecting to a stream.'),
    trigger: sentByClient(
      'As the transport of the AI SDK sends it: together with `id`, it requests the strict form of the stream.',
    ),
    fp: readerSchema,
    messages: z.array(messageSchema).default(defaultMessages).openapi({
      description: 'The conversation so far; the last message of the user is the question. Only the last 200 messages count.',
    }),
    ...questionFields,
    currentPath: z.string().max(200).nullish().openapi({ description: 'The current page.', example: 'guides/install' }),
  })
  .openapi('MessageRequest', {
    example: { fp: 'anonymous', messages: defaultMessages, retrievalPageSize: defaultPages } as never,
  });

export type MessageRequest = z.output<typeof messageRequestSchema>;

/** Throws `ApiError` 400 `RequestInvalid` as `questionOf` does. */
export function readMessageRequest(body: MessageRequest): Asked {
  const said = body.messages.map(({ role, parts, metadata }): Said => ({
    role,
    text: parts.flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : [])).join('\n'),
    files: parts.flatMap(fileOf),
    threadId: metadata?.threadId,
  }));
  // The transport sends both from major version 5 on; handwritten calls have neither.
  const isFromSdk = typeof body.id === 'string' && typeof body.trigger === 'string';
  return { ...questionOf({ ...body, chatId: body.id ?? undefined }, said), ...(isFromSdk && { isFromSdk }) };
}

type Part = z.output<typeof partSchema>;

function fileOf(part: Part): Said['files'] {
  const file = part.type === 'file' ? parts.file.safeParse(part).data : undefined;
  return file ? [{ url: file.url, mediaType: file.mediaType, name: file.filename ?? undefined }] : [];
}

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

// Version 1: messages have a text, `content`; their parts repeat it and are ignored.
const attachmentSchema = z.object({ name: z.string().nullish(), contentType: z.string().nullish(), url: z.string() });

const version1MessageSchema = namedObject('MessageVersion1', {
  // Clients send it only when they are configured to.
  id: z.string().nullish(),
  role: z.enum(['system', 'assistant', 'data', 'user']),
  content: z.string(),
  annotations: z.array(z.unknown()).nullish(),
  experimental_attachments: z.array(attachmentSchema).nullish(),
});

export const version1RequestSchema = namedObject('MessageRequestVersion1', {
  id: sentByClient(),
  fp: readerSchema,
  messages: z.array(version1MessageSchema).default([{ id: 'foobar', role: 'user', content: 'How do I get started' }]),
  ...questionFields,
  currentPath: z.string().max(200).nullish(),
});

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
