// Pages, their assets and their index become a folder that needs nothing but itself.
import { basename } from 'node:path';
import { writeArchive, type PendingArchive } from '../output/pack.ts';
import type { Manifest } from '../manifest.ts';
import type { EgressEntry } from '../remote/request-report.ts';
import type { Problem } from '../diagnostics.ts';
import { assetText, relativeStylesheet, type ExportAsset } from './assets.ts';
import { checkLinks } from './check-links.ts';
import { checkStylesheet } from './check-stylesheets.ts';
import { createPageExporter, type ExportedPage, type PageCache } from './export-page.ts';
import { checkArchive } from '../output/output-path.ts';
import { nothing, PreviousChanged, readState, spareOf, type State } from '../output/previous-export.ts';
import { destinationFault } from '../html/redirect-stub.ts';
import type { SiteFixes } from './site-rules.ts';
import { writeFixed, writeLists, writeRedirects, writeSiteData } from './site-files.ts';
import { startWork, type ExportInput, type ExportOptions, type Work } from './work.ts';
import { beginExport, type WrittenFile } from '../output/export-folder.ts';
import { isWebManifest, relativeWebManifest } from './web-manifest.ts';
import { writeManifest } from '../output/write-manifest.ts';

export type { ExportAsset, ExportInput, ExportOptions, PageCache };

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
  /** What its pages and files load from other origins, and what became of it. */
  egress: EgressEntry[];
}

/**
 * Writes the export. The same input gives the same bytes.
 * Throws `ExportError` when it cannot; what was at `out` before then stays as it was.
 */
export async function exportSite(input: ExportInput, options: ExportOptions): Promise<ExportReport> {
  if (options.zip !== undefined) checkArchive(options.zip, options.out, options.sourceRoot);
  try {
    return await exportFrom(readState(options.out, options.cache), input, options);
  } catch (error) {
    // Another export into the same folder was quicker: nothing is taken over then.
    if (error instanceof PreviousChanged) return exportFrom(nothing, input, options);
    throw error;
  }
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

/** Exports what differs from the previous export, of which `state` tells. Throws `PreviousChanged` when that one goes away meanwhile. */
async function exportFrom(state: State, input: ExportInput, options: ExportOptions): Promise<ExportReport> {
  const spare = options.keep === undefined ? undefined : spareOf(state, options.out, options.keep);
  const { sourceRoot, replacesSite } = options;
  const folder = beginExport(options.out, { sourceRoot, processId: process.pid, replacesSite, spare });
  let archive: PendingArchive | undefined;
  try {
    const seconds: Record<string, number> = {};
    const clock = stopwatch(seconds);
    const work = startWork(withSafeRedirects(input), options, folder, state);

    const { assets, rules } = work.input;
    const fixes = await rules.open?.({ ...work, assets, vendors: work.policy.vendors });
    const exported = await exportPages(work);
    clock('render');
    const indexes = writeIndexes(work);
    clock('index');
    await writeAssets(work, fixes);
    const { egress, problems } = work.policy.finish();
    work.problems.push(...problems);
    await fixes?.write();
    await writeSiteData(work, exported, indexes);
    writeRedirects(work);
    writeLists(work, exported);
    writeFixed(work);
    const manifest = writeManifest(work, exported, indexes);
    clock('write');
    if (options.zip !== undefined) {
      archive = await writeArchive(folder.staging, folder.files.keys(), options.zip, {
        environment: options.environment,
        signal: options.signal,
        onProgress: (done, total) => options.onProgress?.({ stage: 'archive', done, total }),
      });
      clock('archive');
    }
    // Lets a signal through that came while files were written: the last moment at which nothing has changed.
    await new Promise((resume) => setImmediate(resume));
    options.signal?.throwIfAborted();
    folder.commit();
    archive?.commit();
    work.previous.note({ files: folder.files, pages: exported, names: work.names, indexes, vendored: work.vendored });
    clock('write');
    return report(work, exported, manifest, seconds, egress);
  } catch (error) {
    archive?.abandon();
    folder.abandon();
    throw error;
  }
}

/** Pages that other threads read while this one goes on. */
const pagesAhead = 8;

async function exportPages(work: Work): Promise<ExportedPage[]> {
  const { input, options, problems } = work;
  const { cache, deployment } = options;
  const write = createPageExporter({ ...work, cache, deployment, rules: input.rules });
  const exported: ExportedPage[] = [];
  let paused = -Infinity;
  for (const [index, source] of input.pages.entries()) {
    // Lets signals, timers and the end of standard input through, which promises alone never do.
    if (performance.now() - paused > 50) {
      await new Promise((resume) => setImmediate(resume));
      paused = performance.now();
    }
    options.signal?.throwIfAborted();
    for (const next of input.pages.slice(index, index + pagesAhead)) next.begin?.();
    exported.push(await write(source));
    options.onProgress?.({ stage: 'render', done: exported.length, total: input.pages.length });
  }
  const notFound = input.notFound && 'page' in input.notFound ? [await write(input.notFound.page)] : [];
  problems.push(...checkLinks([...exported, ...notFound], input.generated));
  return exported;
}

function writeIndexes({ options, folder, previous, indexes }: Work): Manifest['indexes'] {
  const total = indexes.count();
  const written: Manifest['indexes'] = [];
  for (const { files, kept, before, ...index } of indexes.finish()) {
    folder.moveSpare(new RegExp(`^_carrel/search/[0-9a-f]{12}/${basename(index.folder).replaceAll('.', '\\.')}$`), index.folder);
    for (const [name, text] of files) previous.writeSame(`${index.folder}/${name}`, text, folder);
    for (const name of kept) previous.move(`${before}/${name}`, `${index.folder}/${name}`, folder);
    written.push(index);
    options.onProgress?.({ stage: 'index', done: written.length, total });
  }
  return written;
}

async function writeAssets(work: Work, fixes: SiteFixes | undefined): Promise<void> {
  const { input, options, folder, previous, names, targets, policy, problems, vendored } = work;
  const assets = input.assets.filter(({ path }) => !fixes?.isLeftOut(path)).sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const [index, asset] of assets.entries()) {
    const file = names.asset(asset.path);
    problems.push(...(await policy.addFile(asset.path, () => assetText(asset), fixes?.isModule(asset.path))));
    if (/\.css$/i.test(file)) {
      const text = assetText(asset);
      problems.push(...checkStylesheet(text, asset.path, targets, input.rules.urls.base));
      folder.write(file, relativeStylesheet(text, { targets, file, isEmptied: policy.emptiesStyles, vendored }));
    } else if (input.rules.keepsFiles && isWebManifest(file)) {
      folder.write(file, relativeWebManifest(assetText(asset), { targets, file, vendored }));
    } else if ('file' in asset) previous.copy(file, asset.file, folder);
    else folder.write(file, asset.contents);
    options.onProgress?.({ stage: 'write', done: index + 1, total: assets.length });
  }
}

function report(
  { folder, problems, input }: Work,
  exported: ExportedPage[],
  manifest: Manifest,
  seconds: Record<string, number>,
  egress: EgressEntry[],
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
    egress,
  };
}

function stopwatch(seconds: Record<string, number>): (stage: string) => void {
  let last = performance.now();
  return (stage) => {
    const now = performance.now();
    seconds[stage] = (seconds[stage] ?? 0) + (now - last) / 1000;
    last = now;
  };
}
