// Runs an exporter as a child process: from a docs folder or project to an export folder with its archive.
import { join } from 'node:path';
import { type Progress, readExportMessage, type ExportMessage } from '../../../integration/export-messages.ts';
import { type EmbeddingModel, embeddingsKeyVariable } from '../../../integration/remote/embeddings.ts';
import type { Limits } from '../../platform/process-limits.ts';
import type { RunLog } from '../../platform/run-log.ts';
import { runEnvironment, runProcess, type EndedProcess, type ProcessToRun } from '../../platform/run-process.ts';
import { JobError } from '../../platform/errors.ts';
import type { SiteSettings } from '../../sites/sites.ts';
import { isWhole, type JobRequest } from '../model/job.ts';
import { countProblems, type Problem, type ProblemCounts } from '../../../integration/diagnostics.ts';

/** The command line `carrel`, which exports and signs. It passes itself in, since the server does not know it. */
export interface Exporter {
  command: string;
  args: string[];
}

export interface ExportToRun {
  /** The docs folder or project. */
  source: string;
  /** Folder of the run, which receives the export and its archive. */
  folder: string;
  /** Folder that stays between runs. */
  cache: string;
  request: JobRequest;
  settings: SiteSettings;
  /** The repository that the docs are from, as `URL#ref:folder`; pages link to it where docs.json asks for that. */
  repository?: string;
  /** The commit of it. */
  commit?: string;
  /** Makes a vector of each section. */
  embeddings?: EmbeddingModel;
  /** Signs the export. */
  signing?: Signing;
  limits: Limits;
  log: RunLog;
  onProgress: (progress: Progress) => void;
  /** Receives the report before the run ends, also if it fails; as JSON it is what `carrel export --report` writes. */
  onReport: (report: object) => Promise<void>;
  signal: AbortSignal;
}

/** What signs exports: the file of a secret key with its password, or a shell command and the file of its public key. */
interface Signing {
  key: string;
  command?: string;
  password?: string;
}

export interface MadeExport {
  folder: string;
  archive: string;
  /** The books that were requested, by format. */
  books: Record<string, string>;
  result: ExportResult;
}

/** Rejects with a `JobError` if the docs cannot be exported or a limit is exceeded, and with the reason of the signal. */
export async function runExport(exporter: Exporter, run: ExportToRun): Promise<MadeExport> {
  if (run.settings.builder === 'html' && (!isWhole(run.request) || run.request.formats))
    throw new JobError(
      'NotForHtml',
      'Built HTML is exported as a whole: start the job without "paths", "language", "groups" and "formats".',
    );
  return runExporter(run, {
    name: 'The exporter',
    command: exporter.command,
    args: [...exporter.args, 'export', ...argumentsOf(run)],
    folder: run.folder,
    environment: {
      ...runEnvironment(run.folder),
      XDG_CACHE_HOME: run.cache,
      ...(run.embeddings?.key !== undefined && { [embeddingsKeyVariable]: run.embeddings.key }),
      ...passwordOf(run),
      ...sourceOf(run),
    },
    onOutput: run.log.write,
    endsByItself: true,
  });
}

/** Signs the export of a program that may not have the key, and writes its archive. Rejects as `runExport` does. */
export async function signExport(exporter: Exporter, run: ExportToRun): Promise<void> {
  const { folder, archive } = outputOf(run.folder);
  const { limits, log, signal } = run;
  const ended = await runProcess({
    command: exporter.command,
    args: [
      ...[...exporter.args, 'sign', folder, `--zip=${archive}`, `--source=${run.source}`],
      ...argumentsOfSigning(run.signing, 'key'),
    ],
    folder: run.folder,
    environment: { ...runEnvironment(run.folder), ...passwordOf(run), ...sourceOf(run) },
    limits,
    onOutput: log.write,
    signal,
  });
  if (ended.code !== 0) throw failure('The program that signs', ended, log);
}

function sourceOf({ repository, commit }: ExportToRun): Record<string, string> {
  return {
    ...(repository !== undefined && { CARREL_REPOSITORY: repository }),
    ...(commit !== undefined && { CARREL_COMMIT: commit }),
  };
}

function passwordOf({ signing }: ExportToRun): Record<string, string> {
  return signing?.password === undefined ? {} : { CARREL_SIGNING_PASSWORD: signing.password };
}

function argumentsOfSigning(signing: Signing | undefined, name: 'sign' | 'key'): string[] {
  if (!signing) return [];
  return [`--${name}=${signing.key}`, ...(signing.command === undefined ? [] : [`--sign-command=${signing.command}`])];
}

type ExporterProcess = { name: string } & Omit<ProcessToRun, 'limits' | 'watch' | 'onLine' | 'signal'>;

/** Runs a program that writes the export to `outputOf(run)` and sends the messages of `integration/export-messages.ts` to descriptor 3. */
export async function runExporter(run: ExportToRun, { name, ...program }: ExporterProcess): Promise<MadeExport> {
  const { limits, log, signal } = run;
  const { site, ...made } = outputOf(run.folder);
  const books = booksOf(run);
  const messages = receiveMessages(run.onProgress);
  const watch = { path: site, what: 'The export', mb: limits.outputMb };
  try {
    const ended = await runProcess({ ...program, limits, watch, onLine: messages.onLine, signal });
    if (ended.code !== 0) throw failure(name, ended, log, messages.error());
    return { ...made, books, result: messages.result() };
  } finally {
    const report = messages.report();
    if (report) await run.onReport(report);
  }
}

/** Where a run writes its export and archive. The export is first written beside its folder, so limits apply to `site`, which contains both. */
export function outputOf(folder: string): { site: string; folder: string; archive: string } {
  const site = join(folder, 'site');
  return { site, folder: join(site, 'export'), archive: join(folder, 'archive', 'bundle.zip') };
}

function booksOf({ folder, request }: ExportToRun): Record<string, string> {
  return Object.fromEntries((request.formats ?? []).map((format) => [format, join(folder, 'archive', `book.${format}`)]));
}

/** Why a program failed: its own error if it sent one. */
export function failure(program: string, { code, signal }: EndedProcess, log: RunLog, error?: ErrorMessage): JobError {
  if (error) {
    // Further lines of a message are a list, which is also in the log and the report.
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

function argumentsOf(run: ExportToRun): string[] {
  const { source, folder, request, settings, embeddings } = run;
  const output = outputOf(folder);
  const values = {
    builder: settings.builder,
    out: output.folder,
    zip: output.archive,
    deployment: settings.deployment,
    // Older versions stored one with a query.
    site: settings.siteUrl?.replace(/[?#].*$/s, ''),
    label: request.version,
    'embeddings-url': embeddings?.url,
    'embeddings-model': embeddings?.model,
    'progress-fd': '3',
    ...(settings.builder === 'docs' && valuesOfDocs(run)),
  };
  // Each is one word, since a value may begin with a dash.
  const options = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`]));
  const flags = settings.builder === 'docs' ? flagsOfDocs(settings) : [];
  return [source, '--stop-at-stdin-end', ...flags, ...options, ...argumentsOfSigning(run.signing, 'sign')];
}

function valuesOfDocs(run: ExportToRun): Record<string, string | undefined> {
  const { cache, request } = run;
  const { language, paths, groups } = request;
  // What a repository says must not start a browser.
  return {
    cache,
    browser: 'none',
    language,
    paths: paths && commaList(paths.map((path) => path || '/')),
    groups: groups && commaList(groups),
    ...booksOf(run),
  };
}

/** Commas separate the items; the exporter decodes encoded ones. */
function commaList(items: string[]): string {
  return items.map((item) => item.replaceAll('%', '%25').replaceAll(',', '%2C')).join(',');
}

function flagsOfDocs({ trust, socialCards }: SiteSettings): string[] {
  return [trust && '--trust-components', socialCards && '--social-cards'].filter((flag) => flag !== undefined && flag !== false);
}

type MessageOf<Type> = Extract<ExportMessage, { type: Type }>;
type ErrorMessage = MessageOf<'error'>;

/** The part of a job's result that is in the exporter's report. */
interface ExportResult {
  version: string;
  pages: number;
  files: number;
  bytes: number;
  /** Number of errors and warnings by kind. */
  warnings: Record<string, number>;
  problems: ProblemCounts;
}

// The project's own code can write to the descriptor too, and must not fill the server's memory.
const mostCharacters = 128 * 1024 * 1024;

function receiveMessages(onProgress: (progress: Progress) => void) {
  const problems: Problem<string>[] = [];
  let report: MessageOf<'report'> | undefined;
  let error: ErrorMessage | undefined;
  let room = mostCharacters;

  return {
    /** Receives a line of the exporter. Invalid lines and unknown types are ignored. */
    onLine(line: string): void {
      const message = room >= line.length ? readExportMessage(line) : undefined;
      if (!message) return;
      if (message.type === 'progress') return onProgress(withoutType(message));
      room -= line.length;
      if (message.type === 'problem') problems.push(withoutType(message));
      else if (message.type === 'report') report = message;
      else error = message;
    },
    /** The last error that the exporter sent. */
    error: (): ErrorMessage | undefined => error,
    /** The report with its list of problems, or the external requests that made the export fail. */
    report(): object | undefined {
      if (report) return { ...withoutType(report), warnings: problems };
      if (!error?.egress) return undefined;
      const { egress, ...rest } = error;
      return { error: withoutType(rest), egress };
    },
    /** Throws `JobError` `ReportInvalid` if the exporter sent no report. */
    result(): ExportResult {
      if (!report)
        throw new JobError(
          'ReportInvalid',
          'The exporter ended without an error, but sent no report, or an invalid one. Check that it has the same version as the server.',
        );
      const { version, pages, files, bytes } = report;
      return { version, pages, files, bytes, warnings: countKinds(problems), problems: countProblems(problems) };
    },
  };
}

function withoutType<Message extends { type: string }>({ type: _, ...message }: Message): Omit<Message, 'type'> {
  return message;
}

function countKinds(problems: Problem<string>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, severity } of problems) if (severity !== 'note') counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
