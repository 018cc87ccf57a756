// Routes for admin keys, and for browsers that have signed in with one.
import type { z } from '@hono/zod-openapi';
import type { Key, Scope } from '../http/key.ts';
import {
  routesOf,
  type Answers,
  type Fields,
  type Result,
  type Route,
  type RouteDescription,
  type RouteLine,
  type RouteRequest,
} from '../http/route.ts';
import type { ErrorStatus } from '../platform/errors.ts';
import type { AuditEvent } from './audit.ts';
import { audited, type AuditParts } from './audited.ts';
import { adminKey, namedOrganization, organizationQuery, type AccessParts, type SiteOfRequest } from './authenticate.ts';
import type { Organizations } from './organizations.ts';

/** What every route for admin keys needs. */
export interface AdminRouteParts extends AccessParts, AuditParts {
  organizations: Organizations;
}

interface AdminRequest {
  key: Key;
  /** The one that an operator names in the query, or else that of the key. */
  organization: string;
}

interface AdminRoute<Parts, Params, Query, Headers, Body, A> extends RouteDescription<Params, Query, Headers, Body, A> {
  scope: Scope;
  /** The site that the route changes: its editors may call the route as well. */
  siteOf?: SiteOfRequest<Parts>;
  /** The entry of the audit log when the route has succeeded. */
  audit?: AuditEvent;
}

/** Makes routes that need a scope; their `errors` are those beside the ones that follow from key, query and body. */
export function adminRoutesOf<Parts extends AdminRouteParts, UsualQuery extends Fields = z.ZodObject<{}>>(
  tag: string,
  usualQuery?: UsualQuery,
) {
  const route = routesOf<Parts>({ tags: [tag], security: [] });
  return <
    A extends Answers,
    Params extends Fields = z.ZodObject<{}>,
    Query extends Fields = UsualQuery,
    Headers extends Fields = z.ZodObject<{}>,
    Body extends z.ZodType = z.ZodUndefined,
  >(
    line: RouteLine,
    description: AdminRoute<Parts, Params, Query, Headers, Body, A> & {
      handle(request: RouteRequest<Parts, Params, Query, Headers, Body> & AdminRequest): Result<A> | Promise<Result<A>>;
    },
  ): Route<Parts> => {
    const { scope, siteOf, audit, errors = [], handle, ...rest } = description;
    const query = (rest.query ?? usualQuery) as Query | undefined;
    const usual: ErrorStatus[] = [401, 403];
    if (query && 'organization' in query.shape) usual.push(400, 404);
    if (rest.body) usual.push(400, 413, 415);
    return route(line, {
      ...{ ...rest, query },
      description: siteOf ? `${rest.description} Editors of the site may do this, too.` : rest.description,
      // As OpenAPI 3.1 names roles; the only place that decides is the middleware.
      security: [{ adminKey: [scope] }],
      middleware: (parts) => [adminKey(parts, scope, siteOf), ...(audit ? [audited(parts, audit)] : [])],
      errors: [...usual, ...errors],
      async handle(request) {
        const key = request.context.get('key');
        const { organization: named } = (request.query ?? {}) as { organization?: string };
        return handle({ ...request, key, organization: await namedOrganization(request.parts, key, named) });
      },
    });
  };
}

/** Makes routes like `adminRoutesOf`, in whose query an operator can name another organization. */
export function organizationRoutesOf<Parts extends AdminRouteParts>(tag: string) {
  return adminRoutesOf<Parts, typeof organizationQuery>(tag, organizationQuery);
}
