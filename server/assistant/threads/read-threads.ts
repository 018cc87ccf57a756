// Conversations for operators, in pages. A cursor names the last row of a page, so rows that are added in between move nothing.
import { z } from '@hono/zod-openapi';
import { namedObject } from '../../http/error-answers.ts';
import type { Queryable } from '../../database/database.ts';
import { pageOf, readCursor } from '../../database/paging.ts';
import { isUlid, ulidPattern } from '../../platform/ulid.ts';
import { endReasons } from '../model/model-outcome.ts';

export const pageQuery = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

interface Page {
  organization: string;
  domain: string;
  cursor?: string;
  limit: number;
}

/** Throws `ApiError` 400 `CursorInvalid`. */
export async function readThreads(database: Queryable, { organization, domain, cursor, limit }: Page) {
  const [after] = cursor === undefined ? [] : readCursor(cursor, ulidPattern);
  const rows = await database.query<Dated<z.infer<typeof threadSchema>>>(
    `select t.id as "threadId", t.created_at as "createdAt", t.updated_at as "updatedAt",
       (select count(*)::integer from carrel.answers where thread = t.id) as answers,
       coalesce((select left(question, 200) from carrel.answers where thread = t.id order by asked_at, id limit 1), '') as question
     from carrel.threads t
     where organization = $1 and domain = $2 and ($3::text is null or t.id < $3)
     order by t.id desc limit $4`,
    [organization, domain, after ?? null, limit + 1],
  );
  const { page: threads, ...next } = pageOf(rows, limit, ({ threadId }) => threadId);
  return { threads, ...next };
}

export async function readThread(
  database: Queryable,
  { organization, domain, threadId }: { organization: string; domain: string; threadId: string },
) {
  if (!isUlid(threadId)) return undefined;
  const [thread] = await database.query<Dated<Omit<z.infer<typeof transcriptSchema>, 'messages'>>>(
    `select id as "threadId", created_at as "createdAt", updated_at as "updatedAt" from carrel.threads
     where id = $1 and organization = $2 and domain = $3`,
    [threadId, organization, domain],
  );
  if (!thread) return undefined;
  const messages = await database.query<Dated<z.infer<typeof answerSchema>>>(
    `select a.id as "messageId", a.question, a.answer, a.sources, a.ended, a.written_by as "writtenBy",
       a.asked_at as "askedAt", a.answered_at as "answeredAt", f.rating, f.comment
     from carrel.answers a left join carrel.feedback f on f.answer = a.id
     where a.thread = $1 order by a.asked_at, a.id`,
    [threadId],
  );
  return { ...thread, messages };
}

/** Throws `ApiError` 400 `CursorInvalid`. */
export async function readFeedback(
  database: Queryable,
  { organization, domain, cursor, limit, rating }: Page & { rating?: 'up' | 'down' },
) {
  const [at, id] = cursor === undefined ? [] : readCursor(cursor, /^(\d{1,13}) (msg_[0-9a-f]{16})$/);
  const rows = await database.query<Dated<z.infer<typeof ratedSchema>>>(
    `select f.answer as "messageId", t.id as "threadId", f.rating, f.comment, a.question, a.answer, f.given_at as "givenAt"
     from carrel.feedback f join carrel.answers a on a.id = f.answer join carrel.threads t on t.id = a.thread
     where t.organization = $1 and t.domain = $2 and ($3::text is null or f.rating = $3)
       and ($4::timestamptz is null or (f.given_at, f.answer) < ($4, $5::text))
     order by f.given_at desc, f.answer desc limit $6`,
    [organization, domain, rating ?? null, at === undefined ? null : new Date(Number(at)), id ?? null, limit + 1],
  );
  const { page: feedback, ...next } = pageOf(rows, limit, ({ givenAt, messageId }) => `${givenAt.getTime()} ${messageId}`);
  return { feedback, ...next };
}

/** A row of the database: its times are dates, which become text in JSON. */
type Dated<Row> = { [Key in keyof Row]: Key extends `${string}At` ? Date | Extract<Row[Key], null> : Row[Key] };

const cursor = z
  .string()
  .optional()
  .openapi({ description: 'Returns the next page when sent as `cursor`; absent on the last page.' });
const threadId = z.string().openapi({ example: '01JD6Z0000ABCDEFGHJKMNPQRS' });
const messageId = z.string().openapi({ example: 'msg_0123456789abcdef' });
const rating = z.enum(['up', 'down']);

const threadSchema = z.object({
  threadId,
  question: z.string().openapi({ description: 'The first question, at most 200 characters.' }),
  answers: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

export const threadListSchema = namedObject('Threads', { threads: z.array(threadSchema), cursor });

const sourceSchema = namedObject('Source', {
  number: z.int().openapi({ description: 'What `[1]` in the answer refers to.' }),
  id: z.string().openapi({ example: 'guides/install#npm' }),
  url: z.string(),
  title: z.string(),
  headings: z.array(z.string()),
  excerpt: z.string(),
  score: z.number().optional(),
});

const answerSchema = z.object({
  messageId,
  question: z.string(),
  answer: z.string(),
  sources: z.array(sourceSchema),
  ended: z
    .enum([...endReasons, 'left'])
    .nullable()
    .openapi({
      description:
        '`left`: the reader left before the end. Null while the answer runs, and if the server stopped before the end.',
    }),
  writtenBy: z.enum(['model', 'quotes']).nullable(),
  askedAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  rating: rating.nullable(),
  comment: z.string().nullable(),
});

export const transcriptSchema = namedObject('Thread', {
  threadId,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
  messages: z.array(answerSchema),
});

const ratedSchema = z.object({
  messageId,
  threadId,
  rating,
  comment: z.string().nullable(),
  question: z.string(),
  answer: z.string(),
  givenAt: z.iso.datetime(),
});

export const feedbackListSchema = namedObject('FeedbackList', { feedback: z.array(ratedSchema), cursor });
