import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { errorCode, errorMessage, ExportError } from '../../integration/errors.ts';
import { readPublicKeys } from '../../integration/output/signature.ts';
import { shownName } from '../../integration/text/escape.ts';
import { openSigningKey, type Signer } from './signing-key.ts';

export interface SignerOptions {
  /** File of a secret key, or of the public key of `command`. */
  file: string;
  /** Shell command that signs: it reads a message and writes the 64 bytes of an Ed25519 signature, as they are or in base64. */
  command?: string;
  /** Called for an encrypted key. */
  password: () => Promise<string>;
}

/** What signs an export. Throws `ExportError` `SigningKeyInvalid`; the signer throws `SigningFailed`. */
export async function openSigner({ file, command, password }: SignerOptions): Promise<Signer> {
  const where = `"${shownName(file)}"`;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ExportError('SigningKeyInvalid', `The key ${where} could not be read: ${errorMessage(error)}.`, 'Check its path.');
  }
  if (command === undefined) {
    const signer = await openSigningKey(text, where, password);
    // All who may read the key can sign in its owner's name.
    if (process.platform === 'win32' || (statSync(file).mode & 0o027) === 0) return signer;
    throw new ExportError(
      'SigningKeyInvalid',
      `Others on this machine may read the secret key ${where}.`,
      `Protect it: chmod 600 ${file}`,
    );
  }
  const [publicKey] = readPublicKeys(text, where);
  return { publicKey: publicKey!, sign: (message) => signWith(command, message) };
}

const mostSeconds = 60;

function signWith(command: string, message: Uint8Array): Uint8Array {
  const { status, stdout, stderr, error } = spawnSync(command, { shell: true, input: message, timeout: mostSeconds * 1000 });
  const failed = (why: string) =>
    new ExportError(
      'SigningFailed',
      `The command that signs ${why}.`,
      'Run it yourself with any input. It must write the 64 bytes of a signature.',
    );
  // A command that reads nothing says something of itself.
  if (error && errorCode(error) !== 'EPIPE') throw failed(`could not run: ${errorMessage(error)}`);
  if (status !== 0) throw failed(`ended with code ${status}: ${shownName(stderr.toString().trim().slice(-500))}`);
  const bytes = stdout.length === 64 ? stdout : Buffer.from(stdout.toString('latin1').trim(), 'base64');
  if (bytes.length !== 64) throw failed(`wrote ${stdout.length} bytes, which are no signature`);
  return bytes;
}
