// The audit log over HTTP, and how routes write to it.
import { createRoute, z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import type { Api, ApiEnvironment } from '../http/api.ts';
import { errorAnswers, jsonAnswer } from '../http/error-answers.ts';
import type { Key } from '../http/key.ts';
import type { Logger } from '../platform/log.ts';
import { adminKey, namedOrganization, organizationQuery, type AccessParts } from './authenticate.ts';
import { auditEvents, type Audit, type AuditEntry, type AuditEvent } from './audit.ts';
import type { Organizations } from './organizations.ts';

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

const entrySchema = z
  .object({
    at: z.iso.datetime(),
    event: z.enum(auditEvents).openapi({ description: 'Permanent name of what happened. New ones may be added.' }),
    target: z.string().openapi({
      description: 'What was changed: a domain, an ID, or both, separated by a slash.',
      example: 'docs.example.com',
    }),
    keyId: z.string().nullable().openapi({ description: 'The key; null for a push that a git service reported.' }),
    name: z.string().openapi({ description: 'The name of the key, or of the git service.', example: 'Nightly export' }),
    sessionId: z.string().nullable().openapi({ description: 'The session of the dashboard; null for a bearer token.' }),
    address: z.string().openapi({ description: "The caller's IP address.", example: '192.0.2.7' }),
    requestId: z.string().openapi({ description: 'Identifies the request in the log of the server.' }),
  })
  .openapi('AuditEntry');

export type AuditEntryAnswer = z.infer<typeof entrySchema>;

const querySchema = organizationQuery.extend({
  event: z.enum(auditEvents, { error: `must be one of ${auditEvents.join(', ')}` }).optional(),
  target: z.string().max(400).optional().openapi({ description: 'Only entries with exactly this target.' }),
  key: z.string().max(100).optional().openapi({ description: 'Only entries of the key with this ID.' }),
  cursor: z.string().optional().openapi({ description: 'From the previous page.' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export function addAuditRoutes(api: Api, services: AccessParts & { audit: Audit; organizations: Organizations }): void {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v1/audit',
      operationId: 'listAuditEntries',
      tags: ['Organizations'],
      summary: 'Read the audit log',
      description:
        'Who changed what, when and from where, newest first. The entries of the organization; an operator can read those of another one.',
      security: [{ adminKey: [] }],
      middleware: [adminKey(services, 'read')] as const,
      request: { query: querySchema },
      responses: {
        200: jsonAnswer(
          'Entries, newest first.',
          z
            .object({
              entries: z.array(entrySchema),
              cursor: z.string().optional().openapi({ description: 'Requests the next page; absent on the last one.' }),
            })
            .openapi('AuditEntries'),
        ),
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const { organization: named, ...filter } = context.req.valid('query');
      const organization = await namedOrganization(services, context.get('key'), named);
      const { entries, cursor } = await services.audit.list({ organization, ...filter });
      return context.json({ entries: entries.map(entryAnswer), cursor }, 200);
    },
  );
}

function entryAnswer({ at, event, target, key, name, session, address, request }: AuditEntry): AuditEntryAnswer {
  return { at: at.toISOString(), event, target, keyId: key, name, sessionId: session, address, requestId: request };
}
