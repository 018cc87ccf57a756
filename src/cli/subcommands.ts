// Commands of two words: `carrel key create`.
import { z } from 'zod';
import { commandName } from './command-name.ts';
import { helpText, readArguments, UsageError, type Command } from './usage.ts';

export interface Subcommand<Schema extends z.ZodObject> extends Command<Schema> {
  /** What its words are, in order: `a domain`. All must be there. */
  wordNames: string[];
  run(read: { options: z.infer<Schema>; words: string[] }): Promise<number>;
}

/** One subcommand, typed by its own options. Its words are counted by their names. */
export function subcommand<Schema extends z.ZodObject>(
  about: Omit<Subcommand<Schema>, 'words'>,
): { about: Subcommand<Schema>; start(args: string[]): Promise<number> } {
  // Missing words are told here, by their names.
  const complete: Subcommand<Schema> = { ...about, words: [0, about.wordNames.length] };
  return {
    about: complete,
    async start(args) {
      const read = readArguments(complete, args);
      if (!read) return 0;
      const missing = about.wordNames.slice(read.words.length);
      if (missing.length === 0) return about.run(read);
      const program = commandName(process.env);
      throw new UsageError(
        `Missing: ${missing.join(' and ')}.`,
        `Usage: ${program} ${about.usage}. \`${program} ${about.usage.split(' ')[0]} --help\` tells all options.`,
      );
    },
  };
}

/** Runs one of several subcommands. `--help` alone tells of all of them. */
export async function runSubcommand(
  name: string,
  subcommands: Record<string, { about: Command<z.ZodObject>; start(args: string[]): Promise<number> }>,
  [word = '--help', ...args]: string[],
): Promise<number> {
  const found = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (found) return found.start(args);
  if (word === '--help' || word === '-h') {
    console.log(
      Object.values(subcommands)
        .map(({ about }) => helpText(about))
        .join('\n\n'),
    );
    return 0;
  }
  throw new UsageError(
    `There is no command "${name} ${word}".`,
    `Commands: ${Object.keys(subcommands)
      .map((known) => `${name} ${known}`)
      .join(', ')}.`,
  );
}

/** Of every subcommand that shows something. */
export const jsonOption = z.boolean().default(false).meta({ description: 'Print the JSON of the answer' });

/** Of a subcommand by which an operator may act for another organization. */
export const organizationOption = z
  .string()
  .min(1, { error: 'must not be empty' })
  .optional()
  .meta({ takes: 'ID', description: 'Act for this organization, with the scope operator' });

/** `a,b` as a list. */
export const listOption = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
  .optional();

/** `?organization=…`, or nothing. */
export function organizationQuery(organization: string | undefined): string {
  return organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
}

/** Rows under a head, in columns. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
