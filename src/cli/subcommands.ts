// Commands of two words: `carrel key create`.
import { z } from 'zod';
import { helpText, readArguments, UsageError, type Command } from './usage.ts';

export interface Subcommand<Schema extends z.ZodObject> extends Command<Schema> {
  run(read: { options: z.infer<Schema>; words: string[] }): Promise<number>;
}

/** One subcommand, typed by its own options. */
export function subcommand<Schema extends z.ZodObject>(
  about: Subcommand<Schema>,
): { about: Subcommand<Schema>; start(args: string[]): Promise<number> } {
  return {
    about,
    async start(args) {
      const read = readArguments(about, args);
      return read ? about.run(read) : 0;
    },
  };
}

/** Runs one of several subcommands. `--help` alone describes all of them. */
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
    `Unknown command: ${name} ${word}`,
    `Commands: ${Object.keys(subcommands)
      .map((known) => `${name} ${known}`)
      .join(', ')}.`,
  );
}

/** For every subcommand with output. */
export const jsonOption = z.boolean().default(false).meta({ description: 'Print the response as JSON' });

/** For subcommands with which an operator can act for another organization. */
export const organizationOption = z
  .string()
  .min(1, { error: 'must not be empty' })
  .optional()
  .meta({ takes: 'ID', description: 'Act for this organization (requires the scope operator)' });

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

/** Aligns rows in columns below a header. */
export function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
