// What a reader thinks of an answer.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../../http/api.ts';
import { errorAnswers } from '../../http/error-answers.ts';
import type { Limits } from '../../organizations/limits.ts';
import { ApiError } from '../../platform/errors.ts';
import { askerOf, limitsOf, type QuestionLimits } from '../request/asker.ts';
import { assistantKey, type CallerParts } from '../request/caller.ts';
import { readerSchema } from '../request/message-fields.ts';
import { domainParams } from '../request/message-schemas.ts';
import { threadUnknown, type Threads } from './threads.ts';

const feedbackSchema = z
  .object({
    threadId: z.string().max(200),
    messageId: z.string().max(200).openapi({ description: 'As `start` gave it.', example: 'msg_0123456789abcdef' }),
    rating: z.enum(['up', 'down']),
    comment: z.string().max(2000).nullish(),
    threadKey: z
      .string()
      .max(200)
      .nullish()
      .openapi({ description: 'Without it, API key and `fp` must be those of the thread.' }),
    fp: readerSchema.nullish(),
  })
  .openapi('Feedback');

export interface FeedbackParts extends CallerParts {
  limits: Pick<Limits, 'count'>;
  options: QuestionLimits;
  threads: Pick<Threads, 'find' | 'rate'>;
}

export function addFeedbackRoutes(api: Api, parts: FeedbackParts): void {
  const { limits, options, threads } = parts;
  api.openapi(
    createRoute({
      tags: ['Assistant'],
      security: [{ assistantKey: [] }],
      middleware: assistantKey(parts),
      method: 'post',
      path: '/discovery/v2/assistant/{domain}/feedback',
      operationId: 'createAssistantFeedback',
      summary: 'Rate an answer',
      description: 'A later rating of the same answer takes the place of the earlier one.',
      request: {
        params: domainParams,
        body: { required: true, content: { 'application/json': { schema: feedbackSchema } } },
      },
      responses: { 204: { description: 'It is noted.' }, ...errorAnswers(400, 401, 403, 404, 413, 415, 429) },
    }),
    async (context) => {
      const { threadId, messageId, rating, comment, threadKey, fp } = context.req.valid('json');
      const asker = askerOf(context, fp ?? undefined);
      // Ratings have the limits of questions, and counts of their own.
      const asking = limitsOf(options, asker, context.get('address'));
      const counted = await limits.count(asking.map((limit) => ({ ...limit, subject: `feedback ${limit.subject}` })));
      for (const [name, value] of Object.entries(counted)) context.header(name, value);
      const thread = await threads.find({ ...asker, threadId, threadKey: threadKey ?? undefined });
      if (!thread) throw threadUnknown(threadId);
      const isOurs = /^msg_[0-9a-f]{16}$/.test(messageId);
      if (isOurs && (await threads.rate(thread.id, messageId, { rating, comment: comment ?? undefined })))
        return context.body(null, 204);
      throw new ApiError(
        404,
        'AnswerUnknown',
        `The thread has no answer "${messageId.slice(0, 60)}". Send the messageId that the answer's event "start" gave.`,
      );
    },
  );
}
