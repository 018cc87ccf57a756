import { resolve } from 'node:path';
import { problemLine } from '../../integration/diagnostics.ts';
import { defaultRules } from '../../integration/output/check-entries.ts';
import { applyDelta } from '../../integration/output/delta.ts';
import { checkArchive } from '../../integration/output/output-path.ts';
import { shownName } from '../../integration/text/escape.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { publicKeysOf } from './public-keys.ts';
import { symbol } from './terminal.ts';
import { defineCommand, option, publicKeyOption, text } from './usage.ts';

/** `carrel apply`: how it is used. */
export const command = defineCommand({
  usage: 'apply OLD DELTA --out FOLDER',
  summary:
    'Make the newer export of an older one, a folder or zip, and a delta: byte for byte, and checked before anything is replaced.',
  options: {
    out: option(text, 'FOLDER', 'Folder of the newer export, replaced as a whole; it can be OLD'),
    zip: option(text.optional(), 'FILE', 'Also write the files as a zip archive'),
    'public-key': publicKeyOption,
  },
  examples: [
    ['apply docs-1.zip update.zip --out site', 'Make the newer export'],
    ['apply site update.zip --out site --public-key release.pub', 'Update a folder, if the newer export is signed'],
  ],
  async run({ options: { out, zip, 'public-key': keys }, words: [older = '', delta = ''] }) {
    if (zip !== undefined) checkArchive(resolve(zip), resolve(out), undefined);
    const rules = keys && { ...defaultRules, keys: publicKeysOf(keys) };
    const { manifest, problems } = await withSmallYoungSpace(() =>
      applyDelta(resolve(older), resolve(delta), resolve(out), { rules, zip: zip && resolve(zip) }),
    );
    for (const problem of problems) console.log(problemLine(problem));
    console.log(
      `${symbol('success')}${out} is ${shownName(manifest.site)}, version ${shownName(manifest.version)}: every file matches its hash in the manifest.`,
    );
  },
});
