import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { JobError } from './job-error.ts';

const count = z.number().int().min(0);

/** What a job keeps of the exporter's report. */
const reportSchema = z.object({
  version: z.string().min(1),
  pages: count,
  files: count,
  bytes: count,
  warnings: z.array(z.object({ kind: z.string(), severity: z.enum(['error', 'warning', 'note']) })).transform(countKinds),
});

export type RunReport = z.output<typeof reportSchema>;

/** Throws `JobError` `ReportInvalid` when the exporter left none, or not the one it promises. */
export async function readReport(file: string): Promise<RunReport> {
  try {
    return reportSchema.parse(JSON.parse(await readFile(file, 'utf8')));
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
