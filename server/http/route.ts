// A route of the API is one value: its description, which also validates requests, and its handler.
import { createRoute, type z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { ErrorStatus } from '../platform/errors.ts';
import type { Api, ApiEnvironment } from './api.ts';
import { errorAnswers } from './error-answers.ts';

export type Fields = z.ZodObject;
type Media = Partial<Record<string, { schema: z.ZodType }>>;
type Middleware = MiddlewareHandler<ApiEnvironment>;

/** What the routes of a group share; a route can replace it. */
export interface RouteGroup<Parts> {
  tags: string[];
  security: Record<string, string[]>[];
  middleware?: (parts: Parts) => Middleware | Middleware[];
}

/** Responses of a route that succeeds, by status. */
export type Answers = Record<number, { description: string; content?: Media; headers?: Fields }>;

/** What a handler returns: the JSON of a response, nothing for one without a body, or a response of its own. */
export type Result<A extends Answers> =
  | Response
  | { [S in keyof A]: A[S] extends { content: { 'application/json': { schema: infer T } } } ? Sent<z.input<T>> : void }[keyof A];

/** JSON writes dates as text. */
type Sent<T> = T extends string ? T | Date : T extends object ? { [K in keyof T]: Sent<T[K]> } : T;

/** A valid request. */
export interface RouteRequest<Parts, Params, Query, Headers, Body> {
  parts: Parts;
  context: Context<ApiEnvironment>;
  params: z.output<Params>;
  query: z.output<Query>;
  headers: z.output<Headers>;
  body: z.output<Body>;
}

export interface RouteDescription<Params, Query, Headers, Body, A> {
  summary: string;
  description: string;
  deprecated?: true;
  params?: Params;
  query?: Query;
  headers?: Headers;
  body?: { required: boolean; content: { 'application/json': { schema: Body }; 'text/plain'?: { schema: Body } } };
  /** The first one is that of a handler that returns JSON. */
  answers: A;
  /** Every route may also answer 500 and 503. */
  errors?: ErrorStatus[];
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type RouteLine = `${Method} /${string}`;
/** Adds the route; its name is its `operationId`. */
export type Route<Parts> = (api: Api, parts: Parts, name: string) => void;

/** Makes routes of a group: `route('get /v1/sites', { …, handle })`. */
export function routesOf<Parts>(group: RouteGroup<Parts>) {
  return <
    A extends Answers,
    Params extends Fields = z.ZodObject<{}>,
    Query extends Fields = z.ZodObject<{}>,
    Headers extends Fields = z.ZodObject<{}>,
    Body extends z.ZodType = z.ZodUndefined,
  >(
    line: RouteLine,
    route: RouteDescription<Params, Query, Headers, Body, A> &
      Partial<RouteGroup<Parts>> & {
        handle(request: RouteRequest<Parts, Params, Query, Headers, Body>): Result<A> | Promise<Result<A>>;
      },
  ): Route<Parts> => {
    const [method, path] = line.split(' ') as [Method, string];
    const { middleware, params, query, headers, body, answers, errors = [], handle, ...about } = { ...group, ...route };
    const request = { params, query, headers, body };
    const responses = { ...errorAnswers(...errors), ...answers };
    const status = Number(Object.keys(answers)[0]);
    return (api, parts, operationId) => {
      const named = { operationId, ...about };
      const described = createRoute({ ...named, method, path, middleware: middleware?.(parts), request, responses });
      api.openapi(described, (async (context: Context<ApiEnvironment>) => {
        const valid = (part: string) => context.req.valid(part as never);
        const result: unknown = await handle({
          ...{ parts, context, params: valid('param'), query: valid('query') },
          ...{ headers: valid('header'), body: valid('json') },
        });
        if (result instanceof Response) return result;
        return result === undefined ? context.body(null, 204) : context.json(result, status as 200);
      }) as never);
    };
  };
}

export function addRoutes<Parts>(api: Api, parts: Parts, routes: Record<string, Route<Parts>>): void {
  for (const [name, add] of Object.entries(routes)) add(api, parts, name);
}
