// Signing in and out: the dashboard exchanges a key, or a link that works once, for a session, which survives a reload.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../http/api.ts';
import { errorAnswers, jsonAnswer } from '../http/error-answers.ts';
import { includesScope, type Key } from '../http/key.ts';
import { ApiError } from '../platform/errors.ts';
import { audited, recordEvent, type AuditParts } from './audit-routes.ts';
import {
  adminBearer,
  adminKey,
  checkAddress,
  checkScope,
  checkValid,
  namedOrganization,
  organizationQuery,
  sessionOf,
  sessionUnknownError,
  validKey,
  wrongKindError,
  type AccessParts,
} from './authenticate.ts';
import type { Organizations } from './organizations.ts';
import {
  checkOwnOrigin,
  cookieOfSession,
  removedCookies,
  sessionHeader,
  sessionToken,
  type ListedSession,
  type Session,
} from './sessions.ts';
import { shortUserAgent } from './user-agent.ts';

const sessionSchema = z
  .object({
    keyId: z.string().openapi({ description: 'The key of the session.', example: 'key_0123456789abcdef' }),
    expiresAt: z.iso.datetime().openapi({
      description:
        'When it ends at the latest: 7 days after it began. It ends earlier after 12 hours without a request, or when its key expires.',
    }),
  })
  .openapi('Session');

const sessionId = z.string().openapi({ description: 'Names the session; gives no access.', example: 'ses_0123456789abcdef' });

const listedSchema = sessionSchema
  .extend({
    sessionId,
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().openapi({ description: 'Written at most once a minute.' }),
    address: z.string().openapi({ description: 'The IP address that signed in.', example: '192.0.2.7' }),
    userAgent: z.string().openapi({ description: 'The browser that signed in, in short.', example: 'Firefox on Linux' }),
    current: z.boolean().openapi({ description: 'Whether the request uses this session.' }),
  })
  .openapi('ListedSession');

export type ListedSessionAnswer = z.infer<typeof listedSchema>;

const endedSchema = z
  .object({
    ended: z.int().openapi({ description: 'How many sessions have ended.', example: 3 }),
    notAllowed: z
      .int()
      .openapi({ description: 'How many stay, because their keys have scopes that your key does not have.', example: 0 }),
  })
  .openapi('EndedSessions');

export type EndedSessionsAnswer = z.infer<typeof endedSchema>;

/** Carries the token of a sign-in link. */
const linkHeader = 'x-carrel-session-link';

const linkSchema = z
  .object({
    url: z.string().openapi({
      description: 'Opens the dashboard, signed in. The token is in the fragment, which browsers send to no server.',
      example: 'https://carrel.example.com/dashboard#link=Zm9v',
    }),
    expiresAt: z.iso.datetime().openapi({ description: 'When the link stops working; it works once.' }),
  })
  .openapi('SessionLink');

export type SessionLinkAnswer = z.infer<typeof linkSchema>;

const headersOfSession = z.object({
  [sessionHeader]: z.string().optional().openapi({
    description:
      'Without it, the cookie is ignored. A session that began with another value than `1` needs the same value with each request.',
    example: '1',
  }),
});

export function addSessionRoutes(api: Api, services: AccessParts & AuditParts & { organizations: Organizations }): void {
  const { sessionLinks, sessions } = services;
  const common = { path: '/v1/session', tags: ['Keys'] };

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      operationId: 'createSession',
      summary: 'Sign in',
      description:
        "Starts a session for an admin key, or for a sign-in link instead, and sets its cookie, which scripts can't read. The browser's earlier session ends. For the dashboard; programs send the key with each request.",
      security: [{ adminKey: [] }, { sessionLink: [] }],
      middleware: [audited(services, 'session.create')] as const,
      responses: { 201: jsonAnswer('The session.', sessionSchema), ...errorAnswers(401, 403) },
    }),
    async (context) => {
      const { headers } = context.req.raw;
      const link = context.req.header(linkHeader);
      const address = context.get('address');
      const authorization = context.req.header('authorization');
      const isByLink = link !== undefined && authorization === undefined;
      const key = isByLink ? await sessionLinks.keyOf(link) : await validKey(services, authorization);
      checkSignIn(key, address);
      checkOwnOrigin(services, headers);
      if (isByLink) await sessionLinks.use(link);
      context.set('key', key);
      services.keys.used(key.id);
      // A token that the browser had before, which another page may have set, gives no access to the new session.
      const before = sessionToken(services, headers);
      if (before !== undefined) await sessions.end(before);
      const agent = shortUserAgent(context.req.header('user-agent'));
      const { token, ...session } = await sessions.create(key, { address, agent, browser: headers.get(sessionHeader) });
      context.set('target', session.id);
      context.header('set-cookie', cookieOfSession(services, headers, token));
      return context.json(sessionAnswer(session), 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'post',
      path: '/v1/session-links',
      tags: ['Keys'],
      operationId: 'createSessionLink',
      summary: 'Create a sign-in link',
      description:
        'The link opens the dashboard and signs in with the key of this request, once, within 10 minutes. `carrel dashboard` uses it. A session is not accepted, or it could be renewed forever. Takes no body.',
      security: [{ adminKey: [] }],
      middleware: [adminBearer(services, 'read'), audited(services, 'session-link.create')] as const,
      responses: { 201: jsonAnswer('The link.', linkSchema), ...errorAnswers(401, 403, 413, 415) },
    }),
    async (context) => {
      const { url, expiresAt } = await sessionLinks.create(context.get('key'), services.publicUrl);
      return context.json({ url, expiresAt: expiresAt.toISOString() }, 201);
    },
  );

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v1/sessions',
      tags: ['Keys'],
      operationId: 'listSessions',
      summary: 'List sessions',
      description: 'The browsers that are signed in with a key of the organization, the last used first.',
      security: [{ adminKey: [] }],
      middleware: [adminKey(services, 'read')] as const,
      request: { query: organizationQuery },
      responses: {
        200: jsonAnswer('The sessions that have not ended.', z.object({ sessions: z.array(listedSchema) }).openapi('Sessions')),
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const organization = await namedOrganization(services, context.get('key'), context.req.valid('query').organization);
      const found = await sessions.list(organization);
      return context.json({ sessions: found.map((session) => listedAnswer(session, context.get('session'))) }, 200);
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/v1/sessions/{sessionId}',
      tags: ['Keys'],
      operationId: 'endSession',
      summary: 'End a session',
      description: 'Signs a browser out, immediately. A key can end the sessions of keys with no scopes beyond its own.',
      security: [{ adminKey: [] }],
      middleware: [adminKey(services, 'write'), audited(services, 'session.end')] as const,
      request: { params: z.object({ sessionId }), query: organizationQuery },
      responses: { 204: { description: 'The session has ended.' }, ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { sessionId } = context.req.valid('param');
      const own = context.get('key');
      const organization = await namedOrganization(services, own, context.req.valid('query').organization);
      const found = (await sessions.list(organization)).find(({ id }) => id === sessionId);
      const signedIn = found && (await services.keys.get(organization, found.key));
      for (const scope of signedIn?.scopes ?? []) checkScope(own, scope);
      if (found && (await sessions.endByIds([sessionId])).length > 0) return context.body(null, 204);
      throw new ApiError(
        'SessionIdUnknown',
        `There is no session "${sessionId.slice(0, 60)}"; it may have ended. GET /v1/sessions lists them.`,
      );
    },
  );

  api.openapi(
    createRoute({
      method: 'delete',
      path: '/v1/sessions',
      tags: ['Keys'],
      operationId: 'endOtherSessions',
      summary: 'End all other sessions',
      description:
        'Signs out all browsers of the organization, immediately, except for the one that sends the request. Sessions of keys with scopes beyond those of your key stay; the response counts them.',
      security: [{ adminKey: [] }],
      middleware: [adminKey(services, 'write')] as const,
      request: { query: organizationQuery },
      responses: { 200: jsonAnswer('What has ended.', endedSchema), ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { id, name, scopes } = context.get('key');
      const organization = await namedOrganization(services, context.get('key'), context.req.valid('query').organization);
      const others = (await sessions.list(organization)).filter((session) => session.id !== context.get('session'));
      const keys = await services.keys.list(organization);
      const mayEnd = ({ key }: ListedSession) =>
        keys.find((one) => one.id === key)?.scopes.every((scope) => includesScope(scopes, scope)) ?? false;
      const [ending, staying] = [others.filter(mayEnd), others.filter((session) => !mayEnd(session))];
      const ended = await sessions.endByIds(ending.map((session) => session.id));
      for (const target of ended) await recordEvent(services, context, 'session.end', { organization, target, key: id, name });
      return context.json({ ended: ended.length, notAllowed: staying.length }, 200);
    },
  );

  /** Throws `ApiError` like `adminKey`. */
  function checkSignIn(key: Key | undefined, address: string): asserts key is Key {
    checkValid(services, key);
    if (key.kind !== 'admin') throw wrongKindError(key);
    checkAddress(key, address);
  }

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      operationId: 'getSession',
      summary: 'Read the session of the browser',
      description: 'The organization and the scopes of the key that signed in.',
      security: [{}, { session: [] }],
      request: { headers: headersOfSession },
      responses: {
        200: jsonAnswer('The session of the cookie.', sessionSchema),
        204: { description: 'The request has no session.' },
        ...errorAnswers(401, 403),
      },
    }),
    async (context) => {
      const session = await sessionOf(services, context.req.raw.headers, context.get('address'));
      return session ? context.json(sessionAnswer(session), 200) : context.body(null, 204);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'delete',
      operationId: 'deleteSession',
      summary: 'Sign out',
      description: 'Ends the session of the cookie, and removes the cookie.',
      security: [{ session: [] }],
      middleware: [audited(services, 'session.end')] as const,
      request: { headers: headersOfSession },
      responses: { 204: { description: 'The session has ended.' }, ...errorAnswers(401, 403) },
    }),
    async (context) => {
      const { headers } = context.req.raw;
      const token = sessionToken(services, headers);
      if (token === undefined) throw sessionUnknownError();
      const session = await sessions.find(token);
      if (session) {
        context.set('key', session.key);
        context.set('session', session.id);
        context.set('target', session.id);
      }
      await sessions.end(token);
      for (const cookie of removedCookies(headers)) context.header('set-cookie', cookie, { append: true });
      return context.body(null, 204);
    },
  );
}

function listedAnswer({ id, key, createdAt, usedAt, expiresAt, address, agent }: ListedSession, current: string | undefined) {
  return {
    sessionId: id,
    keyId: key,
    createdAt: createdAt.toISOString(),
    lastUsedAt: usedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    address,
    userAgent: agent,
    current: id === current,
  };
}

function sessionAnswer({ key, expiresAt }: Omit<Session, 'id'>): z.infer<typeof sessionSchema> {
  const ends = key.expiresAt && key.expiresAt < expiresAt ? key.expiresAt : expiresAt;
  return { keyId: key.id, expiresAt: ends.toISOString() };
}
