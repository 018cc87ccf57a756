// Signing in and out: the dashboard exchanges a key for a session, which survives a reload.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../http/api.ts';
import { errorAnswers, jsonAnswer } from '../http/error-answers.ts';
import { adminBearer, sessionOf, sessionUnknownError, type AccessParts } from './authenticate.ts';
import { checkOwnOrigin, cookieOfSession, removedCookies, sessionHeader, sessionToken, type Session } from './sessions.ts';

const sessionSchema = z
  .object({
    keyId: z.string().openapi({ description: 'The key of the session.', example: 'key_0123456789abcdef' }),
    expiresAt: z.iso.datetime().openapi({
      description:
        'When it ends at the latest: 7 days after it began. It ends earlier after 12 hours without a request, or when its key expires.',
    }),
  })
  .openapi('Session');

const headersOfSession = z.object({
  [sessionHeader]: z.string().optional().openapi({ description: 'Without it, the cookie is ignored.', example: '1' }),
});

export function addSessionRoutes(api: Api, services: AccessParts): void {
  const { sessions } = services;
  const common = { path: '/v1/session', tags: ['Keys'] };

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      operationId: 'createSession',
      summary: 'Sign in',
      description:
        "Starts a session for an admin key, and sets its cookie, which scripts can't read. For the dashboard; programs send the key with each request.",
      security: [{ adminKey: [] }],
      middleware: [adminBearer(services, 'read')] as const,
      responses: { 201: jsonAnswer('The session.', sessionSchema), ...errorAnswers(401, 403) },
    }),
    async (context) => {
      const { headers } = context.req.raw;
      checkOwnOrigin(services, headers);
      const { token, ...session } = await sessions.create(context.get('key'));
      context.header('set-cookie', cookieOfSession(services, headers, token));
      return context.json(sessionAnswer(session), 201);
    },
  );

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
      request: { headers: headersOfSession },
      responses: { 204: { description: 'The session has ended.' }, ...errorAnswers(401, 403) },
    }),
    async (context) => {
      const { headers } = context.req.raw;
      const token = sessionToken(services, headers);
      if (token === undefined) throw sessionUnknownError();
      await sessions.end(token);
      for (const cookie of removedCookies(headers)) context.header('set-cookie', cookie, { append: true });
      return context.body(null, 204);
    },
  );
}

function sessionAnswer({ key, expiresAt }: Session): z.infer<typeof sessionSchema> {
  const ends = key.expiresAt && key.expiresAt < expiresAt ? key.expiresAt : expiresAt;
  return { keyId: key.id, expiresAt: ends.toISOString() };
}
