import { type Problem, withoutCopies } from '../diagnostics.ts';
import { openDryRun } from '../output/dry-run.ts';
import { knownPages, type KnownPages } from '../output/export-state.ts';
import { writeAssets } from './assets.ts';
import { exportable, exportContent } from './export-content.ts';
import type { ExportInput, ExportOptions } from './export-input.ts';
import { writeRedirects } from './redirects.ts';
import { assignUrls } from './site-urls.ts';

export interface CheckReport {
  pages: number;
  /** All issues, with advice. */
  problems: Problem<string>[];
}

/** Finds everything that `exportSite` would report, by the same steps, without writing a file. */
export async function checkSite(input: ExportInput, options: Omit<ExportOptions, 'out'>): Promise<CheckReport> {
  const { pages, problems } = await checkPages(input, options);
  return { pages, problems: withoutCopies(problems) };
}

/**
 * The same, with the problems that several files have in each of them. `known` is for the next check of the site: pages that are as they were in
 * the `previous` one are not built again.
 */
export async function checkPages(
  input: ExportInput,
  options: Omit<ExportOptions, 'out'>,
  previous: KnownPages = { context: '', pages: new Map() },
) {
  const site = exportable(input, options);
  const urls = assignUrls(site, options);
  const { context } = urls;
  const incremental = openDryRun(options.cache, previous, context);
  const noIndexes = { add: () => undefined, keep: () => true };
  const content = await exportContent(site, options, { urls, incremental, indexes: noIndexes });
  const { problems, pages, policy, fixes } = content;
  problems.push(...(await writeAssets({ site, urls, incremental, ...content, ...options })));
  problems.push(...policy.finish().problems);
  await fixes?.write();
  problems.push(...writeRedirects(site, urls, incremental.folder));
  return { pages: pages.length, problems, known: knownPages(context, [...pages, ...content.listPages]) };
}
