// The member whom an OpenID Connect provider has identified.
import type { Database, Queryable } from '../database/database.ts';
import { keyColumns } from '../organizations/keys.ts';
import { insertMember, lockMembers, removeAccess, type Member } from './members.ts';
import { OidcError, type Identity } from './oidc.ts';
import { roleOf, scopesOf } from './roles.ts';

type Known = Member & {
  /** Issuer and subject at the provider; null before the first sign-in there. */
  subject: string | null;
  /** Whether the role is one that the provider gave. */
  hasRoleOfProvider: boolean;
};

interface IdentifyParts {
  database: Database;
  now: () => number;
}

/**
 * A known member, or a new one. A role that the provider gave ends with what gave it, and so does the membership of who has no role any more.
 * Throws `OidcError` `OidcDenied`.
 */
export async function identifyMember(
  { database, now }: IdentifyParts,
  organization: string,
  identity: Identity,
): Promise<Member> {
  return allowed(await database.transaction((transaction) => identified(transaction, { organization, identity, now })));
}

/** What `identifyMember` would do; it changes nothing. Throws `OidcError` `OidcDenied`. */
export async function previewMember({ database, now }: IdentifyParts, organization: string, identity: Identity): Promise<Member> {
  let found: Member | string = '';
  const undo = new Error('undone');
  try {
    await database.transaction(async (transaction) => {
      found = await identified(transaction, { organization, identity, now });
      throw undo;
    });
  } catch (error) {
    if (error !== undo) throw error;
  }
  return allowed(found);
}

function allowed(found: Member | string): Member {
  if (typeof found === 'object') return found;
  throw new OidcError('OidcDenied', found);
}

/** Or why there is none. */
async function identified(transaction: Queryable, given: Given & { organization: string }): Promise<Member | string> {
  const { organization, identity } = given;
  await lockMembers(transaction);
  const [any] = await transaction.query('select 1 from carrel.organizations where id = $1', [organization]);
  if (!any) return 'CARREL_OIDC_ORGANIZATION names no organization of this server.';
  const known = await knownMember(transaction, organization, identity);
  if (known === 'taken') return `${identity.email} is the address of another member.`;
  return known ? updated(transaction, known, given) : made(transaction, given);
}

/** `taken`: another account of the provider has the address, or it is not verified that this one has it. */
async function knownMember(
  transaction: Queryable,
  organization: string,
  { subject, email, isVerified }: Identity,
): Promise<Known | 'taken' | undefined> {
  const found = await transaction.query<Known>(
    `select ${keyColumns}, oidc_subject as subject, oidc_role as "hasRoleOfProvider" from carrel.keys
     where organization = $1 and (oidc_subject = $2 or email = $3) and email is not null and revoked_at is null`,
    [organization, subject, email],
  );
  const known = found.find((one) => one.subject === subject) ?? found.find((one) => one.subject === null && isVerified);
  return found.some((one) => one !== known) ? 'taken' : known;
}

const noRole = 'CARREL_OIDC_ROLES gives this person no role.';

interface Given {
  identity: Identity;
  now: () => number;
}

async function made(
  transaction: Queryable,
  { organization, identity, now }: Given & { organization: string },
): Promise<Member | string> {
  const { subject, email, name, groups = [], role } = identity;
  if (!role) return noRole;
  const row = { organization, email, name, groups, scopes: scopesOf(role), createdAt: new Date(now()), subject };
  return (await insertMember(transaction, row))!;
}

async function updated(transaction: Queryable, known: Known, { identity, now }: Given): Promise<Member | string> {
  const { subject, email, groups, role, isDefault } = identity;
  if (!role && known.hasRoleOfProvider) {
    await transaction.query('update carrel.keys set revoked_at = $2 where id = $1', [known.id, new Date(now())]);
    await removeAccess(transaction, known.id);
    return noRole;
  }
  const isGiven = role !== undefined && (!isDefault || known.hasRoleOfProvider);
  const scopes = isGiven ? scopesOf(role) : known.scopes;
  // What somebody else may have made before: while they were no operator, or before the provider knew them.
  const isRaised = scopes.includes('operator') && roleOf(known) !== 'operator';
  if (isRaised || known.subject === null) await removeAccess(transaction, known.id);
  else if (known.email !== email) await transaction.query('delete from carrel.session_links where key = $1', [known.id]);
  const [member] = await transaction.query<Member>(
    `update carrel.keys set email = $2, scopes = $3, groups = $4, oidc_subject = $5, oidc_role = $6 where id = $1 returning ${keyColumns}`,
    [known.id, email, scopes, groups ?? known.groups, subject, isGiven],
  );
  return member!;
}
