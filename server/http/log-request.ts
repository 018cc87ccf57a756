import type { Context } from 'hono';
import type { Logger } from '../platform/log.ts';
import type { ApiEnvironment } from './api.ts';

// Asked every few seconds for as long as the server lives.
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** One line for an answered request; for one that went well of a probe only at the level `debug`. The path comes without its query, which may hold a signature. */
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
