// Exports a built site of any theme, a folder of HTML. `astro build` with carrel() and `carrel export ./dist` share it.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { ExportOptions, ExportReport } from '../export/export-site.ts';
import { openPageThreads } from './page-threads.ts';
import type { ReadOptions } from '../options.ts';
import { isPageName, listSiteFiles } from './list-files.ts';
import type { Problem } from '../diagnostics.ts';

/** A built site, and what its generator knows about it. */
export interface BuiltSite {
  /** Folder of its files. */
  root: string;
  /** Paths of pages in the order that they should have; pages that it does not list follow. */
  order?: string[];
  /** What its root-absolute URLs begin with: `/docs/`. By default guessed from the home page. */
  base?: string;
  /** URL of its own host, `https://docs.example.com`, or with its base. */
  site?: string;
  /** Other URLs of its files, each ending in a slash. */
  ownUrls?: string[];
  /** Redirects without a stub file; `from` and `to` are without the base. */
  redirects?: { from: string; to: string }[];
  /** Languages by the start of the path, as its routing defines them. */
  languages?: Record<string, string>;
  /** Issues found before the export. */
  problems?: Problem[];
}

export type BuiltSiteOptions = Omit<ReadOptions, 'out' | 'replace' | 'zip'> &
  Pick<ExportOptions, 'out' | 'zip' | 'replacesSite' | 'sourceRoot' | 'generator' | 'environment' | 'onProgress' | 'signal'>;

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
