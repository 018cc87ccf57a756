// Who calls: from the `Authorization` header to a key that may do what is asked.
import type { MiddlewareHandler } from 'hono';
import type { ApiEnvironment } from '../api.ts';
import type { Services } from '../services.ts';
import type { Key, Scope } from './keys.ts';

/**
 * Lets a request through when its bearer is a valid admin key with the scope; the key is then `context.get('key')`.
 * Throws `ApiError`: 401 `KeyMissing` (no header, another scheme), `KeyUnknown` (also revoked ones), `KeyExpired`;
 * 403 `KeyNotAdmin` (an assistant key), `ScopeMissing`, `AddressNotAllowed`.
 */
export function adminKey(_services: Services, _scope: Scope): MiddlewareHandler<ApiEnvironment> {
  throw new Error('Being written.');
}

/** Throws `ApiError` 403 `PlanWithoutExport` when the organization's plan is not `enterprise`. */
export async function checkPlan(_services: Services, _key: Key): Promise<void> {
  throw new Error('Being written.');
}
