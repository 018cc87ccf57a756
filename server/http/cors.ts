// Pages of other origins call the assistant's routes with a public key and without cookies.
import type { Context, MiddlewareHandler } from 'hono';
import type { Key } from './key.ts';
import type { ApiEnvironment } from './api.ts';
import { ApiError } from '../platform/errors.ts';

const preflight = {
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  // Some builds of the chat client set `user-agent`; browsers block their requests unless it is allowed here.
  'access-control-allow-headers':
    'authorization, content-type, user-agent, x-carrel-stream, x-carrel-fp, x-thread-key, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id',
  'access-control-max-age': '86400',
};

const exposed = 'X-Thread-Id, X-Thread-Key, X-Carrel-Answer, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';

/** Lets pages of every origin read the responses, including errors; `checkOrigin` decides once the key is known. */
export const cors: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  context.header('access-control-allow-origin', '*');
  if (context.req.method === 'OPTIONS') return context.body(null, 204, preflight);
  context.header('access-control-expose-headers', exposed);
  await next();
  return undefined;
};

/**
 * Throws `ApiError` 403 `OriginNotAllowed` when the key is limited to certain origins and the page has another one. A request without an
 * origin does not come from a page of another origin: it comes from a program, which could send any, or is a GET of the own page. Only
 * tokens of pages require one.
 */
export function checkOrigin(context: Context<ApiEnvironment>, { origins, isOfPage }: Key): void {
  const origin = context.req.header('origin');
  if (isOfPage && (origin === undefined || !origins.includes(origin))) throw pageOriginError(origin);
  if (origins.length === 0 || origin === undefined) return;
  if (!origins.includes(origin)) {
    throw new ApiError(
      'OriginNotAllowed',
      `This key can't be used on pages of "${origin.slice(0, 200)}". Use it on an origin of its list, or create a key for this one.`,
    );
  }
  // Also checked while a stream is sent, whose headers are gone.
  if (context.finalized) return;
  context.header('access-control-allow-origin', origin);
  context.header('vary', 'Origin');
}

function pageOriginError(origin: string | undefined): ApiError {
  return new ApiError(
    'OriginNotAllowed',
    origin === undefined
      ? 'The token of a page works only in a page. Programs need an assistant key (svc_dsc_…).'
      : `The pages of this site cannot ask from "${origin.slice(0, 200)}". If readers see the site there, set its siteUrl to that URL.`,
  );
}
