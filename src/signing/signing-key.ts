// Secret keys in the format of minisign (https://github.com/jedisct1/minisign, minisign.h): it can sign with ours, and we with its.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, scryptSync, sign } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { ExportError } from '../../integration/errors.ts';
import { isSignedBy, keyDates, keyId, publicKeyText, type PublicKey } from '../../integration/output/signature.ts';

/** Signs a message, which is short, with the key of `publicKey`: 64 bytes. */
export interface Signer {
  publicKey: PublicKey;
  sign(message: Uint8Array): Uint8Array;
}

// "Ed", "Sc" or zeros, "B2", salt, two limits of scrypt; then, encrypted: number, seed and public key, checksum.
const sizes = { head: 54, number: 8, secret: 64, checksum: 32 };
const fileSize = sizes.head + sizes.number + sizes.secret + sizes.checksum;
/** Limits of scrypt for new keys: 128 MB and half a second. minisign reads them from the file. */
const [operations, memory] = [4_194_304, 134_217_728];
/** What minisign takes by default is 1 GB. */
const mostMemory = 2 ** 31;

export interface NewKey {
  secretFile: string;
  publicFile: string;
  /** The line of the public key alone. */
  publicKey: string;
  id: string;
}

/** Makes a key pair. Without a password, all who can read the secret file can sign. `days` are those until signatures no longer count. */
export function newSigningKey({ password, now, days }: { password?: string; now: Date; days?: number }): NewKey {
  const number = randomBytes(sizes.number);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const secret = Buffer.concat([number, seed, bytes]);
  // As minisign writes them: a key without a password has no checksum and no salt.
  const body = Buffer.concat([secret, password === undefined ? Buffer.alloc(sizes.checksum) : checksumOf(secret)]);
  const salt = password === undefined ? Buffer.alloc(32) : randomBytes(32);
  const limits = Buffer.alloc(16);
  if (password !== undefined) {
    limits.writeBigUInt64LE(BigInt(operations), 0);
    limits.writeBigUInt64LE(BigInt(memory), 8);
    applyStream(body, password, salt, limits);
  }
  const head = Buffer.from(password === undefined ? 'Ed\0\0B2' : 'EdScB2');
  const id = keyId(number);
  const dayOf = (date: Date) => date.toISOString().slice(0, 10);
  const until = days === undefined ? '' : `, expires ${dayOf(new Date(now.getTime() + days * 86_400_000))}`;
  const about = `${id}, created ${dayOf(now)}${until}`;
  const line = publicKeyText({ number, bytes });
  return {
    secretFile: `untrusted comment: minisign secret key ${about}\n${Buffer.concat([head, salt, limits, body]).toString('base64')}\n`,
    publicFile: `untrusted comment: minisign public key ${about}\n${line}\n`,
    publicKey: line,
    id,
  };
}

/**
 * Opens the text of a secret key file; `password` is called for an encrypted one. `where` names the file in errors.
 * Throws `ExportError` `SigningKeyInvalid`.
 */
export async function openSigningKey(text: string, where: string, password: () => Promise<string>): Promise<Signer> {
  const [comment = '', line = ''] = text.split(/\r?\n/);
  const bytes = Buffer.from(line, 'base64');
  const kind = bytes.toString('latin1', 0, 6);
  const isEncrypted = kind === 'EdScB2';
  if (bytes.length !== fileSize || (!isEncrypted && kind !== 'Ed\0\0B2'))
    throw new ExportError(
      'SigningKeyInvalid',
      `${where} is not a secret key for signing.`,
      'Name the .key file that "carrel signing-key new" or "minisign -G" wrote.',
    );
  const body = bytes.subarray(sizes.head);
  if (isEncrypted) applyStream(body, await password(), bytes.subarray(6, 38), bytes.subarray(38, sizes.head));
  const secret = body.subarray(0, sizes.number + sizes.secret);
  if (isEncrypted && !body.subarray(-sizes.checksum).equals(checksumOf(secret)))
    throw new ExportError(
      'SigningKeyInvalid',
      `The password of ${where} is wrong.`,
      'Correct CARREL_SIGNING_PASSWORD, or enter it again.',
    );
  const seed = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret.subarray(8, 40)]);
  const key = createPrivateKey({ key: seed, format: 'der', type: 'pkcs8' });
  const publicBytes = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  if (!publicBytes.equals(secret.subarray(40)))
    throw new ExportError('SigningKeyInvalid', `${where} is damaged.`, 'Copy the file again.');
  const number = secret.subarray(0, sizes.number);
  return {
    publicKey: { id: keyId(number), number, bytes: publicBytes, ...keyDates(comment) },
    sign: (message) => sign(null, message, key),
  };
}

function checksumOf(secret: Uint8Array): Uint8Array {
  return blake2b(Buffer.concat([Buffer.from('Ed'), secret]), { dkLen: sizes.checksum });
}

/** Encrypts or decrypts in place with a stream of scrypt. */
function applyStream(body: Buffer, password: string, salt: Uint8Array, limits: Buffer): void {
  const parameters = scryptParameters(Number(limits.readBigUInt64LE(0)), Number(limits.readBigUInt64LE(8)));
  const stream = scryptSync(password, salt, body.length, { ...parameters, maxmem: mostMemory });
  for (const [at, byte] of stream.entries()) body[at]! ^= byte;
}

/** The parameters that libsodium chooses for limits (crypto_pwhash_scryptsalsa208sha256). Throws `ExportError` for more memory than is sensible. */
function scryptParameters(givenOperations: number, givenMemory: number): { N: number; r: number; p: number } {
  const limit = Math.max(givenOperations, 32_768);
  const r = 8;
  const isFast = limit < givenMemory / 32;
  const most = Math.floor(isFast ? limit / (r * 4) : givenMemory / (r * 128));
  let N = 2;
  while (N <= most / 2 && N < 2 ** 30) N *= 2;
  const p = isFast ? 1 : Math.floor(Math.min(Math.floor(limit / 4 / N), 0x3f_ff_ff_ff) / r);
  if (p < 1 || 128 * N * r > mostMemory)
    throw new ExportError(
      'SigningKeyInvalid',
      'The secret key needs more memory for its password than is sensible.',
      'Make a new one.',
    );
  return { N, r, p };
}

/** Signs a message. Throws `ExportError` `SigningFailed` if the signer has another key than it says. */
export function checkedSign({ publicKey, sign: signWith }: Signer, message: Uint8Array): Uint8Array {
  const signature = signWith(message);
  if (isSignedBy(publicKey.bytes, message, signature)) return signature;
  throw new ExportError(
    'SigningFailed',
    `The signature is not one of the key ${publicKey.id}.`,
    'Name the public key of the key that signs.',
  );
}

/** The text of a signature of a file, made now. Throws `ExportError` `SigningFailed`. */
export function signatureOf(file: Uint8Array, name: string, { signer, now }: { signer: Signer; now: Date }): string {
  const { publicKey } = signer;
  const day = now.toISOString().slice(0, 10);
  if (publicKey.created !== undefined && day < publicKey.created)
    throw new ExportError(
      'SigningFailed',
      `The clock says ${day}, but the signing key was made on ${publicKey.created}.`,
      'Correct the clock: nobody would accept the signature.',
    );
  if (publicKey.expires !== undefined && day > publicKey.expires)
    throw new ExportError(
      'SigningFailed',
      `The signing key ${publicKey.id} expired on ${publicKey.expires}.`,
      'Sign with a new one.',
    );
  const signature = checkedSign(signer, createHash('blake2b512').update(file).digest());
  const comment = `timestamp:${Math.floor(now.getTime() / 1000)}\tfile:${name}\thashed`;
  const first = Buffer.concat([Buffer.from('ED'), publicKey.number, signature]).toString('base64');
  const last = Buffer.from(checkedSign(signer, Buffer.concat([signature, Buffer.from(comment)]))).toString('base64');
  return `untrusted comment: signature from Carrel\n${first}\ntrusted comment: ${comment}\n${last}\n`;
}
