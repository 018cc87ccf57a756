// The password of a site that only its readers may see. The database stores only its hash.
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { z } from '@hono/zod-openapi';

/** Who may read a hosted site: everyone, or those who know its password. */
export const visibilities = ['public', 'password'] as const;
export type Visibility = (typeof visibilities)[number];

export const passwordSchema = z
  .string()
  .min(8, { error: 'must have at least 8 characters' })
  .max(200, { error: 'must have at most 200 characters' });

// One of the settings that OWASP's "Password Storage Cheat Sheet" gives for scrypt, with a third of its passes: tries are limited as well.
const cost: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const hashBytes = 32;

/** `scrypt:<salt>:<hash>`, in base64url. */
export async function hashOfPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt);
  return ['scrypt', salt.toString('base64url'), hash.toString('base64url')].join(':');
}

export async function isPassword(password: string, hashed: string): Promise<boolean> {
  const [, salt = '', hash = ''] = hashed.split(':');
  const known = Buffer.from(hash, 'base64url');
  return known.length === hashBytes && timingSafeEqual(await derive(password, Buffer.from(salt, 'base64url')), known);
}

/** Keyboards compose letters with accents in different ways. */
function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFC'), salt, hashBytes, cost, (error, hash) => (error ? reject(error) : resolve(hash))),
  );
}
