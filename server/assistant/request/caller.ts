// Who asks about a site: its pages if it is hosted, the keys that give access to it (assistant keys that name it and, for operators, admin
// keys of its organization), and how often a reader may ask.
import type { Context, MiddlewareHandler } from 'hono';
import { adminKey, bearerOf, requireKey, validKey, type AccessParts } from '../../organizations/authenticate.ts';
import type { Key } from '../../http/key.ts';
import type { ApiEnvironment } from '../../http/api.ts';
import { ApiError } from '../../platform/errors.ts';
import { checkOrigin } from '../../http/cors.ts';
import { isPageToken, type PageTokens } from '../../sites/page-tokens.ts';
import type { RegisteredSite, Sites } from '../../sites/sites.ts';
import { addressSubject, type Limit } from '../../organizations/limits.ts';
import type { ServerOptions } from '../../platform/options.ts';

/** What is needed to find the key and the site of a request. */
export interface CallerParts extends AccessParts {
  sites: Pick<Sites, 'get'>;
  pageTokens: Pick<PageTokens, 'keyOf'>;
}

/** How the description of the API names those that `askingPage` and `sendingPage` accept. */
export const pageSecurity: Record<string, string[]>[] = [{ assistantKey: [] }, { pageToken: [] }];

/**
 * Like `assistantKey`, and accepts the token of a page of the site. Also throws `ApiError`: 401 `PageTokenInvalid`, `PageTokenExpired`; 403
 * `AssistantOff` for pages from before the assistant was turned off.
 */
export function askingPage(parts: CallerParts): MiddlewareHandler<ApiEnvironment> {
  return requireSiteKey(parts, keyOrPage(parts), ({ isOfPage }, { domain, settings }) => {
    if (isOfPage && settings.features?.assistant?.mode === 'off')
      throw new ApiError('AssistantOff', `The assistant of "${domain}" is turned off. Reload the page.`);
  });
}

/** Like `askingPage`, for what does not depend on the assistant. */
export function sendingPage(parts: CallerParts): MiddlewareHandler<ApiEnvironment> {
  return requireSiteKey(parts, keyOrPage(parts));
}

/**
 * Accepts a request when its bearer token is a valid assistant key for the domain of its path, whose organization has that site;
 * the key is then `context.get('key')`. Throws `ApiError`: 401 as `validKey`; 403 `KeyNotAssistant`, `AddressNotAllowed`,
 * `OriginNotAllowed`; 404 `SiteUnknown`.
 */
export function assistantKey(parts: CallerParts): MiddlewareHandler<ApiEnvironment> {
  return requireSiteKey(parts, ({ req }) => validKey(parts, req.header('authorization')));
}

type FindKey = Parameters<typeof requireKey>[2];

function requireSiteKey(
  parts: CallerParts,
  findKey: FindKey,
  check: (key: Key, site: RegisteredSite) => void = () => {},
): MiddlewareHandler<ApiEnvironment> {
  return requireKey(parts, 'assistant', findKey, async (key, context) => {
    checkOrigin(context, key);
    const domain = domainOf(context);
    if (!key.domains.includes(domain)) throw siteUnknownError(domain);
    check(key, await checkSite(parts, key, domain));
  });
}

function keyOrPage(parts: CallerParts): FindKey {
  return async (context) => {
    const authorization = context.req.header('authorization');
    const bearer = bearerOf(authorization);
    if (bearer === undefined || !isPageToken(bearer)) return validKey(parts, authorization);
    return parts.pageTokens.keyOf(bearer, await parts.sites.get(domainOf(context)));
  };
}

/** Like `adminKey`, for a site of the key's organization. Also throws `ApiError` 404 `SiteUnknown`. */
export function siteAdminKey(parts: CallerParts): MiddlewareHandler<ApiEnvironment> {
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

/** A site may have been removed, or may belong to another organization now. */
async function checkSite({ sites }: Pick<CallerParts, 'sites'>, key: Key, domain: string): Promise<RegisteredSite> {
  const site = await sites.get(domain);
  if (site?.organization !== key.organization) throw siteUnknownError(domain);
  return site;
}

function siteUnknownError(domain: string): ApiError {
  return new ApiError(
    'SiteUnknown',
    `There is no site "${domain.slice(0, 100)}" for this key. Correct the domain, or send another key.`,
  );
}

export function siteWithoutExportError(domain: string): ApiError {
  return new ApiError('SiteWithoutExport', `The site "${domain}" has no export yet. Start one with POST /v1/static-export/jobs.`);
}

export interface Asker {
  organization: string;
  domain: string;
  /** ID of the API key, or one that all pages of the site share. */
  key: string;
  isOfPage?: true;
  /** The name of the reader in the request. */
  fp: string;
}

/** The `fp` of readers who do not identify themselves. */
export const anonymous = 'anonymous';

/** Trusts the `fp` of the request. */
export function askerOf(context: Context<ApiEnvironment>, fp = anonymous): Asker {
  const { organization, id, isOfPage } = context.get('key');
  return { organization, domain: domainOf(context), key: id, isOfPage, fp };
}

export type QuestionLimits = Pick<ServerOptions, 'questionsPerHour' | 'questionsPerDay' | 'questionsPerMinute'>;

/** The two limits of the contract, and one per reader if the operator sets it; an `anonymous` reader is identified by the IP address. */
export function limitsOf(
  { questionsPerHour, questionsPerDay, questionsPerMinute }: QuestionLimits,
  { organization, domain, fp }: Asker,
  address: string,
): Limit[] {
  const from = addressSubject(address);
  const limits: Limit[] = [
    { name: 'organization', subject: organization, most: questionsPerHour, seconds: 3600 },
    { name: 'address', subject: from, most: questionsPerDay, seconds: 86_400 },
  ];
  if (questionsPerMinute !== undefined) {
    const reader = fp === anonymous ? `address ${from}` : `fp ${fp}`;
    limits.push({ name: 'reader', subject: `${domain} ${reader}`, most: questionsPerMinute, seconds: 60 });
  }
  return limits;
}

/** Searches and pages read are counted apart. */
export function searchLimit(
  { searchesPerHour }: Pick<ServerOptions, 'searchesPerHour'>,
  organization: string,
  what: 'search' | 'page',
): Limit {
  return { name: 'organization', subject: `${what} ${organization}`, most: searchesPerHour, seconds: 3600 };
}
