// Sites of an organization: a domain, its source and how it is built.
import { createRoute, z } from '@hono/zod-openapi';
import { deployments } from '../../integration/bundle/manifest.ts';
import { adminKey } from '../access/authenticate.ts';
import { includesScope, type Key } from '../access/keys.ts';
import { namedOrganization, organizationQuery } from '../access/named-organization.ts';
import type { Api } from '../api.ts';
import { errorAnswers } from '../error-answers.ts';
import { ApiError } from '../errors.ts';
import { removeOldExports } from '../links/retention.ts';
import type { Services } from '../services.ts';
import {
  domainSchema,
  siteSettingsSchema,
  siteSourceSchema,
  type RegisteredSite,
  type SiteSettings,
  type SiteSource,
} from './sites.ts';

const sourceSchema = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('folder'), path: z.string() }),
    z.object({ type: z.literal('git'), url: z.string(), ref: z.string().optional(), folder: z.string().optional() }),
  ])
  .openapi('SiteSource');

const siteSchema = z
  .object({
    domain: z.string().openapi({ example: 'docs.example.com' }),
    organization: z.string().openapi({ example: 'my-team' }),
    source: sourceSchema,
    builder: z.enum(['docs', 'astro']),
    siteUrl: z.string().optional().openapi({ description: 'Address the site will have.', example: 'https://docs.example.com' }),
    deployment: z.enum(deployments),
    activeJob: z.string().nullable().openapi({ description: 'The job whose export is served.', example: 'se_0123456789abcdef' }),
    address: z.string().openapi({
      description: 'Where this server serves its active export.',
      example: 'http://127.0.0.1:4401/sites/docs.example.com/',
    }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('Site');

export type SiteAnswer = z.infer<typeof siteSchema>;

const newSiteSchema = z
  .strictObject({ source: siteSourceSchema, ...siteSettingsSchema.shape })
  .openapi('NewSite', { example: { source: { type: 'git', url: 'https://git.example.com/docs.git', ref: 'main' } } });

export function addSiteRoutes(api: Api, services: Services): void {
  const { sites } = services;
  const common = { tags: ['Sites'], security: [{ adminKey: [] }] };
  const one = { ...common, path: '/v1/sites/{domain}' } as const;
  const params = z.object({ domain: domainSchema.openapi({ example: 'docs.example.com' }) });
  const answer = { description: 'The site.', content: { 'application/json': { schema: siteSchema } } };

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      path: '/v1/sites',
      operationId: 'listSites',
      summary: 'List sites',
      middleware: [adminKey(services, 'read')] as const,
      request: { query: organizationQuery },
      responses: {
        200: {
          description: 'The sites of the organization, by domain.',
          content: { 'application/json': { schema: z.object({ sites: z.array(siteSchema) }).openapi('Sites') } },
        },
        ...errorAnswers(400, 401, 403, 404),
      },
    }),
    async (context) => {
      const organization = await namedOrganization(services, context.get('key'), context.req.valid('query').organization);
      const found = await sites.list(organization);
      return context.json({ sites: found.map((site) => siteAnswer(site, services)) }, 200);
    },
  );

  api.openapi(
    createRoute({
      ...one,
      method: 'get',
      operationId: 'getSite',
      summary: 'Read a site',
      middleware: [adminKey(services, 'read')] as const,
      request: { params, query: organizationQuery },
      responses: { 200: answer, ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { domain } = context.req.valid('param');
      const organization = await namedOrganization(services, context.get('key'), context.req.valid('query').organization);
      const site = await sites.get(domain);
      if (site?.organization !== organization) throw siteUnknown(domain);
      return context.json(siteAnswer(site, services), 200);
    },
  );

  api.openapi(
    createRoute({
      ...one,
      method: 'put',
      operationId: 'putSite',
      summary: 'Register or change a site',
      description:
        'The body replaces what was there. A folder of the machine and the builder `astro`, which runs the code of the project, ask for the scope `operator`.',
      middleware: [adminKey(services, 'write')] as const,
      request: {
        params,
        query: organizationQuery,
        body: { required: true, content: { 'application/json': { schema: newSiteSchema } } },
      },
      responses: { 200: answer, ...errorAnswers(400, 401, 403, 404, 409, 413, 415) },
    }),
    async (context) => {
      const { domain } = context.req.valid('param');
      const { source, ...settings } = context.req.valid('json');
      const key = context.get('key');
      checkOperator(key, source, settings);
      const organization = await namedOrganization(services, key, context.req.valid('query').organization);
      return context.json(siteAnswer(await sites.put({ domain, organization, source, settings }), services), 200);
    },
  );

  api.openapi(
    createRoute({
      ...one,
      method: 'delete',
      operationId: 'deleteSite',
      summary: 'Remove a site',
      description: 'It is served no more; its jobs stay as records.',
      middleware: [adminKey(services, 'write')] as const,
      request: { params, query: organizationQuery },
      responses: { 204: { description: 'It is removed.' }, ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { domain } = context.req.valid('param');
      const organization = await namedOrganization(services, context.get('key'), context.req.valid('query').organization);
      if (await sites.remove(organization, domain)) {
        // In the background: there may be many files, and the next export of the domain would remove them as well.
        void removeOldExports(services, domain).catch((err: unknown) =>
          services.log.error({ err, domain }, 'The files of a removed site could not be removed.'),
        );
        return context.body(null, 204);
      }
      throw siteUnknown(domain);
    },
  );
}

/** Throws `ApiError` 403 when what a site is made from reaches the machine or runs code, and the key has no say over the machine. */
function checkOperator(key: Key, source: SiteSource, settings: SiteSettings): void {
  if (includesScope(key.scopes, 'operator')) return;
  if (source.type === 'folder') {
    throw new ApiError(
      403,
      'FolderNeedsOperator',
      'A folder on the machine of the server can only be registered with the scope "operator". Name a git repository, or ask an operator.',
    );
  }
  if (settings.builder === 'astro') {
    throw new ApiError(
      403,
      'AstroNeedsOperator',
      'The builder "astro" runs the code of the project, so only a key with the scope "operator" can allow it. Use the builder "docs", or ask an operator.',
    );
  }
}

function siteUnknown(domain: string): ApiError {
  return new ApiError(
    404,
    'SiteUnknown',
    `There is no site "${domain}". GET /v1/sites lists them; PUT /v1/sites/${domain} registers it.`,
  );
}

function siteAnswer(
  { domain, organization, source, settings, activeJob, createdAt, updatedAt }: RegisteredSite,
  { sitesUrl }: Services,
): SiteAnswer {
  return {
    domain,
    organization,
    source,
    ...settings,
    activeJob,
    address: `${sitesUrl}/sites/${domain}/`,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
