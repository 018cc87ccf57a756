// What the commands that sign share.
import { ExportError } from '../../integration/errors.ts';
import { publicKeyText, type PublicKey } from '../../integration/output/signature.ts';
import { openSigner } from '../signing/open-signer.ts';
import type { Signer } from '../signing/signing-key.ts';
import { shellWord, UsageError } from './usage.ts';

const passwordVariable = 'CARREL_SIGNING_PASSWORD';

/** The password of a signing key: from the environment, or asked for in the terminal. Throws `ExportError` `SigningKeyInvalid`, `Stopped`. */
export async function signingPassword(environment: NodeJS.ProcessEnv, message = 'Password of the signing key'): Promise<string> {
  const given = environment[passwordVariable];
  if (given) return given;
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new ExportError(
      'SigningKeyInvalid',
      'The signing key needs a password, and there is no terminal to ask for it.',
      `Set the environment variable ${passwordVariable}.`,
    );
  const { isCancel, password } = await import('@clack/prompts');
  const answer = await password({
    message,
    output: process.stderr,
    validate: (text) => (text ? undefined : 'Enter a password.'),
  });
  if (isCancel(answer)) throw new ExportError('Stopped', 'Nothing was changed.');
  return answer;
}

/** What the options of `signOptions` sign with. Throws a UsageError if only a command was named, and what `openSigner` throws. */
export async function openSignerOf(
  { sign: file, 'sign-command': command }: { sign?: string | undefined; 'sign-command'?: string | undefined },
  environment: NodeJS.ProcessEnv,
): Promise<Signer | undefined> {
  if (file !== undefined) return openSigner({ file, command, password: () => signingPassword(environment) });
  if (command === undefined) return undefined;
  throw new UsageError('--sign-command needs the public key of what signs.', 'Add --sign FILE.pub.');
}

/** The command that checks the signature of an export without Carrel. */
export function checkCommand(key: PublicKey, folder: string): string {
  return `minisign -Vm ${shellWord(`${folder}/carrel.json`)} -P ${publicKeyText(key)}`;
}
