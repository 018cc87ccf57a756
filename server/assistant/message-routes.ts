// Questions over HTTP, for chat clients of every version, and reading an answer again after a lost connection.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler, TypedResponse } from 'hono';
import type { Api, ApiEnvironment } from '../http/api.ts';
import { errorAnswers, jsonBody } from '../http/error-answers.ts';
import type { ServerOptions } from '../platform/options.ts';
import { createAnswerService, type AnswerForm, type AnswerServiceParts } from './answer-service.ts';
import { askingPage, domainOf, pageSecurity, siteAdminKey, siteWithoutExportError, type CallerParts } from './request/caller.ts';
import { domainParams, explanationSchema, readerHeaders, streamLines, threadHeaders } from './request/message-schemas.ts';
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

const messagePath = '/discovery/v2/assistant/{domain}/message';

export type MessageParts = CallerParts & AnswerServiceParts & { options: Pick<ServerOptions, 'finishThread'> };

export function addMessageRoutes(api: Api, parts: MessageParts): void {
  const { assistant, options } = parts;
  const answers = createAnswerService(parts);
  api.openAPIRegistry.register('MessageChunk', messageChunkSchema);
  const common = { tags: ['Assistant'], security: pageSecurity, middleware: askingPage(parts) };

  api.openapi(
    createRoute({
      ...common,
      middleware: askerOrAdmin(parts),
      // The admin key is for `explain`.
      security: [...pageSecurity, { adminKey: [] }],
      method: 'post',
      path: messagePath,
      operationId: 'createAssistantMessageV2',
      summary: 'Ask about a site',
      description:
        'Streams the answer for chat clients of the major versions 5 to 7. With `?explain=1` and an admin key with the scope `read`, it is JSON instead: the retrieved sections, and the prompt for the model.',
      request: {
        params: domainParams,
        query: z.object({ explain: z.enum(['0', '1']).optional() }),
        body: jsonBody(messageRequestSchema),
      },
      responses: {
        200: {
          description: 'The answer, as server-sent events.',
          headers: threadHeaders,
          content: { 'text/event-stream': { schema: streamAnswer }, 'application/json': { schema: explanationSchema } },
        },
        ...errorAnswers(400, 401, 403, 404, 413, 415, 429),
      },
    }),
    async (context) => {
      const asked = readMessageRequest(context.req.valid('json'));
      if (context.req.valid('query').explain === '1') {
        const domain = domainOf(context);
        const explanation = await assistant.explain(domain, asked.question);
        if (!explanation) throw siteWithoutExportError(domain);
        return context.json(explanation, 200);
      }
      return answers.ask(context, asked, version2(options, context, asked.isFromSdk));
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      path: `${messagePath}/{chatId}/stream`,
      operationId: 'resumeAssistantMessageV2',
      summary: 'Reconnect to a running answer',
      description:
        'Streams the answer from its beginning, by the ID of the chat, for the reader who asked: with the same key, and `X-Thread-Key` or the same `X-Carrel-Fp` unless that is `anonymous`. An answer is available while it runs and has a reader, and for half a minute after its end, from the server process that generates it.',
      request: { params: domainParams.extend({ chatId: z.string() }), headers: readerHeaders },
      responses: {
        200: { description: 'The answer from its beginning.', content: { 'text/event-stream': { schema: streamAnswer } } },
        204: { description: 'The answer does not exist.' },
        ...errorAnswers(400, 401, 403, 404, 429),
      },
    }),
    (context) => {
      const { chatId } = context.req.valid('param');
      const headers = context.req.valid('header');
      const again = answers.resume(
        context,
        { chatId, fp: headers['x-carrel-fp'], threadKey: headers['x-thread-key'] },
        (isFromSdk) => version2(options, context, isFromSdk),
      );
      return again ?? context.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      path: '/discovery/v1/assistant/{domain}/message',
      operationId: 'createAssistantMessageV1',
      summary: 'Ask about a site with a client of version 4',
      description: 'Like version 2, but as a data stream with lines of `CODE:JSON`.',
      deprecated: true,
      request: { params: domainParams, body: jsonBody(version1RequestSchema) },
      responses: {
        200: { description: 'The answer.', headers: threadHeaders, content: { 'text/plain': { schema: streamLines } } },
        ...errorAnswers(400, 401, 403, 404, 413, 415, 429),
      },
    }),
    async (context) => {
      const answer = await answers.ask(context, readVersion1Request(context.req.valid('json')), version1);
      return answer as Response as Response & TypedResponse<string, 200, 'text'>;
    },
  );
}

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
function askerOrAdmin(parts: CallerParts): MiddlewareHandler<ApiEnvironment> {
  const asker = askingPage(parts);
  const admin = siteAdminKey(parts);
  return (context, next) => (context.req.query('explain') === '1' ? admin : asker)(context, next);
}
