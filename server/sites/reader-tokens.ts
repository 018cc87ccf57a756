// Reader tokens: what a browser sends for a private site after its reader has signed in. Tokens are not stored: the server's secret signs them, so
// each process accepts those of the others.
import { createHmac } from 'node:crypto';
import { sameText } from '../platform/secrets.ts';
import { audiencesOf, type Audience, type SiteReaders } from './site-readers.ts';
import type { RegisteredSite } from './sites.ts';

interface ReaderTokensParts {
  secret: string;
  now: () => number;
}

type Site = Pick<RegisteredSite, 'organization' | 'domain'> & { settings: SiteReaders };

/** How long a token is good. */
export const readerSeconds = 7 * 24 * 60 * 60;

export function createReaderTokens({ secret, now }: ReaderTokensParts) {
  // A page sends many requests, and the registry returns the same object for a second.
  const valid = new WeakMap<Site, Map<string, Audience>>();

  return {
    /** `<expiry, in seconds since 1970>.<signature>`: good for an audience of a site until its password, its groups or the password of the site change. */
    create(site: Site, audience: Audience): string {
      const expires = String(Math.floor(now() / 1000) + readerSeconds);
      return `${expires}.${signatureOf(site, audience, expires)}`;
    },

    /** The audience that a token is of. */
    audienceOf(token: string, site: Site): Audience | undefined {
      const [, expires = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
      if (Number(expires) * 1000 <= now()) return undefined;
      const known = valid.get(site) ?? new Map<string, Audience>();
      valid.set(site, known);
      const isOf = (audience: Audience) => sameText(signature, signatureOf(site, audience, expires));
      const found = known.get(token) ?? audiencesOf(site.settings).find(isOf);
      if (found) known.set(token, found);
      return found;
    },
  };

  function signatureOf({ organization, domain, settings }: Site, { groups, password }: Audience, expires: string): string {
    // The first word separates these signatures from others made with the same secret.
    return createHmac('sha256', secret)
      .update(JSON.stringify(['reader', organization, domain, settings.password, groups, password, expires]))
      .digest('base64url');
  }
}
