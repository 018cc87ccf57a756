// How routes write to the audit log.
import type { Context, MiddlewareHandler } from 'hono';
import type { ApiEnvironment } from '../http/api.ts';
import type { Key } from '../http/key.ts';
import type { Logger } from '../platform/log.ts';
import type { Audit, AuditEntry, AuditEvent } from './audit.ts';

export interface AuditParts {
  audit: Audit;
  log: Logger;
}

/**
 * Writes an entry when the route has succeeded. Its target is what the route sets as `target`, or else the parameters of the path.
 */
export function audited(parts: AuditParts, event: AuditEvent): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    await next();
    // Without a key where a browser signs out of a session that has ended: nothing happens.
    const key = context.get('key') as Key | undefined;
    if (!context.res.ok || context.req.method === 'HEAD' || !key) return;
    // Only of a route that knows it: others take any query, and no caller writes to another organization's log.
    const { organization: named } = (context.req.valid('query' as never) ?? {}) as { organization?: string };
    await recordEvent(parts, context, event, {
      organization: context.get('organization') ?? named ?? key.organization,
      target: context.get('target') ?? Object.values(context.req.param()).join('/'),
      key: key.id,
      name: key.name,
    });
  };
}

type Actor = Pick<AuditEntry, 'organization' | 'target' | 'key' | 'name'>;

/** Writes an entry. If this fails, the entry goes to the server's log, and the response stays: it may contain a secret that is shown only once. */
export async function recordEvent(
  { audit, log }: AuditParts,
  context: Context<ApiEnvironment>,
  event: AuditEvent,
  actor: Actor,
): Promise<void> {
  const [session, request] = [context.get('session') ?? null, context.get('requestId')];
  const entry = { ...actor, event, session, address: context.get('address'), request };
  await audit
    .record(entry)
    .catch((err: unknown) => log.error({ err, audit: entry }, 'an entry could not be written to the audit log'));
}
