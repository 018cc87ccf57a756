import { resolve } from 'node:path';
import { z } from 'zod';
import { verifyBundle } from '../../integration/output/unpack.ts';
import { shown } from '../../integration/text/escape.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { readArguments, type Command } from './usage.ts';

/** `carrel verify`: how it is used. */
export const command: Command<z.ZodObject<Record<never, never>>> = {
  usage: 'verify FOLDER|ZIP',
  summary: 'Check every file of an export or a bundle against its manifest.',
  options: z.strictObject({}),
  words: [1, 1],
};

export async function run(args: string[]): Promise<number> {
  const read = readArguments(command, args);
  if (!read) return 0;
  const problems = await withSmallYoungSpace(() => verifyBundle(resolve(read.words[0] ?? '')));
  for (const { kind, message, hint } of problems) console.error(shown(`${kind}: ${message}${hint ? ` ${hint}` : ''}`));
  if (problems.length === 0) console.log(`${read.words[0]} is intact: every file matches its hash in the manifest.`);
  return problems.length === 0 ? 0 : 1;
}
