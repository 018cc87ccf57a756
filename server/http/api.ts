// What all routes of the HTTP API share; empty-api.ts makes it.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Logger } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { Key } from './key.ts';

/** What the middleware sets for the routes. */
export interface ApiEnvironment {
  /** Set by the HTTP server: the socket of the request, absent in `api.request`. */
  Bindings: { incoming?: { socket: { remoteAddress?: string; destroy?: () => void } } };
  Variables: {
    /** In every response as `X-Request-Id`, in every error and every log line. */
    requestId: string;
    /** Only after `adminKey` or `assistantKey`. */
    key: Key;
    /** The ID of the session that a request for `adminKey` uses instead of its bearer. */
    session: string | undefined;
    /** For the audit log, where the path does not name them: what a route has changed, and for which organization. */
    target: string | undefined;
    organization: string | undefined;
    /** The caller's IP address: that of the socket, or the one that a trusted proxy reports. */
    address: string;
  };
}

export type Api = OpenAPIHono<ApiEnvironment>;

/** What all routes share. */
export interface ApiParts {
  options: ServerOptions;
  log: Logger;
  metrics: Metrics;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** An app without routes, with everything that all routes share. */
