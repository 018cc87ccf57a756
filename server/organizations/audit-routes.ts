// The audit log over HTTP, and how routes write to it.
import { z } from '@hono/zod-openapi';
import { jsonAnswer, namedObject } from '../http/error-answers.ts';
import { organizationQuery } from './authenticate.ts';
import { auditEvents, type AuditEntry } from './audit.ts';
import { adminRoutesOf, type AdminRouteParts } from './admin-route.ts';

const entrySchema = namedObject('AuditEntry', {
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
});

export type AuditEntryAnswer = z.infer<typeof entrySchema>;

const querySchema = organizationQuery.extend({
  event: z.enum(auditEvents, { error: `must be one of ${auditEvents.join(', ')}` }).optional(),
  target: z.string().max(400).optional().openapi({ description: 'Only entries with exactly this target.' }),
  key: z.string().max(100).optional().openapi({ description: 'Only entries of the key with this ID.' }),
  cursor: z.string().optional().openapi({ description: 'From the previous page.' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

const route = adminRoutesOf<AdminRouteParts>('Organizations');

export const listAuditEntries = route('get /v1/audit', {
  summary: 'Read the audit log',
  description:
    'Who changed what, when and from where, newest first. The entries of the organization; an operator can read those of another one.',
  scope: 'read',
  query: querySchema,
  answers: {
    200: jsonAnswer(
      'Entries, newest first.',
      namedObject('AuditEntries', {
        entries: z.array(entrySchema),
        cursor: z.string().optional().openapi({ description: 'Requests the next page; absent on the last one.' }),
      }),
    ),
  },
  async handle({ parts, organization, query: { organization: _, ...filter } }) {
    const { entries, cursor } = await parts.audit.list({ organization, ...filter });
    return { entries: entries.map(entryAnswer), cursor };
  },
});

function entryAnswer({ at, event, target, key, name, session, address, request }: AuditEntry): AuditEntryAnswer {
  return { at: at.toISOString(), event, target, keyId: key, name, sessionId: session, address, requestId: request };
}
