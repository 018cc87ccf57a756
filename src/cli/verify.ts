import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Problem } from '../../integration/diagnostics.ts';
import { verifyBundle } from '../../integration/output/open-bundle.ts';
import { shown } from '../../integration/text/escape.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { defineCommand, option, text, UsageError } from './usage.ts';

/** `carrel verify`: how it is used. */
export const command = defineCommand({
  usage: 'verify FOLDER|ZIP',
  summary: 'Check every file of an export or a bundle against its manifest.',
  options: {
    absent: option(text.optional(), 'FILE', 'Also fail if a file or its name has a word of this list: a word or sentence a line'),
  },
  examples: [
    ['verify site', 'Check a folder'],
    ['verify docs.zip', 'Check a bundle'],
    ['verify docs.zip --absent other-customers.txt', 'Also make sure that it does not have some words'],
    ['verify docs.zip && unzip docs.zip -d site', 'Unpack only what is complete'],
  ],
  async run({ options: { absent: list }, words: [given = ''] }) {
    const absent = list === undefined ? [] : wordsOf(list);
    const problems = await withSmallYoungSpace(() => verifyBundle(resolve(given), undefined, absent));
    printProblems(problems);
    const none = absent.length === 0 ? '' : ` None of them has one of the ${absent.length} words of ${list}.`;
    if (problems.length === 0) console.log(`${given} is intact: every file matches its hash in the manifest.${none}`);
    return problems.length === 0 ? 0 : 1;
  },
});

/** The lines of a file. Throws a UsageError if it has none, since a check for nothing would always pass. */
function wordsOf(file: string): string[] {
  let lines: string;
  try {
    lines = readFileSync(resolve(file), 'utf8');
  } catch {
    throw new UsageError(`The file "${file}" of --absent cannot be read.`, 'Name a text file with a word or sentence a line.');
  }
  const words = [
    ...new Set(
      lines
        .replace(/^\uFEFF/, '')
        .split(/\r?\n/)
        .flatMap((line) => line.trim() || []),
    ),
  ];
  if (words.length === 0)
    throw new UsageError(`The file "${file}" of --absent is empty.`, 'Write a word or sentence a line into it.');
  return words;
}

/** Prints what is wrong with an export, a line each. */
export function printProblems(problems: Problem[]): void {
  for (const { kind, message, hint } of problems) console.error(shown(`${kind}: ${message}${hint ? ` ${hint}` : ''}`));
}
