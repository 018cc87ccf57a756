// Who reads a site: its pages if it is hosted, and the keys that give access to it (assistant keys that name it and, for operators, admin
// keys of its organization).
import { z } from '@hono/zod-openapi';
import type { Context, MiddlewareHandler } from 'hono';
import { adminKey, bearerOf, requireKey, validKey, type AccessParts, type SiteOfRequest } from '../organizations/authenticate.ts';
import type { Key } from '../http/key.ts';
import type { ApiEnvironment } from '../http/api.ts';
import { ApiError } from '../platform/errors.ts';
import { checkOrigin } from '../http/cors.ts';
import { isPageToken, pageTokenInvalidError, personOf, type PageTokens } from './page-tokens.ts';
import { groupsOfPerson, type PeopleParts } from './site-people.ts';
import { siteOf, type RegisteredSite, type Sites } from './sites.ts';

/** What is needed to find the key and the site of a request. */
export interface SiteAccessParts extends AccessParts {
  sites: Pick<Sites, 'get'>;
  pageTokens: Pick<PageTokens, 'keyOf'>;
}

/** How the description of the API names those that `askingPage` and `sendingPage` accept. */
export const pageSecurity: Record<string, string[]>[] = [{ assistantKey: [] }, { pageToken: [] }];

/**
 * Like `assistantKey`, and accepts the token of a page of the site. Also throws `ApiError`: 401 `PageTokenInvalid`, `PageTokenExpired`; 403
 * `AssistantOff` for pages from before the assistant was turned off.
 */
export function askingPage(parts: SiteAccessParts): MiddlewareHandler<ApiEnvironment> {
  return requireSiteKey(parts, keyOrPage(parts), ({ isOfPage }, { domain, settings }) => {
    if (isOfPage && settings.features?.assistant?.mode === 'off')
      throw new ApiError('AssistantOff', `The assistant of "${domain}" is turned off. Reload the page.`);
  });
}

/** Like `askingPage`, for what does not depend on the assistant. */
export function sendingPage(parts: SiteAccessParts): MiddlewareHandler<ApiEnvironment> {
  return requireSiteKey(parts, keyOrPage(parts));
}

/**
 * Accepts a request when its bearer token is a valid assistant key for the domain of its path, whose organization has that site;
 * the key is then `context.get('key')`. Throws `ApiError`: 401 as `validKey`; 403 `KeyNotAssistant`, `AddressNotAllowed`,
 * `OriginNotAllowed`; 404 `SiteUnknown`.
 */
export function assistantKey(parts: SiteAccessParts): MiddlewareHandler<ApiEnvironment> {
  return requireSiteKey(parts, ({ req }) => validKey(parts, req.header('authorization')));
}

type FindKey = Parameters<typeof requireKey>[2];

function requireSiteKey(
  parts: SiteAccessParts,
  findKey: FindKey,
  check: (key: Key, site: RegisteredSite) => void = () => {},
): MiddlewareHandler<ApiEnvironment> {
  return requireKey(parts, 'assistant', findKey, async (key, context) => {
    checkOrigin(context, key);
    const domain = domainOf(context);
    if (!key.domains.includes(domain)) throw noSiteOfKeyError(domain);
    check(key, await checkSite(parts, key, domain));
  });
}

function keyOrPage(parts: SiteAccessParts): FindKey {
  return async (context) => {
    const authorization = context.req.header('authorization');
    const bearer = bearerOf(authorization);
    if (bearer === undefined || !isPageToken(bearer)) return validKey(parts, authorization);
    return keyOfPage(parts, await parts.sites.get(domainOf(context)), { token: bearer, address: context.get('address') });
  };
}

/** The rights of a page of a site, as of `PageTokens.keyOf`, while its reader may read the site. Throws `ApiError` 401 `PageTokenInvalid`, `PageTokenExpired`. */
export async function keyOfPage(
  parts: PeopleParts & Pick<SiteAccessParts, 'pageTokens'>,
  site: RegisteredSite | undefined,
  { token, address, lateSeconds }: { token: string; address: string; lateSeconds?: number },
): Promise<Key> {
  const key = parts.pageTokens.keyOf(token, site, lateSeconds);
  const id = personOf(token);
  if (id === undefined) return key;
  const groups = await groupsOfPerson(parts, site!, { id, address });
  if (groups) return { ...key, groups, person: id };
  throw pageTokenInvalidError();
}

/** Like `adminKey`, for a site of the key's organization. Also throws `ApiError` 404 `SiteUnknown`. */
export function siteAdminKey(parts: SiteAccessParts): MiddlewareHandler<ApiEnvironment> {
  const admin = adminKey(parts, 'read');
  return (context, next) =>
    admin(context, async () => {
      await checkSite(parts, context.get('key'), domainOf(context));
      await next();
    });
}

/** The site that the path names. */
export function domainOf(context: Context<ApiEnvironment>): string {
  return (context.req.param('domain') ?? '').toLowerCase();
}

export const siteOfPath: SiteOfRequest = async (context) => domainOf(context);

/** A site may have been removed, or may belong to another organization now. */
async function checkSite({ sites }: Pick<SiteAccessParts, 'sites'>, key: Key, domain: string): Promise<RegisteredSite> {
  const site = await siteOf(sites, { domain, organization: key.organization });
  if (!site) throw noSiteOfKeyError(domain);
  return site;
}

function noSiteOfKeyError(domain: string): ApiError {
  return new ApiError(
    'SiteUnknown',
    `There is no site "${domain.slice(0, 100)}" for this key. Correct the domain, or send another key.`,
  );
}

export function siteWithoutExportError(domain: string): ApiError {
  return new ApiError('SiteWithoutExport', `The site "${domain}" has no export yet. Start one with POST /v1/static-export/jobs.`);
}

export const domainParams = z.object({
  domain: z
    .string()
    .transform((domain) => domain.toLowerCase())
    .openapi({ description: 'Domain of the site.', example: 'docs.example.com' }),
});
