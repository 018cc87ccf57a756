// Page tokens: what the pages of a hosted site send with their questions. Anyone can read one, so it is good for one site, on the origins of
// that site, and for an hour at most. Tokens are not stored: the server's secret signs them, so each process accepts those of the others.
import { createHmac } from 'node:crypto';
import type { Key } from '../http/key.ts';
import { ApiError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import { sameText } from '../platform/secrets.ts';
import { areSameGroups, audiencesOf, type Audience } from './site-readers.ts';
import type { RegisteredSite } from './sites.ts';

export type PageTokens = ReturnType<typeof createPageTokens>;

interface PageTokensParts {
  options: Pick<ServerOptions, 'pageTokenSeconds'>;
  secret: string;
  sitesUrl: string;
  now: () => number;
}

type Site = Pick<RegisteredSite, 'domain' | 'organization' | 'createdAt'> & {
  settings: Pick<RegisteredSite['settings'], 'siteUrl' | 'password' | 'audiences'>;
};

export function createPageTokens({ options, secret, sitesUrl, now }: PageTokensParts) {
  return {
    /** `page_<expiry, in seconds since 1970>.<signature>`, for pages that readers of these groups see. */
    create(site: Site, groups: string[] = []): string {
      const { pageTokenSeconds: seconds } = options;
      // The same for all requests of a while, so that its file is compressed once.
      const step = Math.max(1, Math.floor(seconds / 60));
      const expires = String(Math.floor((now() / 1000 + seconds) / step) * step);
      const audience = audiencesOf(site.settings).find((one) => areSameGroups(one.groups, groups));
      return `page_${expires}.${signatureOf(site, audience, expires)}`;
    },

    /**
     * The rights of a token, as an assistant key that is not stored. Throws `ApiError` 401: `PageTokenInvalid` if the token is not one of
     * this site as it is now, and `PageTokenExpired`.
     */
    keyOf(token: string, site: Site | undefined): Key {
      const [, expires = '', signature = ''] = /^page_(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
      const isSigned = (audience: Audience | undefined) => site && sameText(signature, signatureOf(site, audience, expires));
      const audiences = site ? audiencesOf(site.settings) : [];
      const audience = audiences.find(isSigned);
      if (!site || !(audience || (audiences.length === 0 && isSigned(undefined)))) {
        throw refusal(
          'PageTokenInvalid',
          'This page cannot ask: its token is not, or no longer, one of this site. Reload the page.',
        );
      }
      if (Number(expires) * 1000 <= now()) {
        throw refusal('PageTokenExpired', 'This page has been open for too long to ask. Reload it.');
      }
      const { domain, organization, createdAt } = site;
      const groups = audience?.groups ?? [];
      return {
        // Conversations belong to it: none is read by another audience.
        ...{ id: `page ${domain}${groups.length > 0 ? ` ${JSON.stringify(groups)}` : ''}`, groups },
        ...{ organization, kind: 'assistant', name: `Pages of ${domain}`, isOfPage: true },
        ...{ hint: '', scopes: [], addresses: [], domains: [domain], origins: originsOf(site, sitesUrl) },
        ...{ createdAt, expiresAt: null, lastUsedAt: null, revokedAt: null, email: null, createdBy: null },
      };
    },
  };

  function signatureOf(site: Site, audience: Audience | undefined, expires: string): string {
    const { organization, domain, settings } = site;
    // A page of a private site asks until a password of its readers changes.
    const readers = audience ? [settings.password, audience.password, audience.groups] : [];
    // The first word separates these signatures from others made with the same secret.
    return createHmac('sha256', secret)
      .update(JSON.stringify(['page', organization, domain, originsOf(site, sitesUrl), expires, ...readers]))
      .digest('base64url');
  }
}

/** Whether a bearer has the form of a page token. */
export function isPageToken(bearer: string): boolean {
  return bearer.startsWith('page_');
}

/** Where readers see a site: on the host of all sites, at the public URL of the site, and on the host that its domain names. */
function originsOf({ domain, settings }: Site, sitesUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(sitesUrl);
  // A machine has several names for itself.
  const local = ['localhost', '127.0.0.1', '[::1]'];
  const isLocal = [...local, '0.0.0.0', '[::]'].includes(hostname);
  const hosted = isLocal ? local.map((name) => new URL(`${protocol}//${name}:${port}`).origin) : [origin];
  const own = URL.parse(settings.siteUrl ?? '')?.origin;
  return [...new Set([...hosted, ...(own === undefined ? [] : [own]), `https://${domain}`, `http://${domain}`])];
}

function refusal(code: 'PageTokenInvalid' | 'PageTokenExpired', message: string): ApiError {
  return new ApiError(code, message, { headers: { 'www-authenticate': 'Bearer realm="carrel"' } });
}
