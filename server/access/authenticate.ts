// Who calls: from the `Authorization` header to a key that may do what is asked.
import type { MiddlewareHandler } from 'hono';
import type { ApiEnvironment } from '../api.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import type { Services } from '../services.ts';
import { isInside, parseRange } from './address-range.ts';
import { includesScope, type Key, type Scope } from './keys.ts';

/**
 * Lets a request through when its bearer is a valid admin key with the scope; the key is then `context.get('key')`.
 * Throws `ApiError`: 401 `KeyMissing` (no header, another scheme), `KeyUnknown` (also revoked ones), `KeyExpired`;
 * 403 `KeyNotAdmin` (an assistant key), `ScopeMissing`, `AddressNotAllowed`.
 */
export function adminKey(services: Services, scope: Scope): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    const key = await validKey(services, context.req.header('authorization'));
    if (key.kind !== 'admin') {
      throw new ApiError(
        403,
        'KeyNotAdmin',
        'This is an assistant key (svc_dsc_…), which only asks and searches. Send an admin key (svc_…).',
      );
    }
    checkAddress(key, context.get('address'));
    checkScope(key, scope);
    services.keys.used(key.id);
    context.set('key', key);
    await next();
  };
}

/** The key of an `Authorization` header, of either kind, neither revoked nor expired. Throws `ApiError` 401 as `adminKey` does. */
export async function validKey({ keys, now }: Pick<Services, 'keys' | 'now'>, header: string | undefined): Promise<Key> {
  const secret = /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
  if (secret === undefined) {
    throw unauthorized('KeyMissing', 'No key came with the request. Send the header "Authorization: Bearer svc_…".');
  }
  const key = await keys.find(secret);
  if (!key || key.revokedAt) {
    throw unauthorized(
      'KeyUnknown',
      'This key is not known here: it is mistyped, of another server, or revoked. Send another one.',
    );
  }
  if (key.expiresAt && key.expiresAt.getTime() <= now()) {
    throw unauthorized('KeyExpired', `This key expired on ${key.expiresAt.toISOString()}. Make a new one.`);
  }
  return key;
}

/** Throws `ApiError` 403 `AddressNotAllowed` when the key has a list of addresses and the caller's is not in it. */
export function checkAddress(key: Key, address: string): void {
  if (key.addresses.length === 0) return;
  if (
    isInside(
      address,
      key.addresses.map(parseRange).filter((range) => range !== undefined),
    )
  )
    return;
  throw new ApiError(
    403,
    'AddressNotAllowed',
    `This key may not be used from ${address || 'an unknown address'}. Use it from an address on its list, or make a key for this one.`,
  );
}

/** Throws `ApiError` 403 `ScopeMissing` when the key lacks a scope. */
export function checkScope(key: Key, scope: Scope): void {
  if (includesScope(key.scopes, scope)) return;
  throw new ApiError(
    403,
    'ScopeMissing',
    `This asks for the scope "${scope}"; this key has ${key.scopes.map((own) => `"${own}"`).join(', ') || 'none'}. Scopes cannot be changed: use a key that has it.`,
  );
}

/** Throws `ApiError` 403 `PlanWithoutExport` when the organization's plan is not `enterprise`. */
export async function checkPlan({ organizations }: Services, key: Key): Promise<void> {
  const organization = await organizations.get(key.organization);
  if (organization?.plan === 'enterprise') return;
  throw new ApiError(
    403,
    'PlanWithoutExport',
    `Static export needs the plan "enterprise"; "${key.organization}" has "${organization?.plan ?? 'none'}". An operator of this server can change the plan.`,
  );
}

function unauthorized(code: ErrorCode, message: string): ApiError {
  return new ApiError(401, code, message, { headers: { 'www-authenticate': 'Bearer realm="carrel"' } });
}
