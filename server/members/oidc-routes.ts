// The way to an OpenID Connect provider and back: it ends with a sign-in link of the member, which the dashboard opens.
import type { Context } from 'hono';
import type { Database } from '../database/database.ts';
import type { Api, ApiEnvironment } from '../http/api.ts';
import { cookiesNamed } from '../http/cookies.ts';
import { ApiError } from '../platform/errors.ts';
import { recordEvent } from '../organizations/audited.ts';
import type { AdminRouteParts } from '../organizations/admin-route.ts';
import { addressSubject, countRequest, type Limits } from '../organizations/limits.ts';
import { identifyMember } from './identify-member.ts';
import { OidcError, type Oidc } from './oidc.ts';

interface OidcRouteParts extends AdminRouteParts {
  database: Database;
  oidc: Oidc;
  limits: Pick<Limits, 'count'>;
}

const cookieName = 'carrel-oidc';
const cookieSeconds = 600;
/** From an address, in 10 minutes: a company may have one for all. */
const mostTries = 600;

/** For browsers alone, so the description of the API has neither: the second is the redirect URI of the client at the provider. */
export function addOidcRoutes(api: Api, parts: OidcRouteParts): void {
  api.get('/v1/oidc', (context) => leave(parts, context));
  api.get('/v1/oidc/callback', (context) => comeBack(parts, context));
}

async function leave(parts: OidcRouteParts, context: Context<ApiEnvironment>): Promise<Response> {
  const oidc = await begun(parts, context);
  const to = queryOf(context.req.query('to') ?? '');
  try {
    const secret = oidc.newSecret();
    const url = await oidc.urlFor(secret);
    return redirect(url.href, cookie(parts, `${secret}.${Buffer.from(to).toString('base64url')}`, cookieSeconds));
  } catch (error) {
    return failed(parts, to, error);
  }
}

/** To the dashboard, with a sign-in link of the member. */
async function comeBack(parts: OidcRouteParts, context: Context<ApiEnvironment>): Promise<Response> {
  const oidc = await begun(parts, context);
  // A page on another port of the host can add one of its own over http.
  const [known, ...others] = cookiesNamed(context.req.raw.headers, [cookieNameAt(parts)]);
  const [, secret = '', query = ''] = /^([\w-]{43})\.([\w-]*)$/.exec(known?.token ?? '') ?? [];
  const to = Buffer.from(query, 'base64url').toString();
  try {
    if (secret === '' || others.length > 0)
      throw new OidcError('OidcFailed', 'This browser has not begun to sign in, or more than 10 minutes ago.');
    const identity = await oidc.identityOf(new URL(context.req.url).search, secret);
    const member = await identifyMember(parts, oidc.organization, identity);
    const link = await parts.sessionLinks.create(member, parts.publicUrl, { isAsked: true });
    const actor = { organization: member.organization, target: member.email, key: member.id, name: member.name };
    await recordEvent(parts, context, 'member.identify', actor);
    const [page, token] = link.url.split('#') as [string, string];
    return redirect(`${page}${queryOf(to)}#${token}`, cookie(parts, '', 0));
  } catch (error) {
    return failed(parts, to, error);
  }
}

/** Throws `ApiError` 404 `OidcOff`, 429 `TooManyRequests`. */
async function begun({ oidc, limits }: OidcRouteParts, context: Context<ApiEnvironment>): Promise<NonNullable<Oidc>> {
  if (!oidc) throw new ApiError('OidcOff', 'This server has no OpenID Connect provider. Sign in in another way.');
  const subject = `oidc ${addressSubject(context.get('address'))}`;
  await countRequest(context, limits, [{ name: 'address', subject, most: mostTries, seconds: 600 }]);
  return oidc;
}

/** Back to the page to sign in on, which says why. Passkeys and links go on working. */
function failed({ log, publicUrl }: OidcRouteParts, to: string, error: unknown): Response {
  if (!(error instanceof OidcError)) throw error;
  // Not all of the cause: it may repeat the code of the provider.
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  log.warn({ code: error.code, reason: error.message, cause }, 'nobody was signed in through the OpenID Connect provider');
  return redirect(`${publicUrl}/dashboard${queryOf(to)}#refused=${error.code}`);
}

const longestQuery = 2500;

/** Only a query, which fits a cookie: the browser stays on the dashboard. */
function queryOf(to: string): string {
  return /^\?[\x21-\x7e]*$/.test(to) && !to.includes('#') && to.length <= longestQuery ? to : '';
}

function redirect(location: string, setCookie?: string): Response {
  const headers = { location, 'cache-control': 'no-store', ...(setCookie !== undefined && { 'set-cookie': setCookie }) };
  return new Response(null, { status: 303, headers });
}

function cookieNameAt({ publicUrl }: Pick<OidcRouteParts, 'publicUrl'>): string {
  return publicUrl.startsWith('https:') ? `__Host-${cookieName}` : cookieName;
}

function cookie({ publicUrl }: OidcRouteParts, value: string, seconds: number): string {
  const isHttps = publicUrl.startsWith('https:');
  return `${cookieNameAt({ publicUrl })}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
}
