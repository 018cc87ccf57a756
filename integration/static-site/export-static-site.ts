// Exports or checks a built site of any theme, a folder of HTML. `astro build` with carrel() and `carrel export ./dist` share it.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { CheckReport } from '../export/check-site.ts';
import type { ExportInput, ExportReport } from '../export/export-site.ts';
import { openPageThreads } from './page-threads.ts';
import { isPageName, listSiteFiles } from './list-files.ts';
import type { BuiltSite, BuiltSiteOptions } from './static-site.ts';

/**
 * Exports a built site. Pages keep their file names, so URLs that scripts compute remain correct.
 * Throws `ExportError`; an earlier export at `out` then stays unchanged.
 */
export async function exportStaticSite(site: BuiltSite, options: BuiltSiteOptions): Promise<ExportReport> {
  return withSite(site, options, async (input, siteUrl) => {
    const { exportSite } = await import('../export/export-site.ts');
    return exportSite(input, { ...options, siteUrl });
  });
}

/** Finds what `exportStaticSite` would report, without writing a file; an earlier export at `out` is not a part of the site. */
export async function checkStaticSite(site: BuiltSite, options: BuiltSiteOptions): Promise<CheckReport> {
  return withSite(site, options, async (input, siteUrl) => {
    const { checkSite } = await import('../export/check-site.ts');
    return checkSite(input, { ...options, siteUrl });
  });
}

async function withSite<Report>(
  site: BuiltSite,
  options: BuiltSiteOptions,
  finish: (input: ExportInput, siteUrl: string | undefined) => Promise<Report>,
): Promise<Report> {
  const listed = listSiteFiles(site.root, resolve(options.out));
  const threads = openPageThreads(threadsFor(listed.files.filter(isPageName).length));
  try {
    // Loaded while the threads start.
    const { withListedSite } = await import('./export-listed.ts');
    return await withListedSite(site, listed, threads, options, finish);
  } finally {
    await threads.close();
  }
}

// A thread takes as long to start as a few dozen pages to read.
const pagesForThread = 50;
const mostThreads = 4;

function threadsFor(pages: number): number {
  return Math.min(mostThreads, availableParallelism() - 1, Math.floor(pages / pagesForThread));
}
