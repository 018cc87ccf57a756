// What all routes of the HTTP API share: request IDs, IP addresses of callers, errors, limits, log and metrics.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler, Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { bodyLimit } from 'hono/body-limit';
import { matchedRoutes, routePath } from 'hono/route';
import type { Api, ApiEnvironment, ApiParts } from './api.ts';
import { cors } from './cors.ts';
import { createBodyExample } from './openapi.ts';
import { errorAnswer, refusal } from './error-answers.ts';
import { ApiError, newRequestId } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import type { ServerOptions } from '../platform/options.ts';
import { requestFaults } from './request-faults.ts';
import { isInside, parseAddress } from '../../integration/remote/address-range.ts';

export function emptyApi(services: ApiParts): Api {
  const api: Api = new OpenAPIHono<ApiEnvironment>({
    defaultHook(result) {
      if (result.success) return;
      const { text, fields } = requestFaults(result.error.issues, { data: undefined, ...result });
      throw new ApiError('RequestInvalid', `The request is not valid. ${text}`, { fields });
    },
  });
  const bodyExample = createBodyExample(api);
  api.use(accounted(services), asErrors);
  // Before anything that may reject the request, so that a page can read the reason.
  api.use('/discovery/*', cors);
  api.use('/v1/playground/*', cors);
  api.use('/mcp/*', cors);
  api.use(storablePath, answeredRoute(api), asJson, limitedBody(services.options));
  api.onError((error, context) => {
    const refused = refusal(error, error instanceof HTTPException ? bodyExample(context) : undefined);
    // 502 is about another server.
    if (refused.status >= 500 && refused.status !== 502)
      services.log.error({ err: error, requestId: context.get('requestId') }, refused.code);
    return errorAnswer(context, refused);
  });
  return api;
}

/** Sets the ID and the IP address of every request, and the headers of every response; logs and measures it. */
function accounted({ options, log, metrics, now }: ApiParts): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    const started = now();
    context.set('requestId', newRequestId());
    const socket = context.env?.incoming?.socket.remoteAddress;
    context.set('address', clientAddress(socket, context.req.header('x-forwarded-for'), options.trustedProxies));
    await next();
    // Set on the response itself: `context.header` would create a new response each time, which is slower than everything else here.
    const { headers } = context.res;
    headers.set('x-request-id', context.get('requestId'));
    headers.set('x-content-type-options', 'nosniff');
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    const route = routePath(context, -1);
    const { method } = context.req;
    metrics.requests.observe({ method, route, status: String(context.res.status) }, (now() - started) / 1000);
    logRequest(log, context, now() - started);
  };
}

/** Some libraries throw values that are not errors, and Hono calls `onError` only for errors. */
const asErrors: MiddlewareHandler = async (_context, next) => {
  try {
    await next();
  } catch (thrown) {
    throw thrown instanceof Error
      ? thrown
      : new Error(`A value that is not an error was thrown: ${String(thrown)}`, { cause: thrown });
  }
};

/** No name contains a NUL, and PostgreSQL can't store one. */
const storablePath: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  const at = context.req.url.indexOf('%00');
  if (at >= 0) {
    const isInQuery = context.req.url.slice(0, at).includes('?');
    if (isInQuery) throw new ApiError('RequestInvalid', 'The request is not valid. Its query contains a NUL (%00). Remove it.');
    throw new ApiError('RouteUnknown', 'No path contains a NUL (%00). Remove it.');
  }
  await next();
};

/** Rejects requests without a route before the body is checked: 404 `RouteUnknown`, or 405 `MethodNotAllowed` with the methods of the path. */
function answeredRoute(api: Api): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    if (!matchedRoutes(context).some(isRoute)) {
      const { method, path } = context.req;
      const allowed = methodsAt(api, path);
      if (allowed.length === 0)
        throw new ApiError('RouteUnknown', `There is no route ${method} ${path}. /reference lists all routes.`);
      throw new ApiError(
        'MethodNotAllowed',
        `${path} does not support ${method}. Use ${allowed.join(' or ')}; /reference lists all routes.`,
        { headers: { allow: allowed.join(', ') } },
      );
    }
    await next();
  };
}

/** Middleware for all routes is registered for all methods. */
function isRoute({ method }: { method: string }): boolean {
  return method !== 'ALL';
}

function methodsAt(api: Api, path: string): string[] {
  const routes = api.routes.filter((route) => isRoute(route) && isAt(route.path, path));
  const methods = new Set(routes.map(({ method }) => method));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function isAt(routePath: string, path: string): boolean {
  const [route, asked] = [routePath.split('/'), path.split('/')];
  return (
    route.length === asked.length &&
    route.every((segment, index) => (segment.startsWith(':') ? asked[index] !== '' : asked[index] === segment))
  );
}

// The type that `curl -d` sends by default.
const unspecified = /^application\/x-www-form-urlencoded\b/i;

// Any JSON type, with parameters such as a charset: JSON is always UTF-8.
const jsonType = /^application\/(?:[\w.+-]+\+)?json\s*(?:;\s*[\w-]+=(?:"[^"]*"|[^\s;"]+)\s*)*;?\s*$/i;

/** To another origin, `navigator.sendBeacon` sends JSON as a text. */
function isPlainBeacon(path: string, type: string): boolean {
  return ofReaders.test(path) && /^text\/plain\s*(?:;|$)/i.test(type);
}

/** Events of the readers of a site, whose IP addresses are not logged. */
const ofReaders = /^\/discovery\/v1\/events\//;

/** Bodies are JSON. A body without a type, or with curl's default type, is read as JSON: a browser form can't send the bearer token. */
const asJson: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  const { method, raw } = context.req;
  if (['POST', 'PUT', 'PATCH'].includes(method)) {
    const type = raw.headers.get('content-type');
    const isAccepted = type === null || unspecified.test(type) || jsonType.test(type) || isPlainBeacon(context.req.path, type);
    if (!isAccepted) {
      throw new ApiError(
        'BodyNotJson',
        `The body has the type "${type.slice(0, 100)}". Send JSON, with "content-type: application/json".`,
      );
    }
    // Hono does not accept every valid form of the type.
    if (type !== 'application/json') {
      const headers = new Headers(raw.headers);
      headers.set('content-type', 'application/json');
      context.req.raw = new Request(raw, { headers });
    }
  }
  await next();
};

/** Conversations, requests of the playground with their files, and pushes of many commits are longer than the bodies of all other routes. */
function limitedBody({ bodyKb, assistantBodyKb }: ServerOptions): MiddlewareHandler<ApiEnvironment> {
  const usual = atMost(bodyKb);
  const larger = atMost(assistantBodyKb);
  const needsMore = /^\/(?:discovery\/v\d\/assistant\/|v1\/playground\/|v1\/sites\/[^/]+\/hooks\/)/;
  return (context, next) => (needsMore.test(context.req.path) ? larger : usual)(context, next);
}

function atMost(kb: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: kb * 1024,
    onError: () => raise(new ApiError('BodyTooLarge', `The body is larger than ${kb} KB. Send less.`)),
  });
}

function raise(error: Error): never {
  throw error;
}

// Monitors request these every few seconds.
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Logs one line for each response; for a successful probe only at the level `debug`. The path has no query, which may contain a signature. */
function logRequest(log: Logger, context: Context<ApiEnvironment>, milliseconds: number): void {
  const { method, path } = context.req;
  const { status } = context.res;
  const requestId = context.get('requestId');
  const level = status >= 500 ? 'warn' : probes.has(path) && status < 400 ? 'debug' : 'info';
  log[level](
    {
      method,
      path,
      status,
      ms: Math.round(milliseconds),
      requestId,
      keyId: context.get('key')?.id,
      address: ofReaders.test(path) ? undefined : context.get('address'),
    },
    'request',
  );
}

/**
 * The caller's IP address. Every proxy appends the address that it received the request from to `X-Forwarded-For`, so the header is read from
 * the right, and only while the sender is among `trusted` (addresses and CIDR ranges): anyone can forge the entries further left. Empty
 * without a socket, for a request that does not come over the network.
 */
export function clientAddress(socket: string | undefined, forwarded: string | undefined, trusted: string[]): string {
  let address = parseAddress(socket ?? '') ?? '';
  if (forwarded === undefined || trusted.length === 0) return address;
  const hops = forwarded.split(',');
  while (hops.length > 0 && isInside(address, trusted)) {
    const next = parseAddress(withoutPort(hops.pop()!.trim()));
    // A proxy that does not know its client: the proxy itself is the last address that is certain.
    if (next === undefined) break;
    address = next;
  }
  return address;
}

/** Some proxies write `192.0.2.1:5678` and `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  return /^\[(.*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}
