import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { exampleFolder } from '../export/example-folder.ts';
import { ExportError } from '../../integration/errors.ts';
import { guarded } from '../../integration/output/write-error.ts';
import { schemaUrl } from '../source/config-schema.ts';
import { paint, symbol } from './terminal.ts';
import { commandName, flag, option, shellWord, text, defineCommand } from './usage.ts';

const options = {
  name: option(text.optional(), 'TEXT', 'Name of the site (default: the name of the folder)'),
  yes: flag('Ask nothing'),
};

/** `carrel init`: its options and how it is used. */
export const command = defineCommand({
  usage: 'init DIR',
  summary: 'Write an example of a docs folder: docs.json, pages with the components, code, and an API.',
  options,
  examples: [
    ['init docs', 'Ask for the name, then write the example'],
    ['init docs --yes', 'Ask nothing'],
    ['init docs --name "Harbour" && carrel dev docs', 'Write it, and preview it'],
  ],
  async run({ options: { name: given, yes }, words: [folder = ''] }) {
    const target = resolve(folder);
    checkEmpty(target, folder);
    const suggested = titleOf(basename(target));
    const isAsked = given === undefined && !yes && process.stdin.isTTY && process.stdout.isTTY;
    const name = given ?? (isAsked ? await askName(suggested) : suggested);
    guarded(target, () => {
      mkdirSync(target, { recursive: true });
      cpSync(exampleFolder, target, { recursive: true });
      const file = join(target, 'docs.json');
      const config = JSON.parse(readFileSync(file, 'utf8')) as object;
      writeFileSync(file, `${JSON.stringify({ $schema: schemaUrl, ...config, name }, null, 2)}\n`);
    });
    const shortest = relative('.', target) || '.';
    const program = commandName(process.env);
    const word = shellWord(shortest);
    console.log(
      `${symbol('success')}Wrote an example to ${paint('bold', shortest)}\n\n` +
        `Preview it:  ${program} dev ${word}\nCheck it:    ${program} check ${word}\nExport it:   ${program} export ${word}`,
    );
  },
});

/** Files that a new repository has. */
const harmless = new Set(['.git', '.gitignore', '.gitattributes', 'README.md', 'LICENSE', 'LICENSE.md', '.DS_Store']);

function checkEmpty(target: string, given: string): void {
  if (!existsSync(target)) return;
  const there = guarded(target, () => readdirSync(target)).filter((name) => !harmless.has(name));
  if (there.length === 0) return;
  throw new ExportError(
    'InitNotEmpty',
    `"${given}" is not empty: it contains ${there.slice(0, 3).join(', ')}${there.length > 3 ? ' and more' : ''}.`,
    `Name a new folder, or export what is there: ${commandName(process.env)} export ${shellWord(given)}`,
  );
}

async function askName(suggested: string): Promise<string> {
  const { isCancel, text: ask } = await import('@clack/prompts');
  const answer = await ask({ message: 'What is the site called?', placeholder: suggested, defaultValue: suggested });
  if (isCancel(answer)) throw new ExportError('Stopped', 'Nothing was written.', 'Run the command again to start over.');
  return answer.trim() || suggested;
}

/** `my-docs` → `My docs` */
function titleOf(folder: string): string {
  const words = folder.replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? 'My docs' : words.replace(/^./, (letter) => letter.toUpperCase());
}
