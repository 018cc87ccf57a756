import type { ExportReport } from '../../integration/export/export-site.ts';
import { countProblems, firstProblems, problemLine, type Problem } from '../../integration/diagnostics.ts';
import { commandName, shellWord } from './usage.ts';

export interface SummaryOptions {
  out: string;
  zip?: string;
  report?: string;
  /** Whether files from external origins were downloaded. */
  vendor: boolean;
  /** File URL of the first page. */
  entry: string;
  /** Shows how the user started the program, and so how to start it again. */
  environment: NodeJS.ProcessEnv;
}

/** The human-readable summary of an export: results, issues found, next steps. */
export function summary(report: ExportReport, options: SummaryOptions): string {
  const lines = [
    outcome(report, options.report === undefined ? '--report FILE lists all of them.' : `${options.report} lists all of them.`),
    '',
    `Open it:   ${options.entry}`,
    `Serve it:  ${commandName(options.environment)} serve ${shellWord(options.zip ?? options.out)}`,
  ];
  const remote = options.vendor ? 0 : remoteMedia(report);
  if (remote > 0)
    lines.push(`Offline:   ${count(remote, 'file')} from external origins: --vendor downloads them into the export`);
  const { files = 0, bytes = 0 } = report.vendored ?? {};
  if (files > 0)
    lines.push(
      `Offline:   ${count(files, 'file')} from external origins (${size(bytes)}) ${files === 1 ? 'is' : 'are'} in the export`,
    );
  if (options.zip) lines.push(`Archive:   ${options.zip}`);
  if (options.report) lines.push(`Report:    ${options.report}`);
  return lines.join('\n');
}

/** The results and issues of an export, for a program's log. `all` says where to find the issues that are not printed. */
export function outcome(report: ExportReport, all: string): string {
  const seconds = Object.values(report.seconds).reduce((sum, stage) => sum + stage, 0);
  return [
    `Exported ${count(report.pages, 'page')}, ${count(report.sections, 'section')}, ${count(report.files, 'file')} (${size(report.bytes)}) in ${seconds.toFixed(1)} s: version ${report.version}`,
    ...problemText(report.warnings, all),
  ].join('\n');
}

/** Number of images, videos and sounds that are missing without a network. */
function remoteMedia({ egress }: ExportReport): number {
  const missing = egress.filter(
    ({ kind, outcome }) =>
      (kind === 'image' || kind === 'media') && (outcome === 'loads' || outcome === 'card' || outcome === 'removed'),
  );
  return new Set(missing.map(({ url }) => url)).size;
}

function problemText(warnings: Problem[], all: string): string[] {
  if (warnings.length === 0) return ['No issues found.'];
  const counts = countProblems(warnings);
  const totals = [
    counts.errors > 0 && count(counts.errors, 'error'),
    counts.warnings > 0 && count(counts.warnings, 'warning'),
    counts.notes > 0 && `${counts.notes.toLocaleString('en')} info`,
  ];
  const { first, others } = firstProblems(warnings);
  const lines = first.map((problem) => `${severityWords[problem.severity].padEnd(9)}${problemLine(problem)}`);
  if (others) lines.push(`${others}: ${all}`);
  return ['', `Issues found: ${totals.filter(Boolean).join(', ')}`, ...lines.map((line) => `  ${line}`)];
}

const severityWords: Record<Problem['severity'], string> = { error: 'error', warning: 'warning', note: 'info' };

function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
}

function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
