// Signing in and out: the dashboard exchanges a key, or a link that works once, for a session, which survives a reload.
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiEnvironment } from '../http/api.ts';
import { jsonAnswer, jsonBody, namedObject, namedStrictObject } from '../http/error-answers.ts';
import { emailSchema } from '../http/field-schemas.ts';
import { includesScope, type Key } from '../http/key.ts';
import { ApiError } from '../platform/errors.ts';
import { audited, recordEvent } from '../organizations/audited.ts';
import {
  adminBearer,
  checkAddress,
  checkScope,
  checkValid,
  sessionOf,
  sessionUnknownError,
  validKey,
  wrongKindError,
  type AccessParts,
} from '../organizations/authenticate.ts';
import {
  checkOwnOrigin,
  cookieOfSession,
  removedCookies,
  sessionHeader,
  sessionToken,
  type ListedSession,
  type Session,
} from '../organizations/sessions.ts';
import type { SessionLink } from '../organizations/session-links.ts';
import type { SendMail } from '../platform/mail.ts';
import { addressSubject, countRequest, type Limits } from '../organizations/limits.ts';
import { signInMail } from './member-mail.ts';
import { isMember, type Members } from './members.ts';
import type { Oidc } from './oidc.ts';
import { shortUserAgent } from './user-agent.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { routesOf } from '../http/route.ts';

export const sessionSchema = namedObject('Session', {
  keyId: z.string().openapi({ description: 'The key or the member of the session.', example: 'key_0123456789abcdef' }),
  expiresAt: z.iso.datetime().openapi({
    description:
      'When it ends at the latest: 7 days after it began. It ends earlier after 12 hours without a request, or when its key expires.',
  }),
});

const sessionId = z.string().openapi({ description: 'Names the session; gives no access.', example: 'ses_0123456789abcdef' });

const listedSchema = sessionSchema
  .extend({
    sessionId,
    name: z.string().openapi({ description: 'Name of the member or the key.', example: 'Ada' }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().openapi({ description: 'Written at most once a minute.' }),
    address: z.string().openapi({ description: 'The IP address that signed in.', example: '192.0.2.7' }),
    userAgent: z.string().openapi({ description: 'The browser that signed in, in short.', example: 'Firefox on Linux' }),
    current: z.boolean().openapi({ description: 'Whether the request uses this session.' }),
  })
  .openapi('ListedSession');

export type ListedSessionAnswer = z.infer<typeof listedSchema>;

const endedSchema = namedObject('EndedSessions', {
  ended: z.int().openapi({ description: 'How many sessions have ended.', example: 3 }),
  notAllowed: z
    .int()
    .openapi({ description: 'How many stay, because their keys have scopes that your key does not have.', example: 0 }),
});

export type EndedSessionsAnswer = z.infer<typeof endedSchema>;

const mailsPerHour = { address: 60, person: 5 };

/** Carries the token of a sign-in link. */
const linkHeader = 'x-carrel-session-link';

export const linkSchema = namedObject('SessionLink', {
  url: z.string().openapi({
    description: 'Opens the dashboard, signed in. The token is in the fragment, which browsers send to no server.',
    example: 'https://carrel.example.com/dashboard#link=Zm9v',
  }),
  expiresAt: z.iso.datetime().openapi({ description: 'When the link stops working; it works once.' }),
});

export type SessionLinkAnswer = z.infer<typeof linkSchema>;

const linkSubjectSchema = namedObject('SessionLinkSubject', {
  name: z.string().openapi({ example: 'Ada' }),
  email: z.union([z.string(), z.null()]).openapi({ description: 'In part; null for a key.', example: 'a…@example.com' }),
  organization: z.string().openapi({ description: 'Name of the organization.' }),
});

export type SessionLinkSubject = z.infer<typeof linkSubjectSchema>;

const headersOfSession = z.object({
  [sessionHeader]: z.string().optional().openapi({
    description:
      'Without it, the cookie is ignored. A session that began with another value than `1` needs the same value with each request.',
    example: '1',
  }),
});

const route = organizationRoutesOf<AdminRouteParts>('Keys');
const openRoute = routesOf<SessionRouteParts>({ tags: ['Keys'], security: [] });

interface SessionRouteParts extends AdminRouteParts {
  members: Pick<Members, 'withEmail' | 'requiresOidc'>;
  oidc: Oidc;
  sendMail: SendMail | undefined;
  limits: Pick<Limits, 'count'>;
}

const createSession = openRoute('post /v1/session', {
  summary: 'Sign in',
  description:
    "Starts a session for an admin key, or for a sign-in link instead, and sets its cookie, which scripts can't read. The browser's earlier session ends. For the dashboard; programs send the key with each request.",
  middleware: (parts) => [audited(parts, 'session.create')],
  security: [{ adminKey: [] }, { sessionLink: [] }],
  answers: { 201: jsonAnswer('The session.', sessionSchema) },
  errors: [401, 403],
  async handle({ parts, context }) {
    const { sessionLinks } = parts;
    const { headers } = context.req.raw;
    const link = context.req.header(linkHeader);
    const address = context.get('address');
    const authorization = context.req.header('authorization');
    const isByLink = link !== undefined && authorization === undefined;
    const { key, isOidc } = isByLink
      ? await sessionLinks.keyOf(link)
      : { key: await validKey(parts, authorization), isOidc: false };
    checkSignIn(parts, key, address);
    checkOwnOrigin(parts, headers);
    if (isByLink && !isOidc) await checkWay(parts.members, key, 'link');
    if (isByLink) await sessionLinks.use(link);
    return startSession(parts, context, key, { isOidc });
  },
});

const getSessionLink = openRoute('get /v1/session-link', {
  summary: 'Read whom a sign-in link signs in',
  description: 'The link is in the header. It stays unused: the dashboard asks before it signs anyone in.',
  security: [{ sessionLink: [] }],
  answers: { 200: jsonAnswer('The member or the key of the link.', linkSubjectSchema) },
  errors: [401, 403],
  async handle({ parts, context }) {
    const { key } = await parts.sessionLinks.keyOf(context.req.header(linkHeader) ?? '');
    checkSignIn(parts, key, context.get('address'));
    const { name } = (await parts.organizations.get(key.organization))!;
    return { name: key.name, email: key.email && key.email.replace(/^(.).*@/u, '$1…@'), organization: name };
  },
});

const createSessionLink = openRoute('post /v1/session-links', {
  summary: 'Create a sign-in link',
  description:
    'The link opens the dashboard and signs in with the key of this request, once, within 10 minutes. `carrel dashboard` uses it. A session is not accepted, or it could be renewed forever. Takes no body.',
  middleware: (parts) => [adminBearer(parts, 'read'), audited(parts, 'session-link.create')],
  security: [{ adminKey: ['read'] }],
  answers: { 201: jsonAnswer('The link.', linkSchema) },
  errors: [401, 403, 413, 415],
  async handle({ parts, context }) {
    return linkAnswer(await parts.sessionLinks.create(context.get('key'), parts.publicUrl));
  },
});

const mailSessionLink = openRoute('post /v1/session-links/mail', {
  summary: 'Mail a sign-in link',
  description:
    'To a member, by their email address: the link works once, within 10 minutes. The response is the same for addresses of members and others.',
  body: jsonBody(namedStrictObject('MailedSessionLink', { email: emailSchema })),
  answers: { 202: jsonAnswer('A member with this address gets a mail.', namedObject('Accepted', {})) },
  errors: [400, 403, 404, 413, 415, 429],
  async handle({ parts, context, body: { email } }) {
    const { limits, log, sendMail } = parts;
    if (!sendMail)
      throw new ApiError('MailOff', 'This server sends no mail. Ask an owner of your organization for a sign-in link.');
    checkOwnOrigin(parts, context.req.raw.headers);
    await countRequest(context, limits, [
      {
        name: 'address',
        subject: `mail from ${addressSubject(context.get('address'))}`,
        most: mailsPerHour.address,
        seconds: 3600,
      },
      { name: 'reader', subject: `mail to ${email}`, most: mailsPerHour.person, seconds: 3600 },
    ]);
    // After the response, whose time would tell who is a member.
    void mailLinks(parts, sendMail, email).catch((err: unknown) => log.warn({ err }, 'a sign-in link could not be mailed'));
    return {};
  },
});

async function mailLinks(
  { members, organizations, sessionLinks, publicUrl }: SessionRouteParts,
  sendMail: SendMail,
  email: string,
) {
  const found = await members.withEmail(email);
  const links = await Promise.all(
    found.map(async (member) => ({
      organization: (await organizations.get(member.organization))?.name ?? member.organization,
      link: (await members.requiresOidc(member.organization))
        ? undefined
        : await sessionLinks.create(member, publicUrl, { isAsked: true }),
    })),
  );
  if (links.length > 0) await sendMail(signInMail(email, links, publicUrl));
}

const listSessions = route('get /v1/sessions', {
  summary: 'List sessions',
  description: 'The browsers of the members and the keys of the organization that are signed in, the last used first.',
  scope: 'read',
  answers: {
    200: jsonAnswer('The sessions that have not ended.', namedObject('Sessions', { sessions: z.array(listedSchema) })),
  },
  async handle({ parts: { sessions }, context, organization }) {
    const found = await sessions.list(organization);
    return { sessions: found.map((session) => listedAnswer(session, context.get('session'))) };
  },
});

const endSession = route('delete /v1/sessions/{sessionId}', {
  summary: 'End a session',
  description:
    'Signs a browser out, immediately: one of your own, or with the scope `write` one of a member or a key with no scopes beyond yours.',
  scope: 'read',
  audit: 'session.end',
  params: z.object({ sessionId }),
  answers: { 204: { description: 'The session has ended.' } },
  async handle({ parts: { sessions }, key: own, organization, params: { sessionId } }) {
    const found = (await sessions.list(organization)).find(({ id }) => id === sessionId);
    if (found && found.key !== own.id) for (const scope of ['write' as const, ...found.scopes]) checkScope(own, scope);
    if (found && (await sessions.endByIds([sessionId])).length > 0) return;
    throw new ApiError(
      'SessionIdUnknown',
      `There is no session "${sessionId.slice(0, 60)}"; it may have ended. GET /v1/sessions lists them.`,
    );
  },
});

const endOtherSessions = route('delete /v1/sessions', {
  summary: 'End all other sessions',
  description:
    'Signs out all browsers of the organization, immediately, except for the one that sends the request. Sessions of keys with scopes beyond those of your key stay; the response counts them.',
  scope: 'write',
  answers: { 200: jsonAnswer('What has ended.', endedSchema) },
  async handle({ parts, context, key, organization }) {
    const { sessions } = parts;
    const { id, name, scopes } = key;
    const others = (await sessions.list(organization)).filter((session) => session.id !== context.get('session'));
    const mayEnd = (session: ListedSession) => session.scopes.every((scope) => includesScope(scopes, scope));
    const [ending, staying] = [others.filter(mayEnd), others.filter((session) => !mayEnd(session))];
    const ended = await sessions.endByIds(ending.map((session) => session.id));
    for (const target of ended) await recordEvent(parts, context, 'session.end', { organization, target, key: id, name });
    return { ended: ended.length, notAllowed: staying.length };
  },
});

const getSession = openRoute('get /v1/session', {
  summary: 'Read the session of the browser',
  description: 'The organization and the scopes of the key that signed in.',
  security: [{}, { session: [] }],
  headers: headersOfSession,
  answers: { 200: jsonAnswer('The session of the cookie.', sessionSchema), 204: { description: 'The request has no session.' } },
  errors: [401, 403],
  async handle({ parts, context }) {
    const session = await sessionOf(parts, context.req.raw.headers, context.get('address'));
    return session && sessionAnswer(session);
  },
});

const deleteSession = openRoute('delete /v1/session', {
  summary: 'Sign out',
  description:
    "Ends the session of the cookie, and removes the cookie. If the session began at an OpenID Connect provider that has a page to sign out on, the response says where: the provider's own session is another one.",
  middleware: (parts) => [audited(parts, 'session.end')],
  security: [{ session: [] }],
  headers: headersOfSession,
  answers: {
    200: jsonAnswer('The session has ended here.', namedObject('SignedOut', { signOutUrl: z.string() })),
    204: { description: 'The session has ended.' },
  },
  errors: [401, 403],
  async handle({ parts, context }) {
    const { oidc, sessions } = parts;
    const { headers } = context.req.raw;
    const token = sessionToken(parts, headers);
    if (token === undefined) throw sessionUnknownError();
    const session = await sessions.find(token);
    if (session) {
      context.set('key', session.key);
      context.set('session', session.id);
      context.set('target', session.id);
    }
    await sessions.end(token);
    for (const cookie of removedCookies(headers)) context.header('set-cookie', cookie, { append: true });
    const signOutUrl = session?.isOidc ? await oidc?.signOutUrl() : undefined;
    return signOutUrl === undefined ? undefined : { signOutUrl };
  },
});

export const sessionRoutes = {
  createSession,
  getSessionLink,
  createSessionLink,
  mailSessionLink,
  listSessions,
  endSession,
  endOtherSessions,
  getSession,
  deleteSession,
};

/** Sets the cookie of a new session. */
export async function startSession(
  parts: AdminRouteParts,
  context: Context<ApiEnvironment>,
  key: Key,
  { isOidc = false } = {},
): Promise<SessionAnswer> {
  const { keys, sessions } = parts;
  const { headers } = context.req.raw;
  context.set('key', key);
  keys.used(key.id);
  // A token that the browser had before, which another page may have set, gives no access to the new session.
  const before = sessionToken(parts, headers);
  if (before !== undefined) await sessions.end(before);
  const [address, agent] = [context.get('address'), shortUserAgent(context.req.header('user-agent'))];
  const { token, ...session } = await sessions.create(key, { address, agent, isOidc, browser: headers.get(sessionHeader) });
  context.set('target', session.id);
  context.header('set-cookie', cookieOfSession(parts, headers, token));
  return sessionAnswer(session);
}

export function linkAnswer({ url, expiresAt }: SessionLink): SessionLinkAnswer {
  return { url, expiresAt: expiresAt.toISOString() };
}

/** Throws `ApiError` like `adminKey`. */
export function checkSignIn(parts: AccessParts, key: Key | undefined, address: string): asserts key is Key {
  checkValid(parts, key);
  if (key.kind !== 'admin') throw wrongKindError(key);
  checkAddress(key, address);
}

/**
 * Owners and operators keep their passkeys, so that they get in while the provider is away, and can stop requiring it.
 * Throws `ApiError` 403 `OidcRequired`.
 */
export async function checkWay(members: Pick<Members, 'requiresOidc'>, key: Key, way: 'link' | 'passkey'): Promise<void> {
  if (!isMember(key) || (way === 'passkey' && includesScope(key.scopes, 'owner'))) return;
  if (await members.requiresOidc(key.organization)) throw oidcRequiredError();
}

export function oidcRequiredError(): ApiError {
  return new ApiError(
    'OidcRequired',
    "Members of this organization sign in with their company's account; only owners can also use passkeys. Use the button for it on the sign-in page.",
  );
}

function listedAnswer(
  { id, key, name, createdAt, usedAt, expiresAt, address, agent }: ListedSession,
  current: string | undefined,
) {
  return {
    sessionId: id,
    keyId: key,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: usedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    address,
    userAgent: agent,
    current: id === current,
  };
}

type SessionAnswer = z.infer<typeof sessionSchema>;

function sessionAnswer({ key, expiresAt }: Omit<Session, 'id'>): SessionAnswer {
  const ends = key.expiresAt && key.expiresAt < expiresAt ? key.expiresAt : expiresAt;
  return { keyId: key.id, expiresAt: ends.toISOString() };
}
