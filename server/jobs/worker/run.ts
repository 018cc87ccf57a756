// One export: the exporter as a child process, from a docs folder to an export folder with its archive.
import { join } from 'node:path';
import { z } from 'zod';
import { stages, type Progress } from '../../../integration/progress.ts';
import type { SiteSettings } from '../../sites/sites.ts';
import type { Exporter } from '../exporter.ts';
import { JobError } from '../../platform/job-error.ts';
import type { JobRequest } from '../model/job.ts';
import type { Limits } from '../limits.ts';
import { runEnvironment } from '../../platform/child-environment.ts';
import type { RunLog } from './run-log.ts';
import { runProcess, type EndedProcess, type WatchedFolder } from '../../platform/run-process.ts';
import { readReport, reportFile, type RunReport } from './run-report.ts';

export interface ExportToRun {
  /** The docs folder or project. */
  source: string;
  /** Folder of the run, which the export and its archive are made in. */
  folder: string;
  /** Folder that is kept between runs. */
  cache: string;
  request: JobRequest;
  settings: SiteSettings;
  limits: Limits;
  log: RunLog;
  onProgress: (progress: Progress) => void;
  signal: AbortSignal;
}

export interface MadeExport {
  folder: string;
  archive: string;
  report: RunReport;
}

/** Rejects with a `JobError` when the docs cannot be exported or a limit is passed, and with the signal's reason. */
export async function runExport(exporter: Exporter, run: ExportToRun): Promise<MadeExport> {
  const { folder, log } = run;
  const { out, archive, watch } = outputOf(run);
  const report = reportFile(folder);
  const ended = await runProcess({
    command: exporter.command,
    args: [...exporter.args, ...argumentsOf(run, { out, archive, report })],
    folder,
    environment: { ...runEnvironment(folder), XDG_CACHE_HOME: run.cache },
    limits: run.limits,
    watch,
    onOutput: log.write,
    onLine: (line) => readProgress(line, run.onProgress),
    endsByItself: true,
    signal: run.signal,
  });
  if (ended.code !== 0) throw failure('The exporter', ended, log);
  return { folder: out, archive, report: await readReport(report) };
}

/** Where a run makes its export and archive, and what its size is limited by. */
export function outputOf({ folder, limits }: Pick<ExportToRun, 'folder' | 'limits'>) {
  // The exporter writes beside the folder first, so what is watched is the folder around it.
  const site = join(folder, 'site');
  const watch: WatchedFolder = { path: site, what: 'The export', mb: limits.outputMb };
  return { out: join(site, 'export'), archive: join(folder, 'archive', 'bundle.zip'), watch };
}

/** Why a program ended as it did: in its own words where it has any. */
export function failure(program: string, { code, signal, tail }: EndedProcess, log: RunLog): JobError {
  const told = [...tail.matchAll(/^Error \(([A-Za-z]+)\): (.+)(?:\n(?![\s{[])(.+))?$/gm)].at(-1);
  if (told) return new JobError(told[1]!, log.clean([told[2], told[3]].filter(Boolean).join(' ')));
  const name = signal ?? (code === 137 ? 'SIGKILL' : undefined);
  if (name !== undefined) {
    const hint = name === 'SIGKILL' ? ' That is what the system does when memory runs out: give the machine more.' : '';
    return new JobError('RunKilled', `${program} was ended from outside (${name}).${hint}`);
  }
  return new JobError('RunFailed', `${program} ended with code ${code}. The job's log has what it printed.`);
}

function argumentsOf(
  { source, cache, request, settings }: ExportToRun,
  { out, archive, report }: { out: string; archive: string; report: string },
): string[] {
  const { version, language, paths } = request;
  const values = {
    out,
    zip: archive,
    report,
    cache,
    deployment: settings.deployment,
    site: settings.siteUrl,
    label: version,
    language,
    // Commas part the paths; the exporter reads encoded ones as well.
    paths: paths?.map((path) => (path || '/').replaceAll('%', '%25').replaceAll(',', '%2C')).join(','),
    'progress-fd': '3',
  };
  // As one word each: a value may begin with a dash.
  const options = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  return [source, '--stop-at-stdin-end', ...options];
}

const progressSchema = z.object({ stage: z.enum(stages), done: z.number().min(0), total: z.number().min(0) });

/** A line that is no progress says nothing. */
export function readProgress(line: string, onProgress: (progress: Progress) => void): void {
  try {
    const progress = progressSchema.safeParse(JSON.parse(line));
    if (progress.success) onProgress(progress.data);
  } catch {
    // Not JSON.
  }
}
