// A key as requests carry it; organizations make and find it.

export const scopes = ['read', 'write', 'operator'] as const;
export type Scope = (typeof scopes)[number];

export interface Key {
  /** `key_` and 16 hex digits: names the key without opening anything. */
  id: string;
  organization: string;
  kind: 'admin' | 'assistant';
  name: string;
  /** The last four characters, so that a person can tell keys apart. */
  hint: string;
  /** Of an admin key; `write` includes `read`, `operator` includes both and rules over organizations and the machine's folders. */
  scopes: Scope[];
  /** Addresses and CIDR ranges that may use it; empty for all. */
  addresses: string[];
  /** Sites an assistant key answers for. */
  domains: string[];
  /** Web origins an assistant key may be used from; empty for all. */
  origins: string[];
  createdAt: Date;
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

/** Whether a key with these scopes may do what needs a scope: each scope includes those before it. */
export function includesScope(own: Scope[], wanted: Scope): boolean {
  return own.some((scope) => scopes.indexOf(scope) >= scopes.indexOf(wanted));
}
