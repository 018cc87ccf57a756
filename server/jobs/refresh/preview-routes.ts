// The previews of a site over HTTP. A push or a scheduled check makes them, so there is no route for that.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../../http/api.ts';
import { errorAnswers, jsonAnswer } from '../../http/error-answers.ts';
import { domainSchema } from '../../http/field-schemas.ts';
import { audited, type AuditParts } from '../../organizations/audit-routes.ts';
import { adminKey, organizationQuery, type AccessParts } from '../../organizations/authenticate.ts';
import type { Organizations } from '../../organizations/organizations.ts';
import { ApiError } from '../../platform/errors.ts';
import { ownSite } from '../../sites/site-routes.ts';
import type { Sites } from '../../sites/sites.ts';
import { jobStatuses } from '../model/job.ts';
import type { Preview, Previews } from './previews.ts';

const previewSchema = z
  .object({
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
  })
  .openapi('Preview');

export type PreviewAnswer = z.infer<typeof previewSchema>;

interface PreviewRouteParts extends AccessParts, AuditParts {
  organizations: Organizations;
  sites: Sites;
  previews: Previews;
}

export function addPreviewRoutes(api: Api, parts: PreviewRouteParts): void {
  const { previews, sitesUrl } = parts;
  const common = { tags: ['Sites'], security: [{ adminKey: [] }] };
  const path = '/v1/sites/{domain}/previews';
  const params = z.object({ domain: domainSchema.openapi({ example: 'docs.example.com' }) });

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      path,
      operationId: 'listPreviews',
      summary: 'List previews of a site',
      description: 'The branches that have previews, by name.',
      middleware: [adminKey(parts, 'read')] as const,
      request: { params, query: organizationQuery },
      responses: {
        200: jsonAnswer('The previews of the site.', z.object({ previews: z.array(previewSchema) }).openapi('Previews')),
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const { domain } = context.req.valid('param');
      await ownSite(parts, { key: context.get('key'), domain, ...context.req.valid('query') });
      return context.json({ previews: (await previews.list(domain)).map((preview) => previewAnswer(preview, sitesUrl)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'delete',
      path: `${path}/{name}`,
      operationId: 'deletePreview',
      summary: 'Remove a preview',
      description:
        'It is no longer served, its jobs are canceled, and its files are removed. The next push to its branch makes it again.',
      middleware: [adminKey(parts, 'write'), audited(parts, 'preview.delete')] as const,
      request: {
        params: params.extend({
          name: z.string().max(253).openapi({ description: 'Name of the preview.', example: 'docs.example.com--next' }),
        }),
        query: organizationQuery,
      },
      responses: { 204: { description: 'Removed.' }, ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { domain, name } = context.req.valid('param');
      await ownSite(parts, { key: context.get('key'), domain, ...context.req.valid('query') });
      if (await previews.remove(domain, { domain: name.toLowerCase() })) return context.body(null, 204);
      throw new ApiError('PreviewUnknown', `"${domain}" has no preview "${name}". GET /v1/sites/${domain}/previews lists them.`);
    },
  );
}

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
