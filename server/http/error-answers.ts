// The one shape of errors, as schema and as answers.
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ApiEnvironment } from './api.ts';
import { DatabaseUnavailable } from '../database/unavailable.ts';
import { ApiError, errorCodes, newRequestId, type ErrorBody, type ErrorStatus } from '../platform/errors.ts';
import type { Refuse } from './listen.ts';
import type { Logger } from '../platform/log.ts';

export const errorSchema = z
  .object({
    error: z
      .string()
      .openapi({ description: 'What happened and what to do.', example: 'There is no job "se_0123456789abcdef".' }),
    code: z
      .enum(errorCodes)
      .openapi({ description: 'Permanent name of the fault. New ones may be added.', example: 'JobUnknown' }),
    requestId: z.string().openapi({ description: 'Names the request in the log.', example: 'req_0123456789abcdef' }),
  })
  .openapi('Error');

const meanings: Record<ErrorStatus, string> = {
  400: 'The request is not valid.',
  401: 'There is no key, or it is unknown, revoked or expired.',
  403: 'The key, its address or the plan does not allow this.',
  404: 'There is no such thing, or it is of another organization.',
  405: 'The address does not answer this method; `Allow` names those that it answers.',
  408: 'The request did not arrive in time.',
  409: 'The state of things does not allow this now.',
  410: 'It was there, and was removed.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  417: 'The server does not know what `Expect` asks for.',
  429: 'Too many requests; `Retry-After` says when to come again.',
  431: 'The headers are too large.',
  500: 'Something broke; the log tells more under the request id.',
  503: 'A part is away for now; `Retry-After` says when to come again.',
};

/** The `responses` of a route for error statuses. Every route may answer 500 and 503. */
export function errorAnswers(...statuses: ErrorStatus[]) {
  return Object.fromEntries(
    [...new Set<ErrorStatus>([...statuses, 500, 503])].map((status) => [
      status,
      { description: meanings[status], content: { 'application/json': { schema: errorSchema } } },
    ]),
  ) as Record<ErrorStatus, { description: string; content: { 'application/json': { schema: typeof errorSchema } } }>;
}

/** The answer to an error; `example` is a body that the route takes. An unexpected error is a 500 that reveals no internals. */
export function refusal(error: unknown, example = '{}'): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailable)
    return new ApiError(503, 'DatabaseUnavailable', error.message, { cause: error, headers: { 'retry-after': '5' } });
  if (error instanceof HTTPException && error.status === 400)
    return new ApiError(400, 'BodyInvalid', `The body is not JSON. Send a JSON object, such as ${example}.`, { cause: error });
  if (error instanceof HTTPException && error.status === 415)
    return new ApiError(415, 'BodyNotJson', 'The body is not JSON. Send JSON, with "content-type: application/json".', {
      cause: error,
    });
  return new ApiError(500, 'InternalError', 'Something went wrong here. Try again; the log tells more under the request id.', {
    cause: error,
  });
}

export function errorAnswer(context: Context<ApiEnvironment>, { status, code, message, headers }: ApiError): Response {
  const body: ErrorBody = { error: message, code, requestId: context.get('requestId') };
  // Answers about pages are published with the text in `message`.
  const isAboutPage = context.req.path.startsWith('/discovery/v1/page/');
  return context.json(isAboutPage ? { message, ...body } : body, status, headers);
}

/** Writes the one shape for requests that no route sees, each with an id and a line in the log. */
export function refuseAsJson(log: Logger): Refuse {
  return (fault) => {
    const { status, code, message, headers } = fault;
    const requestId = newRequestId();
    log[status === 500 ? 'error' : 'info'](
      { status, code, requestId, err: fault.cause },
      'a request was refused before any route',
    );
    const body: ErrorBody = { error: message, code, requestId };
    return {
      headers: {
        ...headers,
        'content-type': 'application/json',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': requestId,
      },
      body: JSON.stringify(body),
    };
  };
}
