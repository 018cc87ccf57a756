// Links that sign a browser in without a key: each works once, for ten minutes, or for a week if it is for a member. The database stores only
// the hash of its token.
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../database/database.ts';
import { includesScope, type Key, type Scope } from '../http/key.ts';
import { unauthorizedError, type ApiError } from '../platform/errors.ts';
import { hashOfSecret, type Keys } from './keys.ts';

const lifeMilliseconds = 10 * 60_000;
/** People read their mail later. */
const memberLifeMilliseconds = 7 * 24 * 60 * 60_000;
/** So long, a link that was used or has expired is told from an unknown one. */
const rememberedMilliseconds = 24 * 60 * 60_000;

export interface SessionLink {
  /** The URL of the dashboard, with the token in its fragment: browsers send it to no server, and no log or `Referer` contains it. */
  url: string;
  expiresAt: Date;
}

export type SessionLinks = ReturnType<typeof createSessionLinks>;

export function createSessionLinks(database: Database, keys: Pick<Keys, 'get'>, now: () => number) {
  const state = async (token: string) => {
    const [row] = await database.query<{
      key: string;
      organization: string;
      expiresAt: Date;
      usedAt: Date | null;
      isOidc: boolean;
      scopes: Scope[];
      /** Of the key that made it, while that is valid. */
      makerScopes: Scope[];
    }>(
      `select k.id as key, k.organization, l.expires_at as "expiresAt", l.used_at as "usedAt", l.oidc as "isOidc", k.scopes,
         case when l.created_by is null then k.scopes else coalesce(maker.scopes, '{}') end as "makerScopes"
       from carrel.session_links l join carrel.keys k on k.id = l.key left join carrel.keys maker
         on maker.id = l.created_by and maker.revoked_at is null and (maker.expires_at is null or maker.expires_at > $2)
       where l.hash = $1`,
      [hashOfSecret(token), new Date(now())],
    );
    if (!row) throw invalidError('This sign-in link is unknown: it is incomplete, or of another server.');
    if (row.usedAt) throw invalidError('This sign-in link has been used; each works once.');
    if (row.expiresAt.getTime() <= now()) throw invalidError('This sign-in link has expired.');
    if (!row.scopes.every((scope) => includesScope(row.makerScopes, scope)))
      throw invalidError('Who created this sign-in link may no longer do so.');
    return row;
  };

  return {
    /**
     * A link that signs in with this key, made `by` another one, as long as that may. A new one for a member replaces those before it, but not
     * one that somebody asked for by mail, or gets from the OpenID Connect provider.
     */
    async create(
      key: Pick<Key, 'id' | 'email'>,
      publicUrl: string,
      {
        by,
        isOidc = false,
        isAsked = isOidc,
        within = database,
      }: { by?: Pick<Key, 'id'>; isOidc?: boolean; isAsked?: boolean; within?: Queryable } = {},
    ): Promise<SessionLink> {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = new Date(now() + (key.email === null || isAsked ? lifeMilliseconds : memberLifeMilliseconds));
      if (key.email !== null && !isAsked)
        await within.query('delete from carrel.session_links where key = $1 and used_at is null', [key.id]);
      await within.query(
        'insert into carrel.session_links (hash, key, expires_at, created_by, oidc) values ($1, $2, $3, $4, $5)',
        [hashOfSecret(token), key.id, expiresAt, by?.id ?? null, isOidc],
      );
      return { url: `${publicUrl}/dashboard#link=${token}`, expiresAt };
    },

    /** The key of a link, in any state, and whether the provider has identified its member. Throws `ApiError` 401 `SessionLinkInvalid`. */
    async keyOf(token: string): Promise<{ key: Key | undefined; isOidc: boolean }> {
      const { key, organization, isOidc } = await state(token);
      return { key: await keys.get(organization, key), isOidc };
    },

    /** Uses a link up: of several requests at once, one succeeds. Throws `ApiError` 401 `SessionLinkInvalid`. */
    async use(token: string): Promise<void> {
      const used = await database.query(
        'update carrel.session_links set used_at = $2 where hash = $1 and used_at is null and expires_at > $2 returning hash',
        [hashOfSecret(token), new Date(now())],
      );
      if (used.length === 0) await state(token);
    },

    async removeOld(): Promise<void> {
      await database.query('delete from carrel.session_links where expires_at <= $1', [new Date(now() - rememberedMilliseconds)]);
    },
  };
}

function invalidError(what: string): ApiError {
  return unauthorizedError(
    'SessionLinkInvalid',
    `${what} Get a new one from an owner of the organization or with \`carrel dashboard\`, or sign in in another way.`,
  );
}
