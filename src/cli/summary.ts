import type { ExportReport } from '../../integration/export/export-site.ts';
import { count, size } from '../../integration/text/amounts.ts';
import { problemCounts, problemList, type ProblemListOptions } from './problem-list.ts';
import { paint, symbol } from './terminal.ts';
import { commandName, shellWord } from './usage.ts';

export interface SummaryOptions {
  /** The docs folder, for the lines of errors. */
  source?: string;
  out: string;
  zip?: string;
  epub?: string;
  pdf?: string;
  report?: string;
  /** Whether files from external origins were downloaded. */
  vendor: boolean;
  /** The command that checks its signature. */
  check?: string | undefined;
  /** File URL of the first page; absent of an export for programs alone. */
  entry: string | undefined;
  /** Shows how the user started the program, and so how to start it again. */
  environment: NodeJS.ProcessEnv;
}

/** The human-readable summary of an export: issues found, next steps, and in the end the result. */
export function summary(report: ExportReport, options: SummaryOptions): string {
  const program = commandName(options.environment);
  const lines =
    options.entry === undefined
      ? [`Use it:    ${program} mcp ${shellWord(options.zip ?? options.out)}`]
      : [`Open it:   ${options.entry}`, `Serve it:  ${program} serve ${shellWord(options.zip ?? options.out)}`];
  const remote = options.vendor ? 0 : remoteMedia(report);
  if (remote > 0)
    lines.push(`Offline:   ${count(remote, 'file')} from external origins: --vendor downloads them into the export`);
  const { files = 0, bytes = 0 } = report.vendored ?? {};
  if (files > 0)
    lines.push(
      `Offline:   ${count(files, 'file')} from external origins (${size(bytes)}) ${files === 1 ? 'is' : 'are'} in the export`,
    );
  if (options.check !== undefined) lines.push(`Check it:  ${options.check}`);
  if (options.zip) lines.push(`Archive:   ${options.zip}`);
  if (options.epub) lines.push(`Book:      ${options.epub}`);
  if (options.pdf) lines.push(`PDF:       ${options.pdf}`);
  if (options.report) lines.push(`Report:    ${options.report}`);
  const rest = options.report === undefined ? '--report FILE lists all of them.' : `${options.report} lists all of them.`;
  return [...issues(report, { rest, root: options.source }), ...lines, '', ...result(report)].join('\n');
}

/** The issues of an export and its result, for a program's log. `rest` says where to find the issues that are not printed. */
export function outcome(report: ExportReport, rest: string): string {
  return [...issues(report, { rest }), ...result(report)].join('\n');
}

function issues({ warnings }: ExportReport, options: ProblemListOptions): string[] {
  return warnings.length === 0 ? [] : [...problemList(warnings, options), ''];
}

function result(report: ExportReport): string[] {
  const seconds = Object.values(report.seconds).reduce((sum, stage) => sum + stage, 0);
  const { warnings, pages, sections, files, bytes } = report;
  return [
    `${symbol('success')}Exported ${count(pages, 'page')}, ${count(sections, 'section')}, ${count(files, 'file')} (${size(bytes)}) in ${seconds.toFixed(1)} s: ${paint('dim', `version ${report.version}`)}`,
    warnings.length === 0 ? 'No issues found.' : `${symbol('warning')}Issues found: ${problemCounts(warnings)}`,
  ];
}

/** Number of images, videos and sounds that are missing without a network. */
function remoteMedia({ egress }: ExportReport): number {
  const missing = egress.filter(
    ({ kind, outcome }) =>
      (kind === 'image' || kind === 'media') && (outcome === 'loads' || outcome === 'card' || outcome === 'removed'),
  );
  return new Set(missing.map(({ url }) => url)).size;
}
