// Organizations and their plans, for operators, and the account of a key: what a dashboard requests first.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../http/api.ts';
import { ExportError } from '../../integration/errors.ts';
import { errorAnswers, jsonAnswer, jsonBody } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import { audited, type AuditParts } from './audit-routes.ts';
import { adminKey, namedOrganization, organizationQuery, organizationUnknownError, type AccessParts } from './authenticate.ts';
import { nameSchema, organizationIdSchema } from '../http/field-schemas.ts';
import { plans, type Organization, type Organizations } from './organizations.ts';
import { keyAnswer, keySchema } from './key-schemas.ts';
import { keysPerHour } from './keys.ts';

const planSchema = z.enum(plans, { error: `must be one of ${plans.join(', ')}` });

const organizationSchema = z
  .object({
    organizationId: z.string().openapi({ example: 'my-team' }),
    name: z.string().openapi({ example: 'My team' }),
    plan: z.enum(plans).openapi({ description: 'Static export requires `enterprise`.' }),
    createdAt: z.iso.datetime(),
  })
  .openapi('Organization');

export type OrganizationAnswer = z.infer<typeof organizationSchema>;

const newOrganizationSchema = z
  .strictObject({
    organizationId: organizationIdSchema,
    name: nameSchema.optional().openapi({ description: 'By default the ID.' }),
    plan: planSchema.default('enterprise'),
  })
  .openapi('NewOrganization');

const changeSchema = z
  .strictObject({ name: nameSchema.optional(), plan: planSchema.optional() })
  .refine((change) => change.name !== undefined || change.plan !== undefined, { error: 'must contain name or plan' })
  .openapi('OrganizationChange');

interface OrganizationRouteParts extends AccessParts, AuditParts {
  organizations: Organizations;
  /** Throws `ExportError` `GitCredentialsShared` when several organizations would share git credentials. */
  checkGitCredentials(organizations: number): Promise<void>;
  /** Cancels the jobs of an organization, and removes it with all that belongs to it. Throws `StorageUnavailable`. */
  removeOrganization(id: string): Promise<void>;
}

export function addOrganizationRoutes(api: Api, services: OrganizationRouteParts): void {
  const { organizations } = services;
  const common = {
    tags: ['Organizations'],
    security: [{ adminKey: [] }],
    middleware: adminKey(services, 'operator'),
  };
  const one = {
    ...common,
    path: '/v1/organizations/{organizationId}',
  } as const;
  const params = z.object({ organizationId: organizationIdSchema });
  const answer = jsonAnswer('The organization.', organizationSchema);

  api.openapi(
    createRoute({
      ...common,
      method: 'post',
      path: '/v1/organizations',
      operationId: 'createOrganization',
      summary: 'Add an organization',
      description:
        'Rejected while the server has git credentials for neither an organization nor repositories: every organization could use them.',
      middleware: [adminKey(services, 'operator'), audited(services, 'organization.create')] as const,
      request: { body: jsonBody(newOrganizationSchema) },
      responses: { 201: answer, ...errorAnswers(400, 401, 403, 409, 413, 415) },
    }),
    async (context) => {
      const { organizationId: id, name = id, plan } = context.req.valid('json');
      await checkCredentials(id);
      context.set('target', id);
      return context.json(organizationAnswer(await organizations.create({ id, name, plan })), 201);
    },
  );

  api.openapi(
    createRoute({
      ...common,
      method: 'get',
      path: '/v1/organizations',
      operationId: 'listOrganizations',
      summary: 'List organizations',
      description: 'All organizations with their plans, sorted by ID.',
      responses: {
        200: jsonAnswer(
          'All organizations, sorted by ID.',
          z.object({ organizations: z.array(organizationSchema) }).openapi('Organizations'),
        ),
        ...errorAnswers(401, 403),
      },
    }),
    async (context) => context.json({ organizations: (await organizations.list()).map(organizationAnswer) }, 200),
  );

  api.openapi(
    createRoute({
      ...one,
      method: 'get',
      operationId: 'getOrganization',
      summary: 'Read an organization',
      description: 'An organization with its plan.',
      request: { params },
      responses: { 200: answer, ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const { organizationId } = context.req.valid('param');
      const organization = await organizations.get(organizationId);
      if (!organization) throw organizationUnknownError(organizationId);
      return context.json(organizationAnswer(organization), 200);
    },
  );

  api.openapi(
    createRoute({
      ...one,
      method: 'patch',
      operationId: 'updateOrganization',
      summary: 'Change the name or the plan of an organization',
      description: 'Takes effect immediately; in other processes of the server within a second.',
      middleware: [adminKey(services, 'operator'), audited(services, 'organization.update')] as const,
      request: { params, body: jsonBody(changeSchema) },
      responses: { 200: answer, ...errorAnswers(400, 401, 403, 404, 413, 415) },
    }),
    async (context) => {
      const { organizationId } = context.req.valid('param');
      const organization = await organizations.update(organizationId, context.req.valid('json'));
      if (!organization) throw organizationUnknownError(organizationId);
      context.set('organization', organizationId);
      return context.json(organizationAnswer(organization), 200);
    },
  );

  api.openapi(
    createRoute({
      ...one,
      method: 'delete',
      operationId: 'deleteOrganization',
      summary: 'Remove an organization',
      description:
        "Removes it with its keys, sites, exports, webhooks and conversations, and cancels its jobs. Its audit log stays until its entries expire; the removal is in the log of the caller's organization, which cannot remove itself. If the storage fails meanwhile, its keys and sites are gone; repeat the request to remove the rest.",
      middleware: [adminKey(services, 'operator'), audited(services, 'organization.delete')] as const,
      request: { params },
      responses: { 204: { description: 'Removed.' }, ...errorAnswers(400, 401, 403, 404, 409) },
    }),
    async (context) => {
      const { organizationId } = context.req.valid('param');
      if (!(await organizations.get(organizationId))) throw organizationUnknownError(organizationId);
      if (organizationId === context.get('key').organization)
        throw new ApiError(
          'OrganizationIsOwn',
          `Your key belongs to the organization "${organizationId}". Use an operator's key of another organization to remove it.`,
        );
      await services.removeOrganization(organizationId);
      return context.body(null, 204);
    },
  );

  /** A second organization could use the git credentials of the only one. */
  async function checkCredentials(newId: string): Promise<void> {
    const known = await organizations.list();
    if (known.some(({ id }) => id === newId)) return;
    try {
      await services.checkGitCredentials(known.length + 1);
    } catch (error) {
      if (!(error instanceof ExportError) || error.code !== 'GitCredentialsShared') throw error;
      throw new ApiError('GitCredentialsShared', [error.message, error.hint].join(' '), { cause: error });
    }
  }
}

function organizationAnswer({ id, name, plan, createdAt }: Organization): OrganizationAnswer {
  return { organizationId: id, name, plan, createdAt: createdAt.toISOString() };
}

const count = z.int();
const usageSchema = z
  .object({
    jobs: z
      .object({ queued: count, running: count, completed: count, failed: count, canceled: count })
      .openapi({ description: 'All jobs that are recorded, by status.' }),
    exports: z.object({
      stored: count.openapi({ description: 'Exports whose files are stored.' }),
      bundleBytes: count.openapi({ description: 'Bytes of their bundles.' }),
      exportBytes: count.openapi({ description: 'Unpacked bytes of all of them; exports of a site share their equal files.' }),
    }),
    model: z
      .object({ days: count, answers: count, inputTokens: count, outputTokens: count })
      .openapi({ description: 'Answers of models in the past `days`, and their tokens.' }),
  })
  .openapi('Usage');

export type UsageAnswer = z.infer<typeof usageSchema>;

const usageDays = 30;

interface UsageRouteParts extends AccessParts {
  organizations: Organizations;
  modelRecord: { used(organization: string, days: number): Promise<{ answers: number; input: number; output: number }> };
}

export function addUsageRoutes(api: Api, services: UsageRouteParts): void {
  api.openapi(
    createRoute({
      method: 'get',
      path: '/v1/usage',
      operationId: 'getUsage',
      tags: ['Organizations'],
      summary: 'Read the usage',
      description: 'Jobs, stored exports and tokens of models of the organization; an operator can read those of another one.',
      security: [{ adminKey: [] }],
      middleware: [adminKey(services, 'read')] as const,
      request: { query: organizationQuery },
      responses: { 200: jsonAnswer('The usage.', usageSchema), ...errorAnswers(400, 401, 403, 404) },
    }),
    async (context) => {
      const organization = await namedOrganization(services, context.get('key'), context.req.valid('query').organization);
      const [{ stored, bundleBytes, exportBytes, ...jobs }, { answers, input, output }] = await Promise.all([
        services.organizations.usage(organization),
        services.modelRecord.used(organization, usageDays),
      ]);
      const model = { days: usageDays, answers, inputTokens: input, outputTokens: output };
      return context.json({ jobs, exports: { stored, bundleBytes, exportBytes }, model }, 200);
    },
  );
}

const accountSchema = z
  .object({
    organization: organizationSchema,
    key: keySchema,
    features: z.object({ staticExport: z.boolean().openapi({ description: 'Whether the plan includes static export.' }) }),
    limits: z.object({
      keysPerHour: z.object({ limit: z.number().int(), used: z.number().int() }).openapi({
        description: 'Keys that the organization has created in the past hour, and can create per hour.',
      }),
    }),
  })
  .openapi('Account');

export type AccountAnswer = z.infer<typeof accountSchema>;

export function addAccountRoutes(api: Api, services: AccessParts & { organizations: Organizations }): void {
  const { keys, now, organizations } = services;

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v1/account',
      operationId: 'getAccount',
      tags: ['Organizations'],
      summary: 'Read your account',
      description: 'The key of the request, its organization, the plan and the limits.',
      security: [{ adminKey: [] }],
      middleware: [adminKey(services, 'read')] as const,
      responses: {
        200: jsonAnswer('The account.', accountSchema),
        ...errorAnswers(401, 403, 404),
      },
    }),
    async (context) => {
      const key = context.get('key');
      const organization = await organizations.get(key.organization);
      if (!organization) throw organizationUnknownError(key.organization);
      return context.json(
        {
          organization: organizationAnswer(organization),
          key: keyAnswer(key, now()),
          features: { staticExport: organization.plan === 'enterprise' },
          limits: { keysPerHour: { limit: keysPerHour, used: await keys.createdInHour(key.organization) } },
        },
        200,
      );
    },
  );
}
