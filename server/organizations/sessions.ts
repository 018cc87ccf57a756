// Sessions: a browser that signed in with an admin key has a random token instead of the key. The database stores only the token's hash.
import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { cookiesNamed, isOverHttps, tokensIn } from '../http/cookies.ts';
import type { Key, Scope } from '../http/key.ts';
import { ApiError } from '../platform/errors.ts';
import { hashOfSecret, type Keys } from './keys.ts';

const minute = 60_000;
const hour = 60 * minute;
/** A session ends after this time without a request. */
const idleMilliseconds = 12 * hour;
/** A session ends after this time, even if it is used. */
const longestMilliseconds = 7 * 24 * hour;

export interface Session {
  /** `ses_` and 16 hex digits; names the session, and gives no access. */
  id: string;
  key: Key;
  /** Whether it began at the OpenID Connect provider. */
  isOidc: boolean;
  /** When it ends at the latest; its key may expire before. */
  expiresAt: Date;
}

/** A session as lists show it. */
export interface ListedSession extends Omit<Session, 'key' | 'isOidc'> {
  key: string;
  /** Of the key or the member. */
  name: string;
  scopes: Scope[];
  createdAt: Date;
  /** Written at most once a minute. */
  usedAt: Date;
  /** The IP address that signed in. */
  address: string;
  /** The browser that signed in: 'Firefox on Linux'. */
  agent: string;
}

/** Who signs in. */
export interface SignIn {
  address: string;
  agent: string;
  isOidc?: boolean;
  /** The value of `sessionHeader`, which the requests of the session then need. */
  browser?: string | null;
}

export type Sessions = ReturnType<typeof createSessions>;

/** `oidcOrganization` is the one whose members have an OpenID Connect provider. */
export function createSessions(database: Database, keys: Pick<Keys, 'get'>, now: () => number, oidcOrganization?: string) {
  // While an organization requires the provider, other sessions of its members are those of owners and operators, who may have been neither
  // when they signed in.
  const isAllowed = (
    oidc: string,
  ) => `(s.oidc or k.email is null or k.scopes && '{owner,operator}' or k.organization is distinct from ${oidc}
    or not (select oidc_required from carrel.organizations where id = k.organization))`;
  return {
    async create(key: Key, { address, agent, isOidc = false, browser = null }: SignIn): Promise<Session & { token: string }> {
      const token = randomBytes(32).toString('base64url');
      const id = `ses_${randomBytes(8).toString('hex')}`;
      const at = now();
      await database.query(
        'insert into carrel.sessions (hash, id, key, created_at, used_at, address, agent, oidc) values ($1, $2, $3, $4, $4, $5, $6, $7)',
        [hashOfSecret(boundToken(token, browser)), id, key.id, new Date(at), address, agent, isOidc],
      );
      return { id, key, isOidc, token, expiresAt: new Date(at + longestMilliseconds) };
    },

    /** The session of a token, with its key in any state; undefined when it does not exist or has ended. Extends the session. */
    async find(token: string): Promise<Session | undefined> {
      const hash = hashOfSecret(token);
      const [row] = await database.query<{
        id: string;
        key: string;
        organization: string;
        isOidc: boolean;
        createdAt: Date;
        usedAt: Date;
      }>(
        `select s.id, s.key, k.organization, s.oidc as "isOidc", s.created_at as "createdAt", s.used_at as "usedAt"
         from carrel.sessions s join carrel.keys k on k.id = s.key
         where s.hash = $1 and s.used_at > $2 and s.created_at > $3 and ${isAllowed('$4')}`,
        [hash, new Date(now() - idleMilliseconds), new Date(now() - longestMilliseconds), oidcOrganization ?? null],
      );
      const key = row && (await keys.get(row.organization, row.key));
      if (!key) return undefined;
      // A page sends many requests at once; one write per minute is enough.
      if (now() - row.usedAt.getTime() >= minute)
        await database.query('update carrel.sessions set used_at = $2 where hash = $1', [hash, new Date(now())]);
      return { id: row.id, key, isOidc: row.isOidc, expiresAt: new Date(row.createdAt.getTime() + longestMilliseconds) };
    },

    async end(token: string): Promise<void> {
      await database.query('delete from carrel.sessions where hash = $1', [hashOfSecret(token)]);
    },

    /** The sessions of an organization that have not ended, and whose keys are valid; the last used first. */
    async list(organization: string): Promise<ListedSession[]> {
      const rows = await database.query<Omit<ListedSession, 'expiresAt'>>(
        `select s.id, s.key, k.name, k.scopes, s.created_at as "createdAt", s.used_at as "usedAt", s.address, s.agent
         from carrel.sessions s join carrel.keys k on k.id = s.key
         where k.organization = $1 and s.used_at > $2 and s.created_at > $3
           and k.revoked_at is null and (k.expires_at is null or k.expires_at > $4) and ${isAllowed('$5')}
         order by s.used_at desc, s.id`,
        [
          ...[organization, new Date(now() - idleMilliseconds), new Date(now() - longestMilliseconds), new Date(now())],
          oidcOrganization ?? null,
        ],
      );
      return rows.map((row) => ({ ...row, expiresAt: new Date(row.createdAt.getTime() + longestMilliseconds) }));
    },

    /** The IDs of those that had not ended. */
    async endByIds(ids: string[]): Promise<string[]> {
      const ended = await database.query<{ id: string }>('delete from carrel.sessions where id = any($1) returning id', [ids]);
      return ended.map(({ id }) => id);
    },

    /** Removes the sessions that have ended. */
    async removeOld(): Promise<void> {
      await database.query('delete from carrel.sessions where used_at <= $1 or created_at <= $2', [
        new Date(now() - idleMilliseconds),
        new Date(now() - longestMilliseconds),
      ]);
    },
  };
}

// The cookie of a session. Cookies ignore ports, and exported sites are served on another port of the same host, so the cookie alone gives no
// access: the request also needs a header that pages of other origins cannot send, and must come from a page of the API's own origin.

interface Addresses {
  publicUrl: string;
  sitesUrl: string;
}

/**
 * Sent by the dashboard with each request. Pages of other origins cannot send it, since the API answers no preflight. Its value is a random text
 * that the dashboard stores for its origin: a session that began with another value has another token. So a page on another port, which can set
 * the cookie, cannot sign a browser in with a session of its own.
 */
export const sessionHeader = 'x-carrel-session';

/** The value for clients whose cookie no one else can set. */
const unbound = '1';

function boundToken(token: string, browser: string | null): string {
  return browser === null || browser === unbound ? token : `${browser} ${token}`;
}

const secureName = '__Host-carrel-session';
const plainName = 'carrel-session';

/**
 * The token of the session that a request uses, bound to its browser; undefined without the header or the cookie.
 * Throws `ApiError` 403 `OriginNotAllowed` when a page of another origin sends it.
 */
export function sessionToken(addresses: Addresses, headers: Headers): string | undefined {
  if (!headers.has(sessionHeader)) return undefined;
  checkOwnOrigin(addresses, headers);
  const [token, ...others] = tokensIn(headers, { secure: secureName, plain: plainName }, [addresses.publicUrl]);
  // Of two, one is of another page.
  return token !== undefined && others.length === 0 ? boundToken(token, headers.get(sessionHeader)) : undefined;
}

/** Throws `ApiError` 403 `OriginNotAllowed` when the browser says that the request comes from a page of another origin. */
export function checkOwnOrigin(addresses: Addresses, headers: Headers): void {
  const origin = headers.get('origin');
  const site = headers.get('sec-fetch-site');
  if ((origin === null || isOwnOrigin(addresses, origin, headers.get('host'))) && (site === null || site === 'same-origin'))
    return;
  throw new ApiError(
    'OriginNotAllowed',
    `A session works only on the pages of this server, and the request comes from ${origin === null ? 'another site' : `"${origin.slice(0, 200)}"`}. Open the dashboard at ${addresses.publicUrl}/dashboard, or send a key as a bearer token.`,
  );
}

/** `Set-Cookie` for a new session. The cookie ends when the browser closes, or earlier when the server ends the session. */
export function cookieOfSession({ publicUrl }: Addresses, headers: Headers, token: string): string {
  return setCookie(isOverHttps(headers, [publicUrl]) ? secureName : plainName, token);
}

/** `Set-Cookie` that removes each session cookie of a request. */
export function removedCookies(headers: Headers): string[] {
  const names = new Set(cookiesNamed(headers, [secureName, plainName]).map(({ name }) => name));
  return [...names].map((name) => `${setCookie(name, '')}; Max-Age=0`);
}

function setCookie(name: string, value: string): string {
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict${name === secureName ? '; Secure' : ''}`;
}

/** The server may have other names besides its public URL, such as through a tunnel; the browser then sends that name as host. */
function isOwnOrigin({ publicUrl, sitesUrl }: Addresses, origin: string, host: string | null): boolean {
  const known = new URL(publicUrl);
  if (origin === known.origin) return true;
  if (origin === new URL(sitesUrl).origin || host === known.host || !URL.canParse(origin)) return false;
  return host !== null && new URL(origin).host === host;
}
