// Passwords of the readers of private sites. The database stores only their hashes.
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { z } from '@hono/zod-openapi';

export const passwordSchema = z
  .string()
  .min(8, { error: 'must have at least 8 characters' })
  .max(200, { error: 'must have at most 200 characters' });

// One of the settings that OWASP's "Password Storage Cheat Sheet" gives for scrypt, with a third of its passes: tries are limited as well.
const cost: ScryptOptions = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const hashBytes = 32;

/**
 * `scrypt:<salt>:<hash>:<nonce>`, in base64url. With the salt of another hash, a password is compared with both at the cost of one. The nonce
 * tells a password from the same one at another time.
 */
export async function hashOfPassword(password: string, saltOf?: string): Promise<string> {
  const salt = saltOf === undefined ? randomText() : partsOf(saltOf).salt;
  return ['scrypt', salt, (await derive(password, salt)).toString('base64url'), randomText()].join(':');
}

/** Whether two hashes with one salt are of the same password. */
export function isSamePassword(one: string, other: string): boolean {
  const [some, others] = [partsOf(one), partsOf(other)];
  return some.salt === others.salt && some.hash.equals(others.hash);
}

function randomText(): string {
  return randomBytes(16).toString('base64url');
}

/** The index of the hash of a password among others; -1 if none is of it, or if the signal is aborted before its turn. */
export async function findPassword(password: string, hashes: string[], signal?: AbortSignal): Promise<number> {
  const derived = new Map<string, Buffer>();
  for (const [index, hashed] of hashes.entries()) {
    const { salt, hash } = partsOf(hashed);
    const own = derived.get(salt) ?? (await derive(password, salt, signal));
    if (!own) return -1;
    derived.set(salt, own);
    if (hash.length === hashBytes && timingSafeEqual(own, hash)) return index;
  }
  return -1;
}

function partsOf(hashed: string): { salt: string; hash: Buffer } {
  const [, salt = '', hash = ''] = hashed.split(':');
  return { salt, hash: Buffer.from(hash, 'base64url') };
}

// A hash takes much processor time on purpose: one at a time, or they would take all threads that read files.
let last: Promise<unknown> = Promise.resolve();

function derive(password: string, salt: string): Promise<Buffer>;
function derive(password: string, salt: string, signal?: AbortSignal): Promise<Buffer | undefined>;
function derive(password: string, salt: string, signal?: AbortSignal): Promise<Buffer | undefined> {
  const derived = last.then(() => (signal?.aborted ? undefined : deriveNow(password, salt)));
  last = derived.catch(() => {});
  return derived;
}

/** Keyboards compose letters with accents in different ways. */
function deriveNow(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFC'), Buffer.from(salt, 'base64url'), hashBytes, cost, (error, hash) =>
      error ? reject(error) : resolve(hash),
    ),
  );
}
