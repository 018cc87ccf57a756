// Passkeys: members add them in the dashboard, and sign in with them.
import { z } from '@hono/zod-openapi';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Context } from 'hono';
import type { ApiEnvironment } from '../http/api.ts';
import { jsonAnswer, jsonBody, namedObject, namedStrictObject } from '../http/error-answers.ts';
import { nameSchema } from '../http/field-schemas.ts';
import type { Key } from '../http/key.ts';
import { routesOf } from '../http/route.ts';
import { ApiError } from '../platform/errors.ts';
import { adminRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { audited } from '../organizations/audited.ts';
import { addressSubject, countRequest, type Limits } from '../organizations/limits.ts';
import { isMember, type Member, type Members } from './members.ts';
import type { Page, Passkey, Passkeys } from './passkeys.ts';
import { checkSignIn, checkWay, sessionSchema, startSession } from './session-routes.ts';
import { checkOwnOrigin, sessionHeader } from '../organizations/sessions.ts';

interface PasskeyRouteParts extends AdminRouteParts {
  passkeys: Passkeys;
  members: Pick<Members, 'requiresOidc'>;
  limits: Pick<Limits, 'count'>;
}

const passkeySchema = namedObject('Passkey', {
  passkeyId: z.string().openapi({ example: 'AQIDBAUGBwgJCgsMDQ4PEA' }),
  name: z.string().openapi({ example: 'Laptop' }),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
});

export type PasskeyAnswer = z.infer<typeof passkeySchema>;

const text = z.string().max(20_000);
/** What browsers make of a credential with `toJSON()`. */
const base64url = text.regex(/^[\w-]+$/, { error: 'must be base64url' });
const credentialFields = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
};
const newPasskeySchema = namedStrictObject('NewPasskey', {
  name: nameSchema.openapi({ description: 'What you call it.', example: 'Laptop' }),
  credential: z.looseObject({
    ...credentialFields,
    response: z.looseObject({ clientDataJSON: text, attestationObject: text }),
  }),
});
const signInSchema = namedStrictObject('PasskeySignIn', {
  credential: z.looseObject({
    ...credentialFields,
    response: z.looseObject({ clientDataJSON: text, authenticatorData: text, signature: text }),
  }),
});
const optionsSchema = z.looseObject({ challenge: z.string() }).openapi('PasskeyOptions');

const route = adminRoutesOf<PasskeyRouteParts>('Members');
const openRoute = routesOf<PasskeyRouteParts>({ tags: ['Members'], security: [] });

const createPasskeyOptions = route('post /v1/passkey-options', {
  summary: 'Begin to add a passkey',
  description:
    'For the session of a member. Returns what `PublicKeyCredential.parseCreationOptionsFromJSON` takes. Its challenge works once, for 5 minutes. Takes no body.',
  scope: 'read',
  answers: { 201: jsonAnswer('The options.', optionsSchema) },
  errors: [409, 413, 415, 429],
  async handle({ parts, context, key }) {
    const subject = `new passkey ${key.id}`;
    await countRequest(context, parts.limits, [{ name: 'reader', subject, most: mostNew, seconds: 600 }]);
    return { ...(await parts.passkeys.creationOptions(memberOf(key), pageOf(parts, context))) };
  },
});

const addPasskey = route('post /v1/passkeys', {
  summary: 'Add a passkey',
  description: 'For the session of a member, who can then sign in with it on the same host.',
  scope: 'read',
  audit: 'passkey.add',
  body: jsonBody(newPasskeySchema),
  answers: { 201: jsonAnswer('The passkey.', passkeySchema) },
  errors: [409],
  async handle({ parts, context, key, body: { name, credential } }) {
    const response = credential as unknown as RegistrationResponseJSON;
    const passkey = await parts.passkeys.add(memberOf(key), { name, credential: response }, pageOf(parts, context));
    context.set('target', passkey.name);
    return passkeyAnswer(passkey);
  },
});

const listPasskeys = route('get /v1/passkeys', {
  summary: 'List your passkeys',
  description: 'Those of the member whose session sends the request; none for a key.',
  scope: 'read',
  answers: { 200: jsonAnswer('The passkeys, by age.', namedObject('Passkeys', { passkeys: z.array(passkeySchema) })) },
  async handle({ parts: { passkeys }, key }) {
    return { passkeys: (await passkeys.list(key.id)).map(passkeyAnswer) };
  },
});

const removePasskey = route('delete /v1/passkeys/{passkeyId}', {
  summary: 'Remove a passkey',
  description: 'One of the member whose session sends the request. Sessions that began with it go on.',
  scope: 'read',
  audit: 'passkey.remove',
  params: z.object({ passkeyId: base64url.openapi({ example: 'AQIDBAUGBwgJCgsMDQ4PEA' }) }),
  answers: { 204: { description: 'The passkey is removed.' } },
  errors: [400, 404],
  async handle({ parts: { passkeys }, context, key, params: { passkeyId } }) {
    const { name } = await passkeys.remove(key.id, passkeyId);
    context.set('target', name);
  },
});

const createSignInOptions = openRoute('post /v1/session/passkey-options', {
  summary: 'Begin to sign in with a passkey',
  description:
    'Returns what `PublicKeyCredential.parseRequestOptionsFromJSON` takes. Its challenge works once, for 5 minutes. Takes no body.',
  answers: { 201: jsonAnswer('The options.', optionsSchema) },
  errors: [403, 413, 415, 429],
  async handle({ parts, context }) {
    await countSignIn(parts, context);
    return { ...(await parts.passkeys.requestOptions(pageOf(parts, context))) };
  },
});

const signInWithPasskey = openRoute('post /v1/session/passkey', {
  summary: 'Sign in with a passkey',
  description: 'Starts a session of the member whose passkey has signed the challenge, and sets its cookie.',
  middleware: (parts) => [audited(parts, 'session.create')],
  body: jsonBody(signInSchema),
  answers: { 201: jsonAnswer('The session.', sessionSchema) },
  errors: [400, 401, 403, 413, 415, 429],
  async handle({ parts, context, body }) {
    await countSignIn(parts, context);
    const credential = body.credential as unknown as AuthenticationResponseJSON;
    const { organization, id } = await parts.passkeys.memberOf(credential, pageOf(parts, context));
    const member = await parts.keys.get(organization, id);
    checkSignIn(parts, member, context.get('address'));
    await checkWay(parts.members, member, 'passkey');
    return startSession(parts, context, member);
  },
});

export const passkeyRoutes = {
  createPasskeyOptions,
  addPasskey,
  listPasskeys,
  removePasskey,
  createPasskeySignInOptions: createSignInOptions,
  signInWithPasskey,
};

function memberOf(key: Key): Member {
  if (isMember(key)) return key;
  throw new ApiError(
    'KeyNotMember',
    'Only members have passkeys, and you are signed in with a key. Invite yourself as a member first.',
  );
}

/** Throws `ApiError` 403 `OriginNotAllowed`. */
function pageOf(parts: PasskeyRouteParts, { req }: Context<ApiEnvironment>): Page {
  const { headers } = req.raw;
  checkOwnOrigin(parts, headers);
  return { origin: headers.get('origin') ?? new URL(parts.publicUrl).origin, browser: headers.get(sessionHeader) ?? '' };
}

/** Of a member, in 10 minutes. */
const mostNew = 100;
/** From an address, in 10 minutes: a company may have one for all. */
const mostSignIns = 600;

/** Each writes to the database, and needs no key. */
function countSignIn({ limits }: PasskeyRouteParts, context: Context<ApiEnvironment>): Promise<void> {
  const subject = `passkey ${addressSubject(context.get('address'))}`;
  return countRequest(context, limits, [{ name: 'address', subject, most: mostSignIns, seconds: 600 }]);
}

function passkeyAnswer({ id, ...passkey }: Passkey) {
  return { passkeyId: id, ...passkey };
}
