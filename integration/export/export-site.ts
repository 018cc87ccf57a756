// Writes pages, assets and the search index into a self-contained folder.
import { basename, join } from 'node:path';
import { adviceKinds, type Problem, withoutCopies } from '../diagnostics.ts';
import { destinationFault } from '../html/redirect-stub.ts';
import type { ExportFolder } from '../output/export-folder.ts';
import type { ExportCache } from '../output/export-cache.ts';
import type { IndexFolder } from '../output/export-state.ts';
import { exportIncrementally, type Incremental } from '../output/incremental.ts';
import { checkArchive } from '../output/output-path.ts';
import type { PendingArchive } from '../output/write-archive.ts';
import { checkSettings, exportedFeatures } from '../page-settings.ts';
import { type ExportAsset, fixedAssets } from '../page/asset.ts';
import type { PageSource, WrittenPage } from '../page/page-types.ts';
import { createRemotePolicy } from '../remote/remote-policy.ts';
import type { EgressEntry } from '../remote/request-report.ts';
import { encodePath } from '../urls/relative-url.ts';
import { writeAssets } from './assets.ts';
import { checkLinks } from './check-links.ts';
import type { ExportInput, ExportOptions } from './export-input.ts';
import { createPageExporter } from './export-page.ts';
import { readImageSize, type ImageSize } from './image-sizes.ts';
import { createIndexes, type Indexes } from './search-index.ts';
import { assignUrls } from './site-urls.ts';
import { writeRedirects } from './redirects.ts';
import { writeVectors } from './vectors.ts';
import { writeFixed, writeLists, writeManifest, writeSiteData } from './site-files.ts';

export type { ExportAsset, ExportCache, ExportInput, ExportOptions };

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
  /** The files of external origins that are in the export, if it vendors. */
  vendored?: { files: number; bytes: number };
  /** What its pages and files load from external origins, and the outcome. */
  egress: EgressEntry[];
}

/**
 * Writes the export. The same input gives the same bytes.
 * Throws `ExportError` on failure, such as `SettingsNotPossible`; an earlier export at `out` then stays unchanged.
 */
export async function exportSite(input: ExportInput, options: ExportOptions): Promise<ExportReport> {
  if (options.zip !== undefined) checkArchive(options.zip, options.out, options.sourceRoot);
  if (options.settings) checkSettings(options.settings, options.deployment);
  const site = withSafeRedirects(options.deployment === 'air-gapped' ? withoutProviders(input) : input);
  return exportIncrementally(options, (open) => exportOnce(site, options, open));
}

/** Without the script that loads analytics providers, no settings can turn them on. */
function withoutProviders(input: ExportInput): ExportInput {
  return { ...input, assets: input.assets.filter(({ path }) => !/^_carrel\/providers\.\w+\.js$/.test(path)) };
}

function withSafeRedirects(input: ExportInput): ExportInput {
  const faults = input.redirects.flatMap(({ from, to }): Problem[] => {
    const fault = destinationFault(to);
    const message = `The redirect from "${from}" to "${to}" ${fault}; it is ignored.`;
    return fault ? [{ kind: 'redirect-malformed', severity: 'warning', message, hint: 'Correct its destination.' }] : [];
  });
  if (faults.length === 0) return input;
  const redirects = input.redirects.filter(({ to }) => destinationFault(to) === undefined);
  return { ...input, redirects, problems: [...input.problems, ...faults] };
}

async function exportOnce(
  site: ExportInput,
  options: ExportOptions,
  open: (context: string) => Incremental,
): Promise<ExportReport> {
  const { rules } = site;
  const { deployment, download, signal, onProgress, cache, generator } = options;
  const urls = assignUrls(site, options);
  const { names, resolver, siteUrl } = urls;
  const incremental = open(urls.context);
  const { folder } = incremental;
  let archive: PendingArchive | undefined;
  try {
    const seconds: Record<string, number> = {};
    const clock = stopwatch(seconds);
    const problems = [...site.problems];
    const vendored = new Map<string, string>();
    for (const url of rules.ownUrls)
      for (const { path } of site.assets) vendored.set(url + encodePath(path), encodePath(names.asset(path)));
    const policy = createRemotePolicy({
      rules: rules.remote,
      deployment,
      vendor: options.vendor ? { download, signal, reuse: incremental.reuseVendored } : undefined,
      write: (path, contents) => void folder.write(path, contents),
      vendored,
    });
    const assets = fixedAssets(site.assets);
    beginPages(site.pages, 0);
    const fixes = await rules.open?.({ assets, names, resolver, folder, vendored, problems, vendors: policy.vendors });

    const searchIndexes = createIndexes(incremental);
    const downloadedSize = oncePerFile((file) => readImageSize(join(folder.staging, file)));
    const imageSize = (file: string) =>
      urls.sizes.get(file) ?? (file.startsWith('_carrel/vendor/') ? downloadedSize(file) : undefined);
    const exportPage = createPageExporter({
      ...{ names, resolver, siteUrl, deployment, vendored, imageSize, policy, rules, incremental, problems },
      indexes: searchIndexes,
    });
    const pages = await exportPages(site.pages, exportPage, options);
    const listPages = await exportPages(site.listPages ?? [], exportPage, { signal });
    const notFound = site.notFound && 'page' in site.notFound ? [await exportPage(site.notFound.page)] : [];
    problems.push(...checkLinks([...pages, ...listPages, ...notFound]));
    clock('render');
    const builtIndexes = await writeIndexes(searchIndexes, incremental, onProgress);
    const indexes = builtIndexes.map(({ pages: _pages, ...index }) => index);
    const { vectors, problems: vectorProblems } = options.embeddings
      ? await writeVectors(builtIndexes, { folder, embeddings: options.embeddings, signal })
      : { problems: [] };
    problems.push(...vectorProblems);
    clock('index');
    problems.push(...(await writeAssets({ site, pages, urls, incremental, policy, vendored, fixes, ...options })));
    const { egress, problems: remoteProblems } = policy.finish();
    problems.push(...remoteProblems);
    await fixes?.write();
    const written = { site, names, folder, pages, indexes, vectors };
    await writeSiteData({ ...written, resolver, cache, generator });
    problems.push(...writeRedirects(site, urls, folder));
    writeLists({ site, urls, pages, incremental, generator });
    const features = exportedFeatures({ providers: site.analyticsProviders, deployment }, options.settings);
    writeFixed({ site, urls, folder }, features);
    const { version } = writeManifest(written, options);
    clock('write');
    if (options.zip !== undefined) {
      const { writeArchive } = await import('../output/write-archive.ts');
      archive = await writeArchive(folder.staging, folder.files.keys(), options.zip, {
        environment: options.environment,
        signal,
        onProgress: (done, total) => onProgress?.({ stage: 'archive', done, total }),
      });
      clock('archive');
    }
    // Lets a signal that came while files were written take effect before anything at `out` changes.
    await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    const completed = folder.commit();
    archive?.commit();
    incremental.store({ pages: [...pages, ...listPages], names, indexes: builtIndexes, vendored, completed });
    clock('write');
    return {
      version,
      pages: pages.length,
      sections: pages.reduce((sum, { facts }) => sum + facts.sections, 0),
      files: folder.files.size,
      bytes: sizeOf(folder),
      seconds,
      warnings: withoutCopies(problems.filter(({ kind }) => !adviceKinds.has(kind))),
      redirects: site.redirects.length,
      ...(options.vendor && { vendored: vendoredSize(folder) }),
      egress,
    };
  } catch (error) {
    archive?.abandon();
    folder.abandon();
    throw error;
  }
}

function oncePerFile(read: (file: string) => ImageSize | undefined): typeof read {
  const known = new Map<string, ImageSize | undefined>();
  return (file) => {
    if (!known.has(file)) known.set(file, read(file));
    return known.get(file);
  };
}

/** Pages that other threads read while one is written. */
const pagesAhead = 8;

async function exportPages(
  sources: PageSource[],
  exportPage: (source: PageSource) => Promise<WrittenPage>,
  { signal, onProgress }: Pick<ExportOptions, 'signal' | 'onProgress'>,
): Promise<WrittenPage[]> {
  const pages: WrittenPage[] = [];
  let paused = -Infinity;
  for (const [index, source] of sources.entries()) {
    // Gives signals, timers and the end of standard input a turn, which promises alone never do.
    if (performance.now() - paused > 50) {
      await new Promise((resume) => setImmediate(resume));
      paused = performance.now();
    }
    signal?.throwIfAborted();
    beginPages(sources, index);
    pages.push(await exportPage(source));
    onProgress?.({ stage: 'render', done: pages.length, total: sources.length });
  }
  return pages;
}

function beginPages(sources: PageSource[], index: number): void {
  for (const next of sources.slice(index, index + pagesAhead)) next.begin?.();
}

async function writeIndexes(
  searchIndexes: Indexes,
  incremental: Incremental,
  onProgress: ExportOptions['onProgress'],
): Promise<IndexFolder[]> {
  const total = searchIndexes.count();
  const written: IndexFolder[] = [];
  for await (const { files, texts, kept, before, ...index } of searchIndexes.finish()) {
    const name = basename(index.folder).replaceAll('.', '\\.');
    incremental.folder.moveReusable(new RegExp(`^_carrel/search/[0-9a-f]{12}/${name}$`), index.folder);
    for (const list of [files, texts])
      for (const [file, text] of list) incremental.writeIndexFile(`${index.folder}/${file}`, text);
    for (const [file, old] of kept) incremental.move(`${before}/${old}`, `${index.folder}/${file}`);
    written.push(index);
    onProgress?.({ stage: 'index', done: written.length, total });
  }
  return written;
}

function sizeOf({ files }: ExportFolder): number {
  return [...files.values()].reduce((sum, { size }) => sum + size, 0);
}

function vendoredSize({ files }: ExportFolder): NonNullable<ExportReport['vendored']> {
  const vendored = [...files].flatMap(([path, { size }]) => (path.startsWith('_carrel/vendor/') ? [size] : []));
  return { files: vendored.length, bytes: vendored.reduce((sum, size) => sum + size, 0) };
}

function stopwatch(seconds: Record<string, number>): (stage: string) => void {
  let last = performance.now();
  return (stage) => {
    const now = performance.now();
    seconds[stage] = (seconds[stage] ?? 0) + (now - last) / 1000;
    last = now;
  };
}
