// Exports a built site of any theme, a folder of HTML. `astro build` with carrel() and `carrel export ./dist` share it.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { ExportReport } from '../export/export-site.ts';
import { openPageThreads } from './page-threads.ts';
import { isPageName, listSiteFiles } from './list-files.ts';
import type { BuiltSite, BuiltSiteOptions } from './static-site.ts';

/**
 * Exports a built site. Pages keep their file names, so URLs that scripts compute remain correct.
 * Throws `ExportError`; an earlier export at `out` then stays unchanged.
 */
export async function exportStaticSite(site: BuiltSite, options: BuiltSiteOptions): Promise<ExportReport> {
  const listed = listSiteFiles(site.root, resolve(options.out));
  const threads = openPageThreads(threadsFor(listed.files.filter(isPageName).length));
  try {
    // Loaded while the threads start.
    const { exportListed } = await import('./export-listed.ts');
    return await exportListed(site, listed, threads, options);
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
