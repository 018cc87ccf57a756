import type { ExportReport } from '../../integration/export/export-site.ts';
import { commandName, shellWord } from './command-name.ts';

export interface SummaryOptions {
  out: string;
  zip?: string;
  report?: string;
  /** Address of the first page on this machine. */
  entry: string;
  /** Tells how the program was started, and so how it is started again. */
  environment: NodeJS.ProcessEnv;
}

const shownKinds = 12;

/** What a person reads after an export: what was made, what was noticed, what to do next. */
export function summary(report: ExportReport, options: SummaryOptions): string {
  const lines = [
    outcome(report, options),
    '',
    `Open it:   ${options.entry}`,
    `Serve it:  ${commandName(options.environment)} serve ${shellWord(options.zip ?? options.out)}`,
  ];
  if (options.zip) lines.push(`Archive:   ${options.zip}`);
  if (options.report) lines.push(`Report:    ${options.report}`);
  return lines.join('\n');
}

/** What was made and what was noticed: all that a program's log needs. */
export function outcome(report: ExportReport, options: Pick<SummaryOptions, 'report'>): string {
  const seconds = Object.values(report.seconds).reduce((sum, stage) => sum + stage, 0);
  return [
    `Exported ${count(report.pages, 'page')}, ${count(report.sections, 'section')}, ${count(report.files, 'file')} (${size(report.bytes)}) in ${seconds.toFixed(1)} s: version ${report.version}`,
    ...problemLines(report, options),
  ].join('\n');
}

function problemLines(report: ExportReport, options: { report?: string }): string[] {
  const kinds = new Map<string, { severity: string; count: number; example: string }>();
  for (const { kind, severity, page, line, message } of report.warnings) {
    const known = kinds.get(kind);
    if (known) known.count++;
    else kinds.set(kind, { severity, count: 1, example: `${page ? `${page}${line ? `:${line}` : ''}: ` : ''}${message}` });
  }
  const order = ['error', 'warning', 'note'];
  const rows = [...kinds].sort(([, a], [, b]) => order.indexOf(a.severity) - order.indexOf(b.severity) || b.count - a.count);
  if (rows.length === 0) return ['Nothing to report: no errors, no warnings, no notes.'];
  const lines = rows
    .slice(0, shownKinds)
    .map(([kind, row]) => `  ${row.severity.padEnd(8)}${String(row.count).padStart(5)}  ${kind}: ${shorten(row.example)}`);
  if (rows.length > shownKinds) lines.push(`  … and ${rows.length - shownKinds} more kinds`);
  if (!options.report) lines.push('  One example of each kind; --report FILE lists all, with page and line.');
  const total = (wanted: string) => report.warnings.filter(({ severity }) => severity === wanted).length;
  const totals = order.filter((severity) => total(severity) > 0).map((severity) => count(total(severity), severity));
  return ['', `Noticed: ${totals.join(', ')}`, ...lines];
}

function shorten(text: string): string {
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
}

function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;
}

function size(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
