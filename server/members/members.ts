// Members: people of an organization. A member is a row among the keys whose secret nobody has: sessions, rights, uses and the audit log are
// those of keys. They sign in by a link or a passkey.
import { randomBytes } from 'node:crypto';
import type { Database, Queryable } from '../database/database.ts';
import { pageOf, readCursor } from '../database/paging.ts';
import { includesScope, type Key } from '../http/key.ts';
import { ApiError } from '../platform/errors.ts';
import { checkScope, checkValid } from '../organizations/authenticate.ts';
import { hashOfSecret, keyColumns } from '../organizations/keys.ts';
import type { Oidc } from './oidc.ts';
import { roleOf, roles, scopesOf, type Role } from './roles.ts';

export type Member = Key & { email: string };

interface NewMember {
  organization: string;
  /** In lower case. */
  email: string;
  name: string;
  role: Role;
  /** Whose pages they see as well, on private sites for members. */
  groups?: string[];
  /** Domains of sites that they may change, whatever their role. */
  editorOf?: string[];
}

type MemberChanges = Partial<Pick<NewMember, 'name' | 'role' | 'groups' | 'editorOf'>>;

interface MemberFilter {
  organization: string;
  text?: string;
  cursor?: string;
  limit: number;
}

export type Members = ReturnType<typeof createMembers>;

/**
 * All changes throw `ApiError`: 401 `KeyUnknown`, `KeyExpired` and 403 `ScopeMissing` if the caller `by` no longer may, or the member has more rights;
 * 403 `KeyTooStrong` for a key with limits that members do not have; 404 `MemberUnknown`, `SiteUnknown`; 409 `LastOwner`.
 */
export function createMembers(database: Database, now: () => number, oidc?: Pick<NonNullable<Oidc>, 'organization'>) {
  const asCaller = callers(database, now);

  return {
    /** The memberships of a person, by organization. */
    withEmail: (email: string): Promise<Member[]> =>
      database.query<Member>(
        `select ${keyColumns} from carrel.keys where email = $1 and revoked_at is null order by organization limit 20`,
        [email],
      ),

    /** Whether members below owners sign in through the OpenID Connect provider alone. */
    async requiresOidc(organization: string): Promise<boolean> {
      const sql = 'select 1 from carrel.organizations where id = $1 and oidc_required';
      return organization === oidc?.organization && (await database.query(sql, [organization])).length > 0;
    },

    /** Also throws `ApiError` 404 `OidcOff`, 409 `OidcUntried`. */
    requireOidc: (by: Key, organization: string, isRequired: boolean): Promise<void> =>
      asCaller(by, (transaction) => {
        checkHasOidc(oidc, organization);
        return requireOidc(transaction, organization, isRequired);
      }),

    /** Those whose name or email contains the text, by email. Throws `ApiError` 400 `CursorInvalid`. */
    list: (filter: MemberFilter): Promise<{ members: Member[]; cursor?: string }> => listMembers(database, filter),

    /** `link` makes the link of the invitation in the same transaction. Also throws `ApiError` 409 `MemberExists`. */
    invite: <Link>(
      by: Key,
      { organization, email, name, role, groups = [], editorOf = [] }: NewMember,
      link: (member: Member, transaction: Queryable) => Promise<Link>,
    ): Promise<{ member: Member; link: Link }> =>
      asCaller(by, async (transaction, caller) => {
        checkScope(caller, roles[role]);
        await checkSites(transaction, organization, editorOf);
        const member = await insertMember(transaction, {
          organization,
          email,
          name,
          ...{ groups, editorOf },
          scopes: scopesOf(role),
          createdAt: new Date(now()),
          createdBy: caller.id,
        });
        if (!member) throw new ApiError('MemberExists', `${email} is a member of "${organization}" already.`);
        return { member, link: await link(member, transaction) };
      }),

    /**
     * Takes effect with the next request. Who becomes an operator has to sign in again, by a new link: their sessions and passkeys may have
     * been made by an owner.
     */
    update: (by: Key, name: MemberName, changes: MemberChanges): Promise<Member> =>
      asCaller(by, (transaction, caller) => updateMember(transaction, caller, name, changes)),

    /** Ends the member's sessions, links and passkeys. Returns who it was. */
    remove: (by: Key, { organization, id }: MemberName): Promise<Member> =>
      asCaller(by, async (transaction, caller) => {
        const member = await findBelow(transaction, caller, { organization, id });
        await transaction.query('update carrel.keys set revoked_at = $2 where id = $1', [id, new Date(now())]);
        await removeAccess(transaction, id);
        await checkOwner(transaction, caller, member);
        return member;
      }),

    /** `make` makes a link for the member. Also throws `ApiError` 403 `LinkForSelf`. */
    link: <Link>(
      by: Key,
      { organization, id }: MemberName,
      make: (member: Member, transaction: Queryable) => Promise<Link>,
    ): Promise<{ member: Member; link: Link }> =>
      asCaller(by, async (transaction, caller) => {
        const member = await findBelow(transaction, caller, { organization, id });
        if (id === caller.id)
          throw new ApiError(
            'LinkForSelf',
            'A session that makes links for itself would never end. Add a passkey, or ask another owner.',
          );
        return { member, link: await make(member, transaction) };
      }),
  };
}

async function updateMember(
  transaction: Queryable,
  caller: Key,
  { organization, id }: MemberName,
  { name, role, groups, editorOf }: MemberChanges,
): Promise<Member> {
  const member = await findBelow(transaction, caller, { organization, id });
  if (role !== undefined) checkScope(caller, roles[role]);
  if (editorOf) await checkSites(transaction, organization, editorOf);
  const scopesNow = role === undefined ? member.scopes : scopesOf(role);
  await transaction.query(
    'update carrel.keys set name = $2, scopes = $3, groups = $4, oidc_role = oidc_role and not $5, editor_of = $6 where id = $1',
    [id, name ?? member.name, scopesNow, groups ?? member.groups, role !== undefined, editorOf ?? member.editorOf],
  );
  if (role === 'operator' && roleOf(member) !== 'operator') await removeAccess(transaction, id);
  await checkOwner(transaction, caller, member);
  return find(transaction, { organization, id });
}

async function listMembers(
  database: Database,
  { organization, text = '', cursor, limit }: MemberFilter,
): Promise<{ members: Member[]; cursor?: string }> {
  const [after] = cursor === undefined ? [] : readCursor(cursor, /^([^\0]+)$/);
  const found = await database.query<Member>(
    `select ${keyColumns} from carrel.keys
     where organization = $1 and email is not null and revoked_at is null
       and ($2 = '' or strpos(email, lower($2)) > 0 or strpos(lower(name), lower($2)) > 0)
       and ($3::text is null or email collate "C" > $3) order by email collate "C" limit $4`,
    [organization, text, after ?? null, limit + 1],
  );
  const { page: members, ...next } = pageOf(found, limit, ({ email }) => email);
  return { members, ...next };
}

/** What has never worked would lock out all but the owners. */
async function requireOidc(transaction: Queryable, organization: string, isRequired: boolean): Promise<void> {
  // Also when it ends: what was refused in between does not come back.
  await transaction.query(
    `delete from carrel.sessions s using carrel.keys k, carrel.organizations o
     where k.id = s.key and o.id = k.organization and o.id = $1 and (o.oidc_required or $2)
       and not s.oidc and k.email is not null and not k.scopes && '{owner,operator}'`,
    [organization, isRequired],
  );
  const changed = await transaction.query(
    `update carrel.organizations set oidc_required = $2 where id = $1 and (not $2 or exists (
       select from carrel.keys where organization = $1 and oidc_subject is not null and revoked_at is null
     )) returning id`,
    [organization, isRequired],
  );
  if (changed.length > 0) return;
  throw new ApiError(
    'OidcUntried',
    "No member has signed in with your company's account yet. Sign in with it once, so that you know that it works.",
  );
}

/** Throws `ApiError` 404 `OidcOff` if the OpenID Connect provider is not one of this organization. */
export function checkHasOidc(oidc: Pick<NonNullable<Oidc>, 'organization'> | undefined, organization: string): void {
  if (oidc?.organization === organization) return;
  throw new ApiError(
    'OidcOff',
    `The organization "${organization}" has no OpenID Connect provider. An operator can set one in CARREL_OIDC_ISSUER.`,
  );
}

interface MemberRow {
  organization: string;
  email: string;
  name: string;
  groups: string[];
  editorOf?: string[];
  scopes: Key['scopes'];
  createdAt: Date;
  /** ID of the key or member that invited them. */
  createdBy?: string;
  /** Of the OpenID Connect provider that gave the role. */
  subject?: string;
}

/** With the hash of a secret that nobody has. Undefined if another member has the email. */
export async function insertMember(
  transaction: Queryable,
  { organization, email, name, groups, editorOf = [], scopes, createdAt, createdBy, subject }: MemberRow,
): Promise<Member | undefined> {
  const [member] = await transaction.query<Member>(
    `insert into carrel.keys (id, hash, organization, kind, name, hint, scopes, addresses, domains, origins,
       created_at, email, created_by, groups, oidc_subject, oidc_role, editor_of)
     values ($1, $2, $3, 'admin', $4, '', $5, '{}', '{}', '{}', $6, $7, $8, $9, $10, $11, $12)
     on conflict (organization, email) where email is not null and revoked_at is null do nothing returning ${keyColumns}`,
    [
      ...[`mem_${randomBytes(8).toString('hex')}`, hashOfSecret(randomBytes(32).toString('hex')), organization, name, scopes],
      ...[createdAt, email, createdBy ?? null, groups, subject ?? null, subject !== undefined, editorOf],
    ],
  );
  return member;
}

/** They stay until the transaction ends. */
async function checkSites(transaction: Queryable, organization: string, domains: string[]): Promise<void> {
  const sql = 'select domain from carrel.sites where organization = $1 and domain = any($2) and preview_of is null for key share';
  const found = await transaction.query<{ domain: string }>(sql, [organization, domains]);
  const missing = domains.find((wanted) => !found.some(({ domain }) => domain === wanted));
  if (missing === undefined) return;
  throw new ApiError('SiteUnknown', `"${organization}" has no site "${missing}". GET /v1/sites lists its sites.`);
}

interface MemberName {
  organization: string;
  id: string;
}

/** Until the end of the transaction, nobody else changes members. */
export async function lockMembers(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtext('carrel members'))`);
}

/** One change of members at a time, with the rights that the caller has then: another change may have taken them since the request came. */
function callers(database: Database, now: () => number) {
  return <Value>(by: Key, work: (transaction: Queryable, caller: Key) => Promise<Value>): Promise<Value> =>
    database.transaction(async (transaction) => {
      await lockMembers(transaction);
      const [caller] = await transaction.query<Key>(`select ${keyColumns} from carrel.keys where id = $1`, [by.id]);
      checkValid({ now }, caller);
      checkScope(caller, 'owner');
      if (caller.expiresAt || caller.addresses.length > 0)
        throw new ApiError(
          'KeyTooStrong',
          'This key expires, or works only from some IP addresses, which members do not. Use a key without these limits, or sign in as a member.',
        );
      return work(transaction, caller);
    });
}

async function find(queryable: Queryable, { organization, id }: MemberName): Promise<Member> {
  const [member] = await queryable.query<Member>(
    `select ${keyColumns} from carrel.keys where organization = $1 and id = $2 and email is not null and revoked_at is null`,
    [organization, id],
  );
  if (member) return member;
  throw new ApiError('MemberUnknown', `There is no member "${id.slice(0, 254)}". GET /v1/members lists all members.`);
}

/** The member, who has no rights beyond those of the caller. */
async function findBelow(transaction: Queryable, caller: Key, name: MemberName): Promise<Member> {
  const member = await find(transaction, name);
  checkScope(caller, roles[roleOf(member)]);
  return member;
}

export async function removeAccess(transaction: Queryable, id: string): Promise<void> {
  for (const table of ['sessions', 'session_links', 'passkeys'])
    await transaction.query(`delete from carrel.${table} where key = $1`, [id]);
}

/** After a change by a member: the organization keeps an owner who has signed in. */
async function checkOwner(transaction: Queryable, caller: Key, before: Member): Promise<void> {
  if (!isMember(caller) || !includesScope(before.scopes, 'owner')) return;
  const [owner] = await transaction.query(
    `select 1 from carrel.keys where organization = $1 and email is not null and revoked_at is null and last_used_at is not null
     and scopes && '{owner,operator}' limit 1`,
    [before.organization],
  );
  if (!owner)
    throw new ApiError('LastOwner', 'No other owner of the organization has signed in yet. Make another member an owner first.');
}

export function isMember(key: Key): key is Member {
  return key.email !== null;
}
