import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { writeDelta } from '../../integration/output/delta.ts';
import { checkOutputFile, isInside, realTarget } from '../../integration/output/output-path.ts';
import { count, size } from '../../integration/text/amounts.ts';
import { shownName } from '../../integration/text/escape.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { defineCommand, option, text, UsageError } from './usage.ts';

/** `carrel delta`: how it is used. */
export const command = defineCommand({
  usage: 'delta OLD NEW --out FILE',
  summary:
    'Write the difference between two exports, folders or zips, as a small zip with which "carrel apply" updates the old one.',
  options: { out: option(text, 'FILE', 'The delta to write') },
  examples: [['delta docs-1.zip docs-2.zip --out update.zip', 'Write what has changed']],
  async run({ options: { out }, words: [older = '', newer = ''] }) {
    const file = resolve(out);
    const inside = [older, newer].find((one) => isInside(realTarget(one), realTarget(file)));
    if (inside !== undefined) throw new UsageError(`--out "${out}" would change "${inside}".`, 'Choose another path.');
    checkOutputFile(`The delta "${out}"`, file);
    mkdirSync(dirname(file), { recursive: true });
    const made = await withSmallYoungSpace(() => writeDelta(resolve(older), resolve(newer), file, { environment: process.env }));
    const versions = `version ${shownName(made.from.version)} to ${shownName(made.to.version)}`;
    console.log(`Wrote ${out}, from ${versions}: ${count(made.changed, 'changed file')}, ${size(statSync(file).size)}`);
  },
});
