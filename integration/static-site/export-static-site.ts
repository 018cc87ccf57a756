// A finished site of any theme, a folder of HTML, becomes an export: what `astro build` with carrel() and `carrel export ./dist` share.
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { ExportOptions, ExportReport } from '../export/export-site.ts';
import { openPageThreads } from './page-threads.ts';
import type { ReadOptions } from '../options.ts';
import { isPageName, listFinishedFiles } from './list-files.ts';
import type { Problem } from '../diagnostics.ts';

/** A finished site, and what its generator knows of it. */
export interface FinishedSite {
  /** Folder of its files. */
  root: string;
  /** Paths of pages, in the order they shall have; files that it does not name are pages all the same. */
  order?: string[];
  /** What its root-absolute addresses begin with: `/docs/`. By default told from the home page. */
  base?: string;
  /** Address of its own host, `https://docs.example.com`, or with its base. */
  site?: string;
  /** Other addresses that its files go by, each ending in a slash. */
  ownAddresses?: string[];
  /** Redirects that no file stands for; `from` and `to` without the base. */
  redirects?: { from: string; to: string }[];
  /** Languages by the start of the path, as its routing has them. */
  languages?: Record<string, string>;
  /** What was noticed before. */
  problems?: Problem[];
}

export type FinishedOptions = Omit<ReadOptions, 'out' | 'replace' | 'zip'> &
  Pick<ExportOptions, 'out' | 'zip' | 'replacesSite' | 'sourceRoot' | 'generator' | 'environment' | 'onProgress' | 'signal'>;

/**
 * Exports a finished site. Its pages keep their files, so that addresses which scripts put together stay right.
 * Throws `ExportError`; what was at `out` before then stays as it was.
 */
export async function exportFinished(site: FinishedSite, options: FinishedOptions): Promise<ExportReport> {
  const listed = listFinishedFiles(site.root, resolve(options.out));
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
