// The server's own secrets, what is encrypted with a key derived from them, and comparing secrets.
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, ExportError } from '../../integration/errors.ts';
import type { ServerOptions } from './options.ts';

/** The first signs and encrypts. The previous ones are still accepted. */
export type Secrets = [current: string, ...previous: string[]];

type SecretOptions = Pick<ServerOptions, 'secret' | 'secretPrevious' | 'data'>;

/**
 * The secrets of the options; without `secret`, that of the file `secret` in the data folder, which the first start creates.
 * Throws `ExportError` `SecretReadable` when users other than its owner and group can read that file, `SecretInvalid` when it is too short,
 * and `SecretNotKept` when it can be neither read nor written.
 */
export function readSecrets(options: SecretOptions): Secrets {
  const file = secretFile(options);
  try {
    if (options.secret === undefined && !existsSync(file)) makeSecret(file);
    return storedSecrets(options) as Secrets;
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

/** The same, but creates no secret: empty without one. */
export function storedSecrets(options: SecretOptions): string[] {
  const { secret, secretPrevious } = options;
  const current = secret === undefined ? [secretFile(options), previousFile(options)].map(readKept) : [secret];
  return [...new Set([...current, secretPrevious].filter((one) => one !== undefined))];
}

/** Generates the secret anew, in these and in the data folder, which keeps the previous one until `forgetPrevious`. */
export function renewSecret(secrets: Secrets, options: SecretOptions): void {
  const [old] = secrets;
  const renewed = randomBytes(32).toString('base64url');
  // In this order: a process that is killed in between has the old one twice.
  renameSync(stage(previousFile(options), old), previousFile(options));
  renameSync(stage(secretFile(options), renewed), secretFile(options));
  secrets.unshift(renewed);
}

/** Whether the data folder has a secret that `renewSecret` replaced. */
export function hasPrevious(options: SecretOptions): boolean {
  return options.secret === undefined && existsSync(previousFile(options));
}

/** Removes the secret that `renewSecret` replaced, from these and from the data folder. */
export function forgetPrevious(secrets: Secrets, options: SecretOptions): void {
  rmSync(previousFile(options), { force: true });
  secrets.splice(0, secrets.length, ...storedSecrets(options));
}

const secretFile = ({ data }: SecretOptions): string => join(data, 'secret');
const previousFile = ({ data }: SecretOptions): string => join(data, 'secret.previous');

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
      `Restrict its permissions: chmod 600 "${file}". If someone else may have read it, run "carrel secret rotate" after the start.`,
    );
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new ExportError(
    'SecretInvalid',
    `The secret in "${file}" is shorter than 32 characters.`,
    'Delete the file: the server generates a new secret. Existing links then stop working, and what it encrypted is lost: keys of models, webhooks and push hooks.',
  );
}

/** Writes the text beside a file, which it then replaces. */
function stage(file: string, text: string): string {
  const stagingFile = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(stagingFile, `${text}\n`, { mode: 0o600, flush: true });
  return stagingFile;
}

/** Writes the file atomically; the first of several processes creates it for all of them. */
function makeSecret(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  const stagingFile = stage(file, randomBytes(32).toString('base64url'));
  try {
    linkSync(stagingFile, file);
  } catch (error) {
    const code = errorCode(error);
    // Some file systems do not support hard links; there the last process wins.
    if (code !== 'EEXIST') renameSync(stagingFile, file);
  } finally {
    rmSync(stagingFile, { force: true });
  }
}

/** Encrypts with AES-256-GCM and the current secret. Decrypting requires it and the same `name`. */
export function seal(text: string, name: string, [secret]: Secrets): string {
  const start = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), start).setAAD(Buffer.from(name));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([start, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts what `seal` encrypted. Throws `ExportError` `SecretOther` if all secrets or the name differ, or the text was changed. */
export function unseal(sealed: string, name: string, secrets: readonly string[]): string {
  const text = secrets.map((secret) => opened(sealed, name, secret)).find((one) => one !== undefined);
  if (text !== undefined) return text;
  throw new ExportError('SecretOther', 'This text was encrypted with another secret of the server.', otherSecretHint);
}

/** Whether a secret decrypts a text. */
export function canUnseal(sealed: string, name: string, secret: string): boolean {
  return opened(sealed, name, secret) !== undefined;
}

export const otherSecretHint =
  'Set CARREL_SECRET_PREVIOUS to the secret that the server had, restart it, and run `carrel secret rotate`. If no one has that secret anymore, set the API keys of these models again, and replace these push hooks and webhooks.';

/** Undefined with another secret: its tag is not the one of this text, this name and this secret. */
function opened(sealed: string, name: string, secret: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, 12), { authTagLength: 16 })
      .setAAD(Buffer.from(name))
      .setAuthTag(bytes.subarray(12, 28));
    return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'carrel webhook secrets', 32));
}

/** Whether `sign` makes the signature with one of the secrets. Takes the same time wherever they differ. */
export function isSignedWith(secrets: Secrets, signature: string, sign: (secret: string) => string): boolean {
  return secrets.some((secret) => sameText(signature, sign(secret)));
}

/** Compares in constant time. */
export function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
