import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '../../../integration/export-messages.ts';
import type { ExportToRun } from '../../../server/jobs/worker/run-export.ts';
import { siteSettingsSchema } from '../../../server/sites/sites.ts';
import { temporaryFolder } from '../../integration/export/folder.ts';
import { runLogOf } from './run-log-of.ts';

/** An export in folders of its own, and what it says while it runs. */
export function exportToRun(source: string, change: Partial<ExportToRun>) {
  const folder = temporaryFolder();
  for (const name of ['home', 'temporary', 'site', 'archive']) mkdirSync(join(folder, name));
  const { log, text } = runLogOf(folder);
  const progress: Progress[] = [];
  const reports: object[] = [];
  const run: ExportToRun = {
    source,
    folder,
    cache: join(folder, 'cache'),
    request: {},
    settings: siteSettingsSchema.parse({}),
    limits: { minutes: 2, memoryMb: 2048, outputMb: 100 },
    log,
    onProgress: (one) => progress.push(one),
    onReport: async (report) => void reports.push(report),
    signal: new AbortController().signal,
    ...change,
  };
  return { run, progress, reports, log: text };
}
