// The report of a job as stored and as returned by the API: the JSON of `--report`.
import { z } from '@hono/zod-openapi';
import { firstProblems } from '../../../integration/diagnostics.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Job } from './job.ts';
import type { Jobs } from './jobs.ts';

export const jobReportSchema = z
  .looseObject({
    version: z.string().optional().openapi({ description: 'Export version.' }),
    warnings: z
      .array(
        z.looseObject({
          kind: z.string().openapi({ description: 'Permanent name of the problem.', example: 'link-without-target' }),
          severity: z.enum(['error', 'warning', 'note']),
          page: z.string().optional().openapi({ description: 'File or page with the problem.', example: 'guides/install.mdx' }),
          line: z.int().optional(),
          message: z.string(),
          hint: z.string().optional().openapi({ description: 'What to do next.' }),
        }),
      )
      .optional()
      .openapi({ description: 'All problems; absent when the export failed.' }),
    error: z
      .looseObject({ code: z.string(), message: z.string(), hint: z.string().optional() })
      .optional()
      .openapi({ description: 'Why the export failed.' }),
    omitted: z
      .record(z.string(), z.int())
      .optional()
      .openapi({ description: 'Number of entries dropped from each list, if the report was over 4 MB.' }),
  })
  .openapi('JobReport', { description: 'What `carrel export --report` writes.' });

type JobReport = z.infer<typeof jobReportSchema>;

/** A report whose lists can be shortened. */
const longReportSchema = jobReportSchema.extend({
  navigation: z.looseObject({ missing: z.array(z.unknown()).optional() }).optional(),
});

const mostCharacters = 4_000_000;

/**
 * The report of an exporter as it is stored: each text as `clean` returns it, and not much longer than `most` characters. A longer report
 * loses entries of its lists, and of the problems the notes first; `omitted` says how many.
 */
export function storedReport(given: object, clean: (text: string) => string, most = mostCharacters): string {
  const whole = JSON.stringify(given, (_, value: unknown) => (typeof value === 'string' ? clean(value) : value));
  if (whole.length <= most) return whole;
  const { navigation, warnings, ...others } = longReportSchema.parse(JSON.parse(whole));
  const omitted: Record<string, number> = {};
  const shorten = (name: string, list: unknown[], share: number): unknown[] => {
    let room = most * share;
    const kept = list.filter((entry) => {
      const size = JSON.stringify(entry).length + 1;
      if (size > room) return false;
      room -= size;
      return true;
    });
    if (kept.length < list.length) omitted[name] = list.length - kept.length;
    return kept;
  };
  const lists = Object.entries(others).map(([name, value]) => [name, Array.isArray(value) ? shorten(name, value, 0.2) : value]);
  const missing = navigation?.missing && { missing: shorten('navigation.missing', navigation.missing, 0.1) };
  return JSON.stringify({
    ...Object.fromEntries(lists),
    ...(warnings && { warnings: shorten('warnings', firstProblems(warnings, Infinity).first, 0.6) }),
    ...(navigation && { navigation: { ...navigation, ...missing } }),
    omitted,
  });
}

/** Throws `ApiError` 409 `JobNotFinished`, 410 `ExportExpired`, 404 `ReportMissing`. */
export async function reportOf(jobs: Pick<Jobs, 'readReport'>, job: Job): Promise<JobReport> {
  const name = `The job "${job.id}"`;
  if (job.status === 'queued' || job.status === 'running')
    throw new ApiError('JobNotFinished', `${name} is not finished, so it has no report yet. Its events report when it is.`);
  if (job.expiredAt)
    throw new ApiError('ExportExpired', `The report of the job "${job.id}" was removed with its export. Start a new job.`);
  const text = await jobs.readReport(job.id);
  if (text !== undefined) return jobReportSchema.parse(JSON.parse(text));
  throw new ApiError(
    'ReportMissing',
    `${name} ${job.status === 'completed' ? 'has no report' : `is ${job.status} and has no report`}. ${reasons[job.status]}`,
  );
}

const reasons = {
  completed: 'Start a new job.',
  failed: 'Its error and its log say why it failed.',
  canceled: 'Start a new job.',
};
