// Conversations as operators get them.
import { z } from '@hono/zod-openapi';
import { endReasons } from '../model/model-outcome.ts';

const cursor = z.string().optional().openapi({ description: 'As `cursor`, asks for the next page; absent on the last.' });
const threadId = z.string().openapi({ example: '01JD6Z0000ABCDEFGHJKMNPQRS' });
const messageId = z.string().openapi({ example: 'msg_0123456789abcdef' });
const rating = z.enum(['up', 'down']);

const threadSchema = z.object({
  threadId,
  question: z.string().openapi({ description: 'Its first one, at most 200 characters.' }),
  answers: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export const threadListSchema = z.object({ threads: z.array(threadSchema), cursor }).openapi('Threads');

const sourceSchema = z.looseObject({ number: z.int(), id: z.string(), url: z.string(), title: z.string() });

const answerSchema = z.object({
  messageId,
  question: z.string(),
  answer: z.string(),
  sources: z.array(sourceSchema),
  ended: z
    .enum([...endReasons, 'left'])
    .nullable()
    .openapi({
      description: '`left`: the reader did not wait for the end. Null while it runs, and when the server stopped before the end.',
    }),
  writtenBy: z.enum(['model', 'quotes']).nullable(),
  askedAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  rating: rating.nullable(),
  comment: z.string().nullable(),
});

export const transcriptSchema = z
  .object({ threadId, createdAt: z.iso.datetime(), updatedAt: z.iso.datetime(), messages: z.array(answerSchema) })
  .openapi('Thread');

export const feedbackListSchema = z
  .object({
    feedback: z.array(
      z.object({
        messageId,
        threadId,
        rating,
        comment: z.string().nullable(),
        question: z.string(),
        answer: z.string(),
        givenAt: z.iso.datetime(),
      }),
    ),
    cursor,
  })
  .openapi('FeedbackList');

export type ThreadList = z.infer<typeof threadListSchema>;
export type Transcript = z.infer<typeof transcriptSchema>;
export type FeedbackList = z.infer<typeof feedbackListSchema>;
