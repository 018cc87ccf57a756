// Page tokens: what the pages of a hosted site send with their questions. Anyone can read one, so it is good for one site, on the origins of
// that site, and for an hour at most. Tokens are not stored: the server's secret signs them, so each process accepts those of the others.
import { createHmac } from 'node:crypto';
import type { Key } from '../http/key.ts';
import { type ApiError, unauthorizedError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import { localHosts } from '../platform/local-host.ts';
import { isSignedWith, type Secrets } from '../platform/secrets.ts';
import { personPattern } from './site-people.ts';
import { areSameGroups, passwordsOf, visibilityOf, type Audience } from './site-readers.ts';
import type { RegisteredSite } from './sites.ts';

export type PageTokens = ReturnType<typeof createPageTokens>;

interface PageTokensParts {
  options: Pick<ServerOptions, 'pageTokenSeconds'>;
  secrets: Secrets;
  sitesUrl: string;
  now: () => number;
}

type Site = Pick<RegisteredSite, 'domain' | 'organization' | 'createdAt'> & {
  settings: Pick<RegisteredSite['settings'], 'siteUrl' | 'password' | 'members' | 'audiences'>;
};

/** Who sees a page. */
export interface PageReader {
  /** Of their audience. */
  groups: string[];
  /** ID of a member or key, on a site for members. */
  person?: string;
}

const everybody: PageReader = { groups: [] };

export function createPageTokens({ options, secrets, sitesUrl, now }: PageTokensParts) {
  return {
    /** `page_<expiry, in seconds since 1970>.<signature>`, with the ID of the person before the signature if there is one. */
    create(site: Site, { groups, person }: PageReader = everybody): string {
      const { pageTokenSeconds: seconds } = options;
      // The same for all requests of a while, so that its file is compressed once.
      const step = Math.max(1, Math.floor(seconds / 60));
      const expires = String(Math.floor((now() / 1000 + seconds) / step) * step);
      if (person !== undefined) return `page_${expires}.${person}.${signatureOf(site, person, expires)}`;
      const audience = passwordsOf(site.settings).find((one) => areSameGroups(one.groups, groups));
      return `page_${expires}.${signatureOf(site, audience, expires)}`;
    },

    /**
     * The rights of a token, as an assistant key that is not stored. Throws `ApiError` 401: `PageTokenInvalid` if the token is not one of
     * this site as it is now, and `PageTokenExpired`, if that was more than `lateSeconds` ago. Whether a person may still read the site, `personOf` leaves to ask.
     */
    keyOf(token: string, site: Site | undefined, lateSeconds = 0): Key {
      const { expires, person, signature } = partsOf(token);
      const isSigned = (reader: Audience | string | undefined) =>
        site && isSignedWith(secrets, signature, (secret) => signatureOf(site, reader, expires, secret));
      const visibility = site && visibilityOf(site.settings);
      const audience = visibility === 'password' && person === undefined ? passwordsOf(site!.settings).find(isSigned) : undefined;
      const isOfAll = visibility === 'public' && person === undefined && isSigned(undefined);
      const isOfPerson = (visibility === 'members' || visibility === 'groups') && person !== undefined && isSigned(person);
      if (!site || !(audience || isOfAll || isOfPerson)) {
        throw pageTokenInvalidError();
      }
      if ((Number(expires) + lateSeconds) * 1000 <= now()) {
        throw unauthorizedError('PageTokenExpired', 'This page has been open for too long to ask. Reload it.');
      }
      const { domain, organization, createdAt } = site;
      const groups = audience?.groups ?? [];
      return {
        // Conversations belong to it: none is read by another audience or person.
        ...{
          id: ['page', domain, ...(groups.length > 0 ? [JSON.stringify(groups)] : []), ...(person ? [person] : [])].join(' '),
        },
        ...{ groups, editorOf: [] },
        ...{ organization, kind: 'assistant', name: `Pages of ${domain}`, isOfPage: true },
        ...{ hint: '', scopes: [], addresses: [], domains: [domain], origins: originsOf(site, sitesUrl) },
        ...{ createdAt, expiresAt: null, lastUsedAt: null, revokedAt: null, email: null, createdBy: null },
      };
    },
  };

  function signatureOf(site: Site, reader: Audience | string | undefined, expires: string, secret = secrets[0]): string {
    const { organization, domain, settings } = site;
    // A page of a private site asks until a password of its readers changes.
    const byPassword = typeof reader === 'object' ? [settings.password, reader.password, reader.groups] : [];
    const readers = typeof reader === 'string' ? ['person', reader] : byPassword;
    // The first word separates these signatures from others made with the same secret.
    return createHmac('sha256', secret)
      .update(JSON.stringify(['page', organization, domain, originsOf(site, sitesUrl), expires, ...readers]))
      .digest('base64url');
  }
}

/** The ID of the member or key who sees the page of a token, on a site for members. */
export function personOf(token: string): string | undefined {
  return partsOf(token).person;
}

const tokenForm = new RegExp(String.raw`^page_(\d{1,12})\.(?:(${personPattern})\.)?([\w-]{43})$`);

function partsOf(token: string): { expires: string; person: string | undefined; signature: string } {
  const [, expires = '', person, signature = ''] = tokenForm.exec(token) ?? [];
  return { expires, person, signature };
}

/** Whether a bearer has the form of a page token. */
export function isPageToken(bearer: string): boolean {
  return bearer.startsWith('page_');
}

/** Where readers see a site: on the host of all sites, at the public URL of the site, and on the host that its domain names. */
export function originsOf({ domain, settings }: Pick<Site, 'domain' | 'settings'>, sitesUrl: string): string[] {
  const { origin, protocol, hostname, port } = new URL(sitesUrl);
  // A machine has several names for itself.
  const isLocal = [...localHosts, '0.0.0.0', '[::]'].includes(hostname);
  const hosted = isLocal ? localHosts.map((name) => new URL(`${protocol}//${name}:${port}`).origin) : [origin];
  const own = URL.parse(settings.siteUrl ?? '')?.origin;
  return [...new Set([...hosted, ...(own === undefined ? [] : [own]), `https://${domain}`, `http://${domain}`])];
}

export function pageTokenInvalidError(): ApiError {
  return unauthorizedError(
    'PageTokenInvalid',
    'This page cannot ask: its token is not, or no longer, one of this site. Reload the page.',
  );
}
