import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { writeDelta } from '../../integration/output/delta.ts';
import { shownName } from '../../integration/text/escape.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { count, size } from './problem-list.ts';
import { defineCommand, option, text } from './usage.ts';

/** `carrel delta`: how it is used. */
export const command = defineCommand({
  usage: 'delta OLD NEW --out FILE',
  summary:
    'Write the difference between two exports, folders or zips, as a small zip with which "carrel apply" updates the old one.',
  options: { out: option(text, 'FILE', 'The delta to write') },
  examples: [['delta docs-1.zip docs-2.zip --out update.zip', 'Write what has changed']],
  async run({ options: { out }, words: [older = '', newer = ''] }) {
    const file = resolve(out);
    const made = await withSmallYoungSpace(() => writeDelta(resolve(older), resolve(newer), file, { environment: process.env }));
    const versions = `version ${shownName(made.from.version)} to ${shownName(made.to.version)}`;
    console.log(`Wrote ${out}, from ${versions}: ${count(made.changed, 'changed file')}, ${size(statSync(file).size)}`);
  },
});
