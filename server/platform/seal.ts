// Secrets that are needed again (they sign) are stored encrypted, with a key derived from the server's own secret.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** AES-256-GCM; the result opens with the same secret and for the same `name` only. */
export function seal(text: string, name: string, secret: string): string {
  const start = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), start).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([start, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** What `seal` sealed. Throws when the secret or the name is another one, or a bit of it was changed. */
export function unseal(sealed: string, name: string, secret: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(name))
    .setAuthTag(bytes.subarray(12, 28));
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'carrel webhook secrets', 32));
}
