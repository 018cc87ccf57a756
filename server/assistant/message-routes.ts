// Questions over HTTP, for chat clients of every version, and reading an answer again after a lost connection.
import { z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { Api, ApiEnvironment } from '../http/api.ts';
import { jsonBody } from '../http/error-answers.ts';
import type { ServerOptions } from '../platform/options.ts';
import { createAnswerService, type AnswerForm, type AnswerService, type AnswerServiceParts } from './answer-service.ts';
import {
  askingPage,
  pageSecurity,
  siteAdminKey,
  siteWithoutExportError,
  type SiteAccessParts,
  domainParams,
} from '../sites/site-access.ts';
import { explanationSchema, readerHeaders, streamLines, threadHeaders } from './request/message-schemas.ts';
import {
  messageRequestSchema,
  readMessageRequest,
  readVersion1Request,
  version1RequestSchema,
} from './request/message-request.ts';
import { messageChunkSchema, streamAnswer } from './stream/message-chunks.ts';
import {
  formFor,
  messageStream,
  streamHeaders,
  streamHeartbeat,
  lineHeaders,
  lineHeartbeat,
  lineStream,
} from './stream/message-stream.ts';
import { addRoutes, routesOf } from '../http/route.ts';

export type MessageParts = SiteAccessParts & AnswerServiceParts & { options: Pick<ServerOptions, 'finishThread'> };

type Parts = Omit<MessageParts, 'answers'> & { answers: AnswerService };

const route = routesOf<Parts>({ tags: ['Assistant'], security: pageSecurity, middleware: askingPage });

export function addMessageRoutes(api: Api, parts: MessageParts): void {
  api.openAPIRegistry.register('MessageChunk', messageChunkSchema);
  addRoutes(
    api,
    { ...parts, answers: createAnswerService(parts) },
    { createAssistantMessageV2, resumeAssistantMessageV2, createAssistantMessageV1 },
  );
}

const createAssistantMessageV2 = route('post /discovery/v2/assistant/{domain}/message', {
  summary: 'Ask about a site',
  description:
    'Streams the answer for chat clients of the major versions 5 to 7. With `?explain=1` and an admin key with the scope `read`, it is JSON instead: the retrieved sections, and the prompt for the model.',
  middleware: askerOrAdmin,
  // The admin key is for `explain`.
  security: [...pageSecurity, { adminKey: [] }],
  params: domainParams,
  query: z.object({ explain: z.enum(['0', '1']).optional() }),
  body: jsonBody(messageRequestSchema),
  answers: {
    200: {
      description: 'The answer, as server-sent events.',
      headers: threadHeaders,
      content: { 'text/event-stream': { schema: streamAnswer }, 'application/json': { schema: explanationSchema } },
    },
  },
  errors: [400, 401, 403, 404, 413, 415, 429],
  async handle({ parts: { assistant, answers, options }, context, params: { domain }, query, body }) {
    const asked = readMessageRequest(body);
    if (query.explain === '1') {
      const explanation = await assistant.explain(domain, asked.question);
      if (!explanation) throw siteWithoutExportError(domain);
      return explanation;
    }
    return answers.ask(context, asked, version2(options, context, asked.isFromSdk));
  },
});

const resumeAssistantMessageV2 = route('get /discovery/v2/assistant/{domain}/message/{chatId}/stream', {
  summary: 'Reconnect to a running answer',
  description:
    'Streams the answer from its beginning, by the ID of the chat, for the reader who asked: with the same key, and `X-Thread-Key` or the same `X-Carrel-Fp` unless that is `anonymous`. An answer is available while it runs and has a reader, and for half a minute after its end, from the server process that generates it.',
  params: domainParams.extend({ chatId: z.string() }),
  headers: readerHeaders,
  answers: {
    200: { description: 'The answer from its beginning.', content: { 'text/event-stream': { schema: streamAnswer } } },
    204: { description: 'The answer does not exist.' },
  },
  errors: [400, 401, 403, 404, 429],
  handle({ parts: { answers, options }, context, params: { chatId }, headers }) {
    return answers.resume(context, { chatId, fp: headers['x-carrel-fp'], threadKey: headers['x-thread-key'] }, (isFromSdk) =>
      version2(options, context, isFromSdk),
    );
  },
});

const createAssistantMessageV1 = route('post /discovery/v1/assistant/{domain}/message', {
  summary: 'Ask about a site with a client of version 4',
  description: 'Like version 2, but as a data stream with lines of `CODE:JSON`.',
  deprecated: true,
  params: domainParams,
  body: jsonBody(version1RequestSchema),
  answers: { 200: { description: 'The answer.', headers: threadHeaders, content: { 'text/plain': { schema: streamLines } } } },
  errors: [400, 401, 403, 404, 413, 415, 429],
  handle: ({ parts, context, body }) => parts.answers.ask(context, readVersion1Request(body), version1),
});

const version1: AnswerForm = {
  headers: lineHeaders,
  heartbeat: lineHeartbeat,
  write: lineStream,
};

function version2(
  { finishThread }: Pick<ServerOptions, 'finishThread'>,
  context: Context<ApiEnvironment>,
  isFromSdk = false,
): AnswerForm {
  const form = formFor(finishThread, { headers: context.req.raw.headers, isFromSdk });
  return {
    headers: streamHeaders,
    heartbeat: streamHeartbeat,
    write: (events, ids) => messageStream(events, { ...ids, form }),
  };
}

/** Explanations are for operators. */
function askerOrAdmin(parts: SiteAccessParts): MiddlewareHandler<ApiEnvironment> {
  const asker = askingPage(parts);
  const admin = siteAdminKey(parts);
  return (context, next) => (context.req.query('explain') === '1' ? admin : asker)(context, next);
}
