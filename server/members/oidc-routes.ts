// The way to an OpenID Connect provider and back: it ends with a sign-in link of the member, which the dashboard opens.
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Database } from '../database/database.ts';
import type { Api, ApiEnvironment } from '../http/api.ts';
import { cookiesNamed } from '../http/cookies.ts';
import { jsonAnswer, jsonBody, namedObject, namedStrictObject } from '../http/error-answers.ts';
import { addRoutes } from '../http/route.ts';
import { ApiError } from '../platform/errors.ts';
import { recordEvent } from '../organizations/audited.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { addressSubject, countRequest, type Limits } from '../organizations/limits.ts';
import { identifyMember, previewMember } from './identify-member.ts';
import { checkHasOidc, type Members } from './members.ts';
import { OidcError, type Claims, type Oidc } from './oidc.ts';
import { roleNames, roleOf } from './roles.ts';

interface OidcRouteParts extends AdminRouteParts {
  database: Database;
  oidc: Oidc;
  members: Members;
  limits: Pick<Limits, 'count'>;
}

const cookieName = 'carrel-oidc';
const cookieSeconds = 600;
/** From an address, in 10 minutes: a company may have one for all. */
const mostTries = 600;

const route = organizationRoutesOf<OidcRouteParts>('Members');

/** The first two are for browsers alone, so the description of the API has neither: the second is the redirect URI of the client at the provider. */
export function addOidcRoutes(api: Api, parts: OidcRouteParts): void {
  api.get('/v1/oidc', (context) => leave(parts, context));
  api.get('/v1/oidc/callback', (context) => comeBack(parts, context));
  addRoutes(api, parts, { updateOidc, checkOidc, readOidcTest });
}

export const oidcSchema = namedObject('Oidc', {
  required: z.boolean().openapi({ description: 'Whether members sign in through the provider alone.' }),
});

const updateOidc = route('patch /v1/oidc/settings', {
  summary: 'Require the OpenID Connect provider',
  description:
    'Whether members of the organization sign in through its provider alone. Passkeys of owners and operators keep working, also while the provider is away; links for members do not, and other sessions of members below owners end. Keys are not affected. Requires that a member has signed in through the provider.',
  scope: 'owner',
  audit: 'oidc.update',
  body: jsonBody(namedStrictObject('OidcChange', { required: z.boolean() })),
  answers: { 200: jsonAnswer('The setting.', oidcSchema) },
  errors: [409],
  async handle({ parts, context, key, organization, body: { required } }) {
    await parts.members.requireOidc(key, organization, required);
    context.set('organization', organization);
    context.set('target', required ? 'required' : 'optional');
    return { required };
  },
});

const checkSchema = namedObject('OidcCheck', {
  problems: z.array(z.string()).openapi({ description: 'What is wrong, as sentences; empty if nothing is.' }),
  testUrl: z.union([z.string(), z.null()]).openapi({
    description: 'The page of the provider on which the browser of this request can sign in as a test, within 10 minutes.',
  }),
});

export type OidcCheckAnswer = z.infer<typeof checkSchema>;

const checkOidc = route('post /v1/oidc/check', {
  summary: 'Check the OpenID Connect provider',
  description:
    'Requests what the provider says about itself, and prepares a test sign-in in this browser, which starts no session and changes no member. Takes no body.',
  scope: 'owner',
  answers: { 200: jsonAnswer('What the check has found.', checkSchema) },
  errors: [413, 415],
  async handle({ parts, context, organization }) {
    checkHasOidc(parts.oidc, organization);
    const oidc = await begun(parts, context);
    const problems = await oidc.problems();
    if (problems.length > 0) return { problems, testUrl: null };
    const secret = oidc.newSecret();
    context.header('set-cookie', cookie(parts, `${secret}..test`, cookieSeconds));
    return { problems, testUrl: (await oidc.urlFor(secret)).href };
  },
});

const testSchema = namedObject('OidcTest', {
  refusal: z.union([z.string(), z.null()]).openapi({ description: 'Why this person could not sign in; null if they could.' }),
  claims: z.union([z.record(z.string(), z.unknown()), z.null()]).openapi({
    description: 'What the provider says about the person: `sub`, `email`, `email_verified`, `name` and `groups`, as received.',
  }),
  role: z.union([z.enum(roleNames), z.null()]).openapi({ description: 'The role that they would have.' }),
  groups: z.array(z.string()).openapi({ description: 'The groups that they would have.' }),
});

export type OidcTestAnswer = z.infer<typeof testSchema>;

const readOidcTest = route('post /v1/oidc/test-result', {
  summary: 'Read the result of a test sign-in',
  description: 'Of the browser of this request, once, after it has come back from the provider. Takes no body.',
  scope: 'owner',
  answers: { 200: jsonAnswer('Who was identified, and what they could do.', testSchema) },
  errors: [413, 415],
  async handle({ parts, context, organization }) {
    checkHasOidc(parts.oidc, organization);
    const oidc = await begun(parts, context);
    context.header('set-cookie', cookie(parts, '', 0));
    let claims: Claims | null = null;
    try {
      const { secret, rest, isTest } = begunBy(parts, context);
      if (!isTest || rest === '') throw notBegun();
      claims = await oidc.claimsOf(rest, secret);
      const member = await previewMember(parts, organization, oidc.identityFrom(claims));
      return { refusal: null, claims: shown(claims), role: roleOf(member), groups: member.groups };
    } catch (error) {
      if (!(error instanceof OidcError)) throw error;
      return { refusal: error.message, claims: claims && shown(claims), role: null, groups: [] };
    }
  },
});

function shown({ sub, email, email_verified, name, groups }: Claims) {
  return { sub, email, email_verified, name, groups };
}

async function leave(parts: OidcRouteParts, context: Context<ApiEnvironment>): Promise<Response> {
  const oidc = await begun(parts, context);
  const to = queryOf(context.req.query('to') ?? '');
  try {
    const secret = oidc.newSecret();
    const url = await oidc.urlFor(secret);
    return redirect(url.href, cookie(parts, `${secret}.${inCookie(to)}`, cookieSeconds));
  } catch (error) {
    return failed(parts, to, error);
  }
}

/** To the dashboard, with a sign-in link of the member. */
async function comeBack(parts: OidcRouteParts, context: Context<ApiEnvironment>): Promise<Response> {
  const oidc = await begun(parts, context);
  const { secret, rest, isTest } = begunBy(parts, context);
  const { search } = new URL(context.req.url);
  // The code of the provider waits in the cookie, until the person who tests asks for the result with their session.
  if (isTest)
    return redirect(
      `${parts.publicUrl}/dashboard?tab=members&oidc=tested`,
      cookie(parts, `${secret}.${inCookie(search.slice(0, longestQuery))}.test`, cookieSeconds),
    );
  const to = rest;
  try {
    if (secret === '') throw notBegun();
    const identity = oidc.identityFrom(await oidc.claimsOf(search, secret));
    const member = await identifyMember(parts, oidc.organization, identity);
    const link = await parts.sessionLinks.create(member, parts.publicUrl, { isOidc: true });
    const actor = { organization: member.organization, target: member.email, key: member.id, name: member.name };
    await recordEvent(parts, context, 'member.identify', actor);
    const [page, token] = link.url.split('#') as [string, string];
    return redirect(`${page}${queryOf(to)}#${token}`, cookie(parts, '', 0));
  } catch (error) {
    return failed(parts, to, error);
  }
}

interface Begun {
  /** '' if this browser has not begun to sign in. */
  secret: string;
  /** The query of the dashboard where it began; of a test, that with which it came back. */
  rest: string;
  isTest: boolean;
}

function begunBy(parts: OidcRouteParts, context: Context<ApiEnvironment>): Begun {
  // A page on another port of the host can add one of its own over http.
  const [known, ...others] = cookiesNamed(context.req.raw.headers, [cookieNameAt(parts)]);
  const found = others.length > 0 ? null : /^([\w-]{43})\.([\w-]*)(\.test)?$/.exec(known?.token ?? '');
  const [, secret = '', rest = '', test] = found ?? [];
  return { secret, rest: Buffer.from(rest, 'base64url').toString(), isTest: test !== undefined };
}

const inCookie = (text: string) => Buffer.from(text).toString('base64url');

function notBegun(): OidcError {
  return new OidcError('OidcFailed', 'This browser has not begun to sign in, or more than 10 minutes ago. Begin again.');
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
