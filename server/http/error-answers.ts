// JSON in the description of routes, and the one shape of errors: as a schema and as responses.
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ApiEnvironment } from './api.ts';
import { DatabaseUnavailable } from '../database/unavailable.ts';
import errorCodes from '../platform/error-codes.json' with { type: 'json' };
import { ApiError, newRequestId, type ErrorBody, type ErrorStatus } from '../platform/errors.ts';
import type { Refuse } from './listen.ts';
import type { Logger } from '../platform/log.ts';

/** The schema of an object that has this name in the API's description. */
export function namedObject<Shape extends z.ZodRawShape>(name: string, shape: Shape): z.ZodObject<Shape, z.core.$strip> {
  return z.object(shape).openapi(name);
}

/** The same for a body, in which an unknown field is a fault. */
export function namedStrictObject<Shape extends z.ZodRawShape>(name: string, shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape).openapi(name);
}

/** One of a route's `responses`. */
export function jsonAnswer<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

/** The `body` of a route's `request`. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

export const errorSchema = namedObject('Error', {
  error: z.string().openapi({ description: 'What happened and what to do.', example: 'There is no job "se_0123456789abcdef".' }),
  code: z
    .enum(Object.keys(errorCodes))
    .openapi({ description: 'Permanent name of the error. New ones may be added.', example: 'JobUnknown' }),
  requestId: z.string().openapi({ description: 'Identifies the request in the log.', example: 'req_0123456789abcdef' }),
  fields: z
    .array(z.object({ path: z.string().openapi({ example: 'source.url' }), message: z.string() }))
    .optional()
    .openapi({
      description:
        'The fields of the body, or the parts of the path, that are not valid, each with the reason, to be read after its name.',
    }),
});

export const statusMeanings: Record<ErrorStatus, string> = {
  400: 'The request is not valid.',
  401: 'The key is missing, unknown, revoked or expired.',
  403: 'The key, the IP address or the plan does not allow this.',
  404: 'It does not exist, or belongs to another organization.',
  405: 'The path does not support this method; `Allow` lists the methods that it supports.',
  408: 'The request did not arrive in time.',
  409: 'It conflicts with the current state.',
  410: 'It was removed.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  417: 'The server does not support the value of `Expect`.',
  429: 'Too many requests; `Retry-After` says when to try again.',
  431: 'The headers are too large.',
  500: 'An unexpected error; the log has details under the request ID.',
  502: 'The API that the request is for does not answer correctly.',
  503: 'A part of the server is unavailable; `Retry-After` says when to try again.',
};

/** The `responses` of a route for error statuses. Every route may answer 500 and 503. */
export function errorAnswers(...statuses: ErrorStatus[]) {
  return Object.fromEntries(
    [...new Set<ErrorStatus>([...statuses, 500, 503])].map((status) => [status, jsonAnswer(statusMeanings[status], errorSchema)]),
  ) as Record<ErrorStatus, ReturnType<typeof jsonAnswer<typeof errorSchema>>>;
}

/** The answer to an error; `example` is a body that the route takes. An unexpected error is a 500 that reveals no internals. */
export function refusal(error: unknown, example = '{}'): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnavailable)
    return new ApiError('DatabaseUnavailable', error.message, { cause: error, headers: { 'retry-after': '5' } });
  if (error instanceof HTTPException && error.status === 400)
    return new ApiError('BodyInvalid', `The body is not JSON. Send a JSON object, such as ${example}.`, { cause: error });
  if (error instanceof HTTPException && error.status === 415)
    return new ApiError('BodyNotJson', 'The body is not JSON. Send JSON, with "content-type: application/json".', {
      cause: error,
    });
  return new ApiError('InternalError', 'Something went wrong. Try again; the log has details under the request ID.', {
    cause: error,
  });
}

export function errorAnswer(context: Context<ApiEnvironment>, { status, code, message, headers, fields }: ApiError): Response {
  const body: ErrorBody = { error: message, code, requestId: context.get('requestId'), ...(fields && { fields }) };
  // The published API has the text of page errors in `message`.
  const isAboutPage = context.req.path.startsWith('/discovery/v1/page/');
  return context.json(isAboutPage ? { message, ...body } : body, status, headers);
}

/** Writes the one shape for requests that no route handles, each with an ID and a line in the log. */
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
