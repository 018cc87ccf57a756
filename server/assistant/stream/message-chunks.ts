// The chunks of an answer as the UI message stream: what is sent, and its description.
import { z } from '@hono/zod-openapi';
import { eventStream } from '../../http/event-stream.ts';
import { answerReasons } from '../answer/answer-event.ts';
import { endReasons } from '../model/model-outcome.ts';

const chunk = <Type extends string, Shape extends z.ZodRawShape>(type: Type, description: string, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape }).openapi({ title: type, description });

const threadId = z.string().openapi({ example: '01JD6Z0000ABCDEFGHJKMNPQRS' });
const textId = z.string().openapi({ description: 'ID of the text.', example: 'text' });
const finishReason = z.enum(endReasons);

const sourceMetadata = z.object({
  number: z.int().openapi({ description: 'What `[1]` in the text refers to.' }),
  id: z.string().openapi({ description: 'The cited section.', example: 'guides/install#npm' }),
  headings: z.array(z.string()).openapi({ description: 'Headings from the first level down to that of the section.' }),
  excerpt: z.string().openapi({ description: 'At most 300 characters.' }),
  score: z.number().optional().openapi({ description: '0 to 1; absent for a page that the model chose to read.' }),
});

const answerMetadata = z.object({
  threadId,
  finishReason,
  carrel: z.object({
    answer: z.enum(['model', 'quotes']).optional().openapi({ description: 'What wrote the answer; absent if nothing did.' }),
    answered: z
      .literal(false)
      .optional()
      .openapi({ description: 'The docs do not answer the question: the text at most names the closest pages.' }),
    reason: z
      .union([z.enum(answerReasons), z.enum(['AnswerFailed', 'ServerStopping'])])
      .optional()
      .openapi({ description: 'Why the docs were quoted, why the first model did not answer, or why the answer failed.' }),
  }),
});

/** The chunks of a stream in their order, each with its keys in the order in which they are sent. */
export const messageChunks = [
  chunk('start', 'The first chunk.', {
    messageId: z.string().openapi({ example: 'msg_0123456789abcdef' }),
    messageMetadata: z.object({ threadId }),
  }),
  chunk('data-thread', 'The thread of the answer.', { data: z.object({ threadId }), transient: z.literal(true) }),
  chunk('start-step', 'Comes before the text.', {}),
  chunk('data-reading', 'Comes before the first word of a model.', {
    data: z.object({ passages: z.int().openapi({ description: 'How many passages of the docs the model reads.', example: 9 }) }),
    transient: z.literal(true),
  }),
  chunk('text-start', 'Comes before the first piece of the text.', { id: textId }),
  chunk('text-delta', 'A piece of the text.', { id: textId, delta: z.string().openapi({ example: 'Run npm install.' }) }),
  chunk('source-url', 'A cited page, before the text that cites it first.', {
    sourceId: z.string().openapi({ example: 's1' }),
    url: z.string().openapi({ example: '/guides/install#npm' }),
    title: z.string().optional(),
    providerMetadata: z.object({ carrel: sourceMetadata }),
  }),
  chunk('text-end', 'The text is complete.', { id: textId }),
  chunk('error', 'The answer failed.', { errorText: z.string().openapi({ description: 'A message for the reader.' }) }),
  chunk('finish-step', 'Comes before the last chunk.', {}),
  chunk('finish', 'The last chunk.', {
    messageMetadata: answerMetadata,
    finishReason: finishReason.optional().openapi({ description: 'Absent if the stream is strict.' }),
    threadId: threadId.optional().openapi({ description: 'Absent if the stream is strict.' }),
  }),
] as const;

export const messageChunkSchema = z.discriminatedUnion('type', messageChunks);

export const streamAnswer = eventStream({
  data: 'MessageChunk',
  description:
    'Server-sent events. Each `data:` contains one chunk as JSON, in the order below, and the last one `[DONE]`. Lines that begin with a colon are comments.',
  example: 'data: {"type":"text-delta","id":"text","delta":"Run npm install."}\n\n',
}).openapi('MessageStream');
