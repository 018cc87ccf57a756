// Organizations and their plans, for operators, and the usage of one.
import { z } from '@hono/zod-openapi';
import { ExportError } from '../../integration/errors.ts';
import { jsonAnswer, jsonBody, namedObject, namedStrictObject } from '../http/error-answers.ts';
import { ApiError } from '../platform/errors.ts';
import { organizationUnknownError } from './authenticate.ts';
import { nameSchema, organizationIdSchema } from '../http/field-schemas.ts';
import { plans, type Organization } from './organizations.ts';
import { adminRoutesOf, organizationRoutesOf, type AdminRouteParts } from './admin-route.ts';

const planSchema = z.enum(plans, { error: `must be one of ${plans.join(', ')}` });

export const organizationSchema = namedObject('Organization', {
  organizationId: z.string().openapi({ example: 'my-team' }),
  name: z.string().openapi({ example: 'My team' }),
  plan: z.enum(plans).openapi({ description: 'Static export requires `enterprise`.' }),
  createdAt: z.iso.datetime(),
});

export type OrganizationAnswer = z.infer<typeof organizationSchema>;

const newOrganizationSchema = namedStrictObject('NewOrganization', {
  organizationId: organizationIdSchema,
  name: nameSchema.optional().openapi({ description: 'By default the ID.' }),
  plan: planSchema.default('enterprise'),
});

const changeSchema = z
  .strictObject({ name: nameSchema.optional(), plan: planSchema.optional() })
  .refine((change) => change.name !== undefined || change.plan !== undefined, { error: 'must contain name or plan' })
  .openapi('OrganizationChange');

interface OrganizationRouteParts extends AdminRouteParts {
  /** Throws `ExportError` `GitCredentialsShared` when several organizations would share git credentials. */
  checkGitCredentials(organizations: number): Promise<void>;
  /** Cancels the jobs of an organization, and removes it with all that belongs to it. Throws `StorageUnavailable`. */
  removeOrganization(id: string): Promise<void>;
}

const route = adminRoutesOf<OrganizationRouteParts>('Organizations');

const params = z.object({ organizationId: organizationIdSchema });
const answer = jsonAnswer('The organization.', organizationSchema);

const createOrganization = route('post /v1/organizations', {
  summary: 'Add an organization',
  description:
    'Rejected while the server has git credentials for neither an organization nor repositories: every organization could use them.',
  scope: 'operator',
  audit: 'organization.create',
  body: jsonBody(newOrganizationSchema),
  answers: { 201: answer },
  errors: [409],
  async handle({ parts, context, body: { organizationId: id, name = id, plan } }) {
    await checkCredentials(parts, id);
    context.set('target', id);
    return organizationAnswer(await parts.organizations.create({ id, name, plan }));
  },
});

const listOrganizations = route('get /v1/organizations', {
  summary: 'List organizations',
  description: 'All organizations with their plans, sorted by ID.',
  scope: 'operator',
  answers: {
    200: jsonAnswer(
      'All organizations, sorted by ID.',
      namedObject('Organizations', { organizations: z.array(organizationSchema) }),
    ),
  },
  async handle({ parts: { organizations } }) {
    return { organizations: (await organizations.list()).map(organizationAnswer) };
  },
});

const getOrganization = route('get /v1/organizations/{organizationId}', {
  summary: 'Read an organization',
  description: 'An organization with its plan.',
  scope: 'operator',
  params,
  answers: { 200: answer },
  errors: [400, 404],
  async handle({ parts: { organizations }, params: { organizationId } }) {
    const organization = await organizations.get(organizationId);
    if (!organization) throw organizationUnknownError(organizationId);
    return organizationAnswer(organization);
  },
});

const updateOrganization = route('patch /v1/organizations/{organizationId}', {
  summary: 'Change the name or the plan of an organization',
  description: 'Takes effect immediately; in other processes of the server within a second.',
  scope: 'operator',
  audit: 'organization.update',
  params,
  body: jsonBody(changeSchema),
  answers: { 200: answer },
  errors: [404],
  async handle({ parts: { organizations }, context, params: { organizationId }, body }) {
    const organization = await organizations.update(organizationId, body);
    if (!organization) throw organizationUnknownError(organizationId);
    context.set('organization', organizationId);
    return organizationAnswer(organization);
  },
});

const deleteOrganization = route('delete /v1/organizations/{organizationId}', {
  summary: 'Remove an organization',
  description:
    "Removes it with its keys, sites, exports, webhooks and conversations, and cancels its jobs. Its audit log stays until its entries expire; the removal is in the log of the caller's organization, which cannot remove itself. If the storage fails meanwhile, its keys and sites are gone; repeat the request to remove the rest.",
  scope: 'operator',
  audit: 'organization.delete',
  params,
  answers: { 204: { description: 'Removed.' } },
  errors: [400, 404, 409],
  async handle({ parts, organization, params: { organizationId } }) {
    if (!(await parts.organizations.get(organizationId))) throw organizationUnknownError(organizationId);
    if (organizationId === organization)
      throw new ApiError(
        'OrganizationIsOwn',
        `Your key belongs to the organization "${organizationId}". Use an operator's key of another organization to remove it.`,
      );
    await parts.removeOrganization(organizationId);
  },
});

export const organizationRoutes = {
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  deleteOrganization,
};

/** A second organization could use the git credentials of the only one. */
async function checkCredentials({ organizations, checkGitCredentials }: OrganizationRouteParts, newId: string): Promise<void> {
  const known = await organizations.list();
  if (known.some(({ id }) => id === newId)) return;
  try {
    await checkGitCredentials(known.length + 1);
  } catch (error) {
    if (!(error instanceof ExportError) || error.code !== 'GitCredentialsShared') throw error;
    throw new ApiError('GitCredentialsShared', [error.message, error.hint].join(' '), { cause: error });
  }
}

export function organizationAnswer({ id, name, plan, createdAt }: Organization): OrganizationAnswer {
  return { organizationId: id, name, plan, createdAt: createdAt.toISOString() };
}

const count = z.int();
const usageSchema = namedObject('Usage', {
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
});

export type UsageAnswer = z.infer<typeof usageSchema>;

const usageDays = 30;

interface UsageRouteParts extends AdminRouteParts {
  modelRecord: { used(organization: string, days: number): Promise<{ answers: number; input: number; output: number }> };
}

export const getUsage = organizationRoutesOf<UsageRouteParts>('Organizations')('get /v1/usage', {
  summary: 'Read the usage',
  description: 'Jobs, stored exports and tokens of models of the organization; an operator can read those of another one.',
  scope: 'read',
  answers: { 200: jsonAnswer('The usage.', usageSchema) },
  async handle({ parts, organization }) {
    const [{ stored, bundleBytes, exportBytes, ...jobs }, { answers, input, output }] = await Promise.all([
      parts.organizations.usage(organization),
      parts.modelRecord.used(organization, usageDays),
    ]);
    const model = { days: usageDays, answers, inputTokens: input, outputTokens: output };
    return { jobs, exports: { stored, bundleBytes, exportBytes }, model };
  },
});
