// Commands of two words: `carrel key create`.
import { shownName } from '../../integration/text/escape.ts';
import { flag, helpText, option, text, UsageError, type Command } from './usage.ts';

/** Runs one of several subcommands. `--help` alone describes all of them. */
export async function runSubcommand(
  name: string,
  subcommands: Record<string, Command>,
  [word = '--help', ...args]: string[],
): Promise<number> {
  const found = Object.hasOwn(subcommands, word) ? subcommands[word] : undefined;
  if (found) return found.start(args);
  if (word !== '--help' && word !== '-h')
    throw new UsageError(
      `Unknown command: ${name} ${word}`,
      `Commands: ${Object.keys(subcommands)
        .map((known) => `${name} ${known}`)
        .join(', ')}.`,
    );
  console.log(Object.values(subcommands).map(helpText).join('\n\n'));
  return 0;
}

/** For every subcommand with output. */
export const jsonOption = flag('Print the response as JSON');

/** A command as people call it, and as programs do. */
export function jsonExamples(line: string, what: string): [line: string, what: string][] {
  return [
    [line, what],
    [`${line} --json`, 'For a program'],
  ];
}

/** For subcommands with which an operator can act for another organization. */
export const organizationOption = option(text.optional(), 'ID', 'Act for this organization (requires the scope operator)');

/** For subcommands that print what they got, or have made, in an organization. */
export const answerOptions = { organization: organizationOption, json: jsonOption };

/** `?organization=…`, or nothing. */
export function organizationQuery(organization: string | undefined): string {
  return organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`;
}

/** The path of a site in the API, or of a part of it. */
export function sitePath(domain: string, organization: string | undefined, ...parts: string[]): string {
  return `/v1/sites/${[domain, ...parts].map(encodeURIComponent).join('/')}${organizationQuery(organization)}`;
}

/** Prints a response: as JSON, or its text. */
export function print(response: unknown, json: boolean, text: string): void {
  console.log(json ? JSON.stringify(response, null, 2) : text);
}

/** Prints a list: as JSON, or as a table. */
export function printList<Item>(items: readonly Item[], json: boolean, head: string[], rowOf: (item: Item) => string[]): void {
  print(items, json, table(head, items.map(rowOf)));
}

/** Aligns rows in columns below a header. Cells are names from a server: branches, keys, sites. */
function table(head: string[], given: string[][]): string {
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
