// The account of a key or a member: what a dashboard requests first.
import { z } from '@hono/zod-openapi';
import { jsonAnswer, namedObject } from '../http/error-answers.ts';
import { adminRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { organizationUnknownError } from '../organizations/authenticate.ts';
import { keyAnswer, keySchema } from '../organizations/key-schemas.ts';
import { keysPerHour } from '../organizations/keys.ts';
import { organizationAnswer, organizationSchema } from '../organizations/organization-routes.ts';
import { memberAnswer, memberSchema } from './member-routes.ts';
import { isMember, type Members } from './members.ts';
import { oidcSchema } from './oidc-routes.ts';
import type { Oidc } from './oidc.ts';

const accountSchema = namedObject('Account', {
  organization: organizationSchema,
  key: keySchema.openapi({ description: 'The key of the request, or the rights of the member.' }),
  member: z.union([memberSchema, z.null()]).openapi({ description: 'Null for a key.' }),
  oidc: z.union([oidcSchema, z.null()]).openapi({ description: 'The OpenID Connect provider of its members; null without one.' }),
  features: z.object({ staticExport: z.boolean().openapi({ description: 'Whether the plan includes static export.' }) }),
  limits: z.object({
    keysPerHour: z.object({ limit: z.number().int(), used: z.number().int() }).openapi({
      description: 'Keys that the organization has created in the past hour, and can create per hour.',
    }),
  }),
});

export type AccountAnswer = z.infer<typeof accountSchema>;

interface AccountRouteParts extends AdminRouteParts {
  members: Pick<Members, 'requiresOidc'>;
  oidc: Oidc;
}

export const getAccount = adminRoutesOf<AccountRouteParts>('Organizations')('get /v1/account', {
  summary: 'Read your account',
  description: 'The key of the request, its organization, the plan and the limits.',
  scope: 'read',
  answers: { 200: jsonAnswer('The account.', accountSchema) },
  errors: [404],
  async handle({ parts: { keys, members, now, oidc, organizations }, key }) {
    const organization = await organizations.get(key.organization);
    if (!organization) throw organizationUnknownError(key.organization);
    return {
      organization: organizationAnswer(organization),
      key: keyAnswer(key, now()),
      member: isMember(key) ? memberAnswer(key) : null,
      oidc: oidc?.organization === organization.id ? { required: await members.requiresOidc(organization.id) } : null,
      features: { staticExport: organization.plan === 'enterprise' },
      limits: { keysPerHour: { limit: keysPerHour, used: await keys.createdInHour(key.organization) } },
    };
  },
});
