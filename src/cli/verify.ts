import { resolve } from 'node:path';
import type { Problem } from '../../integration/diagnostics.ts';
import { verifyBundle } from '../../integration/output/open-bundle.ts';
import { shown } from '../../integration/text/escape.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { defineCommand } from './usage.ts';

/** `carrel verify`: how it is used. */
export const command = defineCommand({
  usage: 'verify FOLDER|ZIP',
  summary: 'Check every file of an export or a bundle against its manifest.',
  options: {},
  examples: [
    ['verify site', 'Check a folder'],
    ['verify docs.zip', 'Check a bundle'],
    ['verify docs.zip && unzip docs.zip -d site', 'Unpack only what is complete'],
  ],
  async run({ words: [given = ''] }) {
    const problems = await withSmallYoungSpace(() => verifyBundle(resolve(given)));
    printProblems(problems);
    if (problems.length === 0) console.log(`${given} is intact: every file matches its hash in the manifest.`);
    return problems.length === 0 ? 0 : 1;
  },
});

/** Prints what is wrong with an export, a line each. */
export function printProblems(problems: Problem[]): void {
  for (const { kind, message, hint } of problems) console.error(shown(`${kind}: ${message}${hint ? ` ${hint}` : ''}`));
}
