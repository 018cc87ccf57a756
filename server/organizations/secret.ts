// The keys themselves: a prefix for the kind, and 32 random bytes in base62.
import { createHash } from 'node:crypto';
import type { Key } from '../http/key.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
// The least that holds any 32 bytes: 62^43 > 2^256.
const length = 43;
const prefixes: Record<Key['kind'], string> = { assistant: 'svc_dsc_', admin: 'svc_' };

/** A key of 32 random bytes. */
export function newSecret(kind: Key['kind'], random: Uint8Array): string {
  let rest = BigInt(`0x${Buffer.from(random).toString('hex')}`);
  let text = '';
  for (let place = 0; place < length; place++) {
    text = digits[Number(rest % 62n)] + text;
    rest /= 62n;
  }
  return prefixes[kind] + text;
}

/** Of what kind a key is by its looks; undefined when it looks like none. */
export function kindOfSecret(secret: string): Key['kind'] | undefined {
  // The prefix of an admin key begins that of an assistant key, so the longer one is tried first.
  const kind = (['assistant', 'admin'] as const).find((kind) => secret.startsWith(prefixes[kind]));
  return kind && /^[0-9A-Za-z]{43}$/.test(secret.slice(prefixes[kind].length)) ? kind : undefined;
}

/** SHA-256 in hex: enough for 256 random bits, which no dictionary holds. */
export function hashOfSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
