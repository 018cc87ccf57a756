import type { Context } from 'hono';
import type { Logger } from '../platform/log.ts';
import type { ApiEnvironment } from './api.ts';

// Requested every few seconds.
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Logs one line for each answer; for a successful probe only at the level `debug`. The path has no query, which may hold a signature. */
export function logRequest(log: Logger, context: Context<ApiEnvironment>, milliseconds: number): void {
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
      address: context.get('address'),
    },
    'request',
  );
}
