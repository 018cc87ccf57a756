// Exports of several sites → one export with a start page, each of them unchanged in a folder of its own.
import { hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ExportError } from '../../integration/errors.ts';
import { exportSite, type ExportOptions, type ExportReport } from '../../integration/export/export-site.ts';
import { llmsEntry, llmsText, type LlmsPage } from '../../integration/export/llms-and-sitemap.ts';
import { deployments, type Manifest } from '../../integration/manifest.ts';
import { defaultRules, type BundleRules } from '../../integration/output/check-entries.ts';
import { isInside, realTarget } from '../../integration/output/output-path.ts';
import { openBundle } from '../../integration/output/open-bundle.ts';
import { oneLine } from '../../integration/page/page-record.ts';
import { shownName } from '../../integration/text/escape.ts';
import { languageTag } from '../../integration/text/language-tag.ts';
import { labelsOf } from '../../integration/texts/index.ts';
import { markdownFile, windowsFault } from '../../integration/urls/safe-names.ts';
import { headingId } from '../markdown/headings.ts';
import { openDocs } from '../render/open-docs.ts';
import { generator } from '../version.ts';
import { writeCollection, type CollectedSite } from './collection.ts';
import { exportInput } from './export-input.ts';
import { readCollection, type Collection } from './read-collection.ts';

export interface CollectionOptions extends Pick<
  ExportOptions,
  'out' | 'zip' | 'label' | 'attest' | 'environment' | 'signal' | 'onProgress'
> {
  /** Folders and zips, or a YAML file that names them. */
  inputs: readonly string[];
  name?: string;
  /** The groups of the readers whom the collection is for; needed only where its sites are not for the same readers. */
  groups?: readonly string[];
  /** Each export is signed by one of these. */
  keys?: BundleRules['keys'];
}

type Site = CollectedSite & { description?: string; llms?: string };
type StartPage = Collection & { name: string };

/** Throws `ExportError`: `CollectionConflict`, and what `openBundle` and `exportSite` throw. An earlier export at `out` then stays unchanged. */
export async function exportCollection(options: CollectionOptions): Promise<ExportReport & { sites: Site[] }> {
  const { keys, signal, inputs } = options;
  const rules = keys && { ...defaultRules, keys };
  const written = readCollection(inputs);
  const start: StartPage = { ...written, name: options.name ?? written.name ?? 'Documentation' };
  checkOutput(options.zip ?? options.out, [
    ...inputs.map((input) => resolve(input)),
    ...written.sites.map(({ bundle }) => bundle),
  ]);
  const sites: Site[] = [];
  for (const site of written.sites) sites.push(await openSite(site, rules));
  checkPaths(sites);
  const audience = audienceOf(sites, options.groups ?? written.groups);
  const language = written.language ? languageTag(written.language) : (sites[0]?.manifest.defaultLanguage ?? 'en');
  const docs = mkdtempSync(join(tmpdir(), 'carrel-collection-'));
  try {
    const { version } = (await labelsOf(language)).theme;
    writeFileSync(join(docs, 'docs.json'), JSON.stringify(configOf(start, sites)));
    writeFileSync(join(docs, 'index.mdx'), startPage(start, sites, version));
    const opened = await openDocs(docs, { language, repository: 'off' });
    try {
      const input = await exportInput(opened, { groups: audience });
      // The start page links to them, and they are written with the other files of their sites.
      const entries = sites.map(({ path, manifest }) => ({
        path: `${path}/${manifest.entry}`,
        contents: '',
        neededFor: 'a site',
      }));
      const lists = { 'llms.txt': listOf(start, sites), 'llms-full.txt': fullListOf(start, sites) };
      const own = Object.entries(lists).map(([path, contents]) => ({ path, contents }));
      const report = await exportSite(
        {
          ...input,
          assets: [...input.assets, ...entries, ...own],
          writeSites: (folder) => writeCollection(folder, sites, { language, rules, signal }),
        },
        {
          ...options,
          label: options.label ?? written.version,
          // What any of them may not have, the collection does not promise to be without.
          deployment: deployments.find((one) => sites.some(({ manifest }) => manifest.deployment === one))!,
          vendor: false,
          sourceRoot: docs,
          generator,
        },
      );
      return { ...report, sites };
    } finally {
      await opened.close();
    }
  } finally {
    rmSync(docs, { recursive: true, force: true });
  }
}

function checkOutput(out: string, inputs: string[]): void {
  const target = realTarget(out);
  const inside = inputs.map(realTarget).find((one) => isInside(one, target) || isInside(target, one));
  if (inside !== undefined)
    throw new ExportError('CollectionConflict', `The output "${out}" would change "${inside}".`, 'Choose another path.');
}

async function openSite(given: Collection['sites'][number], rules: BundleRules | undefined): Promise<Site> {
  const { bundle } = given;
  const opened = await openBundle(bundle, rules);
  try {
    const { manifest, signature } = opened;
    if (manifest.sites)
      throw new ExportError(
        'CollectionConflict',
        `"${bundle}" is a collection itself, of ${manifest.sites.map(({ title }) => shownName(title)).join(', ')}.`,
        'Name the exports that it was made from.',
      );
    const llms = await opened.readIfThere('llms.txt').then((bytes) => bytes && Buffer.from(bytes).toString());
    const title = given.title ?? manifest.site;
    return {
      bundle,
      path: given.path ?? pathOf(title, bundle),
      title,
      description: given.description ?? /^> (.+)$/m.exec(llms?.split('\n##')[0] ?? '')?.[1],
      manifest,
      manifestHash: hash('sha256', await opened.read('carrel.json')),
      llms,
      ...(signature && { signature: { keyId: signature.keyId, isChecked: rules !== undefined } }),
    };
  } finally {
    opened.close();
  }
}

/** The folder of a site from its name: "Vue.js – Guide" → "vue-js-guide". */
function pathOf(title: string, bundle: string): string {
  const path = headingId(
    title
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .replaceAll(/[^a-z0-9]+/gi, ' '),
  );
  if (path !== '') return path;
  throw new ExportError(
    'CollectionConflict',
    `The name of "${bundle}", "${shownName(title)}", has no letters for a path.`,
    'Give that site a path in the configuration.',
  );
}

/** The paths of files in exports leave so much room on Windows. */
const longestPath = 60;

function checkPaths(sites: Site[]): void {
  const known = new Map<string, Site>();
  for (const site of sites) {
    const { path, bundle } = site;
    const same = known.get(path);
    if (same)
      throw new ExportError(
        'CollectionConflict',
        `"${same.bundle}" and "${bundle}" both have the path "${path}" in the collection.`,
        'Give one of them another path in the configuration.',
      );
    const fault = !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(path)
      ? 'is not lower-case words with - or . between them'
      : /\.[a-z]+$/.test(path)
        ? 'ends like the name of a file, which the start page may have'
        : path.length > longestPath
          ? `is longer than ${longestPath} characters`
          : windowsFault(path);
    if (fault !== undefined)
      throw new ExportError(
        'CollectionConflict',
        `The path "${shownName(path)}" of "${bundle}" ${fault}.`,
        'Choose another one, such as "product-2.1".',
      );
    known.set(path, site);
  }
}

/** The groups of readers that may see every site. What is for few must not reach everybody, so sites for other readers need a word. */
function audienceOf(sites: Site[], groups: readonly string[] | undefined): readonly string[] | undefined {
  const readersOf = ({ manifest: { audience } }: Site) =>
    audience ? `readers in ${audience.map(shownName).join(', ')}` : 'everybody';
  const [first] = sites;
  // A name may have a comma.
  const other = sites.find(({ manifest }) => JSON.stringify(manifest.audience) !== JSON.stringify(first!.manifest.audience));
  const needed = [...new Set(sites.flatMap(({ manifest }) => manifest.audience ?? []))].sort();
  if (groups ? needed.every((group) => groups.includes(group)) : !other) return groups ?? first?.manifest.audience;
  const [one, two] = [first!, other ?? first!];
  throw new ExportError(
    'CollectionConflict',
    one === two
      ? `"${one.bundle}" is for ${readersOf(one)}, not only for those in ${groups!.join(', ')}.`
      : `"${one.bundle}" is for ${readersOf(one)}, and "${two.bundle}" for ${readersOf(two)}.`,
    `Make the collection for readers in all these groups, with --groups ${needed.map(asOption).join(',')}, or leave one of them out.`,
  );
}

function asOption(group: string): string {
  return shownName(group).replaceAll('%', '%25').replaceAll(',', '%2C');
}

function configOf({ name, description, accent }: StartPage, sites: Site[]): object {
  const colors = new Map(sites.map(({ manifest }) => [JSON.stringify(manifest.accent), manifest.accent]));
  const [shared] = colors.size === 1 ? colors.values() : [];
  const primary = accent ?? shared?.light;
  return {
    name,
    description,
    ...(primary !== undefined && { colors: { primary, ...(accent === undefined && { light: shared?.dark }) } }),
    navigation: { pages: ['index'] },
    feedback: { thumbsRating: false },
  };
}

/** The page with a card for each site. */
function startPage({ name, description }: StartPage, sites: Site[], versionLabel: string): string {
  const attributes = (values: Record<string, string | undefined>) =>
    Object.entries(values)
      .flatMap(([key, value]) => (value === undefined ? [] : ` ${key}={${JSON.stringify(value)}}`))
      .join('');
  const plain = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
  const cards = sites.map(({ path, title, description, manifest: { version, accent, entry } }) => {
    // A version that is a hash of the content says nothing to readers.
    const isNamed = !/^[0-9a-f]{12}$/.test(version);
    // A line that begins with "import" or "export" would be code.
    const about =
      description === undefined ? '' : `\n${plain(description).replace(/^\w/gm, (letter) => `&#${letter.charCodeAt(0)};`)}\n`;
    const badge = isNamed ? `\n<Badge color="gray">${plain(`${versionLabel} ${version}`)}</Badge>\n` : '';
    const card = { title: plain(title), href: `/${path}/${entry}`, icon: 'book-open', color: accent?.light };
    return `<Card${attributes(card)}>\n${about}${badge}\n</Card>`;
  });
  const head = JSON.stringify({ title: name, description, mode: 'center', searchable: false });
  return `---\n${head}\n---\n\n<Columns cols={2}>\n${cards.join('\n')}\n</Columns>\n`;
}

/** `llms.txt`: each site with its own list, and then the pages of all, in the language and the docs version that they show first. */
function listOf({ name, description }: StartPage, sites: Site[]): string {
  const lists = sites.map(({ path, title, description, manifest, llms }): LlmsPage => ({
    title,
    description,
    href: `${path}/${llms === undefined ? manifest.entry : 'llms.txt'}`,
  }));
  const pages = sites.flatMap(({ path, title, manifest }) => {
    const { defaultLanguage, defaultDocsVersion, files } = manifest;
    const isListed = ({ language, docsVersion }: Manifest['pages'][number]) =>
      defaultLanguage === undefined || (language === defaultLanguage && docsVersion === defaultDocsVersion);
    return manifest.pages.filter(isListed).map((page): LlmsPage => {
      const markdown = markdownFile(page.file);
      return { title: `${title}: ${page.title}`, href: `${path}/${Object.hasOwn(files, markdown) ? markdown : page.file}` };
    });
  });
  return llmsText({ name, description }, [...lists, ...pages]);
}

/** The Markdown of all pages is many files of their sites. */
function fullListOf({ name }: StartPage, sites: Site[]): string {
  const full = sites.filter(({ manifest }) => Object.hasOwn(manifest.files, 'llms-full.txt'));
  return `# ${oneLine(name)}\n\n${full.map(({ path, title }) => llmsEntry({ title, href: `${path}/llms-full.txt` })).join('')}`;
}
