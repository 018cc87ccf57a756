// Writes pages, assets and the search index into a self-contained folder.
import { basename } from 'node:path';
import { billFile, instructionsFile, settingsFile, type Manifest } from '../manifest.ts';
import { factsOf, type Problem, withoutCopies } from '../diagnostics.ts';
import type { ExportFolder } from '../output/export-folder.ts';
import type { ExportCache } from '../output/export-cache.ts';
import type { IndexFolder } from '../output/export-state.ts';
import { exportIncrementally, type Incremental } from '../output/incremental.ts';
import { checkArchive } from '../output/output-path.ts';
import type { PendingFile } from '../output/write-archive.ts';
import { checkSettings, exportedFeatures } from '../page-settings.ts';
import type { ExportAsset } from '../page/asset.ts';
import { decode } from '../urls/parts.ts';
import type { EgressEntry } from '../remote/request-report.ts';
import { writeAssets } from './assets.ts';
import { exportable, exportContent } from './export-content.ts';
import type { ExportInput, ExportOptions, FinishedExport } from './export-input.ts';
import { createIndexes, type Indexes } from './search-index.ts';
import { assignUrls } from './site-urls.ts';
import { writeRedirects } from './redirects.ts';
import { writeVectors } from './vectors.ts';
import { writeFixed, writeLists, writeManifest, writeSiteData, type WrittenSite } from './site-files.ts';

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
  for (const file of [options.zip, ...(options.books ?? []).map((book) => book.file)])
    if (file !== undefined) checkArchive(file, options.out, options.sourceRoot);
  if (options.settings) checkSettings(options.settings, options.deployment);
  const site = exportable(input, options);
  return exportIncrementally(options, (open) => exportOnce(site, options, open));
}

async function exportOnce(
  site: ExportInput,
  options: ExportOptions,
  open: (context: string) => Incremental,
): Promise<ExportReport> {
  const { signal, onProgress, generator } = options;
  const urls = assignUrls(site, options);
  const { names, resolver } = urls;
  const incremental = open(urls.context);
  const { folder } = incremental;
  const archives: PendingFile[] = [];
  try {
    const { seconds, clock } = stopwatch();
    const searchIndexes = createIndexes(incremental);
    const content = await exportContent(site, options, { urls, incremental, indexes: searchIndexes });
    const { problems, pages, listPages, policy, vendored, fixes } = content;
    clock('render');
    const builtIndexes = await writeIndexes(searchIndexes, incremental, onProgress);
    const collected = await site.writeSites?.(folder);
    const indexes = collected?.indexes ?? builtIndexes.map(({ pages: _pages, ...index }) => index);
    const { vectors, problems: vectorProblems } = options.embeddings
      ? await writeVectors(builtIndexes, { folder, embeddings: options.embeddings, signal })
      : { problems: [] };
    problems.push(...vectorProblems);
    clock('index');
    problems.push(...(await writeAssets({ site, urls, incremental, ...content, ...options })));
    const { egress, problems: remoteProblems } = policy.finish();
    problems.push(...remoteProblems);
    await fixes?.write();
    const written = { site, names, folder, pages, indexes, vectors, collected };
    await writeSiteData({ ...written, resolver });
    problems.push(...writeRedirects(site, urls, folder));
    writeLists({ site, urls, pages, incremental, generator });
    const features = exportedFeatures({ providers: site.analyticsProviders, deployment: options.deployment }, options.settings);
    writeFixed({ site, urls, folder }, features);
    if (options.only === 'markdown') keepMarkdown(written);
    const remote = vendoredFiles(vendored, folder);
    const bill = await options.billOf?.({ site: site.name, folder, vendored: remote });
    if (bill !== undefined) folder.write(billFile, bill);
    const seal = () => writeSealed({ ...written, egress }, remote, options);
    if (options.downloads && options.only !== 'markdown') {
      const { writeDownloads } = await import('./downloads.ts');
      problems.push(...(await writeDownloads(incremental, finished(written), options, seal)));
    }
    const { version } = await seal();
    if (site.limitedWords) {
      const { checkLimitedWords } = await import('./limited-words.ts');
      await checkLimitedWords(site.limitedWords, { assets: site.assets, names, folder });
    }
    clock('write');
    for await (const [stage, archive] of archivesOf(written, options, problems)) {
      archives.push(archive);
      clock(stage);
    }
    // Lets a signal that came while files were written take effect before anything at `out` changes.
    await new Promise((resume) => setImmediate(resume));
    signal?.throwIfAborted();
    problems.push(...incremental.commit());
    for (const archive of archives) archive.commit();
    incremental.store({ pages: [...pages, ...listPages], names, indexes: builtIndexes, vendored });
    clock('write');
    return {
      version,
      pages: pages.length,
      sections: pages.reduce((sum, { facts }) => sum + facts.sections, 0),
      files: folder.files.size,
      bytes: [...folder.files.values()].reduce((sum, { size }) => sum + size, 0),
      seconds,
      warnings: withoutCopies(problems.filter(({ kind }) => !factsOf(kind).isAdvice)),
      redirects: site.redirects.length,
      ...(options.vendor && { vendored: vendoredSize(folder) }),
      egress,
    };
  } catch (error) {
    for (const archive of archives) archive.abandon();
    folder.abandon();
    throw error;
  }
}

async function* archivesOf(
  { folder, names }: Pick<WrittenSite, 'folder' | 'names'>,
  { zip, books = [], environment, signal, onProgress }: ExportOptions,
  problems: Problem[],
): AsyncGenerator<[stage: string, PendingFile]> {
  if (zip !== undefined) {
    const { writeArchive } = await import('../output/write-archive.ts');
    const archive = await writeArchive(folder.staging, folder.files.keys(), zip, {
      environment,
      signal,
      onProgress: (done, total) => onProgress?.({ stage: 'archive', done, total }),
    });
    yield ['archive', archive];
  }
  for (const { file, write } of books) {
    const { written, problems: found } = await write(finished({ folder, names }), file, onProgress);
    problems.push(...found);
    yield ['book', written];
  }
}

/** Writes the manifest, and what attests it. */
async function writeSealed(
  written: Parameters<typeof writeManifest>[0],
  remote: ReturnType<typeof vendoredFiles>,
  options: ExportOptions,
): Promise<Pick<Manifest, 'version'>> {
  const { folder } = written;
  const manifest = writeManifest(written, options);
  const attested = await options.attest?.(folder.read('carrel.json'), remote);
  for (const [file, text] of attested ?? []) folder.write(file, text);
  return manifest;
}

const finished = ({ folder: { files, read, readBytes }, names }: Pick<WrittenSite, 'folder' | 'names'>): FinishedExport => ({
  ...{ files, read, readBytes },
  pageFile: names.page,
});

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

/** Removes what only browsers need. */
function keepMarkdown({ folder, names, pages }: Pick<WrittenSite, 'folder' | 'names' | 'pages'>): void {
  const kept = new Set(['llms.txt', settingsFile, instructionsFile, ...pages.map(({ source }) => names.markdown(source.path))]);
  for (const path of [...folder.files.keys()]) if (!kept.has(path) && !path.startsWith('_carrel/search/')) folder.drop(path);
}

const vendorFolder = '_carrel/vendor/';

/** The files of external origins, by their URLs. */
function vendoredFiles(vendored: ReadonlyMap<string, string>, { files }: ExportFolder) {
  return [...vendored].flatMap(([url, encoded]) => {
    const path = decode(encoded);
    const file = path.startsWith(vendorFolder) ? files.get(path) : undefined;
    return file ? [{ url, path, sha256: file.sha256 }] : [];
  });
}

function vendoredSize({ files }: ExportFolder): NonNullable<ExportReport['vendored']> {
  const vendored = [...files].flatMap(([path, { size }]) => (path.startsWith(vendorFolder) ? [size] : []));
  return { files: vendored.length, bytes: vendored.reduce((sum, size) => sum + size, 0) };
}

function stopwatch() {
  const seconds: Record<string, number> = {};
  let last = performance.now();
  const clock = (stage: string) => {
    const now = performance.now();
    seconds[stage] = (seconds[stage] ?? 0) + (now - last) / 1000;
    last = now;
  };
  return { seconds, clock };
}
