// What the job routes accept.
import { z } from '@hono/zod-openapi';
import { namedStrictObject } from '../../http/error-answers.ts';
import { languageTag } from '../../../integration/text/language-tag.ts';
import { domainSchema, groupsSchema } from '../../http/field-schemas.ts';
import { bookFormats, jobStatuses, type Job } from '../model/job.ts';
import type { Context } from 'hono';
import type { ApiEnvironment } from '../../http/api.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Jobs } from '../model/jobs.ts';

/** The path of all job routes. */
export const jobsPath = '/v1/static-export/jobs';

/** Not validated further: no job has an invalid id. */
export const jobParams = z.object({ jobId: z.string().openapi({ example: 'se_0123456789abcdef' }) });

/** How the audit log names a job: with its site, which an ID alone does not tell. */
export function auditTarget({ domain, id }: Job): string {
  return `${domain}/${id}`;
}

/** The job in the path, which is the target in the audit log. Throws `ApiError` 404 `JobUnknown`, also for a job of another organization, to reveal nothing about it. */
export async function ownJob(jobs: Pick<Jobs, 'get'>, context: Context<ApiEnvironment>): Promise<Job> {
  const id = context.req.param('jobId') ?? '';
  const job = await jobs.get(id);
  if (job && job.organization === context.get('key').organization) {
    context.set('target', auditTarget(job));
    return job;
  }
  throw new ApiError('JobUnknown', `There is no job "${id.slice(0, 60)}". GET ${jobsPath} lists them.`);
}

const domain = domainSchema.openapi({ example: 'docs.example.com' });

const mostPaths = 1000;

/** Paths as in the site, each once: no slash at either end, no extension, '' for the home page. Also accepts '/guides/install/', 'guides/install.mdx' and 'guides/index'. */
const jobPathsSchema = z
  .array(
    z
      .string()
      .max(1024, { error: 'is longer than 1024 characters' })
      .transform((text, context) => {
        const path = pagePath(text);
        if (path !== undefined) return path;
        context.issues.push({
          code: 'custom',
          input: text,
          message: `"${text.slice(0, 100)}" is not the path of a page; write it like "guides/install": no URL, no query, no "..", no "\\"`,
        });
        return z.NEVER;
      })
      .openapi({ example: 'guides/install' }),
  )
  .min(1, { error: 'must name at least one page; omit it for all pages' })
  .max(mostPaths, { error: `must name at most ${mostPaths} pages; omit it for all pages` })
  .transform((paths) => [...new Set(paths)]);

export const newJobSchema = namedStrictObject('NewJob', {
  domain,
  version: z
    .string()
    .regex(/^[\w.+-]{1,64}$/, { error: 'must be 1 to 64 letters, digits or . _ + -' })
    .optional()
    .openapi({ description: 'Export version; a hash of the content by default.', example: 'v14' }),
  paths: jobPathsSchema.optional().openapi({ description: 'Pages to export; absent for all.' }),
  language: z
    .string()
    .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/, { error: 'must be a language code such as "en" or "pt-BR"', abort: true })
    .refine(isLanguage, { error: 'must be a language code such as "en" or "pt-BR"' })
    .optional()
    .openapi({ description: 'The one language to export; absent for all.', example: 'en' }),
  formats: z
    .array(z.enum(bookFormats))
    .min(1, { error: 'must name at least one format; omit it for the bundle alone' })
    .transform((formats) => [...new Set(formats)])
    .optional()
    .openapi({
      description: 'Also makes the pages as a book, which `POST …/bundle?format=epub` links to. Only for docs folders.',
    }),
  groups: groupsSchema.optional().openapi({
    description:
      'Groups of readers whom the export is for: it also has the pages that they may see. Absent for what everybody may see. It can be downloaded, but is never served at the address of the site: for the audiences of a private site, the server starts jobs of its own.',
  }),
});

export const newJobHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/, { error: 'must be 1 to 255 printable ASCII characters' })
    .optional()
    .openapi({
      description: 'For 24 hours, a repeated request with the same key does not start a second job.',
      example: 'deploy-4711',
    }),
});

export const jobListQuery = z.object({
  domain: domain.optional(),
  status: z.enum(jobStatuses).optional(),
  search: z.string().min(1).max(100).optional().openapi({
    description: 'Part of the version, or the beginning of the commit or of the ID of the job.',
    example: 'v14',
  }),
  latest: z.enum(['true', 'false']).optional().openapi({ description: '`true`: only the latest job of each site.' }),
  cursor: z.string().max(200).optional().openapi({ description: 'From the previous page.' }),
  limit: z.coerce
    .number({ error: 'must be a number' })
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be 1 or more' })
    .max(100, { error: 'must be at most 100' })
    .default(20)
    .openapi({ type: 'integer', minimum: 1, maximum: 100, default: 20 }),
});

export const logQuery = z.object({
  after: z.coerce
    .number({ error: 'must be a number' })
    .int({ error: 'must be a whole number' })
    .min(0, { error: 'must be 0 or more' })
    .default(0)
    .openapi({ type: 'integer', minimum: 0, default: 0, description: 'The `X-Log-Cursor` of an earlier response.' }),
});

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** All two-letter codes are known, but only some of the thousands of longer ones, so all longer ones are accepted. */
function isLanguage(code: string): boolean {
  const [language = ''] = languageTag(code.replace(/-.*/, '')).split('-');
  return language.length > 2 || names.of(language) !== undefined;
}

/** Undefined if the text cannot be the path of a page. */
function pagePath(text: string): string | undefined {
  const isUrl = /^[a-z][a-z\d+.-]*:\/\/|^\/\/|^[a-z]:/i.test(text);
  if (isUrl || /[\\?#]|\p{Cc}|\p{Cs}/u.test(text)) return undefined;
  const path = text
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.mdx?$/i, '')
    .replace(/(^|\/)index$/, '')
    .normalize('NFC');
  const segments = path === '' ? [] : path.split('/');
  return segments.some((segment) => ['', '.', '..'].includes(segment)) ? undefined : path;
}
