// What a run learns from its exporter.
import { readExportMessage, type ExportMessage } from '../../../integration/export-messages.ts';
import { countProblems, type Problem, type ProblemCounts } from '../../../integration/diagnostics.ts';
import type { Progress } from '../../../integration/progress.ts';
import { JobError } from '../../platform/errors.ts';

type MessageOf<Type> = Extract<ExportMessage, { type: Type }>;
export type ErrorMessage = MessageOf<'error'>;

/** What the result of a job takes from the exporter's report. */
export interface ExportResult {
  version: string;
  pages: number;
  files: number;
  bytes: number;
  /** Number of errors and warnings by kind. */
  warnings: Record<string, number>;
  problems: ProblemCounts;
}

export interface HeardMessages {
  /** A line that the exporter wrote. Broken lines and lines of an unknown type are ignored. */
  onLine(line: string): void;
  /** The error that the exporter sent last. */
  error(): ErrorMessage | undefined;
  /** The report with its list of problems, or the external requests that made the export fail. */
  report(): object | undefined;
  /** Throws `JobError` `ReportInvalid` when the exporter sent no report. */
  result(): ExportResult;
}

// A project's own code can write to the descriptor too, and must not fill the server's memory.
const mostCharacters = 128 * 1024 * 1024;

export function hearMessages(onProgress: (progress: Progress) => void): HeardMessages {
  const problems: Problem[] = [];
  let report: MessageOf<'report'> | undefined;
  let error: ErrorMessage | undefined;
  let room = mostCharacters;

  return {
    onLine(line) {
      const message = room >= line.length ? readExportMessage(line) : undefined;
      if (!message) return;
      if (message.type === 'progress') return onProgress(withoutType(message));
      room -= line.length;
      if (message.type === 'problem') problems.push(withoutType(message));
      else if (message.type === 'report') report = message;
      else error = message;
    },
    error: () => error,
    report() {
      if (report) return { ...withoutType(report), warnings: problems };
      if (!error?.egress) return undefined;
      const { egress, ...rest } = error;
      return { error: withoutType(rest), egress };
    },
    result() {
      if (!report)
        throw new JobError(
          'ReportInvalid',
          'The exporter ended well, but sent no report that can be read. Is it of the same version as the server?',
        );
      const { version, pages, files, bytes } = report;
      return { version, pages, files, bytes, warnings: countKinds(problems), problems: countProblems(problems) };
    },
  };
}

function withoutType<Message extends { type: string }>({ type: _, ...message }: Message): Omit<Message, 'type'> {
  return message;
}

function countKinds(problems: Problem[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, severity } of problems) if (severity !== 'note') counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
