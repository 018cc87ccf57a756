// The requests of the job routes.
import { z } from '@hono/zod-openapi';
import { languageTag } from '../../../integration/text/language-tag.ts';
import { domainSchema } from '../../http/field-schemas.ts';
import { jobStatuses } from '../model/job.ts';
import { jobPathsSchema } from './paths.ts';

const domain = domainSchema.openapi({ example: 'docs.example.com' });

export const newJobSchema = z
  .strictObject({
    domain,
    version: z
      .string()
      .regex(/^[\w.+-]{1,64}$/, { error: 'must be 1 to 64 letters, digits or . _ + -' })
      .optional()
      .openapi({ description: 'Label for its export version; from the content by default.', example: 'v14' }),
    paths: jobPathsSchema.optional().openapi({ description: 'Pages to export; absent for all.' }),
    language: z
      .string()
      .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,4}$/, { error: 'must be a language code such as "en" or "pt-BR"' })
      .refine(isLanguage, { error: 'must be a language code such as "en" or "pt-BR"' })
      .optional()
      .openapi({ description: 'The one language to export; absent for all.', example: 'en' }),
  })
  .openapi('NewJob');

export const newJobHeaders = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/, { error: 'must be 1 to 255 printable ASCII characters' })
    .optional()
    .openapi({ description: 'A repeated request with the same key starts no second job, for 24 hours.', example: 'deploy-4711' }),
});

export const jobListQuery = z.object({
  domain: domain.optional(),
  status: z.enum(jobStatuses).optional(),
  cursor: z.string().max(200).optional().openapi({ description: 'From the page before.' }),
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
    .openapi({ type: 'integer', minimum: 0, default: 0, description: 'The `X-Log-Cursor` of an earlier answer.' }),
});

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/** All codes of two letters are known; of the thousands of longer ones only some are, so any of them is accepted. */
function isLanguage(code: string): boolean {
  const [language = ''] = languageTag(code.replace(/-.*/, '')).split('-');
  return language.length > 2 || names.of(language) !== undefined;
}
