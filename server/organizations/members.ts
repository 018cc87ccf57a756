// Members: people of an organization. A member is a row among the keys whose secret nobody has: sessions, rights, uses and the audit log are
// those of keys. They sign in by a link or a passkey.
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../database/database.ts';
import { scopes, type Key, type Scope } from '../http/key.ts';
import { ApiError } from '../platform/errors.ts';
import { hashOfSecret, keyColumns } from './keys.ts';

/** Each may do what its scope allows, and what those before it may. */
export const roles = { viewer: 'read', editor: 'write', owner: 'owner', operator: 'operator' } as const satisfies Record<
  string,
  Scope
>;
export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

export type Member = Key & { email: string };

export interface NewMember {
  organization: string;
  /** In lower case. */
  email: string;
  name: string;
  role: Role;
  /** ID of the key or member who invites. */
  createdBy: string;
}

export type Members = ReturnType<typeof createMembers>;

export function createMembers(database: Database, now: () => number) {
  const change = memberChanger(database);

  return {
    get: (organization: string, id: string): Promise<Member> => find(database, organization, id),

    /** Those whose name or email contains the text, by email. Throws `ApiError` 400 `CursorInvalid`. */
    async list({
      organization,
      text = '',
      cursor,
      limit,
    }: {
      organization: string;
      text?: string;
      cursor?: string;
      limit: number;
    }): Promise<{ members: Member[]; cursor?: string }> {
      const found = await database.query<Member>(
        `select ${keyColumns} from carrel.keys
         where organization = $1 and email is not null and revoked_at is null
           and ($2 = '' or strpos(email, lower($2)) > 0 or strpos(lower(name), lower($2)) > 0)
           and ($3::text is null or email collate "C" > $3) order by email collate "C" limit $4`,
        [organization, text, cursor === undefined ? null : emailOf(cursor), limit + 1],
      );
      const members = found.slice(0, limit);
      return found.length > limit ? { members, cursor: Buffer.from(members.at(-1)!.email).toString('base64url') } : { members };
    },

    /** `link` makes the link of the invitation in the same transaction. Throws `ApiError` 409 `MemberExists`. */
    invite: <Link>(
      { organization, email, name, role, createdBy }: NewMember,
      link: (member: Member, transaction: Queryable) => Promise<Link>,
    ): Promise<{ member: Member; link: Link }> =>
      database.transaction(async (transaction) => {
        const [member] = await transaction.query<Member>(
          `insert into carrel.keys (id, organization, kind, name, hash, hint, scopes, addresses, domains, origins, created_at, email, created_by)
           values ($1, $2, 'admin', $3, $4, '', $5, '{}', '{}', '{}', $6, $7, $8)
           on conflict (organization, email) where email is not null and revoked_at is null do nothing returning ${keyColumns}`,
          [
            ...[`mem_${randomBytes(8).toString('hex')}`, organization, name, hashOfSecret(randomBytes(32).toString('hex'))],
            ...[scopesOf(role), new Date(now()), email, createdBy],
          ],
        );
        if (!member) throw new ApiError('MemberExists', `${email} is a member of "${organization}" already.`);
        return { member, link: await link(member, transaction) };
      }),

    /** Takes effect with the next request. Throws `ApiError` 404 `MemberUnknown`, 409 `LastOwner`. */
    async update(
      organization: string,
      id: string,
      { name, role, keepsOwner }: { name?: string; role?: Role; keepsOwner: boolean },
    ): Promise<Member> {
      await change({
        ...{ organization, id, keepsOwner },
        async work(transaction, member) {
          const wanted = [id, name ?? member.name, role === undefined ? member.scopes : scopesOf(role)];
          await transaction.query('update carrel.keys set name = $2, scopes = $3 where id = $1', wanted);
        },
      });
      return find(database, organization, id);
    },

    /** Ends the member's sessions, links and passkeys. Throws `ApiError` 404 `MemberUnknown`, 409 `LastOwner`. */
    remove: (organization: string, id: string, { keepsOwner }: { keepsOwner: boolean }): Promise<void> =>
      change({
        ...{ organization, id, keepsOwner },
        async work(transaction) {
          await transaction.query('update carrel.keys set revoked_at = $2 where id = $1', [id, new Date(now())]);
          for (const table of ['sessions', 'session_links', 'passkeys'])
            await transaction.query(`delete from carrel.${table} where key = $1`, [id]);
        },
      }),
  };
}

async function find(queryable: Queryable, organization: string, id: string): Promise<Member> {
  const [member] = await queryable.query<Member>(
    `select ${keyColumns} from carrel.keys where organization = $1 and id = $2 and email is not null and revoked_at is null`,
    [organization, id],
  );
  if (member) return member;
  throw new ApiError('MemberUnknown', `There is no member "${id.slice(0, 254)}". GET /v1/members lists all members.`);
}

interface Change {
  organization: string;
  id: string;
  keepsOwner: boolean;
  work(transaction: Queryable, member: Member): Promise<void>;
}

/** Changes one member at a time of each organization, so that two owners cannot remove each other at once. */
function memberChanger(database: Database) {
  return ({ organization, id, keepsOwner, work }: Change): Promise<void> =>
    database.transaction(async (transaction) => {
      await transaction.query('select 1 from carrel.organizations where id = $1 for no key update', [organization]);
      await work(transaction, await find(transaction, organization, id));
      const [owner] = await transaction.query(
        `select 1 from carrel.keys where organization = $1 and email is not null and revoked_at is null and scopes && '{owner,operator}' limit 1`,
        [organization],
      );
      if (owner || !keepsOwner) return;
      throw new ApiError('LastOwner', 'This is the only owner of the organization. Make another member an owner first.');
    });
}

export function isMember(key: Key): key is Member {
  return key.email !== null;
}

export function roleOf({ scopes: own }: Pick<Key, 'scopes'>): Role {
  return roleNames[Math.max(...own.map((scope) => scopes.indexOf(scope)))] ?? 'viewer';
}

function scopesOf(role: Role): Scope[] {
  return scopes.slice(0, scopes.indexOf(roles[role]) + 1);
}

function emailOf(cursor: string): string {
  const email = Buffer.from(cursor, 'base64url').toString();
  if (email !== '' && !email.includes('\0') && Buffer.from(email).toString('base64url') === cursor) return email;
  throw new ApiError('CursorInvalid', `The cursor "${cursor.slice(0, 100)}" is not valid. Start again without a cursor.`);
}
