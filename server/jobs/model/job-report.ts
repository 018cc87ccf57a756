// The report of a job as stored and as returned by the API: the JSON of `--report`.
import { z } from '@hono/zod-openapi';
import { namedObject } from '../../http/error-answers.ts';
import { firstProblems, severities } from '../../../integration/diagnostics.ts';
import { loadKinds } from '../../../integration/html/load.ts';
import { outcomes } from '../../../integration/remote/request-report.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Job } from './job.ts';
import type { Jobs } from './jobs.ts';

const count = z.int().min(0);

export const problemSchema = namedObject('ReportedProblem', {
  kind: z.string().openapi({ description: 'Permanent name of the problem.', example: 'link-without-target' }),
  severity: z.enum(severities),
  page: z.string().optional().openapi({ description: 'File or page with the problem.', example: 'guides/install.mdx' }),
  line: z.int().optional(),
  column: z.int().optional(),
  message: z.string(),
  hint: z.string().optional().openapi({ description: 'What to do next.' }),
});

const requestSchema = namedObject('ExternalRequest', {
  page: z.string().openapi({ description: 'Page or file.' }),
  element: z.string().openapi({ description: 'What loads it.', example: 'link rel=preload' }),
  line: z.int().optional(),
  url: z.string(),
  kind: z.enum(loadKinds),
  outcome: z.enum(outcomes),
  pages: count.optional().openapi({ description: 'Number of pages that load it, if more than one.' }),
});

const navigationSchema = z.object({
  listed: count.openapi({ description: 'Pages in the navigation.' }),
  exported: count,
  links: count.optional().openapi({ description: 'Pages in the navigation that only link elsewhere.' }),
  missing: z.array(z.object({ entry: z.string(), at: z.string(), reason: z.string().optional() })),
});

const specificationSchema = z.object({
  url: z.string(),
  sha256: z.string(),
  stored: z.boolean().openapi({ description: 'Whether it is the copy of an earlier export.' }),
});

export const jobReportSchema = z
  .object({
    version: z.string().optional().openapi({ description: 'Export version.' }),
    pages: count.optional(),
    sections: count.optional().openapi({ description: 'Headings with their text.' }),
    files: count.optional(),
    bytes: count.optional(),
    seconds: z.record(z.string(), z.number()).optional().openapi({ description: 'Duration of each stage.' }),
    warnings: z.array(problemSchema).optional().openapi({ description: 'All problems; absent when the export failed.' }),
    redirects: count.optional(),
    vendored: z
      .object({ files: count, bytes: count })
      .optional()
      .openapi({ description: 'Downloaded files from external origins.' }),
    egress: z.array(requestSchema).optional().openapi({ description: 'What pages load from external origins.' }),
    navigation: navigationSchema.optional().openapi({ description: 'Only of docs folders.' }),
    specifications: z.array(specificationSchema).optional().openapi({ description: 'API specifications from external origins.' }),
    error: z
      .object({ code: z.string(), message: z.string(), hint: z.string().optional() })
      .optional()
      .openapi({ description: 'Why the export failed.' }),
    omitted: z
      .record(z.string(), z.int())
      .optional()
      .openapi({ description: 'Number of entries dropped from each list, if the report was over 4 MB.' }),
  })
  .openapi('JobReport', { description: 'What `carrel export --report` writes.' });

type JobReport = z.infer<typeof jobReportSchema>;

/** A report whose lists can be shortened; what else it contains is stored, too. */
const longReportSchema = z.looseObject({
  warnings: z.array(z.looseObject(problemSchema.shape)).optional(),
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
  // The code of an Astro project can write anything.
  const report = text === undefined ? undefined : jobReportSchema.safeParse(JSON.parse(text)).data;
  if (report) return report;
  throw new ApiError(
    'ReportMissing',
    `${name} ${job.status === 'completed' ? 'has no report' : `is ${job.status} and has no report`}. ${reasons[job.status]}`,
  );
}

/** The problems in the report of a job; undefined if it has no report. Throws what `reportOf` throws otherwise. */
export async function warningsOf(jobs: Pick<Jobs, 'readReport'>, job: Job): Promise<JobReport['warnings']> {
  const report = await reportOf(jobs, job).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'ReportMissing') return undefined;
    throw error;
  });
  return report?.warnings;
}

const reasons = {
  completed: 'Start a new job.',
  failed: 'Its error and its log say why it failed.',
  canceled: 'Start a new job.',
};
