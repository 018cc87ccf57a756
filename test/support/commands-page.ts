// Writes the page of the manual that lists all commands, from the commands themselves:
// node src/setup/run.mjs test/support/commands-page.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { groups } from '../../src/cli/main.ts';
import { optionRows } from '../../src/cli/usage.ts';

const file = join(fileURLToPath(new URL('../..', import.meta.url)), 'src/manual/commands.mdx');

/** The Markdown of the page. */
export async function commandsPage(): Promise<string> {
  const parts = [
    '---\ntitle: All commands\ndescription: Every command with its options and examples, as the help in a terminal prints them.\nboost: 0.5\n---',
    '`carrel COMMAND --help` prints the same in your terminal, and `carrel complete bash` (or `zsh`, `fish`) a script that completes commands and options there.',
    'Exit codes: 0 success, 1 failure, 2 invalid arguments, 3 success with warnings under `--strict`.',
  ];
  for (const [title, entries] of Object.entries(groups)) {
    parts.push(`## ${title}`);
    for (const { load } of Object.values(entries)) {
      const { command, subcommands = {} } = await load();
      const all = command ? [command] : Object.values(subcommands).map(({ about }) => about);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(file, await commandsPage());
