// A job as the API returns it.
import { z } from '@hono/zod-openapi';
import { namedObject } from '../../http/error-answers.ts';
import { bookFormats, isWhole, jobStages, jobStatuses, type Job } from './job.ts';

const time = z.iso.datetime();
const count = z.int().min(0);

export const jobObjectSchema = namedObject('Job', {
  jobId: z.string().openapi({ pattern: '^se_[0-9a-f]{16}$', example: 'se_0123456789abcdef' }),
  domain: z.string().openapi({ example: 'docs.example.com' }),
  site: z.string().openapi({
    description: 'Domain of the site; differs from `domain` for a preview of a branch.',
    example: 'docs.example.com',
  }),
  branch: z.string().nullable().openapi({ description: 'Branch of a preview; null for the site itself.', example: null }),
  status: z.enum(jobStatuses),
  stage: z.enum(jobStages).nullable().openapi({ description: 'Stage of a running job, or the one that a job failed in.' }),
  progress: z.number().min(0).max(100).openapi({ description: 'Percentage of the work; never falls.', example: 42.5 }),
  pageCount: z.int().min(0).openapi({ description: 'Pages exported so far.', example: 120 }),
  version: z
    .string()
    .nullable()
    .openapi({ description: 'Export version: the requested label, or a hash of the content once the job is completed.' }),
  language: z.string().nullable().openapi({ description: 'The one requested language.' }),
  paths: z.array(z.string()).nullable().openapi({ description: 'The requested pages; null for all.' }),
  groups: z
    .array(z.string())
    .nullable()
    .openapi({ description: 'The groups of readers whom the export is for; null for everybody.' }),
  formats: z
    .array(z.enum(bookFormats))
    .nullable()
    .openapi({ description: 'The requested formats besides the bundle; null for none.' }),
  commit: z.string().nullable().openapi({
    description: 'Commit of a git source that a completed job exported; null if it is not known.',
    example: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  }),
  startedBy: z.string().nullable().openapi({
    description: 'Name of the member or the key that started it; null for a push, a schedule, and an audience of the site.',
    example: 'Ada',
  }),
  createdAt: time,
  updatedAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
  expiredAt: time.nullable().openapi({ description: 'When the files were removed because of newer exports.' }),
  error: z.string().nullable().openapi({ description: 'What went wrong and what to do; only for a failed job.' }),
  errorCode: z.string().nullable().openapi({ description: 'Permanent name of what went wrong.' }),
  problems: z.object({ errors: count, warnings: count, notes: count }).nullable().openapi({
    description: 'Number of issues in its report, by severity. Null unless the job is completed. `GET …/report` lists them.',
  }),
  activeUrl: z
    .string()
    .nullable()
    .openapi({ description: "URL of the site's active export; only for a completed job of the whole site for everybody." }),
});

export type JobObject = z.infer<typeof jobObjectSchema>;

/** `sitesUrl` has no trailing slash. */
export function jobObject(job: Job, sitesUrl: string): JobObject {
  return {
    jobId: job.id,
    domain: job.domain,
    site: job.request.preview?.site ?? job.domain,
    branch: job.request.preview?.branch ?? null,
    status: job.status,
    stage: job.stage,
    progress: job.progress,
    pageCount: job.pageCount,
    version: job.result?.version ?? job.request.version ?? null,
    language: job.request.language ?? null,
    paths: job.request.paths ?? null,
    groups: job.request.groups ?? null,
    formats: job.request.formats ?? null,
    commit: job.result?.commit ?? null,
    startedBy: job.request.startedBy ?? null,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    expiredAt: job.expiredAt?.toISOString() ?? null,
    error: job.status === 'failed' ? (job.error ?? 'The job failed; its log has the details.') : null,
    errorCode: job.status === 'failed' ? job.errorCode : null,
    problems: job.result?.problems ?? null,
    activeUrl: job.status === 'completed' && isWhole(job.request) ? `${sitesUrl}/sites/${job.domain}/` : null,
  };
}
