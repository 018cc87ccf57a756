// Signatures of manifests in the format of minisign (https://jedisct1.github.io/minisign/), so that its own program checks them without Carrel. The
// manifest lists the SHA-256 of every other file, so its signature covers them all.
import { createHash, createPublicKey, verify } from 'node:crypto';
import { ExportError } from '../errors.ts';
import { signatureFile } from '../manifest.ts';
import { shownName } from '../text/escape.ts';

/** A public key, and what its owner says of it in the comment above it. */
export interface PublicKey {
  /** 16 hex digits, as minisign shows it. */
  id: string;
  /** The 8 bytes of the ID, as files have them. */
  number: Uint8Array;
  /** The 32 bytes of an Ed25519 key. */
  bytes: Uint8Array;
  /** Days: `2027-01-31`. Signatures from before `created` or after `expires` do not count, and of a revoked key none. */
  created?: string;
  expires?: string;
  revoked?: string;
}

export interface Signature {
  keyId: string;
  /** When it was made, as the signer says. */
  time?: Date;
}

interface ParsedSignature extends Signature {
  isHashed: boolean;
  /** 64 bytes each: of the file, and of the former with the comment. */
  signature: Uint8Array;
  commentSignature: Uint8Array;
  comment: string;
}

/**
 * The keys in a text: the 56 characters of a key, or a file of keys, each below its `untrusted comment:`. `where` names it in errors.
 * Throws `ExportError` `SigningKeyInvalid` where there is none.
 */
export function readPublicKeys(text: string, where: string): PublicKey[] {
  let comment = '';
  const keys: PublicKey[] = [];
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (/^(?:un)?trusted comment:/.test(line)) comment = line;
    else if (line !== '') {
      keys.push({ ...parseKey(line, where), ...keyDates(comment) });
      comment = '';
    }
  }
  if (keys.length > 0) return keys;
  throw new ExportError('SigningKeyInvalid', `${where} has no public key.`, publicKeyHint);
}

const publicKeyHint = 'Name the .pub file of a signing key, or the 56 characters in it that begin with RW.';

function parseKey(line: string, where: string): Pick<PublicKey, 'id' | 'number' | 'bytes'> {
  const bytes = bytesOf(line);
  if (bytes.length === 42 && bytes.toString('latin1', 0, 2) === 'Ed')
    return { id: keyId(bytes.subarray(2, 10)), number: bytes.subarray(2, 10), bytes: bytes.subarray(10) };
  throw new ExportError('SigningKeyInvalid', `${where} is not a public key.`, publicKeyHint);
}

/** The line of a public key, as files and `minisign -P` have it. */
export function publicKeyText({ number, bytes }: Pick<PublicKey, 'number' | 'bytes'>): string {
  return Buffer.concat([Buffer.from('Ed'), number, bytes]).toString('base64');
}

/** The days in the comment of a key: `created 2026-01-31, expires 2027-01-31`. */
export function keyDates(comment: string): Pick<PublicKey, 'created' | 'expires' | 'revoked'> {
  return Object.fromEntries(
    [...comment.matchAll(/\b(created|expires|revoked) (\d{4}-\d\d-\d\d)\b/g)].map(([, name, day]) => [name, day]),
  );
}

/** A key's ID as minisign shows it: its bytes are those of a number, the least first. */
export function keyId(bytes: Uint8Array): string {
  return Buffer.from(bytes).reverse().toString('hex').toUpperCase();
}

/**
 * Checks the signature of a file by the keys that the caller trusts. `where` names the export in errors.
 * Throws `ExportError`: `SignatureInvalid`, `SignatureNotTrusted`.
 */
export function checkSignature(
  file: Uint8Array,
  text: string,
  { keys, where }: { keys: readonly PublicKey[]; where: string },
): Signature {
  const parsed = parseSignature(text);
  if (!parsed) throw notAsSigned(where, `its ${signatureFile} is not a signature`);
  const { isHashed, signature, comment, commentSignature, keyId: signer, time } = parsed;
  const named = keys.filter(({ id }) => id === signer);
  if (named.length === 0) {
    const known = keys.length === 1 ? 'the trusted key is' : 'the trusted keys are';
    throw notTrusted(where, `by the key ${signer}, but ${known} ${keys.map(({ id }) => id).join(', ')}`);
  }
  const signed = isHashed ? createHash('blake2b512').update(file).digest() : file;
  const commented = Buffer.concat([signature, Buffer.from(comment)]);
  const matching = named.filter(
    ({ bytes }) => isSignedBy(bytes, signed, signature) && isSignedBy(bytes, commented, commentSignature),
  );
  // An earlier copy of its file does not say that it is revoked.
  const key = matching.find((one) => one.revoked !== undefined) ?? matching[0];
  if (!key) throw notAsSigned(where, `its carrel.json or ${signatureFile} was changed after the key ${signer} signed it`);
  const day = time?.toISOString().slice(0, 10);
  const { created, expires, revoked } = key;
  if (revoked !== undefined) throw notTrusted(where, `by the key ${signer}, which was revoked on ${revoked}`);
  if (expires !== undefined && (day === undefined || day > expires))
    throw notTrusted(
      where,
      `by the key ${signer} ${day === undefined ? 'without a date' : `on ${day}`}, and the key expired on ${expires}`,
    );
  if (created !== undefined && day !== undefined && day < created)
    throw notTrusted(
      where,
      `by the key ${signer} on ${day}, before the key was made on ${created}: the clock of the signer was wrong`,
    );
  return { keyId: signer, ...(time && { time }) };
}

/** Who signed, unchecked; undefined for what is no signature. */
export function readSignature(text: string): Signature | undefined {
  const parsed = parseSignature(text);
  return parsed && { keyId: parsed.keyId, ...(parsed.time && { time: parsed.time }) };
}

function parseSignature(text: string): ParsedSignature | undefined {
  const [, first = '', second = '', third = '', ...rest] = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const comment = /^trusted comment: (.*)$/.exec(second)?.[1];
  const [bytes, commentSignature] = [bytesOf(first), bytesOf(third)];
  const kind = bytes.toString('latin1', 0, 2);
  const isWhole = bytes.length === 74 && commentSignature.length === 64 && rest.join('') === '';
  if (!isWhole || comment === undefined || (kind !== 'ED' && kind !== 'Ed')) return undefined;
  const seconds = /(?:^|\t)timestamp:(\d{1,11})(?:\t|$)/.exec(comment)?.[1];
  return {
    isHashed: kind === 'ED',
    keyId: keyId(bytes.subarray(2, 10)),
    signature: bytes.subarray(10),
    comment,
    commentSignature,
    ...(seconds !== undefined && { time: new Date(Number(seconds) * 1000) }),
  };
}

/** The bytes of Base64; none where other characters are in it, which other programs refuse or read differently. */
export function bytesOf(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : Buffer.alloc(0);
}

// The DER form of a key is this and its 32 bytes (RFC 8410).
const publicKeyHead = Buffer.from('302a300506032b6570032100', 'hex');

/** Whether an Ed25519 key made a signature. */
export function isSignedBy(key: Uint8Array, signed: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = createPublicKey({ key: Buffer.concat([publicKeyHead, key]), format: 'der', type: 'spki' });
  return verify(null, signed, publicKey, signature);
}

/** The error of an export without a signature, where one is required. */
export function notSigned(where: string): ExportError {
  return new ExportError(
    'SignatureInvalid',
    `"${shownName(where)}" is not signed: it has no ${signatureFile}.`,
    'Export it with --sign, or ask who made it for a signed one.',
  );
}

/** The error of an export that is not what was signed. */
export function notAsSigned(where: string, why: string): ExportError {
  return new ExportError(
    'SignatureInvalid',
    `"${shownName(where)}" is not what was signed: ${why}.`,
    'Copy it again from where it was made, and do not use this one.',
  );
}

function notTrusted(where: string, why: string): ExportError {
  return new ExportError(
    'SignatureNotTrusted',
    `"${shownName(where)}" is signed ${why}.`,
    'Ask who made it for their public key, and trust it only if you are sure that it is theirs.',
  );
}
