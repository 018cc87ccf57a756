import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Problem } from '../../integration/diagnostics.ts';
import { billFile, type Manifest } from '../../integration/manifest.ts';
import { defaultRules } from '../../integration/output/check-entries.ts';
import type { Statement } from '../../integration/output/provenance.ts';
import { comparePages, type PageChanges } from '../../integration/output/compare-exports.ts';
import { inspectBundle, manifestOf, openBundle, type InspectedBundle } from '../../integration/output/open-bundle.ts';
import { count, size } from '../../integration/text/amounts.ts';
import { shown, shownName } from '../../integration/text/escape.ts';
import { jsonValue } from '../../integration/text/json.ts';
import { withSmallYoungSpace } from './own-process.ts';
import { publicKeysOf } from './public-keys.ts';
import { symbol } from './terminal.ts';
import { defineCommand, flag, option, publicKeyOption, text, UsageError } from './usage.ts';

/** `carrel verify`: how it is used. */
export const command = defineCommand({
  usage: 'verify FOLDER|ZIP',
  summary: 'Check every file of an export or a bundle against its manifest, and show what is in it and who signed it.',
  options: {
    'public-key': publicKeyOption,
    against: option(text.optional(), 'FOLDER|ZIP', 'Also list the pages that differ from those of this earlier export'),
    absent: option(text.optional(), 'FILE', 'Also fail if a file or its name has a word of this list: a word or sentence a line'),
    json: flag('Print the result as JSON'),
  },
  examples: [
    ['verify site', 'Check a folder'],
    ['verify docs.zip', 'Check a bundle'],
    ['verify docs.zip --public-key release.pub', 'Also check who made it'],
    ['verify docs.zip --against docs-old.zip', 'Also list what has changed'],
    ['verify docs.zip --absent other-customers.txt', 'Also make sure that it does not have some words'],
    ['verify docs.zip && unzip docs.zip -d site', 'Unpack only what is complete'],
  ],
  /** Exit code 1 when the export is not what was made, or not signed as it must be. */
  async run({ options: { absent: wordFile, 'public-key': keys, against, json }, words: [given = ''] }) {
    const absent = wordFile === undefined ? [] : wordsOf(wordFile);
    const rules = keys && { ...defaultRules, keys: publicKeysOf(keys) };
    const inspected = await withSmallYoungSpace(() => inspectBundle(resolve(given), { rules, absent }));
    const { problems, manifest } = inspected;
    const earlier = against === undefined || !manifest ? undefined : await manifestOf(resolve(against));
    const compared = earlier && manifest && { ...earlier, ...comparePages(earlier, manifest) };
    if (json) console.log(JSON.stringify(asJson(inspected, { isTrusted: keys !== undefined, compared }), null, 2));
    else printProblems(problems);
    if (problems.length === 0 && !json) {
      const none = absent.length === 0 ? '' : ` None of them has one of the ${absent.length} words of ${wordFile}.`;
      console.log(`${symbol('success')}${given} is intact: every file matches its hash in the manifest.${none}`);
      const packages = manifest?.files[billFile] && (await packagesIn(given));
      for (const line of contentsOf(inspected, { isTrusted: keys !== undefined, against, compared, packages }))
        console.log(shown(line));
    }
    return problems.length === 0 ? 0 : 1;
  },
});

interface Shown {
  /** Whether the signature was checked by a key that is trusted. */
  isTrusted: boolean;
  compared: (PageChanges & Pick<Manifest, 'site' | 'version'>) | undefined;
}

function asJson({ problems, manifest, signature, provenance }: InspectedBundle, { isTrusted, compared }: Shown): object {
  return {
    isIntact: problems.length === 0,
    problems,
    ...(manifest && {
      site: manifest.site,
      version: manifest.version,
      generator: manifest.generator,
      deployment: manifest.deployment,
      audience: manifest.audience ?? null,
      requests: manifest.requests ?? null,
      pages: manifest.pages.length,
      files: Object.keys(manifest.files).length,
      bytes: bytesOf(manifest),
      ...(manifest.sites && { sites: sitesOf(manifest, isTrusted) }),
    }),
    provenance: provenance ?? null,
    signature: signature ? { keyId: signature.keyId, time: signature.time?.toISOString() ?? null, isTrusted } : null,
    ...(compared && {
      against: {
        site: compared.site,
        version: compared.version,
        added: compared.added,
        changed: compared.changed,
        removed: compared.removed,
      },
    }),
  };
}

function bytesOf({ files }: Manifest): number {
  return Object.values(files).reduce((sum, { size }) => sum + size, 0);
}

/** What an intact export says of itself, a line each. */
function contentsOf(
  { manifest, signature, provenance }: InspectedBundle,
  { isTrusted, against, compared, packages }: Shown & { against: string | undefined; packages: number | undefined },
): string[] {
  if (!manifest) return [];
  const { site, version, generator, deployment, audience, pages, requests, files } = manifest;
  const signed = signature
    ? `by the key ${signature.keyId}${signature.time ? ` on ${signature.time.toISOString().replace('T', ' ').slice(0, 16)} UTC` : ''}${isTrusted ? '' : ', which was not checked: name the key with --public-key'}`
    : 'no';
  const lines = [
    `Site:      ${shownName(site)}, version ${shownName(version)} (${deployment}, ${shownName(generator)})`,
    `Signed:    ${signed}`,
    ...(provenance ? [`Source:    ${shownName(sourceOf(provenance))}`] : []),
    `Pages:     ${count(pages.length, 'page')} for ${audience ? `readers in ${audience.map(shownName).join(', ')}` : 'everybody'}`,
    ...sitesOf(manifest, isTrusted).map((one) => `  ${shownName(siteLine(one))}`),
    ...(requests ? [`Network:   ${networkOf(requests)}`] : []),
    `Files:     ${count(Object.keys(files).length, 'file')}, ${size(bytesOf(manifest))}`,
    ...(packages === undefined ? [] : [`Contains:  ${count(packages, 'package')} of others (${billFile})`]),
  ];
  if (!compared) return lines;
  const { added, changed, removed } = compared;
  lines.push(
    `Against:   ${against}, version ${shownName(compared.version)}: ${added.length} added, ${changed.length} changed, ${removed.length} removed`,
  );
  for (const [sign, some] of [
    ['+', added],
    ['~', changed],
    ['-', removed],
  ] as const) {
    for (const { title, path } of some.slice(0, mostListed)) lines.push(`  ${sign} ${shownName(title)} (/${shownName(path)})`);
    if (some.length > mostListed) lines.push(`  ${sign} ${some.length - mostListed} more: --json lists all of them`);
  }
  return lines;
}

/** The sites of a collection with the number of their pages. What it says of their signatures was checked only if it is itself signed by a trusted key. */
function sitesOf({ sites = [], pages }: Manifest, isTrusted: boolean) {
  return sites.map(({ signature, ...site }) => ({
    ...site,
    ...(signature && { signature: { ...signature, isChecked: signature.isChecked && isTrusted } }),
    pages: pages.filter(({ path }) => `${path}/`.startsWith(`${site.path}/`)).length,
  }));
}

/** A site of a collection: `vue/: Vue.js, version 3.5, 119 pages, signed by 0123456789ABCDEF`. */
function siteLine({ path, title, version, signature, pages }: ReturnType<typeof sitesOf>[number]): string {
  const signed = signature ? `signed by ${signature.keyId}${signature.isChecked ? '' : ' (not checked)'}` : 'not signed';
  return `${path}/: ${title}, version ${version}, ${count(pages, 'page')}, ${signed}`;
}

/** How many packages the bill of materials of an export lists. */
async function packagesIn(given: string): Promise<number> {
  const bundle = await openBundle(resolve(given));
  try {
    const bill = jsonValue(Buffer.from(await bundle.read(billFile)).toString());
    const { data } = z.object({ components: z.array(z.object({ type: z.string() })) }).safeParse(bill);
    return data?.components.filter(({ type }) => type === 'library').length ?? 0;
  } finally {
    bundle.close();
  }
}

/** What the pages load from other hosts. */
function networkOf(requests: NonNullable<Manifest['requests']>): string {
  const hosts = requests.map(({ host, page, pages }) => `${host} (${count(pages, 'page')}${page ? `, such as ${page}` : ''})`);
  return hosts.length === 0 ? 'its pages load nothing from other hosts' : shownName(hosts.join(', '));
}

/** The repository and commit in a statement: `https://github.com/acme/docs@main, commit 0a1b2c3d4e5f (clean)`. */
function sourceOf({ predicate }: Statement): string {
  const { uri, digest, annotations } =
    predicate.buildDefinition.resolvedDependencies.find(({ digest }) => digest.gitCommit) ?? {};
  if (!digest) return 'not from a git checkout';
  const where = [uri?.replace(/^git\+/, ''), `commit ${digest.gitCommit}`].filter(Boolean).join(', ');
  return `${where}${annotations?.isClean === true ? '' : ', with changes that are not in it'}`;
}

const mostListed = 20;

/** The lines of a file. Throws a UsageError if it has none, since a check for nothing would always pass. */
function wordsOf(file: string): string[] {
  let lines: string;
  try {
    lines = readFileSync(resolve(file), 'utf8');
  } catch {
    throw new UsageError(`The file "${file}" of --absent cannot be read.`, 'Name a text file with a word or sentence a line.');
  }
  const words = [
    ...new Set(
      lines
        .replace(/^\uFEFF/, '')
        .split(/\r?\n/)
        .flatMap((line) => line.trim() || []),
    ),
  ];
  if (words.length === 0)
    throw new UsageError(`The file "${file}" of --absent is empty.`, 'Write a word or sentence a line into it.');
  return words;
}

/** Prints what is wrong with an export, a line each. */
export function printProblems(problems: Problem[]): void {
  for (const { kind, message, hint } of problems) console.error(shown(`${kind}: ${message}${hint ? ` ${hint}` : ''}`));
}
