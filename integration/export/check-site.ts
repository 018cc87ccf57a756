import { type Problem, withoutCopies } from '../diagnostics.ts';
import { openDryRun } from '../output/dry-run.ts';
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
  const site = exportable(input, options);
  const urls = assignUrls(site, options);
  const incremental = openDryRun(options.cache);
  const noIndexes = { add: () => undefined, keep: () => true };
  const content = await exportContent(site, options, { urls, incremental, indexes: noIndexes });
  const { problems, pages, policy, fixes } = content;
  problems.push(...(await writeAssets({ site, urls, incremental, ...content, ...options })));
  problems.push(...policy.finish().problems);
  await fixes?.write();
  problems.push(...writeRedirects(site, urls, incremental.folder));
  return { pages: pages.length, problems: withoutCopies(problems) };
}
