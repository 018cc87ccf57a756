// Keys of an organization: create, list, revoke. A key grants no more than it has: a key that it creates expires no later, and works from no
// other IP addresses.
import { z } from '@hono/zod-openapi';
import { jsonAnswer, jsonBody, namedObject } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import { checkScope, namedOrganization } from './authenticate.ts';
import { keyAnswer, keySchema, keyWithSecretSchema, newKeySchema } from './key-schemas.ts';
import { isWithin } from '../../integration/remote/address-range.ts';
import type { Key } from '../http/key.ts';
import { adminRoutesOf, organizationRoutesOf, type AdminRouteParts } from './admin-route.ts';

interface KeyRouteParts extends AdminRouteParts {
  sites: { get(domain: string): Promise<{ organization: string } | undefined> };
}

const route = organizationRoutesOf<KeyRouteParts>('Keys');
// Its body names the organization.
const bodyRoute = adminRoutesOf<KeyRouteParts>('Keys');

const createKey = bodyRoute('post /v1/keys', {
  summary: 'Create a key',
  description:
    'Only this response contains the key itself. A key can create only keys with its own scopes that expire no later than itself and work from the same IP addresses. An organization can create at most 10 keys per hour.',
  scope: 'write',
  audit: 'key.create',
  body: jsonBody(newKeySchema),
  answers: { 201: jsonAnswer('The key.', keyWithSecretSchema) },
  errors: [404, 429],
  async handle({ parts, context, key: own, body: { organization: named, expiresAt, addresses, ...wanted } }) {
    const organization = await namedOrganization(parts, own, named);
    if (wanted.kind === 'admin') for (const scope of wanted.scopes) checkScope(own, scope);
    else await checkDomains(parts, wanted.domains, organization);
    const limits = limitsOfNewKey(own, { expiresAt: expiry(parts, expiresAt), addresses });
    const created = await parts.keys.create({ ...wanted, ...limits, organization, createdBy: own.id });
    context.set('organization', organization);
    context.set('target', created.key.id);
    context.header('cache-control', 'no-store');
    return { ...keyAnswer(created.key, parts.now()), secret: created.secret };
  },
});

const listKeys = route('get /v1/keys', {
  summary: 'List keys',
  description: 'The keys of the organization, also revoked ones, without their secrets.',
  scope: 'read',
  answers: {
    200: jsonAnswer(
      'The keys of the organization, newest first, including expired and revoked ones, without their secrets.',
      namedObject('Keys', { keys: z.array(keySchema) }),
    ),
  },
  async handle({ parts: { keys, now }, organization }) {
    const found = await keys.list(organization);
    return { keys: found.map((key) => keyAnswer(key, now())) };
  },
});

const revokeKey = route('delete /v1/keys/{keyId}', {
  summary: 'Revoke a key',
  description:
    'Takes effect immediately; in other processes of the server within a second. A key can revoke itself, and other keys with no scopes beyond its own. Revoking a key again has no effect.',
  scope: 'write',
  audit: 'key.revoke',
  params: z.object({ keyId: z.string().openapi({ example: 'key_0123456789abcdef' }) }),
  answers: { 204: { description: 'The key is revoked.' } },
  async handle({ parts: { keys }, key: own, organization, params: { keyId } }) {
    for (const scope of (await keys.get(organization, keyId))?.scopes ?? []) checkScope(own, scope);
    if (await keys.revoke(organization, keyId)) return;
    throw new ApiError('KeyIdUnknown', `There is no key with the ID "${keyId.slice(0, 60)}". GET /v1/keys lists all keys.`);
  },
});

export const keyRoutes = { createKey, listKeys, revokeKey };

function expiry({ now }: KeyRouteParts, text: string | null | undefined): Date | null {
  if (!text) return null;
  const expires = new Date(text);
  if (expires.getTime() > now()) return expires;
  throw new ApiError('ExpiryPassed', `The key would expire on ${text}, which is in the past. Set a later time, or none.`);
}

async function checkDomains({ sites }: KeyRouteParts, domains: string[], organization: string): Promise<void> {
  const found = await Promise.all(domains.map((domain) => sites.get(domain)));
  const unknown = domains.filter((_, index) => found[index]?.organization !== organization);
  if (unknown.length === 0) return;
  throw new ApiError(
    'SiteUnknown',
    `There is no site ${unknown.map((domain) => `"${domain}"`).join(', ')} in "${organization}". Register it first, with PUT /v1/sites/${unknown[0]}.`,
  );
}

type Limits = Pick<Key, 'expiresAt' | 'addresses'>;

/** The limits of a new key: the requested ones, else those of the key that creates it. Throws `ApiError` 403 `KeyTooStrong` when they are wider. */
function limitsOfNewKey(own: Limits, wanted: Limits): Limits {
  const expiresAt = wanted.expiresAt ?? own.expiresAt;
  const addresses = wanted.addresses.length > 0 ? wanted.addresses : own.addresses;
  if (own.expiresAt && expiresAt && expiresAt > own.expiresAt)
    throw tooStrongError(
      `It would expire on ${expiresAt.toISOString()}, and this key expires on ${own.expiresAt.toISOString()}. Set an earlier time, or omit it for the same one.`,
    );
  const outside = own.addresses.length === 0 ? undefined : addresses.find((range) => !isWithin(range, own.addresses));
  if (outside !== undefined)
    throw tooStrongError(
      `It could be used from ${outside}, and this key is limited to ${own.addresses.join(', ')}. Use IP addresses among these, or omit them for the same ones.`,
    );
  return { expiresAt, addresses };
}

function tooStrongError(why: string): ApiError {
  return new ApiError('KeyTooStrong', `A key can't create a key with more access than its own. ${why}`);
}
