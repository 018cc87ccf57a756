import { randomBytes } from 'node:crypto';

// Crockford's base32: no I, L, O and U.
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * A ULID (github.com/ulid/spec): 48 bits of milliseconds since 1970 and 80 random bits, in 26 characters that sort by time. Kept instead of
 * the package `ulid`: it is smaller, and the random bytes come as an argument.
 */
export function ulid(now: number, random: Uint8Array = randomBytes(10)): string {
  let rest = (BigInt(now) << 80n) | BigInt(`0x${Buffer.from(random).toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = digits[Number(rest & 31n)] + text;
    rest >>= 5n;
  }
  return text;
}

/** A text that has the form of a ULID as `ulid` writes them, which is its first group. */
export const ulidPattern = /^([0-7][0-9A-HJKMNP-TV-Z]{25})$/;

export function isUlid(text: string): boolean {
  return ulidPattern.test(text);
}
