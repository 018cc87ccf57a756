// The server's own secret, what is encrypted with a key derived from it, and comparing secrets.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, ExportError } from '../../integration/errors.ts';
import type { ServerOptions } from './options.ts';

/**
 * The secret that signs links: the option, or else the file `secret` of the data folder, which the first start creates.
 * Throws `ExportError` `SecretReadable` when users other than its owner and group can read that file, `SecretInvalid` when it is too short,
 * and `SecretNotKept` when it can be neither read nor written.
 */
export function readSecret({ secret, data }: Pick<ServerOptions, 'secret' | 'data'>): string {
  if (secret !== undefined) return secret;
  const file = join(data, 'secret');
  try {
    return readKept(file) ?? makeSecret(file);
  } catch (error) {
    if (error instanceof ExportError) throw error;
    const code = errorCode(error);
    throw new ExportError(
      'SecretNotKept',
      `The secret in "${file}" can be neither read nor written (${code}).`,
      `${code === 'ENOSPC' || code === 'EDQUOT' ? 'Free some space on its disk' : 'Allow this user to write there'}, or set CARREL_SECRET.`,
      { cause: error },
    );
  }
}

function readKept(file: string): string | undefined {
  let mode: number;
  try {
    mode = statSync(file).mode;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  // The group is allowed to read it: Kubernetes assigns the files of a volume to a group that only the pod belongs to.
  if (process.platform !== 'win32' && (mode & 0o007) !== 0) {
    throw new ExportError(
      'SecretReadable',
      `Every user of this machine can read the secret in "${file}".`,
      `Restrict its permissions: chmod 600 "${file}". If someone else may have read it, delete the file: the server generates a new secret. Existing links then stop working, and you must add all webhooks again.`,
    );
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new ExportError(
    'SecretInvalid',
    `The secret in "${file}" is shorter than 32 characters.`,
    'Delete the file: the server generates a new secret. Existing links then stop working, and you must add all webhooks again.',
  );
}

/** Writes the file atomically; the first of several processes creates it for all of them. */
function makeSecret(file: string): string {
  mkdirSync(join(file, '..'), { recursive: true });
  const stagingFile = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(stagingFile, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(stagingFile, file);
  } catch (error) {
    const code = errorCode(error);
    // Some file systems do not support hard links; there the last process wins.
    if (code !== 'EEXIST') renameSync(stagingFile, file);
  } finally {
    rmSync(stagingFile, { force: true });
  }
  return readKept(file)!;
}

/** Encrypts with AES-256-GCM. Decrypting requires the same secret and the same `name`. */
export function seal(text: string, name: string, secret: string): string {
  const start = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), start).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([start, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts what `seal` encrypted. Throws when the secret or the name differs, or the text was changed. */
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

/** Compares in constant time. */
export function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
