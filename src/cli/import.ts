import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { shown } from '../../integration/text/escape.ts';
import { guarded } from '../../integration/output/write-error.ts';
import { importDocs, movedConfig } from '../import/import-docs.ts';
import type { ImportNote } from '../import/imported.ts';
import { schemaUrl } from '../source/config-schema.ts';
import { paint, symbol } from './terminal.ts';
import { commandName, flag, option, shellWord, text, defineCommand } from './usage.ts';

const options = {
  out: option(text.optional(), 'FILE', 'File to write (default: docs.json in the folder of the pages)'),
  force: flag('Replace a file that exists'),
};

/** `carrel import`: its options and how it is used. */
export const command = defineCommand({
  usage: 'import DIR',
  summary:
    'Write a docs.json from the configuration of MkDocs, Docusaurus, VitePress, Fern, mdBook, GitBook or mint.json. Nothing of it is run, and no page is changed.',
  options,
  examples: [
    ['import .', 'Find the configuration of this project, and write docs.json beside its pages'],
    ['import . --out docs.json', 'Write it here: its paths begin here, too'],
    ['import ../handbook --force', 'Replace a docs.json of an earlier import'],
  ],
  async run({ options: { out, force }, words: [folder = ''] }) {
    const imported = importDocs(folder);
    const file = resolve(out ?? join(imported.pagesFolder, 'docs.json'));
    if (existsSync(file) && !force)
      throw new ExportError('ImportExists', `"${file}" exists.`, 'Add --force to replace it, or --out to write another file.');
    const config = { $schema: schemaUrl, ...movedConfig(imported, dirname(file)) };
    guarded(file, () => writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`));
    if (imported.notes.length > 0) console.log(`${notesText(imported.notes)}\n`);
    const shortest = [file, relative('.', file)].sort((a, b) => a.length - b.length)[0]!;
    console.log(
      `${symbol('success')}Imported ${imported.generator} (${imported.files.join(', ')}) to ${paint('bold', shortest)}\n` +
        `Next: ${commandName(process.env)} check ${shellWord(relative('.', dirname(file)) || '.')}${imported.base === undefined ? '' : ` --base ${shellWord(imported.base)}`}`,
    );
  },
});

function notesText(notes: ImportNote[]): string {
  const lines = notes.map(({ file, line, column, message }) => {
    const place = [file, line, column].filter((part) => part !== undefined).join(':');
    return `  ${paint('dim', place)}  ${shown(message)}`;
  });
  return `${symbol('warning')}Not imported as it was (${notes.length}):\n${lines.join('\n')}`;
}
