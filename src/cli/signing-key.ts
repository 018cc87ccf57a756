import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode, ExportError } from '../../integration/errors.ts';
import { writeError } from '../../integration/output/write-error.ts';
import { newSigningKey } from '../signing/signing-key.ts';
import { signingPassword } from './signing.ts';
import { commandName, defineCommand, flag, option, shellWord, whole } from './usage.ts';

/** `carrel signing-key …`: how they are used. */
export const subcommands = {
  new: defineCommand({
    usage: 'signing-key new [NAME]',
    summary: 'Make a key pair that signs exports: NAME.key, which is secret, and NAME.pub (default: carrel).',
    examples: [
      ['signing-key new', 'Write carrel.key and carrel.pub'],
      ['signing-key new release --days 365', 'A key whose signatures count for a year'],
    ],
    options: {
      days: option(whole(1, 36_500).optional(), 'DAYS', 'Days until new signatures no longer count (default: never)'),
      'no-password': flag('Write the secret key unencrypted, for a place that protects it itself'),
    },
    async run({ words: [name = 'carrel'], options: { days, 'no-password': isPlain } }) {
      const password = isPlain ? undefined : await newPassword();
      const key = newSigningKey({ password, now: new Date(), days });
      writeNew(`${name}.key`, key.secretFile, 0o600);
      writeNew(`${name}.pub`, key.publicFile, 0o644);
      const program = commandName(process.env);
      console.log(
        `Wrote ${name}.key, which is secret, and ${name}.pub.\n\n` +
          `Sign an export:  ${program} export ./docs --sign ${shellWord(`${name}.key`)}\n` +
          `Check it:        ${program} verify site --public-key ${key.publicKey}\n` +
          `The same:        minisign -Vm site/carrel.json -P ${key.publicKey}`,
      );
    },
  }),
};

async function newPassword(): Promise<string> {
  const first = await signingPassword(process.env, 'Password for the new key');
  if (process.env.CARREL_SIGNING_PASSWORD || (await signingPassword(process.env, 'The same password again')) === first)
    return first;
  throw new ExportError('SigningKeyInvalid', 'The two passwords differ. Nothing was changed.', 'Run the command again.');
}

function writeNew(file: string, text: string, mode: number): void {
  try {
    writeFileSync(resolve(file), text, { mode, flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw writeError(file, error);
    throw new ExportError(
      'SigningKeyInvalid',
      `"${file}" exists already.`,
      'Choose another name: a key that is lost cannot be made again.',
    );
  }
}
