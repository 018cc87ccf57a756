// What the commands that sign share.
import { ExportError } from '../../integration/errors.ts';
import { publicKeyText, type PublicKey } from '../../integration/output/signature.ts';
import { shellWord } from './usage.ts';

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

/** The command that checks the signature of an export without Carrel. */
export function checkCommand(key: PublicKey, folder: string): string {
  return `minisign -Vm ${shellWord(`${folder}/carrel.json`)} -P ${publicKeyText(key)}`;
}
