// Sessions: a browser that signed in with an admin key holds a random token instead of the key. The database has the token's hash only.
import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import type { Key } from '../http/key.ts';
import type { Keys } from './keys.ts';
import { hashOfSecret } from './secret.ts';

const minute = 60_000;
const hour = 60 * minute;
/** Without a request for this long, a session ends. */
export const idleMilliseconds = 12 * hour;
/** A session ends after this, however much it is used. */
export const longestMilliseconds = 7 * 24 * hour;

export interface Session {
  key: Key;
  /** When it ends at the latest; its key may end before. */
  expiresAt: Date;
}

export interface Sessions {
  create(key: Key): Promise<Session & { token: string }>;
  /** The session of a token, with its key in any state; undefined when it does not exist or has ended. Counts as a use of it. */
  find(token: string): Promise<Session | undefined>;
  end(token: string): Promise<void>;
  /** Removes the sessions that have ended. */
  removeOld(): Promise<void>;
}

export function createSessions(database: Database, keys: Pick<Keys, 'get'>, now: () => number): Sessions {
  return {
    async create(key) {
      const token = randomBytes(32).toString('base64url');
      const at = now();
      await database.query('insert into carrel.sessions (hash, key, created_at, used_at) values ($1, $2, $3, $3)', [
        hashOfSecret(token),
        key.id,
        new Date(at),
      ]);
      return { key, token, expiresAt: new Date(at + longestMilliseconds) };
    },

    async find(token) {
      const hash = hashOfSecret(token);
      const [row] = await database.query<{ id: string; organization: string; createdAt: Date; usedAt: Date }>(
        `select k.id, k.organization, s.created_at as "createdAt", s.used_at as "usedAt"
         from carrel.sessions s join carrel.keys k on k.id = s.key
         where s.hash = $1 and s.used_at > $2 and s.created_at > $3`,
        [hash, new Date(now() - idleMilliseconds), new Date(now() - longestMilliseconds)],
      );
      const key = row && (await keys.get(row.organization, row.id));
      if (!key) return undefined;
      // A page sends many requests at once; one write a minute is enough.
      if (now() - row.usedAt.getTime() >= minute)
        await database.query('update carrel.sessions set used_at = $2 where hash = $1', [hash, new Date(now())]);
      return { key, expiresAt: new Date(row.createdAt.getTime() + longestMilliseconds) };
    },

    async end(token) {
      await database.query('delete from carrel.sessions where hash = $1', [hashOfSecret(token)]);
    },

    async removeOld() {
      await database.query('delete from carrel.sessions where used_at <= $1 or created_at <= $2', [
        new Date(now() - idleMilliseconds),
        new Date(now() - longestMilliseconds),
      ]);
    },
  };
}
