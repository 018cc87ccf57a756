// One export: an exporter as a child process, from a docs folder or project to an export folder with its archive.
import { join } from 'node:path';
import type { Progress } from '../../../integration/progress.ts';
import type { Limits } from '../../platform/process-limits.ts';
import type { RunLog } from '../../platform/run-log.ts';
import { runEnvironment, runProcess, type EndedProcess, type ProcessToRun } from '../../platform/run-process.ts';
import { JobError } from '../../platform/errors.ts';
import type { SiteSettings } from '../../sites/sites.ts';
import type { JobRequest } from '../model/job.ts';
import { hearMessages, type ErrorMessage, type ExportResult } from './messages.ts';

/** The program that exports a docs folder: `carrel export`, up to the folder. The command line passes it in, since the server does not know it. */
export interface Exporter {
  command: string;
  args: string[];
}

export interface ExportToRun {
  /** The docs folder or project. */
  source: string;
  /** Folder of the run, in which the export and its archive are made. */
  folder: string;
  /** Folder that is kept between runs. */
  cache: string;
  request: JobRequest;
  settings: SiteSettings;
  limits: Limits;
  log: RunLog;
  onProgress: (progress: Progress) => void;
  /** Receives the report before the run ends, of a failed run too; as JSON it is what `carrel export --report` writes. */
  onReport: (report: object) => Promise<void>;
  signal: AbortSignal;
}

export interface MadeExport {
  folder: string;
  archive: string;
  result: ExportResult;
}

/** Rejects with a `JobError` when the docs cannot be exported or a limit is exceeded, and with the signal's reason. */
export function runExport(exporter: Exporter, run: ExportToRun): Promise<MadeExport> {
  return runExporter(run, {
    name: 'The exporter',
    command: exporter.command,
    args: [...exporter.args, ...argumentsOf(run)],
    folder: run.folder,
    environment: { ...runEnvironment(run.folder), XDG_CACHE_HOME: run.cache },
    onOutput: run.log.write,
    endsByItself: true,
  });
}

type ExporterProcess = { name: string } & Omit<ProcessToRun, 'limits' | 'watch' | 'onLine' | 'signal'>;

/** Runs a program that makes the export at `outputOf(run)` and says on descriptor 3 what `integration/export-messages.ts` lists. */
export async function runExporter(run: ExportToRun, { name, ...program }: ExporterProcess): Promise<MadeExport> {
  const { limits, log, signal } = run;
  const { site, ...made } = outputOf(run.folder);
  const messages = hearMessages(run.onProgress);
  const watch = { path: site, what: 'The export', mb: limits.outputMb };
  try {
    const ended = await runProcess({ ...program, limits, watch, onLine: messages.onLine, signal });
    if (ended.code !== 0) throw failure(name, ended, log, messages.error());
    return { ...made, result: messages.result() };
  } finally {
    const report = messages.report();
    if (report) await run.onReport(report);
  }
}

/** Where a run makes its export and archive. The export is written beside its folder first, so `site` around it is what limits watch. */
export function outputOf(folder: string): { site: string; folder: string; archive: string } {
  const site = join(folder, 'site');
  return { site, folder: join(site, 'export'), archive: join(folder, 'archive', 'bundle.zip') };
}

/** Why a program ended with a failure: by its own error where it sent one. */
export function failure(program: string, { code, signal }: EndedProcess, log: RunLog, error?: ErrorMessage): JobError {
  if (error) {
    // Further lines of a message are a list, which the log and the report have too.
    const [sentence = ''] = error.message.split('\n');
    return new JobError(error.code, log.clean([sentence.replace(/:$/, '.'), error.hint].filter(Boolean).join(' ')));
  }
  const name = signal ?? (code === 137 ? 'SIGKILL' : undefined);
  if (name !== undefined) {
    const hint = name === 'SIGKILL' ? ' The system does that when memory runs out: give the machine more.' : '';
    return new JobError('RunKilled', `${program} was ended from outside (${name}).${hint}`);
  }
  return new JobError('RunFailed', `${program} ended with code ${code}. The job's log has its output.`);
}

function argumentsOf({ source, folder, cache, request, settings }: ExportToRun): string[] {
  const { version, language, paths } = request;
  const output = outputOf(folder);
  const values = {
    out: output.folder,
    zip: output.archive,
    cache,
    deployment: settings.deployment,
    site: settings.siteUrl,
    label: version,
    language,
    // Commas separate the paths; the exporter decodes encoded ones.
    paths: paths?.map((path) => (path || '/').replaceAll('%', '%25').replaceAll(',', '%2C')).join(','),
    'progress-fd': '3',
  };
  // As one word each: a value may begin with a dash.
  const options = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  return [source, '--stop-at-stdin-end', ...options];
}
