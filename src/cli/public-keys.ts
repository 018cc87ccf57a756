import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readPublicKeys, type PublicKey } from '../../integration/output/signature.ts';
import { shownName } from '../../integration/text/escape.ts';
import { UsageError } from './usage.ts';

/** The keys of an option: each the text of a key, or a file of keys. Throws a UsageError, and `ExportError` `SigningKeyInvalid`. */
export function publicKeysOf(given: readonly string[]): PublicKey[] {
  return given.flatMap((one) => (/^RW[\w+/]{54}$/.test(one) ? readPublicKeys(one, `"${one}"`) : readKeyFile(one)));
}

function readKeyFile(file: string): PublicKey[] {
  let text: string;
  try {
    text = readFileSync(resolve(file), 'utf8');
  } catch {
    throw new UsageError(
      `The file "${shownName(file)}" cannot be read.`,
      'Name the .pub file of a key, or its 56 characters that begin with RW.',
    );
  }
  return readPublicKeys(text, `"${shownName(file)}"`);
}
