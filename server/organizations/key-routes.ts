// Keys of an organization: create, list, revoke. A key grants no more than it has: a key that it creates expires no later, and works from no
// other IP addresses.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../http/api.ts';
import { errorAnswers, jsonAnswer, jsonBody } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import { audited, type AuditParts } from './audit-routes.ts';
import { adminKey, checkScope, type AccessParts, namedOrganization, organizationQuery } from './authenticate.ts';
import { keyAnswer, keySchema, keyWithSecretSchema, newKeySchema } from './key-schemas.ts';
import type { Organizations } from './organizations.ts';
import { isWithin } from '../../integration/remote/address-range.ts';
import type { Key } from '../http/key.ts';

interface KeyRouteParts extends AccessParts, AuditParts {
  organizations: Organizations;
  sites: { get(domain: string): Promise<{ organization: string } | undefined> };
}

export function addKeyRoutes(api: Api, services: KeyRouteParts): void {
  const { keys, now, sites } = services;
  const common = { tags: ['Keys'], security: [{ adminKey: [] }] };

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      path: '/v1/keys',
      operationId: 'createKey',
      summary: 'Create a key',
      description:
        'Only this response contains the key itself. A key can create only keys with its own scopes that expire no later than itself and work from the same IP addresses. An organization can create at most 10 keys per hour.',
      middleware: [adminKey(services, 'write'), audited(services, 'key.create')] as const,
      request: { body: jsonBody(newKeySchema) },
      responses: {
        201: jsonAnswer('The key.', keyWithSecretSchema),
        ...errorAnswers(400, 401, 403, 404, 413, 415, 429),
      },
    }),
    async (context) => {
      const { organization: named, expiresAt, addresses, ...wanted } = context.req.valid('json');
      const own = context.get('key');
      const organization = await namedOrganization(services, own, named);
      if (wanted.kind === 'admin') for (const scope of wanted.scopes) checkScope(own, scope);
      else await checkDomains(wanted.domains, organization);
      const limits = limitsOfNewKey(own, { expiresAt: expiry(expiresAt), addresses });
      const created = await keys.create({ ...wanted, ...limits, organization });
      context.set('organization', organization);
      context.set('target', created.key.id);
      context.header('cache-control', 'no-store');
      return context.json({ ...keyAnswer(created.key, now()), secret: created.secret }, 201);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      path: '/v1/keys',
      operationId: 'listKeys',
      summary: 'List keys',
      description: 'The keys of the organization, also revoked ones, without their secrets.',
      middleware: [adminKey(services, 'read')] as const,
      request: { query: organizationQuery },
      responses: {
        200: jsonAnswer(
          'The keys of the organization, newest first, including expired and revoked ones, without their secrets.',
          z.object({ keys: z.array(keySchema) }).openapi('Keys'),
        ),
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const organization = await namedOrganization(services, context.get('key'), context.req.valid('query').organization);
      const found = await keys.list(organization);
      return context.json({ keys: found.map((key) => keyAnswer(key, now())) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'delete',
      path: '/v1/keys/{keyId}',
      operationId: 'revokeKey',
      summary: 'Revoke a key',
      description:
        'Takes effect immediately; in other processes of the server within a second. A key can revoke itself, and other keys with no scopes beyond its own. Revoking a key again has no effect.',
      middleware: [adminKey(services, 'write'), audited(services, 'key.revoke')] as const,
      request: { params: z.object({ keyId: z.string().openapi({ example: 'key_0123456789abcdef' }) }), query: organizationQuery },
      responses: { 204: { description: 'The key is revoked.' }, ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { keyId } = context.req.valid('param');
      const own = context.get('key');
      const organization = await namedOrganization(services, own, context.req.valid('query').organization);
      for (const scope of (await keys.get(organization, keyId))?.scopes ?? []) checkScope(own, scope);
      if (await keys.revoke(organization, keyId)) return context.body(null, 204);
      throw new ApiError('KeyIdUnknown', `There is no key with the ID "${keyId.slice(0, 60)}". GET /v1/keys lists all keys.`);
    },
  );

  function expiry(text: string | null | undefined): Date | null {
    if (!text) return null;
    const expires = new Date(text);
    if (expires.getTime() > now()) return expires;
    throw new ApiError('ExpiryPassed', `The key would expire on ${text}, which is in the past. Set a later time, or none.`);
  }

  async function checkDomains(domains: string[], organization: string): Promise<void> {
    const found = await Promise.all(domains.map((domain) => sites.get(domain)));
    const unknown = domains.filter((_, index) => found[index]?.organization !== organization);
    if (unknown.length === 0) return;
    throw new ApiError(
      'SiteUnknown',
      `There is no site ${unknown.map((domain) => `"${domain}"`).join(', ')} in "${organization}". Register it first, with PUT /v1/sites/${unknown[0]}.`,
    );
  }
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
