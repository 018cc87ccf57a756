// The pages of a site, and whether their links work: what an export and a check have in common.
import { join } from 'node:path';
import { createProblem, type Problem } from '../diagnostics.ts';
import { destinationFault } from '../html/redirect-stub.ts';
import type { OutputFolder } from '../output/export-folder.ts';
import type { Incremental } from '../output/incremental.ts';
import { fixedAssets } from '../page/asset.ts';
import type { PageSource, WrittenPage } from '../page/page-types.ts';
import { createRemotePolicy } from '../remote/remote-policy.ts';
import { encodePath } from '../urls/relative-url.ts';
import { checkLinks } from './check-links.ts';
import type { ExportInput, ExportOptions } from './export-input.ts';
import { createPageExporter, type PageOptions } from './export-page.ts';
import { readImageSize, type ImageSize } from './image-sizes.ts';
import type { SiteUrls } from './site-urls.ts';
import { countsFiles } from './used-files.ts';

interface ContentTarget {
  urls: SiteUrls;
  incremental: PageOptions['incremental'] & Pick<Incremental, 'reuseVendored'> & { folder: OutputFolder };
  indexes: PageOptions['indexes'];
}

/** Exports the pages of a site and checks their links; the files that they load follow. */
export async function exportContent(
  site: ExportInput,
  options: Omit<ExportOptions, 'out'>,
  { urls, incremental, indexes }: ContentTarget,
) {
  const { rules } = site;
  const { deployment, download, signal } = options;
  const { names, resolver, siteUrl } = urls;
  const { folder } = incremental;
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
  const downloadedSize = oncePerFile((file) => readImageSize(join(folder.staging, file)));
  const imageSize = (file: string) =>
    urls.sizes.get(file) ?? (file.startsWith('_carrel/vendor/') ? downloadedSize(file) : undefined);
  const exportPage = createPageExporter({
    ...{ names, resolver, siteUrl, deployment, vendored, imageSize, policy, rules, incremental, problems, indexes },
    countsFiles: countsFiles(site),
    onPage: options.onPage,
  });
  const pages = await exportPages(site.pages, exportPage, options);
  const listPages = await exportPages(site.listPages ?? [], exportPage, { signal });
  const notFound = site.notFound ? [await exportPage(site.notFound)] : [];
  problems.push(...checkLinks([...pages, ...listPages, ...notFound]));
  return { problems, pages, listPages, policy, vendored, fixes };
}

/** The site without what the deployment type cannot have, and without redirects that are not safe. */
export function exportable(input: ExportInput, { deployment }: Pick<ExportOptions, 'deployment'>): ExportInput {
  const site = deployment === 'air-gapped' ? withoutProviders(input) : input;
  return withSafeRedirects(site.limited ? withoutOwnLists(site) : site);
}

/** The author's own lists of pages may name pages that the readers may not see; the export makes its own instead. */
function withoutOwnLists(input: ExportInput): ExportInput {
  const isList = ({ path }: { path: string }) => /^(?:llms(?:-full)?\.txt|robots\.txt|sitemap[^/]*\.xml)$/i.test(path);
  const problems = input.assets.filter(isList).map(({ path }): Problem =>
    createProblem({
      kind: 'file-without-use',
      page: path,
      message: `${path} is left out, because it may name pages that readers of this export may not see.`,
    }),
  );
  return { ...input, assets: input.assets.filter((asset) => !isList(asset)), problems: [...input.problems, ...problems] };
}

/** Without the script that loads analytics providers, no settings can turn them on. */
function withoutProviders(input: ExportInput): ExportInput {
  return { ...input, assets: input.assets.filter(({ path }) => !/^_carrel\/providers\.\w+\.js$/.test(path)) };
}

function withSafeRedirects(input: ExportInput): ExportInput {
  const faults = input.redirects.flatMap(({ from, to }): Problem[] => {
    const fault = destinationFault(to);
    const message = `The redirect from "${from}" to "${to}" ${fault}; it is ignored.`;
    return fault ? [createProblem({ kind: 'redirect-malformed', message, hint: 'Correct its destination.' })] : [];
  });
  if (faults.length === 0) return input;
  const redirects = input.redirects.filter(({ to }) => destinationFault(to) === undefined);
  return { ...input, redirects, problems: [...input.problems, ...faults] };
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
