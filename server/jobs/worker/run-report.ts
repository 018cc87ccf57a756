import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { countProblems, type ProblemCounts } from '../../../integration/diagnostics.ts';
import { JobError } from '../../platform/job-error.ts';

const count = z.number().int().min(0);

/** What a job keeps of the exporter's report. */
const reportSchema = z.object({
  version: z.string().min(1),
  pages: count,
  files: count,
  bytes: count,
  warnings: z.array(z.object({ kind: z.string(), severity: z.enum(['error', 'warning', 'note']) })),
});

export interface RunReport {
  version: string;
  pages: number;
  files: number;
  bytes: number;
  /** Number of errors and warnings by kind. */
  warnings: Record<string, number>;
  problems: ProblemCounts;
}

/** The file in the folder of a run that the exporter writes its report to. */
export function reportFile(folder: string): string {
  return join(folder, 'report.json');
}

/** Throws `JobError` `ReportInvalid` when the exporter left none, or not the one it promises. */
export async function readReport(file: string): Promise<RunReport> {
  try {
    const { warnings, ...counts } = reportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    return { ...counts, warnings: countKinds(warnings), problems: countProblems(warnings) };
  } catch (cause) {
    throw new JobError(
      'ReportInvalid',
      'The exporter ended well, but left no report that can be read. Is it of the same version as the server?',
      {
        cause,
      },
    );
  }
}

function countKinds(problems: { kind: string; severity: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind, severity } of problems) if (severity !== 'note') counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
