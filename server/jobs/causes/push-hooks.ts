// The secrets with which services that host repositories prove their pushes.
import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { sealNames } from '../../database/sealed-texts.ts';
import { seal, unseal, type Secrets } from '../../platform/secrets.ts';
import type { PushService } from './read-push.ts';

export interface PushHook {
  service: PushService;
  createdAt: Date;
}

export type PushHooks = ReturnType<typeof createPushHooks>;

export function createPushHooks({ database, secrets, now }: { database: Database; secrets: Secrets; now: () => number }) {
  return {
    /** Adds the hook of a service, or gives it a new secret. The secret is returned only once; it is stored encrypted. */
    async put(domain: string, service: PushService): Promise<{ hook: PushHook; secret: string }> {
      const secret = randomBytes(32).toString('base64url');
      const createdAt = new Date(now());
      await database.query(
        `insert into carrel.push_hooks (domain, service, secret, created_at) values ($1, $2, $3, $4)
         on conflict (domain, service) do update set secret = excluded.secret, created_at = excluded.created_at`,
        [domain, service, seal(secret, sealNames.pushHook(domain, service), secrets), createdAt],
      );
      return { hook: { service, createdAt }, secret };
    },

    list: (domain: string): Promise<PushHook[]> =>
      database.query('select service, created_at as "createdAt" from carrel.push_hooks where domain = $1 order by service', [
        domain,
      ]),

    /** Undefined also where it was stored under another secret of the server: no push can prove itself with it. */
    async secretOf(domain: string, service: PushService): Promise<string | undefined> {
      const [hook] = await database.query<{ secret: string }>(
        'select secret from carrel.push_hooks where domain = $1 and service = $2',
        [domain, service],
      );
      try {
        return hook && unseal(hook.secret, sealNames.pushHook(domain, service), secrets);
      } catch {
        return undefined;
      }
    },

    async remove(domain: string, service: PushService): Promise<boolean> {
      const statement = 'delete from carrel.push_hooks where domain = $1 and service = $2 returning service';
      return (await database.query(statement, [domain, service])).length > 0;
    },
  };
}
