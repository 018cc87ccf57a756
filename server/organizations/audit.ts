// The audit log: who did what, when and from where. An entry is written right after its effect and before the response, not in the
// transaction of the effect: effects are also in the storage, in the queue and in processes, and so no route needs to know the log. A server
// that is killed between the two loses the entry, and a failed write goes to the server's own log. No entry contains a secret: a target is
// the name of what was changed.
import type { Database } from '../database/database.ts';
import { pageOf, readCursor } from '../database/paging.ts';

/** The names of events; permanent. */
export const auditEvents = [
  'backup.read',
  'bundle.link',
  'export.activate',
  'export.link',
  'export.pin',
  'export.unpin',
  'hook.delete',
  'hook.put',
  'job.cancel',
  'job.start',
  'key.create',
  'key.revoke',
  'member.identify',
  'member.invite',
  'member.link',
  'member.remove',
  'member.update',
  'oidc.update',
  'organization.create',
  'organization.delete',
  'organization.update',
  'passkey.add',
  'passkey.remove',
  'preview.delete',
  'secret.replace',
  'session.create',
  'session.end',
  'session-link.create',
  'site.change',
  'site.delete',
  'site.prove',
  'site.put',
  'site.view',
  'webhook.create',
  'webhook.delete',
  'webhook.send',
] as const;
export type AuditEvent = (typeof auditEvents)[number];

export interface AuditEntry {
  id: string;
  at: Date;
  /** The organization that was acted for. */
  organization: string;
  event: AuditEvent;
  /** The name of what was changed: a domain, an ID, or a path of both. */
  target: string;
  /** Null for a push of a git service. */
  key: string | null;
  /** The name of the key, or of the git service. */
  name: string;
  session: string | null;
  /** The caller's IP address. */
  address: string;
  /** Finds the request in the server's log. */
  request: string;
}

export interface AuditFilter {
  organization: string;
  event?: AuditEvent;
  target?: string;
  key?: string;
  cursor?: string;
  limit: number;
}

export type Audit = ReturnType<typeof createAudit>;

const day = 86_400_000;

export function createAudit({ database, now, days }: { database: Database; now: () => number; days: number }) {
  return {
    async record(entry: Omit<AuditEntry, 'id' | 'at'>): Promise<void> {
      const { organization, event, target, key, name, session, address, request } = entry;
      await database.query(
        `insert into carrel.audit (at, organization, event, target, key, name, session, address, request)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [new Date(now()), organization, event, target, key, name, session, address, request],
      );
    },

    /** Newest first. Throws `ApiError` 400 `CursorInvalid`. */
    async list({ organization, event, target, key, cursor, limit }: AuditFilter) {
      const [before] = cursor === undefined ? [] : readCursor(cursor, /^(\d{1,18})$/);
      const found = await database.query<AuditEntry>(
        `select id::text, at, organization, event, target, key, name, session, address, request from carrel.audit
         where organization = $1 and ($2::text is null or event = $2) and ($3::text is null or target = $3)
           and ($4::text is null or key = $4) and ($5::bigint is null or id < $5)
         order by carrel.audit.id desc limit $6`,
        [organization, event ?? null, target ?? null, key ?? null, before ?? null, limit + 1],
      );
      const { page: entries, ...next } = pageOf(found, limit, ({ id }) => id);
      return { entries, ...next };
    },

    async removeOld(): Promise<void> {
      await database.query('delete from carrel.audit where at <= $1', [new Date(now() - days * day)]);
    },
  };
}
