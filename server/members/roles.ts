// Roles of members: each is named after what it may do, and is as strong as a scope of keys.
import { scopes, type Key, type Scope } from '../http/key.ts';

/** Each may do what its scope allows, and what those before it may. */
export const roles = { viewer: 'read', editor: 'write', owner: 'owner', operator: 'operator' } as const satisfies Record<
  string,
  Scope
>;
export type Role = keyof typeof roles;
export const roleNames = Object.keys(roles) as Role[];

export function roleOf({ scopes: own }: Pick<Key, 'scopes'>): Role {
  return roleNames[Math.max(...own.map((scope) => scopes.indexOf(scope)))] ?? 'viewer';
}

export function scopesOf(role: Role): Scope[] {
  return scopes.slice(0, scopes.indexOf(roles[role]) + 1);
}
