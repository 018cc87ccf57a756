// Reader tokens: what a browser sends for a private site after its reader has signed in. Tokens are not stored: the server's secret signs them, so
// each process accepts those of the others.
import { createHmac } from 'node:crypto';
import { sameText } from '../platform/secrets.ts';
import type { RegisteredSite } from './sites.ts';

interface ReaderTokensParts {
  secret: string;
  now: () => number;
}

type Site = Pick<RegisteredSite, 'organization' | 'domain'> & { settings: Pick<RegisteredSite['settings'], 'password'> };

/** How long a token is good. */
export const readerSeconds = 7 * 24 * 60 * 60;

export function createReaderTokens({ secret, now }: ReaderTokensParts) {
  return {
    /** `<expiry, in seconds since 1970>.<signature>`: good for a site until its password changes. */
    create(site: Site): string {
      const expires = String(Math.floor(now() / 1000) + readerSeconds);
      return `${expires}.${signatureOf(site, expires)}`;
    },

    isValid(token: string, site: Site): boolean {
      const [, expires = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
      return sameText(signature, signatureOf(site, expires)) && Number(expires) * 1000 > now();
    },
  };

  function signatureOf({ organization, domain, settings }: Site, expires: string): string {
    // The first word separates these signatures from others made with the same secret.
    return createHmac('sha256', secret)
      .update(JSON.stringify(['reader', organization, domain, settings.password, expires]))
      .digest('base64url');
  }
}
