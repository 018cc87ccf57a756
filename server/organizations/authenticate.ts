// Finds the key of a request, from its `Authorization` header or the session of its browser, and checks what the key allows.
import type { Context, MiddlewareHandler } from 'hono';
import { z } from '@hono/zod-openapi';
import type { ApiEnvironment } from '../http/api.ts';
import { isEventStream, whileAllowed } from '../http/event-stream.ts';
import { ApiError, unauthorizedError } from '../platform/errors.ts';
import { isInside } from '../../integration/remote/address-range.ts';
import { organizationIdSchema } from '../http/field-schemas.ts';
import { includesScope, mayChangeSite, type Key, type Scope } from '../http/key.ts';
import type { Keys } from './keys.ts';
import type { Organizations } from './organizations.ts';
import type { SessionLinks } from './session-links.ts';
import { sessionToken, type Session, type Sessions } from './sessions.ts';

/** What is needed to find the key of a request. */
export interface AccessParts {
  keys: Keys;
  sessions: Sessions;
  sessionLinks: SessionLinks;
  now: () => number;
  publicUrl: string;
  sitesUrl: string;
}

type FindKey = (context: Context<ApiEnvironment>) => Promise<Key>;
/** Domain of the site that a request is about, before the request is validated. */
export type SiteOfRequest<Parts = unknown> = (context: Context<ApiEnvironment>, parts: Parts) => Promise<string | undefined>;

/**
 * Accepts a request when its bearer token, or the key of its session, is a valid admin key with the scope; the key is then `context.get('key')`.
 * Throws `ApiError`: 401 `KeyMissing` (no header, another scheme), `KeyUnknown` (including revoked ones), `KeyExpired`, `SessionUnknown`;
 * 403 `KeyNotAdmin` (an assistant key), `ScopeMissing`, `AddressNotAllowed`, `OriginNotAllowed` (a session, from a page of another origin).
 * With `siteOf`, editors of that site need no scope above `read`.
 */
export function adminKey<Parts extends AccessParts>(
  services: Parts,
  scope: Scope,
  siteOf?: SiteOfRequest<Parts>,
): MiddlewareHandler<ApiEnvironment> {
  const findKey: FindKey = async (context) => {
    const { key, session } = await caller(services, context.req.raw.headers, context.get('address'));
    context.set('session', session);
    return key;
  };
  return requireKey(services, 'admin', findKey, async (key, context) => {
    checkScope(key, scope, key.editorOf.length > 0 ? await siteOf?.(context, services) : undefined);
  });
}

/** Like `adminKey`, but without sessions. */
export function adminBearer(services: AccessParts, scope: Scope): MiddlewareHandler<ApiEnvironment> {
  const findKey: FindKey = ({ req }) => validKey(services, req.header('authorization'));
  return requireKey(services, 'admin', findKey, (key) => checkScope(key, scope));
}

/**
 * Accepts a request whose key has this kind, allows the caller's IP address and passes `check`; the key is then `context.get('key')`. A response
 * that is a stream of events ends when this is no longer so.
 */
export function requireKey(
  services: AccessParts,
  kind: Key['kind'],
  findKey: FindKey,
  check: (key: Key, context: Context<ApiEnvironment>) => void | Promise<void>,
): MiddlewareHandler<ApiEnvironment> {
  const findValid: FindKey = async (context) => {
    const key = await findKey(context);
    if (key.kind !== kind) throw wrongKindError(key);
    checkAddress(key, context.get('address'));
    await check(key, context);
    return key;
  };
  return async (context, next) => {
    const key = await findValid(context);
    if (!key.isOfPage) services.keys.used(key.id);
    context.set('key', key);
    await next();
    const { body } = context.res;
    if (!body || !isEventStream(context.res)) return;
    const mayRead = () => findValid(context).then(() => true, keepsAccess);
    context.res = new Response(whileAllowed(body, mayRead), context.res);
  };
}

/** While the database is unavailable, the last known permission still applies, and a page may finish what it began with a valid token. */
function keepsAccess(error: unknown): boolean {
  return !(error instanceof ApiError) || error.code === 'PageTokenExpired';
}

export function wrongKindError({ kind }: Key): ApiError {
  return kind === 'assistant'
    ? new ApiError(
        'KeyNotAdmin',
        'This is an assistant key (svc_dsc_…), which can only ask and search. Send an admin key (svc_…).',
      )
    : new ApiError(
        'KeyNotAssistant',
        'This is an admin key (svc_…), a secret for servers. Send an assistant key (svc_dsc_…) of this site.',
      );
}

/**
 * The key of the `Authorization` header or else of the session, neither revoked nor expired, with the ID of that session.
 * Throws `ApiError` like `adminKey`.
 */
async function caller(
  services: AccessParts,
  headers: Headers,
  address: string,
): Promise<{ key: Key; session: string | undefined }> {
  const authorization = headers.get('authorization') ?? undefined;
  const session = authorization === undefined ? await sessionOf(services, headers, address) : undefined;
  return { key: session?.key ?? (await validKey(services, authorization)), session: session?.id };
}

/**
 * The session of a request; undefined when the request does not use one. Throws `ApiError`: 401 `SessionUnknown`, `KeyUnknown`, `KeyExpired`;
 * 403 `OriginNotAllowed`, `AddressNotAllowed`.
 */
export async function sessionOf(services: AccessParts, headers: Headers, address: string): Promise<Session | undefined> {
  const token = sessionToken(services, headers);
  if (token === undefined) return undefined;
  const session = await services.sessions.find(token);
  if (!session) throw sessionUnknownError();
  if (session.key.revokedAt) {
    const isKey = session.key.email === null;
    throw unauthorizedError(
      'KeyUnknown',
      isKey
        ? 'The key of this session was revoked. Sign in with another key.'
        : 'You are no longer a member of this organization.',
    );
  }
  checkValid(services, session.key);
  // A token that is used from another address may be stolen.
  if (!isAllowedFrom(session.key, address)) await services.sessions.end(token);
  checkAddress(session.key, address);
  return session;
}

export function sessionUnknownError(): ApiError {
  return unauthorizedError('SessionUnknown', 'The session has ended. Sign in again.');
}

/** The token of an `Authorization` header. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

/** The key of an `Authorization` header, of either kind, neither revoked nor expired. Throws `ApiError` 401 like `adminKey`. */
export async function validKey(services: Pick<AccessParts, 'keys' | 'now'>, header: string | undefined): Promise<Key> {
  const secret = bearerOf(header);
  if (secret === undefined) {
    throw unauthorizedError('KeyMissing', 'The request has no key. Send the header "Authorization: Bearer svc_…".');
  }
  const key = await services.keys.find(secret);
  checkValid(services, key);
  return key;
}

/** Throws `ApiError` 401 `KeyUnknown` for a missing or revoked key, `KeyExpired`. */
export function checkValid({ now }: Pick<AccessParts, 'now'>, key: Key | undefined): asserts key {
  if (!key || key.revokedAt) {
    throw unauthorizedError(
      'KeyUnknown',
      'This key is unknown: it is mistyped, belongs to another server, or was revoked. Send another one.',
    );
  }
  if (key.expiresAt && key.expiresAt.getTime() <= now()) {
    throw unauthorizedError('KeyExpired', `This key expired on ${key.expiresAt.toISOString()}. Create a new one.`);
  }
}

/** Throws `ApiError` 403 `AddressNotAllowed` when the key has a list of IP addresses without the caller's. */
export function checkAddress(key: Key, address: string): void {
  if (isAllowedFrom(key, address)) return;
  throw new ApiError(
    'AddressNotAllowed',
    `This key can't be used from ${address || 'an unknown IP address'}. Use it from an IP address on its list, or create a key for this one.`,
  );
}

function isAllowedFrom({ addresses }: Key, address: string): boolean {
  return addresses.length === 0 || isInside(address, addresses);
}

/** Throws `ApiError` 403 `ScopeMissing` when the key lacks a scope, unless its member is an editor of the site that is to be changed. */
export function checkScope(key: Key, scope: Scope, site?: string): void {
  if (includesScope(key.scopes, scope) || (scope === 'write' && site !== undefined && mayChangeSite(key, site))) return;
  const isPerson = key.email !== null;
  throw new ApiError(
    'ScopeMissing',
    `This requires the scope "${scope}"; ${isPerson ? 'you have' : 'this key has'} ${key.scopes.map((own) => `"${own}"`).join(', ') || 'none'}. ${isPerson ? 'An owner of the organization can change your role.' : "Scopes can't be changed: use a key that has it."}`,
  );
}

/** Throws `ApiError` 403 `PlanWithoutExport` when the organization's plan is not `enterprise`. */
export async function checkPlan(
  { organizations }: { organizations: Organizations },
  key: Pick<Key, 'organization'>,
): Promise<void> {
  const organization = await organizations.get(key.organization);
  if (organization?.plan === 'enterprise') return;
  throw new ApiError(
    'PlanWithoutExport',
    `Static export requires the plan "enterprise"; "${key.organization}" has "${organization?.plan ?? 'none'}". An operator of this server can change the plan.`,
  );
}

/** The query of routes where an operator can act for another organization. */
export const organizationQuery = z.object({
  organization: organizationIdSchema.optional().openapi({
    description: "Organization to act for, by default the key's own. Another one requires the scope `operator`.",
  }),
});

/**
 * The organization of a request: the key's own, or the one that an operator names.
 * Throws `ApiError` 403 `ScopeMissing`, 404 `OrganizationUnknown`.
 */
export async function namedOrganization(
  { organizations }: { organizations: Organizations },
  key: Key,
  named: string | undefined,
): Promise<string> {
  if (named === undefined || named === key.organization) return key.organization;
  checkScope(key, 'operator');
  if (await organizations.get(named)) return named;
  throw organizationUnknownError(named);
}

export function organizationUnknownError(id: string): ApiError {
  return new ApiError('OrganizationUnknown', `There is no organization "${id}". GET /v1/organizations lists all organizations.`);
}
