// The HTTP API as one Hono app: every part adds its routes; errors, limits and ids are the same for all.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Key } from './access/keys.ts';

/** What middleware leaves for the routes. */
export interface ApiEnvironment {
  Variables: {
    /** In every answer as `X-Request-Id`, in every error, in every log line. */
    requestId: string;
    /** Behind `adminKey` only. */
    key: Key;
    /** The caller's address: the socket's, or what a trusted proxy says. */
    address: string;
  };
}

export type Api = OpenAPIHono<ApiEnvironment>;
