import { z } from 'zod';
import type { OrganizationAnswer } from '../../server/organizations/organization-routes.ts';
import { openApiClient } from './api-client.ts';
import { jsonOption, print, printList, jsonExamples } from './subcommands.ts';
import { option, defineCommand } from './usage.ts';

const plan = z.enum(['enterprise', 'standard'], { error: 'must be enterprise or standard' });

/** `carrel organization …`: how they are used. */
export const subcommands = {
  create: defineCommand({
    usage: 'organization create ID',
    summary: 'Create an organization (requires the scope operator).',
    examples: [['organization create docs-team --name "Docs team"', 'A new organization']],
    options: {
      name: option(z.string().optional(), 'NAME', 'Human-readable name (default: the ID)'),
      plan: option(plan.default('enterprise'), 'PLAN', 'enterprise or standard (default: enterprise)'),
      json: jsonOption,
    },
    run: ({ words: [organizationId], options: { name, plan, json } }) =>
      change('POST', '/v1/organizations', { organizationId, name, plan }, json),
  }),
  list: defineCommand({
    usage: 'organization list',
    summary: 'List organizations and their plans (requires the scope operator).',
    examples: jsonExamples('organization list', 'All organizations'),
    options: { json: jsonOption },
    async run({ options: { json } }) {
      const { organizations } = await openApiClient(process.env).json<{ organizations: OrganizationAnswer[] }>(
        'GET',
        '/v1/organizations',
      );
      printList(organizations, json, ['ID', 'PLAN', 'CREATED', 'NAME'], ({ organizationId, name, plan, createdAt }) => [
        organizationId,
        plan,
        createdAt.slice(0, 10),
        name,
      ]);
    },
  }),
  'set-plan': defineCommand({
    usage: 'organization set-plan ID PLAN',
    summary: 'Set the plan of an organization to enterprise or standard (requires the scope operator).',
    examples: [['organization set-plan docs-team standard', 'Change the plan']],
    options: { json: jsonOption },
    run: ({ words: [id, plan], options: { json } }) =>
      change('PATCH', `/v1/organizations/${encodeURIComponent(id!)}`, { plan }, json),
  }),
};

async function change(method: string, path: string, body: unknown, json: boolean): Promise<void> {
  const organization = await openApiClient(process.env).json<OrganizationAnswer>(method, path, { body });
  const { organizationId, name, plan } = organization;
  print(organization, json, `${organizationId} (${name}) has the plan ${plan}.`);
}
