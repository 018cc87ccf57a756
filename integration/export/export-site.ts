// Pages, their assets and their index become a folder that needs nothing but itself.
import { hash } from 'node:crypto';
import { basename } from 'node:path';
import { packBundle } from '../bundle/pack.ts';
import { manifestFormat, type Deployment, type Manifest } from '../bundle/manifest.ts';
import type { PageSource } from '../pages/built-page.ts';
import type { Problem } from '../problem.ts';
import type { Progress } from '../progress.ts';
import { assetText, relativeStylesheet, type ExportAsset } from './assets.ts';
import { auditPage, stylesheetLoad } from './audit.ts';
import { checkLinks } from './check-links.ts';
import { createPageExporter, publicAddress, type ExportedPage, type PageCache } from './export-page.ts';
import { llmsFullPage, llmsText, type LlmsPage } from './llms.ts';
import { notFoundPage } from './not-found.ts';
import { openPrevious, readState, spareOf, type Previous, type State } from './previous.ts';
import { redirectStub } from './redirect-stub.ts';
import { encodePath } from './relative-url.ts';
import { safeNames, type SafeNames } from './safe-names.ts';
import { createIndexes, type Indexes } from './search-index.ts';
import { pagesScript, siteScript, variantsOf } from './site-data.ts';
import { searchLabels, type SearchLabels } from './search-labels.ts';
import { robots, sitemap } from './sitemap.ts';
import { addressesIn, isRemote } from './scan-page.ts';
import { createTargets, type Targets } from './targets.ts';
import { createVendor, type Vendor } from './vendor.ts';
import { checkArchive } from './output-place.ts';
import { beginExport, type ExportFolder, type WrittenFile } from './write.ts';

export type { ExportAsset, PageCache };

export interface ExportInput {
  /** Name of the site. */
  name: string;
  description?: string;
  /** In order of navigation. */
  pages: PageSource[];
  assets: ExportAsset[];
  /** `from` is a path, `to` an address of the site or a URL; patterns are expanded. */
  redirects: { from: string; to: string }[];
  /** Path of the page that `/` leads to. */
  home: string;
  defaultLanguage: string;
  defaultDocsVersion?: string;
  /** The whole 404 page, written as it is: hosts show it at any depth, so nothing in it may be relative. */
  notFound?: { html: string };
  /** Links of the navigation to other sites, for llms.txt. */
  external?: { title: string; href: string }[];
  /** What was noticed before; reported first. */
  problems: Problem[];
}

export interface ExportOptions {
  /** Folder to write; replaced whole when the export is complete. */
  out: string;
  /** Archive to write of the same files. */
  zip?: string;
  deployment: Deployment;
  /** Download media of other hosts into the export. */
  vendor: boolean;
  /** How `vendor` asks other hosts. @default the platform's */
  fetch?: typeof fetch;
  siteUrl?: string;
  /** Export version. @default first 12 hex digits of the content hash */
  label?: string;
  /** Program and version: `carrel/0.1.0`. */
  generator: string;
  /** The docs folder, which `out` may neither hold nor be in. */
  sourceRoot?: string;
  cache?: PageCache;
  /** Folder on the disk of `out`, of the caller's cache: the replaced export is kept there, and the next one starts from it. */
  keep?: string;
  /** For `SOURCE_DATE_EPOCH`. */
  environment?: Record<string, string | undefined>;
  onProgress?: (progress: Progress) => void;
  signal?: AbortSignal;
}

export interface ExportReport {
  version: string;
  pages: number;
  sections: number;
  files: number;
  bytes: number;
  /** By stage. */
  seconds: Record<string, number>;
  warnings: Problem[];
  redirects: number;
}

/**
 * Writes the export. The same input gives the same bytes.
 * Throws `ExportError` when it cannot; what was at `out` before then stays as it was.
 */
export async function exportSite(input: ExportInput, options: ExportOptions): Promise<ExportReport> {
  if (options.zip !== undefined) checkArchive(options.zip, options.out, options.sourceRoot);
  const state = readState(options.out, options.cache);
  const spare = options.keep === undefined ? undefined : spareOf(state, options.out, options.keep);
  const folder = beginExport(options.out, { sourceRoot: options.sourceRoot, processId: process.pid, spare });
  try {
    const seconds: Record<string, number> = {};
    const clock = stopwatch(seconds);
    const work = startWork(input, options, folder, state);

    const exported = await exportPages(work);
    clock('render');
    const indexes = writeIndexes(work);
    clock('index');
    await writeAssets(work);
    writeSiteData(work, exported, indexes);
    writeRedirects(work);
    writeLists(work, exported);
    writeFixed(work);
    const manifest = writeManifest(work, exported, indexes);
    options.signal?.throwIfAborted();
    folder.commit();
    work.previous.note({ files: folder.files, pages: exported, names: work.names, indexes, vendored: work.vendored });
    clock('write');
    if (options.zip !== undefined) {
      await packBundle(options.out, options.zip, {
        environment: options.environment,
        signal: options.signal,
        onProgress: (done, total) => options.onProgress?.({ stage: 'archive', done, total }),
      });
      clock('archive');
    }
    return report(work, exported, manifest, seconds);
  } catch (error) {
    folder.abandon();
    throw error;
  }
}

/** What all steps share. */
interface Work {
  input: ExportInput;
  options: ExportOptions;
  folder: ExportFolder;
  previous: Previous;
  indexes: Indexes;
  names: SafeNames;
  targets: Targets;
  siteUrl: string | undefined;
  airGapped: boolean;
  vendor: Vendor | undefined;
  /** Files in the export of addresses on other hosts. */
  vendored: Map<string, string>;
  problems: Problem[];
}

const ownFiles = ['carrel.json', 'carrel.config.js', '404.html', '_carrel/site.js'];
// An author's own file of these names wins.
const listFiles = ['llms.txt', 'llms-full.txt', 'sitemap.xml', 'robots.txt'];

function startWork(input: ExportInput, options: ExportOptions, folder: ExportFolder, state: State): Work {
  const siteUrl = options.siteUrl?.replace(/\/*$/, '/');
  const assets = input.assets.map(({ path }) => path);
  const given = new Set(assets);
  const lists = listFiles.filter((file) => !given.has(file) && (siteUrl !== undefined || file.startsWith('llms')));
  const pages = input.pages.map(({ path }) => path);
  const reserved = [...ownFiles, ...lists, ...(pages.includes('') ? [] : ['index.html'])];
  const names = safeNames(pages, assets, reserved);
  const files = [...assets, ...reserved.filter((file) => !given.has(file))];
  const fileNames: SafeNames = { ...names, asset: (path) => (given.has(path) ? names.asset(path) : path) };
  const targets = createTargets({ names: fileNames, pages, files, redirects: input.redirects, home: input.home });
  const surroundings = hash(
    'sha256',
    JSON.stringify([
      pages.map((path) => [path, names.page(path), names.mirror(path)]),
      files.map((path) => [path, fileNames.asset(path)]),
      input.redirects,
      [input.home, siteUrl, options.deployment, options.vendor],
    ]),
  );
  const previous = openPrevious(options.out, options.cache, state, surroundings);
  const indexes = createIndexes(
    ({ language, docsVersion }) => previous.index(language, docsVersion, folder),
    (path) => folder.readPrevious(path),
  );
  const vendor = options.vendor
    ? createVendor({
        fetch: options.fetch ?? globalThis.fetch,
        signal: options.signal,
        reuse: (url) => previous.reuseVendored(url, folder),
        write: (path, bytes) => folder.write(path, bytes),
      })
    : undefined;
  return {
    input,
    options,
    folder,
    previous,
    indexes,
    names,
    targets,
    siteUrl,
    airGapped: options.deployment === 'air-gapped',
    vendor,
    vendored: vendor?.files ?? new Map(),
    problems: [...input.problems],
  };
}

async function exportPages(work: Work): Promise<ExportedPage[]> {
  const { input, options, problems, vendor, vendored } = work;
  const bring = vendor && (async (urls: string[]) => void problems.push(...(await vendor.bring(urls))));
  const exporter = createPageExporter({ ...work, cache: options.cache, vendor: bring });
  const told = new Set<string>();
  const exported: ExportedPage[] = [];
  for (const source of input.pages) {
    // Lets signals and timers through, which promises alone never do.
    if (exported.length % 50 === 0) await new Promise((resume) => setImmediate(resume));
    options.signal?.throwIfAborted();
    const page = await exporter(source);
    exported.push(page);
    problems.push(...(page.page.problems ?? []), ...auditPage(source, page.page, options.deployment, vendored, told));
    options.onProgress?.({ stage: 'render', done: exported.length, total: input.pages.length });
  }
  problems.push(...checkLinks(exported));
  return exported;
}

type WrittenIndex = Manifest['indexes'][number];

function writeIndexes({ options, folder, previous, indexes }: Work): WrittenIndex[] {
  const total = indexes.count();
  const written: WrittenIndex[] = [];
  for (const { files, kept, before, ...index } of indexes.finish()) {
    folder.moveSpare(new RegExp(`^_carrel/search/[0-9a-f]{12}/${basename(index.folder).replaceAll('.', '\\.')}$`), index.folder);
    for (const [name, text] of files) previous.writeSame(`${index.folder}/${name}`, text, folder);
    for (const name of kept) previous.move(`${before}/${name}`, `${index.folder}/${name}`, folder);
    written.push(index);
    options.onProgress?.({ stage: 'index', done: written.length, total });
  }
  return written;
}

async function writeAssets(work: Work): Promise<void> {
  const { input, options, folder, previous, names, targets, airGapped, problems, vendor, vendored } = work;
  const assets = [...input.assets].sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const [index, asset] of assets.entries()) {
    const file = names.asset(asset.path);
    if (/\.css$/i.test(file)) {
      const text = assetText(asset);
      if (vendor) problems.push(...(await vendor.bring(addressesIn('css', text).filter(isRemote))));
      const { css, remote } = relativeStylesheet(text, { targets, file, airGapped, vendored });
      folder.write(file, css);
      for (const url of remote) problems.push(stylesheetLoad(asset.path, url, options.deployment));
    } else if ('file' in asset) previous.copy(file, asset.file, folder);
    else folder.write(file, asset.contents);
    options.onProgress?.({ stage: 'write', done: index + 1, total: assets.length });
  }
}

/** Search words of a site's languages that the dialog does not know by itself. */
function labelsOf(languages: string[]): Record<string, SearchLabels> | undefined {
  const known = [...new Set(languages)].sort().flatMap((language) => {
    const words = searchLabels(language);
    return words ? [[language, words] as const] : [];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function writeSiteData({ folder, names }: Work, exported: ExportedPage[], indexes: WrittenIndex[]): void {
  const files: Record<string, string> = {};
  for (const { source } of exported) {
    const file = names.page(source.path);
    if (source.path !== '' && file !== `${source.path}/index.html`) files[source.path] = file;
  }
  const variants = variantsOf(
    exported.map(({ source: { path }, page: { language, docsVersion } }) => ({ path, language, docsVersion })),
  );
  let pagesName: string | undefined;
  if (variants.length > 1) {
    const script = pagesScript(variants);
    pagesName = `pages.${hash('sha256', script).slice(0, 10)}.js`;
    folder.write(`_carrel/${pagesName}`, script);
  }
  const script = siteScript({
    format: 1,
    indexes: indexes.map((index) => ({ ...index, folder: index.folder.slice('_carrel/'.length) })),
    files: Object.keys(files).length === 0 ? undefined : files,
    labels: labelsOf(exported.map(({ page }) => page.language)),
    pagesScript: pagesName,
  });
  folder.write('_carrel/site.js', script);
}

function writeRedirects({ input, folder, names, targets, problems }: Work): void {
  for (const { from, to } of [...input.redirects].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const path = from.replace(/^\/+|\/+$/g, '');
    const target = targets.resolve(`/${path.split('/').map(encodeURIComponent).join('/')}`, '');
    if (target.kind === 'missing') {
      problems.push({
        kind: 'redirect-without-target',
        severity: 'warning',
        message: `The redirect from "${from}" to "${to}" leads to no page of the site.`,
        hint: 'Correct its destination.',
      });
      continue;
    }
    const file = names.claim(/\.html?$/i.test(path) ? path : `${path}/index.html`);
    if (file !== undefined && path !== '') folder.write(file, redirectStub(encodePath(file), target, input.defaultLanguage));
  }
}

function writeLists({ input, folder, names, siteUrl }: Work, exported: ExportedPage[]): void {
  const given = new Set(input.assets.map(({ path }) => path));
  const address = (file: string) => (siteUrl ?? '') + encodePath(file);
  const listed = exported.filter(
    ({ page }) =>
      page.inLlms && page.hasMarkdown && page.language === input.defaultLanguage && page.docsVersion === input.defaultDocsVersion,
  );
  if (!given.has('llms.txt')) {
    const pages: LlmsPage[] = listed.map(({ source, page: { title, description } }) => ({
      title,
      description,
      href: address(names.mirror(source.path)),
    }));
    folder.write('llms.txt', llmsText({ ...input, pages }));
  }
  if (!given.has('llms-full.txt')) {
    const texts = listed.map(({ source }) =>
      llmsFullPage(address(names.mirror(source.path)), folder.read(names.mirror(source.path))),
    );
    folder.write('llms-full.txt', texts.join('\n'));
  }
  if (siteUrl === undefined) return;
  const pages = exported
    .filter(({ page }) => page.inSitemap)
    .map(({ source }) => address(publicAddress(names.page(source.path))));
  if (!given.has('sitemap.xml')) folder.write('sitemap.xml', sitemap(pages));
  if (!given.has('robots.txt')) folder.write('robots.txt', robots(siteUrl));
}

function writeFixed({ input, folder, targets, siteUrl }: Work): void {
  if (!input.pages.some(({ path }) => path === '')) {
    folder.write('index.html', redirectStub('index.html', targets.resolve('/', ''), input.defaultLanguage));
  }
  folder.write('404.html', input.notFound?.html ?? notFoundPage(input.name, input.defaultLanguage, siteUrl));
  folder.write('carrel.config.js', inertConfig);
}

const inertConfig = `// Settings of the place where this site is deployed. Nothing here is needed: without it the site is complete.
// Whoever serves the site may answer this file with other settings; the site is not built again for that.
// globalThis.__carrel_config = {};
`;

function writeManifest({ input, options, folder, names }: Work, exported: ExportedPage[], indexes: WrittenIndex[]): Manifest {
  const listed = [...folder.files].filter(([path]) => path !== 'carrel.config.js').sort(([a], [b]) => (a < b ? -1 : 1));
  const content = hash('sha256', listed.map(([path, { sha256 }]) => `${path}\n${sha256}\n`).join(''));
  const manifest: Manifest = {
    format: manifestFormat,
    site: input.name,
    version: options.label ?? content.slice(0, 12),
    deployment: options.deployment,
    generator: options.generator,
    entry: 'index.html',
    indexes,
    pages: exported.map(({ source: { path }, page: { title, language, docsVersion } }) => ({
      path,
      file: names.page(path),
      title,
      language,
      ...(docsVersion === undefined ? {} : { docsVersion }),
    })),
    redirects: [...input.redirects].map(({ from, to }) => ({ from, to })).sort((a, b) => (a.from < b.from ? -1 : 1)),
    files: Object.fromEntries(listed.map(([path, { sha256, size }]) => [path, { sha256, size }])),
  };
  folder.write('carrel.json', manifestText(manifest));
  return manifest;
}

// A line for each file: short to read, and to compare.
function manifestText({ files, ...rest }: Manifest): string {
  const lines = Object.entries(files).map(([path, file]) => `${JSON.stringify(path)}:${JSON.stringify(file)}`);
  return `${JSON.stringify(rest).slice(0, -1)},"files":{\n${lines.join(',\n')}\n}}\n`;
}

function report(
  { folder, problems, input }: Work,
  exported: ExportedPage[],
  manifest: Manifest,
  seconds: Record<string, number>,
): ExportReport {
  let bytes = 0;
  for (const { size } of folder.files.values() as Iterable<WrittenFile>) bytes += size;
  return {
    version: manifest.version,
    pages: exported.length,
    sections: exported.reduce((sum, { page }) => sum + page.sections, 0),
    files: folder.files.size,
    bytes,
    seconds,
    warnings: problems,
    redirects: input.redirects.length,
  };
}

function stopwatch(seconds: Record<string, number>): (stage: string) => void {
  let last = performance.now();
  return (stage) => {
    const now = performance.now();
    seconds[stage] = (now - last) / 1000;
    last = now;
  };
}
