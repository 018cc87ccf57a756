// Commands of two words: `carrel key create`.
import type { z } from 'zod';
import { shownName } from '../../integration/text/escape.ts';
import { flag, helpText, option, runner, text, UsageError, type Command } from './usage.ts';

/** One subcommand, typed by its own options. */
export function subcommand<Schema extends z.ZodObject>(
  about: Command<Schema> & { run(read: { options: z.infer<Schema>; words: string[] }): Promise<number> },
) {
  return { about, start: runner(about, (read) => about.run(read)) };
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
export const jsonOption = flag('Print the response as JSON');

/** For subcommands with which an operator can act for another organization. */
export const organizationOption = option(text.optional(), 'ID', 'Act for this organization (requires the scope operator)');

/** `?organization=…`, or nothing. */
export function organizationQuery(organization: string | undefined): string {
  return organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
}

/** Aligns rows in columns below a header. Cells are names from a server: branches, keys, sites. */
export function table(head: string[], given: string[][]): string {
  const rows = given.map((row) => row.map(shownName));
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
