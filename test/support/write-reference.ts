// Writes what lists what the code defines: the manual's pages of commands, problems and errors, and the folders in CONTRIBUTING.md.
// node src/setup/run.mjs test/support/write-reference.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import errorCodes from '../../integration/error-codes.json' with { type: 'json' };
import problemKinds from '../../integration/problem-kinds.json' with { type: 'json' };
import apiErrorCodes from '../../server/platform/error-codes.json' with { type: 'json' };
import { groups } from '../../src/cli/main.ts';
import { optionRows } from '../../src/cli/usage.ts';
import { levels } from './layers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The text of each file, by its path. */
export async function referencePages(): Promise<Record<string, string>> {
  return {
    'src/manual/commands.mdx': await commandsPage(),
    'src/manual/problems.mdx': withTables('src/manual/problems.mdx', kindTables()),
    'src/manual/errors.mdx': withTables('src/manual/errors.mdx', codeTables()),
    'CONTRIBUTING.md': withTables('CONTRIBUTING.md', folderTables()),
  };
}

/** The file as it is, with the rows of the tables below the headings that begin so. */
function withTables(file: string, tables: Record<string, string[]>): string {
  let text = readFileSync(join(root, file), 'utf8');
  for (const [heading, rows] of Object.entries(tables)) {
    const section = new RegExp(`(?<=\n#+ ${heading}\\b.*\n(?:(?!#).*\n)*)(?:\\|.*\n)+`);
    if (!section.test(text)) throw new Error(`${file} has no table below a heading "${heading}".`);
    text = text.replace(section, () => `${rows.join('\n')}\n`);
  }
  return text;
}

function folderTables(): Record<string, string[]> {
  const rowOf = ([name, holds]: [string, string]) => {
    const path = name.slice(name.indexOf('/') + 1);
    return `| [${path}](${name}) | ${holds} |`;
  };
  const rows = (folder: string) =>
    Object.entries(levels)
      .filter(([name]) => name.startsWith(`${folder}/`))
      .map(rowOf);
  return Object.fromEntries(['integration', 'server', 'src'].map((folder) => [folder, table(['Folder', 'Holds'], rows(folder))]));
}

function kindTables(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(problemKinds).map(([section, kinds]) => [
      section,
      table(
        ['Kind', 'Meaning', 'What to do'],
        rowsOf(kinds, ({ meaning, remedy }: { meaning: string; remedy: string }) => `${meaning} | ${remedy}`),
      ),
    ]),
  );
}

function codeTables(): Record<string, string[]> {
  const byStatus = Object.entries(apiErrorCodes).sort(([, one], [, other]) => one.status - other.status);
  return {
    'Errors of commands and builds': table(
      ['Code', 'Meaning'],
      rowsOf(errorCodes, (meaning: string) => meaning),
    ),
    'Errors of the API': table(
      ['Code', 'Status', 'Meaning'],
      rowsOf(Object.fromEntries(byStatus), ({ status, meaning }) => `${status} | ${meaning}`),
    ),
  };
}

function table(columns: string[], rows: string[]): string[] {
  return [`| ${columns.join(' | ')} |`, `| ${columns.map(() => '---').join(' | ')} |`, ...rows];
}

/** One row for all names, one after another, that mean the same. */
function rowsOf<Value>(names: Record<string, Value>, cells: (value: Value) => string): string[] {
  const rows = new Map<string, string[]>();
  for (const [name, value] of Object.entries(names)) rows.set(cells(value), [...(rows.get(cells(value)) ?? []), `\`${name}\``]);
  return [...rows].map(([text, all]) => `| ${all.join(', ')} | ${text} |`);
}

async function commandsPage(): Promise<string> {
  const parts = [
    '---\ntitle: All commands\ndescription: Every command with its options and examples, as the help in a terminal prints them.\nboost: 0.5\n---',
    '`carrel COMMAND --help` prints the same in your terminal, and `carrel complete bash` (or `zsh`, `fish`) a script that completes commands and options there.',
    'Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 success with warnings under `--strict`.',
  ];
  for (const [title, entries] of Object.entries(groups)) {
    parts.push(`## ${title}`);
    for (const { load } of Object.values(entries)) {
      const { command, subcommands = {} } = await load();
      const all = command ? [command] : Object.values(subcommands);
      parts.push(...all.map(section));
    }
  }
  return `${parts.join('\n\n')}\n`;
}

function section(command: Parameters<typeof optionRows>[0]): string {
  const name = command.usage.split(' ').filter((word) => /^[a-z]/.test(word));
  const rows = optionRows(command).map(({ option, description }) => `| \`${option}\` | ${cell(description)} |`);
  const examples = command.examples.map(([line, what]) => `# ${what}\ncarrel ${line}`);
  return [
    `### carrel ${name.join(' ')}`,
    cell(command.summary),
    `\`\`\`bash\n${examples.join('\n')}\n\`\`\``,
    ...(rows.length > 0 ? [['| Option | Meaning |', '| --- | --- |', ...rows].join('\n')] : []),
  ].join('\n\n');
}

/** Text that means the same in a cell of a table and in MDX; URLs are code, because Markdown makes links of them. */
function cell(text: string): string {
  return text.replaceAll(/[a-z]\w*:\/\/[^\s,)]+|[|{}<>*_]/g, (part) => (part.length > 1 ? `\`${part}\`` : `\\${part}`));
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const [file, text] of Object.entries(await referencePages())) writeFileSync(join(root, file), text);
