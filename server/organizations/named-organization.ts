import { z } from '@hono/zod-openapi';
import { ApiError } from '../platform/errors.ts';
import type { Organizations } from './organizations.ts';
import { checkScope } from './authenticate.ts';
import type { Key } from '../http/key.ts';

export const organizationIdSchema = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: 'must be 1 to 63 lower-case letters, digits and dashes, such as my-team, and neither begin nor end with a dash',
  })
  .openapi({ example: 'my-team' });

/** The query of routes where an operator may act for another organization. */
export const organizationQuery = z.object({
  organization: organizationIdSchema.optional().openapi({
    description: "Organization to act for; the key's own when absent. Another one asks for the scope `operator`.",
  }),
});

/**
 * The organization that a request is about: the key's own, or, for an operator, the one that is named.
 * Throws `ApiError` 403 `ScopeMissing`, 404 `OrganizationUnknown`.
 */
export async function namedOrganization(
  { organizations }: { organizations: Organizations },
  key: Key,
  named: string | undefined,
): Promise<string> {
  if (named === undefined || named === key.organization) return key.organization;
  checkScope(key, 'operator');
  if (await organizations.get(named)) return named;
  throw organizationUnknown(named);
}

export function organizationUnknown(id: string): ApiError {
  return new ApiError(404, 'OrganizationUnknown', `There is no organization "${id}". GET /v1/organizations lists them.`);
}
