import { z } from 'zod';
import type { OrganizationAnswer } from '../../server/organizations/organization-routes.ts';
import { openApiClient } from './api-client.ts';
import { jsonOption, runSubcommand, subcommand, table } from './subcommands.ts';
import { option } from './usage.ts';

const plan = z.enum(['enterprise', 'standard'], { error: 'must be enterprise or standard' });

/** `carrel organization …`: how they are used. */
export const subcommands = {
  create: subcommand({
    usage: 'organization create ID',
    summary: 'Create an organization (requires the scope operator).',
    words: [1, 1],
    examples: [['organization create docs-team --name "Docs team"', 'A new organization']],
    options: z.strictObject({
      name: option(z.string().optional(), 'NAME', 'Human-readable name (default: the ID)'),
      plan: option(plan.default('enterprise'), 'PLAN', 'enterprise or standard (default: enterprise)'),
      json: jsonOption,
    }),
    run: ({ words: [organizationId], options: { name, plan, json } }) =>
      change('POST', '/v1/organizations', { organizationId, name, plan }, json),
  }),
  list: subcommand({
    usage: 'organization list',
    summary: 'List organizations and their plans (requires the scope operator).',
    words: [0, 0],
    examples: [
      ['organization list', 'All organizations'],
      ['organization list --json', 'For a program'],
    ],
    options: z.strictObject({ json: jsonOption }),
    async run({ options: { json } }) {
      const { organizations } = await openApiClient(process.env).json<{ organizations: OrganizationAnswer[] }>(
        'GET',
        '/v1/organizations',
      );
      const rows = organizations.map(({ organizationId, name, plan, createdAt }) => [
        organizationId,
        plan,
        createdAt.slice(0, 10),
        name,
      ]);
      console.log(json ? JSON.stringify(organizations, null, 2) : table(['ID', 'PLAN', 'CREATED', 'NAME'], rows));
      return 0;
    },
  }),
  'set-plan': subcommand({
    usage: 'organization set-plan ID PLAN',
    summary: 'Set the plan of an organization to enterprise or standard (requires the scope operator).',
    words: [2, 2],
    examples: [['organization set-plan docs-team standard', 'Change the plan']],
    options: z.strictObject({ json: jsonOption }),
    run: ({ words: [id, plan], options: { json } }) =>
      change('PATCH', `/v1/organizations/${encodeURIComponent(id!)}`, { plan }, json),
  }),
};

export const run = (args: string[]): Promise<number> => runSubcommand('organization', subcommands, args);

async function change(method: string, path: string, body: unknown, json: boolean): Promise<number> {
  const organization = await openApiClient(process.env).json<OrganizationAnswer>(method, path, { body });
  const { organizationId, name, plan } = organization;
  console.log(json ? JSON.stringify(organization, null, 2) : `${organizationId} (${name}) has the plan ${plan}.`);
  return 0;
}
