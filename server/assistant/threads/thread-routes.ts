// Conversations over HTTP: readers remove theirs, operators read all of a site.
import { createRoute, z } from '@hono/zod-openapi';
import type { Queryable } from '../../database/database.ts';
import type { Api } from '../../http/api.ts';
import { errorAnswers, jsonAnswer, jsonBody } from '../../http/error-answers.ts';
import {
  askerOf,
  askingPage,
  domainOf,
  pageSecurity,
  siteAdminKey,
  type CallerParts,
  limitsOf,
  type QuestionLimits,
} from '../request/caller.ts';
import { domainParams, readerHeaders, readerSchema } from '../request/message-schemas.ts';
import {
  pageQuery,
  readFeedback,
  readThread,
  readThreads,
  feedbackListSchema,
  threadListSchema,
  transcriptSchema,
} from './read-threads.ts';
import { threadUnknownError, type Threads } from './threads.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Limits } from '../../organizations/limits.ts';
import { ApiError } from '../../platform/errors.ts';

const threadParams = domainParams.extend({ threadId: z.string().openapi({ example: '01JD6Z0000ABCDEFGHJKMNPQRS' }) });

export interface ThreadParts extends CallerParts {
  database: Queryable;
  threads: Pick<Threads, 'find' | 'remove'>;
}

export function addThreadRoutes(api: Api, parts: ThreadParts): void {
  const { database, threads } = parts;
  const admin = { tags: ['Assistant'], security: [{ adminKey: [] }], middleware: siteAdminKey(parts) };

  api.openapi(
    createRoute({
      tags: ['Assistant'],
      security: pageSecurity,
      middleware: askingPage(parts),
      method: 'delete',
      path: '/discovery/v2/assistant/{domain}/thread/{threadId}',
      operationId: 'deleteAssistantThread',
      summary: 'Remove a conversation',
      description:
        'Removes a thread with all its questions, answers and feedback. Requires `X-Thread-Key`, or the API key and `X-Carrel-Fp` that opened it.',
      request: { params: threadParams, headers: readerHeaders },
      responses: { 204: { description: 'Removed.' }, ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { threadId } = context.req.valid('param');
      const headers = context.req.valid('header');
      const asker = askerOf(context, headers['x-carrel-fp']);
      const thread = await threads.find({ ...asker, threadId, threadKey: headers['x-thread-key'] });
      if (!thread) throw threadUnknownError(threadId);
      await threads.remove(thread.id);
      return context.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...admin,
      method: 'get',
      path: '/v1/assistant/{domain}/threads',
      operationId: 'listAssistantThreads',
      summary: 'List conversations',
      description: 'The stored conversations of a site, latest first, each with its first question.',
      request: { params: domainParams, query: pageQuery },
      responses: {
        200: jsonAnswer('The conversations of the site, newest first, without the IDs of readers.', threadListSchema),
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const { organization } = context.get('key');
      const page = { organization, domain: domainOf(context), ...context.req.valid('query') };
      return context.json(await readThreads(database, page), 200);
    },
  );

  api.openapi(
    createRoute({
      ...admin,
      method: 'get',
      path: '/v1/assistant/{domain}/threads/{threadId}',
      operationId: 'getAssistantThread',
      summary: 'Read a conversation',
      description: 'All questions and answers of a conversation, with their sources and ratings.',
      request: { params: threadParams },
      responses: {
        200: jsonAnswer('The questions and answers, oldest first.', transcriptSchema),
        ...errorAnswers(401, 403, 404),
      },
    }),
    async (context) => {
      const { organization } = context.get('key');
      const { threadId } = context.req.valid('param');
      const thread = await readThread(database, { organization, domain: domainOf(context), threadId });
      if (!thread) throw threadUnknownError(threadId);
      return context.json(thread, 200);
    },
  );

  api.openapi(
    createRoute({
      ...admin,
      method: 'get',
      path: '/v1/assistant/{domain}/feedback',
      operationId: 'listAssistantFeedback',
      summary: 'List feedback',
      description: 'The ratings of answers, latest first, each with question and answer.',
      request: {
        params: domainParams,
        query: pageQuery.extend({ rating: z.enum(['up', 'down']).optional().openapi({ description: 'By default both.' }) }),
      },
      responses: {
        200: jsonAnswer('Ratings of answers, newest first.', feedbackListSchema),
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const { organization } = context.get('key');
      const page = { organization, domain: domainOf(context), ...context.req.valid('query') };
      return context.json(await readFeedback(database, page), 200);
    },
  );
}

const feedbackSchema = z
  .object({
    threadId: z.string().max(200),
    messageId: z
      .string()
      .max(200)
      .openapi({ description: 'From the event `start` of the answer.', example: 'msg_0123456789abcdef' }),
    rating: z.enum(['up', 'down']),
    comment: z.string().max(2000).nullish(),
    threadKey: z
      .string()
      .max(200)
      .nullish()
      .openapi({ description: 'Without it, the API key and `fp` must be those of the thread.' }),
    fp: readerSchema.nullish(),
  })
  .openapi('Feedback');

export interface FeedbackParts extends CallerParts {
  limits: Pick<Limits, 'count'>;
  metrics: Pick<Metrics, 'ratings'>;
  options: QuestionLimits;
  threads: Pick<Threads, 'find' | 'rate'>;
}

export function addFeedbackRoutes(api: Api, parts: FeedbackParts): void {
  const { limits, metrics, options, threads } = parts;
  api.openapi(
    createRoute({
      tags: ['Assistant'],
      security: pageSecurity,
      middleware: askingPage(parts),
      method: 'post',
      path: '/discovery/v2/assistant/{domain}/feedback',
      operationId: 'createAssistantFeedback',
      summary: 'Rate an answer',
      description: 'A later rating of the same answer replaces the earlier one.',
      request: { params: domainParams, body: jsonBody(feedbackSchema) },
      responses: { 204: { description: 'The rating is stored.' }, ...errorAnswers(400, 401, 403, 404, 413, 415, 429) },
    }),
    async (context) => {
      const { threadId, messageId, rating, comment, threadKey, fp } = context.req.valid('json');
      const asker = askerOf(context, fp ?? undefined);
      // Ratings have the limits of questions, and counts of their own.
      const asking = limitsOf(options, asker, context.get('address'));
      const counted = await limits.count(asking.map((limit) => ({ ...limit, subject: `feedback ${limit.subject}` })));
      for (const [name, value] of Object.entries(counted)) context.header(name, value);
      const thread = await threads.find({ ...asker, threadId, threadKey: threadKey ?? undefined });
      if (!thread) throw threadUnknownError(threadId);
      const isOurs = /^msg_[0-9a-f]{16}$/.test(messageId);
      if (isOurs && (await threads.rate(thread.id, messageId, { rating, comment: comment ?? undefined }))) {
        metrics.ratings.inc({ rating });
        return context.body(null, 204);
      }
      throw new ApiError(
        'AnswerUnknown',
        `The thread has no answer "${messageId.slice(0, 60)}". Send the messageId from the answer's event "start".`,
      );
    },
  );
}
