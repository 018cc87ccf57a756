// The previews of a site over HTTP. A push or a scheduled check makes them, so there is no route for that.
import { z } from '@hono/zod-openapi';
import { siteOfPath } from '../../sites/site-access.ts';
import { jsonAnswer, namedObject } from '../../http/error-answers.ts';
import { domainSchema } from '../../http/field-schemas.ts';
import { ApiError } from '../../platform/errors.ts';
import { ownSite } from '../../sites/site-routes.ts';
import type { Sites } from '../../sites/sites.ts';
import { jobStatuses } from '../model/job.ts';
import type { Preview, Previews } from './previews.ts';
import { organizationRoutesOf, type AdminRouteParts } from '../../organizations/admin-route.ts';

const previewSchema = namedObject('Preview', {
  name: z.string().openapi({
    description: 'Its name as a site, for requests about its jobs and exports.',
    example: 'docs.example.com--next',
  }),
  branch: z.string().openapi({ example: 'next' }),
  address: z.string().openapi({
    description: 'URL of the preview.',
    example: 'http://127.0.0.1:4401/sites/docs.example.com--next/',
  }),
  commit: z.string().nullable().openapi({ description: 'The commit that it shows; null before its first export.' }),
  activeJob: z.string().nullable().openapi({ description: 'The job whose export it shows.', example: 'se_0123456789abcdef' }),
  lastJob: z.string().nullable().openapi({ description: 'Its latest job.', example: 'se_0123456789abcdef' }),
  status: z.enum(jobStatuses).nullable().openapi({ description: 'The status of the latest job.' }),
  createdAt: z.iso.datetime(),
  pushedAt: z.iso.datetime().openapi({ description: 'The last push to the branch.' }),
  expiresAt: z.iso.datetime().openapi({ description: 'When it is removed, unless the branch is pushed to before.' }),
});

export type PreviewAnswer = z.infer<typeof previewSchema>;

interface PreviewRouteParts extends AdminRouteParts {
  sites: Sites;
  previews: Previews;
}

const route = organizationRoutesOf<PreviewRouteParts>('Sites');

const params = z.object({ domain: domainSchema.openapi({ example: 'docs.example.com' }) });

const listPreviews = route('get /v1/sites/{domain}/previews', {
  summary: 'List previews of a site',
  description: 'The branches that have previews, by name.',
  scope: 'read',
  params,
  answers: { 200: jsonAnswer('The previews of the site.', namedObject('Previews', { previews: z.array(previewSchema) })) },
  async handle({ parts, organization, params: { domain } }) {
    await ownSite(parts, domain, organization);
    const { previews, sitesUrl } = parts;
    return { previews: (await previews.list(domain)).map((preview) => previewAnswer(preview, sitesUrl)) };
  },
});

const deletePreview = route('delete /v1/sites/{domain}/previews/{name}', {
  summary: 'Remove a preview',
  description:
    'It is no longer served, its jobs are canceled, and its files are removed. The next push to its branch makes it again.',
  scope: 'write',
  siteOf: siteOfPath,
  audit: 'preview.delete',
  params: params.extend({
    name: z.string().max(253).openapi({ description: 'Name of the preview.', example: 'docs.example.com--next' }),
  }),
  answers: { 204: { description: 'Removed.' } },
  async handle({ parts, organization, params: { domain, name } }) {
    await ownSite(parts, domain, organization);
    if (await parts.previews.remove(domain, { domain: name.toLowerCase() })) return;
    throw new ApiError('PreviewUnknown', `"${domain}" has no preview "${name}". GET /v1/sites/${domain}/previews lists them.`);
  },
});

export const previewRoutes = { listPreviews, deletePreview };

function previewAnswer(preview: Preview, sitesUrl: string): PreviewAnswer {
  const { domain, branch, commit, activeJob, lastJob, status, createdAt, updatedAt, expiresAt } = preview;
  return {
    name: domain,
    branch,
    address: `${sitesUrl}/sites/${domain}/`,
    commit,
    activeJob,
    lastJob,
    status,
    createdAt: createdAt.toISOString(),
    pushedAt: updatedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
}
