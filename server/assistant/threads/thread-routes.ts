// Conversations over HTTP: readers remove theirs, operators read all of a site.
import { z } from '@hono/zod-openapi';
import type { Queryable } from '../../database/database.ts';
import { jsonAnswer, jsonBody, namedObject } from '../../http/error-answers.ts';
import { askingPage, pageSecurity, siteAdminKey, type SiteAccessParts, domainParams } from '../../sites/site-access.ts';
import { askerOf, limitsOf, type QuestionLimits } from '../request/asker.ts';
import { readerHeaders, readerSchema } from '../request/message-schemas.ts';
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
import { countRequest, type Limits } from '../../organizations/limits.ts';
import { ApiError } from '../../platform/errors.ts';
import { routesOf } from '../../http/route.ts';

const threadParams = domainParams.extend({ threadId: z.string().openapi({ example: '01JD6Z0000ABCDEFGHJKMNPQRS' }) });

interface ThreadParts extends SiteAccessParts {
  database: Queryable;
  threads: Pick<Threads, 'find' | 'remove'>;
}

const route = routesOf<ThreadParts>({ tags: ['Assistant'], security: pageSecurity, middleware: askingPage });
const adminRoute = routesOf<ThreadParts>({ tags: ['Assistant'], security: [{ adminKey: [] }], middleware: siteAdminKey });

const deleteAssistantThread = route('delete /discovery/v2/assistant/{domain}/thread/{threadId}', {
  summary: 'Remove a conversation',
  description:
    'Removes a thread with all its questions, answers and feedback. Requires `X-Thread-Key`, or the API key and `X-Carrel-Fp` that opened it.',
  params: threadParams,
  headers: readerHeaders,
  answers: { 204: { description: 'Removed.' } },
  errors: [400, 401, 403, 404],
  async handle({ parts: { threads }, context, params: { threadId }, headers }) {
    const asker = askerOf(context, headers['x-carrel-fp']);
    const thread = await threads.find({ ...asker, threadId, threadKey: headers['x-thread-key'] });
    if (!thread) throw threadUnknownError(threadId);
    await threads.remove(thread.id);
  },
});

const listAssistantThreads = adminRoute('get /v1/assistant/{domain}/threads', {
  summary: 'List conversations',
  description: 'The stored conversations of a site, latest first, each with its first question.',
  params: domainParams,
  query: pageQuery,
  answers: { 200: jsonAnswer('The conversations of the site, newest first, without the IDs of readers.', threadListSchema) },
  errors: [400, 401, 403, 404],
  handle: ({ parts, context, params, query }) =>
    readThreads(parts.database, { organization: context.get('key').organization, ...params, ...query }),
});

const getAssistantThread = adminRoute('get /v1/assistant/{domain}/threads/{threadId}', {
  summary: 'Read a conversation',
  description: 'All questions and answers of a conversation, with their sources and ratings.',
  params: threadParams,
  answers: { 200: jsonAnswer('The questions and answers, oldest first.', transcriptSchema) },
  errors: [401, 403, 404],
  async handle({ parts, context, params }) {
    const { organization } = context.get('key');
    const thread = await readThread(parts.database, { organization, ...params });
    if (!thread) throw threadUnknownError(params.threadId);
    return thread;
  },
});

const listAssistantFeedback = adminRoute('get /v1/assistant/{domain}/feedback', {
  summary: 'List feedback',
  description: 'The ratings of answers, latest first, each with question and answer.',
  params: domainParams,
  query: pageQuery.extend({ rating: z.enum(['up', 'down']).optional().openapi({ description: 'By default both.' }) }),
  answers: { 200: jsonAnswer('Ratings of answers, newest first.', feedbackListSchema) },
  errors: [400, 401, 403, 404],
  handle: ({ parts, context, params, query }) =>
    readFeedback(parts.database, { organization: context.get('key').organization, ...params, ...query }),
});

export const threadRoutes = { deleteAssistantThread, listAssistantThreads, getAssistantThread, listAssistantFeedback };

const feedbackSchema = namedObject('Feedback', {
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
});

export interface FeedbackParts extends SiteAccessParts {
  limits: Pick<Limits, 'count'>;
  metrics: Pick<Metrics, 'ratings'>;
  options: QuestionLimits;
  threads: Pick<Threads, 'find' | 'rate'>;
}

const feedbackRoute = routesOf<FeedbackParts>({ tags: ['Assistant'], security: pageSecurity, middleware: askingPage });

export const createAssistantFeedback = feedbackRoute('post /discovery/v2/assistant/{domain}/feedback', {
  summary: 'Rate an answer',
  description: 'A later rating of the same answer replaces the earlier one.',
  params: domainParams,
  body: jsonBody(feedbackSchema),
  answers: { 204: { description: 'The rating is stored.' } },
  errors: [400, 401, 403, 404, 413, 415, 429],
  async handle({ parts, context, body: { threadId, messageId, rating, comment, threadKey, fp } }) {
    const { limits, metrics, options, threads } = parts;
    const asker = askerOf(context, fp ?? undefined);
    // Ratings have the limits of questions, and counts of their own.
    const asking = limitsOf(options, asker, context.get('address'));
    await countRequest(
      context,
      limits,
      asking.map((limit) => ({ ...limit, subject: `feedback ${limit.subject}` })),
    );
    const thread = await threads.find({ ...asker, threadId, threadKey: threadKey ?? undefined });
    if (!thread) throw threadUnknownError(threadId);
    const isOurs = /^msg_[0-9a-f]{16}$/.test(messageId);
    if (!isOurs || !(await threads.rate(thread.id, messageId, { rating, comment: comment ?? undefined })))
      throw new ApiError(
        'AnswerUnknown',
        `The thread has no answer "${messageId.slice(0, 60)}". Send the messageId from the answer's event "start".`,
      );
    metrics.ratings.inc({ rating });
  },
});
