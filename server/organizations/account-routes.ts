// What the caller's key is and may: what a dashboard asks first.
import { createRoute, z } from '@hono/zod-openapi';
import type { Api } from '../http/api.ts';
import { errorAnswers } from '../http/error-answers.ts';
import { adminKey, type AccessParts } from './authenticate.ts';
import { keyAnswer, keySchema } from './key-schemas.ts';
import { keysPerHour } from './keys.ts';
import { organizationUnknown } from './named-organization.ts';
import type { Organizations } from './organizations.ts';
import { organizationAnswer, organizationSchema } from './organization-routes.ts';

const accountSchema = z
  .object({
    organization: organizationSchema,
    key: keySchema,
    features: z.object({ staticExport: z.boolean().openapi({ description: 'Whether the plan includes static export.' }) }),
    limits: z.object({
      keysPerHour: z.object({ limit: z.number().int(), used: z.number().int() }).openapi({
        description: 'Keys that the organization has made in the past hour, and may make in one.',
      }),
    }),
  })
  .openapi('Account');

export function addAccountRoutes(api: Api, services: AccessParts & { organizations: Organizations }): void {
  const { keys, now, organizations } = services;

  api.openapi(
    createRoute({
      method: 'get',
      path: '/v1/account',
      operationId: 'getAccount',
      tags: ['Organizations'],
      summary: 'What this key is, its organization, plan and limits',
      security: [{ adminKey: [] }],
      middleware: [adminKey(services, 'read')] as const,
      responses: {
        200: { description: 'The account.', content: { 'application/json': { schema: accountSchema } } },
        ...errorAnswers(401, 403, 404),
      },
    }),
    async (context) => {
      const key = context.get('key');
      const organization = await organizations.get(key.organization);
      if (!organization) throw organizationUnknown(key.organization);
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
