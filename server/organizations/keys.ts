// API keys: `svc_…` (admin, secret) and `svc_dsc_…` (assistant, public). They are shown once and stored as a hash. A key consists of a prefix
// for its kind, and 32 random bytes in base62.
import { randomBytes, createHash } from 'node:crypto';
import type { Database, Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';
import { createOneSecondCache } from '../platform/one-second-cache.ts';
import type { Key } from '../http/key.ts';
import { sameText } from '../platform/secrets.ts';

/** Keys that an organization can create per hour. */
export const keysPerHour = 10;

export type NewKey = Pick<Key, 'organization' | 'kind' | 'name'> &
  Partial<Pick<Key, 'scopes' | 'addresses' | 'domains' | 'origins' | 'expiresAt'>> & {
    /** ID of the key or member that creates it. */
    createdBy?: string;
  };

export type Keys = ReturnType<typeof createKeys>;

/** Of `carrel.keys`, as a `Key`. */
export const keyColumns = `id, organization, kind, name, hint, scopes, addresses, domains, origins,
  created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt", email, groups, editor_of as "editorOf",
  (select creator.name from carrel.keys creator where creator.id = keys.created_by) as "createdBy"`;
const hour = 3_600_000;

export function createKeys(database: Database, now: () => number) {
  const uses = createUses(database, now);
  const recent = createOneSecondCache(async (hash) => {
    const [row] = await database.query<Key & { hash: string }>(`select ${keyColumns}, hash from carrel.keys where hash = $1`, [
      hash,
    ]);
    if (!row || !sameText(row.hash, hash)) return undefined;
    const { hash: _, ...key } = row;
    return key;
  }, now);

  const get = async (organization: string, id: string): Promise<Key | undefined> => {
    const [key] = await database.query<Key>(`select ${keyColumns} from carrel.keys where organization = $1 and id = $2`, [
      organization,
      id,
    ]);
    return key;
  };
  const byId = createOneSecondCache((name) => get(...(name.split(' ') as [string, string])), now);

  return {
    /** Only this returns the secret. Throws `ApiError` 429 `TooManyKeys` above 10 per hour and organization (not for `unlimited`). */
    async create(key: NewKey, { unlimited = false }: { unlimited?: boolean } = {}): Promise<{ key: Key; secret: string }> {
      const secret = newSecret(key.kind, randomBytes(32));
      const created = await database.transaction(async (transaction) => {
        // One at a time for each organization, or two concurrent requests would both create the tenth. Statements that only refer to the row are not blocked.
        await transaction.query('select 1 from carrel.organizations where id = $1 for no key update', [key.organization]);
        if (!unlimited) checkRate(await createdSince(transaction, key.organization), key.organization);
        const [row] = await transaction.query<Key>(
          `insert into carrel.keys
             (id, organization, kind, name, hash, hint, scopes, addresses, domains, origins, created_at, expires_at, created_by)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           returning ${keyColumns}`,
          [
            ...[newId(), key.organization, key.kind, key.name, hashOfSecret(secret), secret.slice(-4)],
            ...[key.scopes ?? (key.kind === 'admin' ? ['read', 'write'] : []), key.addresses ?? [], key.domains ?? []],
            ...[key.origins ?? [], new Date(now()), key.expiresAt ?? null, key.createdBy ?? null],
          ],
        );
        return row!;
      });
      return { key: created, secret };
    },

    /** Includes expired and revoked keys, and no members. Newest first. */
    list: (organization: string): Promise<Key[]> =>
      database.query<Key>(
        `select ${keyColumns} from carrel.keys where organization = $1 and email is null order by created_at desc, id desc`,
        [organization],
      ),

    /** A key or a member, in any state. */
    get,

    /** As `get`, cached for at most a second: for each file of a private site that its reader loads. */
    recent: (organization: string, id: string): Promise<Key | undefined> => byId.get(`${organization} ${id}`),

    /** Keys created in the past hour. */
    createdInHour: async (organization: string): Promise<number> => (await createdSince(database, organization)).length,

    /** False when the organization has no such key. Takes effect immediately in this process, within a second in others. */
    async revoke(organization: string, id: string): Promise<boolean> {
      const [row] = await database.query<{ hash: string }>(
        `update carrel.keys set revoked_at = coalesce(revoked_at, $3) where organization = $1 and id = $2 and email is null returning hash`,
        [organization, id, new Date(now())],
      );
      if (row) recent.forget(row.hash);
      return row !== undefined;
    },

    /** The key of a secret, in any state; undefined for an unknown one. Cached for at most a second. */
    find: async (secret: string): Promise<Key | undefined> =>
      kindOfSecret(secret) ? recent.get(hashOfSecret(secret)) : undefined,

    /** Records the use of a key; written at most once a minute for each key. */
    used: uses.note,
    /** Writes what `used` recorded. */
    flush: uses.flush,
  };

  /** The creation times of the past hour's keys, newest first. */
  async function createdSince(queryable: Pick<Database, 'query'>, organization: string): Promise<number[]> {
    const rows = await queryable.query<{ at: Date }>(
      `select created_at as at from carrel.keys
       where organization = $1 and email is null and site is null and created_at > $2 and created_at <= $3 order by created_at desc`,
      [organization, new Date(now() - hour), new Date(now())],
    );
    return rows.map(({ at }) => at.getTime());
  }

  function checkRate(created: number[], organization: string): void {
    if (created.length < keysPerHour) return;
    const seconds = Math.max(1, Math.ceil((created[keysPerHour - 1]! + hour - now()) / 1000));
    throw new ApiError(
      'TooManyKeys',
      `The organization "${organization}" has created ${keysPerHour} keys in the past hour, which is the limit. Try again in ${seconds} s.`,
      { headers: { 'retry-after': String(seconds) } },
    );
  }
}

function newId(): string {
  return `key_${randomBytes(8).toString('hex')}`;
}

const minute = 60_000;

function createUses(database: Queryable, now: () => number) {
  const written = new Map<string, number>();
  const noted = new Map<string, number>();
  const writing = new Set<Promise<void>>();

  function write(id: string, at: number): void {
    written.set(id, at);
    noted.delete(id);
    const work = database
      .query(`update carrel.keys set last_used_at = $2 where id = $1 and (last_used_at is null or last_used_at < $2)`, [
        id,
        new Date(at),
      ])
      // A failed write rejects no request: the next use tries again.
      .catch(() => written.delete(id))
      .then(() => void writing.delete(work));
    writing.add(work);
  }

  return {
    /** Records that a key is used now; the first use in a minute is written. */
    note(id: string): void {
      const at = now();
      const last = written.get(id);
      // After the clock is set back, counting starts again.
      if (last === undefined || at - last >= minute || at < last) write(id, at);
      else noted.set(id, at);
    },
    /** Writes the uses that are only recorded, and waits for pending writes. */
    async flush(): Promise<void> {
      for (const [id, at] of noted) write(id, at);
      await Promise.all(writing);
    },
  };
}

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// The shortest length that fits any 32 bytes: 62^43 > 2^256.
const length = 43;
const prefixes: Record<Key['kind'], string> = { assistant: 'svc_dsc_', admin: 'svc_' };

/** A key of 32 random bytes. */
export function newSecret(kind: Key['kind'], random: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  let text = '';
  for (let index = 0; index < length; index++) {
    text = digits[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return prefixes[kind] + text;
}

/** The kind of a key, by its form; undefined when the text does not have the form of a key. */
export function kindOfSecret(secret: string): Key['kind'] | undefined {
  // The prefix of an assistant key begins with that of an admin key, so the longer one is tried first.
  const kind = (['assistant', 'admin'] as const).find((kind) => secret.startsWith(prefixes[kind]));
  return kind && /^[0-9A-Za-z]{43}$/.test(secret.slice(prefixes[kind].length)) ? kind : undefined;
}

/** SHA-256 in hex: enough for 256 random bits, which no dictionary contains. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
