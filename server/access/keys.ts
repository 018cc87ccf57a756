// API keys: `svc_…` (admin, secret) and `svc_dsc_…` (assistant, public). Shown once, kept as a hash.
import type { Queryable } from '../database/database.ts';

export const scopes = ['read', 'write', 'operator'] as const;
export type Scope = (typeof scopes)[number];

export interface Key {
  /** `key_` and 16 hex digits: names the key without opening anything. */
  id: string;
  organization: string;
  kind: 'admin' | 'assistant';
  name: string;
  /** The last four characters, for people to tell keys apart. */
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

export type NewKey = Pick<Key, 'organization' | 'kind' | 'name'> &
  Partial<Pick<Key, 'scopes' | 'addresses' | 'domains' | 'origins' | 'expiresAt'>>;

export interface Keys {
  /** The secret is given this once. Throws `ApiError` 429 `TooManyKeys` above 10 an hour of an organization (not for `unlimited`). */
  create(key: NewKey, options?: { unlimited?: boolean }): Promise<{ key: Key; secret: string }>;
  /** Neither expired nor revoked ones are left out. Newest first. */
  list(organization: string): Promise<Key[]>;
  /** Keys made in the past hour. */
  createdInHour(organization: string): Promise<number>;
  /** False when the organization has no such key. Holds at once in this process, within a second in others. */
  revoke(organization: string, id: string): Promise<boolean>;
  /** The key of a secret, whatever its state; undefined for an unknown one. Answers from memory for at most a second. */
  find(secret: string): Promise<Key | undefined>;
  /** Notes the use of a key; written at most once a minute for each key. */
  used(id: string): void;
  /** Writes what `used` noted. */
  flush(): Promise<void>;
}

export function createKeys(_database: Queryable, _now: () => number): Keys {
  throw new Error('Being written.');
}
