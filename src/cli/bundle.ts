import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ExportError } from '../../integration/errors.ts';
import { checkOutputFile, removeLeftovers } from '../../integration/output/output-path.ts';
import { publicKeyText } from '../../integration/output/signature.ts';
import { count, size } from '../../integration/text/amounts.ts';
import { shownName } from '../../integration/text/escape.ts';
import { stoppable, withSmallYoungSpace } from './own-process.ts';
import { publicKeysOf } from './public-keys.ts';
import { openSignerOf } from './signing.ts';
import { symbol } from './terminal.ts';
import {
  commandName,
  defineCommand,
  groupNames,
  option,
  publicKeyOption,
  shellWord,
  signOptions,
  text,
  versionOption,
} from './usage.ts';

/** `carrel bundle`: how it is used. */
export const command = defineCommand({
  usage: 'bundle EXPORT… --out FOLDER|ZIP',
  summary:
    'Join exports of several sites, folders or zips, in one folder or zip with a start page and one search; or those that a YAML file lists.',
  words: [1, 1000],
  options: {
    out: option(
      text,
      'FOLDER|ZIP',
      'Where to write: a zip if the name ends in .zip, else a folder, which is replaced as a whole',
    ),
    name: option(text.optional(), 'TEXT', 'Name of the collection, for its start page (default: Documentation)'),
    label: versionOption,
    groups: option(
      groupNames.optional(),
      'LIST',
      'The groups of its readers, needed where the exports are not for the same: partner,beta (a comma in a name is %2C)',
    ),
    'public-key': publicKeyOption,
    ...signOptions,
  },
  examples: [
    ['bundle vue.zip router.zip --name "Vue 3.5" --out all.zip', 'Join two bundles in a zip'],
    ['bundle products.yaml --out site', 'Join the exports that a YAML file lists, in a folder'],
    [
      'bundle products.yaml --out all.zip --public-key ci.pub --sign release.key',
      'Take only signed exports, and sign the collection',
    ],
  ],
  async run({ options: { out: given, name, label, groups, 'public-key': keys, ...signing }, words: inputs }) {
    const target = resolve(given);
    const isZip = /\.zip$/i.test(given);
    if (isZip) checkOutputFile(`The archive "${given}"`, target);
    // Beside the zip, whose disk has room for it.
    const work = `${basename(target)}-folder`;
    const workFolder = join(dirname(target), `.${work}.carrel-new-${process.pid}`);
    const out = isZip ? join(workFolder, 'site') : target;
    const signer = await openSignerOf(signing, process.env);
    const { stop, end } = stoppable();
    try {
      const [{ exportCollection }, { attest }] = await Promise.all([
        import('../export/export-collection.ts'),
        import('../signing/attest.ts'),
      ]);
      const report = await withSmallYoungSpace(() =>
        exportCollection({
          inputs,
          name,
          label,
          groups,
          out,
          ...(isZip && { zip: target }),
          keys: keys && publicKeysOf(keys),
          ...(signer && { attest: (manifest) => attest(manifest, { signer, out, now: new Date() }) }),
          environment: process.env,
          signal: stop.signal,
        }),
      );
      for (const { path, title, manifest } of report.sites)
        console.log(
          `${path}/  ${shownName(title)}, version ${shownName(manifest.version)}: ${count(manifest.pages.length, 'page')}`,
        );
      if (!isZip) console.log(`Open it:   ${pathToFileURL(join(target, 'index.html')).href}`);
      console.log(`Serve it:  ${commandName(process.env)} serve ${shellWord(given)}`);
      if (signer)
        console.log(
          `Check it:  ${commandName(process.env)} verify ${shellWord(given)} --public-key ${publicKeyText(signer.publicKey)}`,
        );
      console.log(
        `${symbol('success')}Wrote ${given} of ${count(report.sites.length, 'site')}: ${count(report.files, 'file')} (${size(isZip ? statSync(target).size : report.bytes)}), version ${report.version}`,
      );
    } catch (error) {
      throw stop.signal.aborted ? new ExportError('Stopped', 'The collection was not written. Nothing was changed.') : error;
    } finally {
      end();
      // Also those of runs that were killed.
      if (isZip && existsSync(dirname(target))) removeLeftovers(dirname(target), work, workFolder, process.pid);
    }
  },
});
