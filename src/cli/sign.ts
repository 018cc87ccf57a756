import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { provenanceFile, settingsFile, signatureFile, unlisted, type Manifest } from '../../integration/manifest.ts';
import { readStatement } from '../../integration/output/provenance.ts';
import { inspectBundle } from '../../integration/output/open-bundle.ts';
import { checkArchive } from '../../integration/output/output-path.ts';
import { writeArchive } from '../../integration/output/write-archive.ts';
import { attest } from '../signing/attest.ts';
import type { Signer } from '../signing/signing-key.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { checkCommand, openSignerOf } from './signing.ts';
import { defineCommand, option, text } from './usage.ts';

/** `carrel sign`: how it is used. */
export const command = defineCommand({
  usage: 'sign FOLDER --key KEY',
  summary: 'Sign an export that was made elsewhere, after checking every file of it.',
  options: {
    key: option(text, 'KEY', 'The secret key that signs'),
    'sign-command': option(
      text.optional(),
      'COMMAND',
      'Sign with this shell command, such as one of a key service; --key names its public key',
    ),
    source: option(
      text.optional(),
      'FOLDER',
      'Also state the repository and commit of this folder, from which you made the export',
    ),
    zip: option(text.optional(), 'FILE', 'Also write the files as a zip archive'),
  },
  examples: [
    ['sign site --key release.key', 'Sign an export'],
    ['sign site --key release.key --zip docs.zip', 'Also write its bundle'],
    ['sign dist-offline --key release.key --source .', 'Sign what `astro build` made from this folder'],
  ],
  async run({ options: { key, 'sign-command': signCommand, source, zip }, words: [given = ''] }) {
    const folder = resolve(given);
    const file = join(folder, 'carrel.json');
    if (zip !== undefined) checkArchive(resolve(zip), folder, undefined);
    // Of a run that was killed.
    removeDrafts(folder);
    const { problems, manifest } = await withSmallYoungSpace(() => inspectBundle(folder));
    const [problem] = problems;
    if (problem || !manifest)
      throw new ExportError('BundleNotWhole', `"${given}" was not signed: ${problem?.message}`, problem?.hint);
    checkSettings(given, folder, manifest);
    const signer = (await openSignerOf({ sign: key, 'sign-command': signCommand }, process.env))!;
    const now = new Date();
    const made = await attest(await readFile(file, 'utf8'), {
      ...{ signer, out: folder, now },
      ...(source !== undefined && {
        provenance: { ...{ source: resolve(source), parameters: {}, remote: [] }, environment: process.env, started: now },
      }),
    });
    if (source === undefined) dropForeignProvenance(folder, signer);
    try {
      for (const [name, contents] of made) {
        // Nobody reads half of it.
        await writeFile(draftOf(folder, name), contents);
        await rename(draftOf(folder, name), join(folder, name));
      }
    } finally {
      removeDrafts(folder);
    }
    if (zip !== undefined) {
      mkdirSync(dirname(resolve(zip)), { recursive: true });
      const others = [...unlisted].filter((name) => existsSync(join(folder, name)));
      const archive = await writeArchive(folder, [...Object.keys(manifest.files), ...others], resolve(zip), {
        environment: process.env,
      });
      archive.commit();
    }
    console.log(`Signed ${given} with the key ${signer.publicKey.id}.\nCheck it: ${checkCommand(signer.publicKey, given)}`);
  },
});

function draftOf(folder: string, name: string): string {
  return join(folder, `.${name}.new`);
}

/** A file that the manifest does not list would be refused. */
function removeDrafts(folder: string): void {
  for (const name of [signatureFile, provenanceFile]) rmSync(draftOf(folder, name), { force: true });
}

/** Throws `ExportError` `BundleNotWhole` for settings with which no one could verify the signed export. */
function checkSettings(given: string, folder: string, { settings }: Manifest): void {
  const file = join(folder, settingsFile);
  const found = existsSync(file) ? hash('sha256', readFileSync(file)) : undefined;
  if (found === settings?.sha256) return;
  throw new ExportError(
    'BundleNotWhole',
    `"${given}" was not signed: its ${settingsFile} is not the one that was exported.`,
    'Restore it, or export again with --settings.',
  );
}

/** What another key says of its origin would be refused with the new signature. */
function dropForeignProvenance(folder: string, { publicKey }: Signer): void {
  const file = join(folder, provenanceFile);
  if (!existsSync(file)) return;
  if (readStatement(readFileSync(file, 'utf8'), readFileSync(join(folder, 'carrel.json')), [publicKey])) return;
  rmSync(file);
  console.error(`Warning: ${provenanceFile} was removed: another key signed it. Export with --sign to write it again.`);
}
