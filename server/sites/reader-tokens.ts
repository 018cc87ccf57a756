// Reader tokens: what a browser sends for a private site after its reader has signed in. Tokens are not stored: the server's secret signs them, so
// each process accepts those of the others.
import { createHmac } from 'node:crypto';
import { isSignedWith, type Secrets } from '../platform/secrets.ts';
import { personPattern } from './site-people.ts';
import { passwordsOf, type Audience, type SiteReaders } from './site-readers.ts';
import type { RegisteredSite } from './sites.ts';

interface ReaderTokensParts {
  secrets: Secrets;
  now: () => number;
}

type Site = Pick<RegisteredSite, 'organization' | 'domain'> & { settings: SiteReaders };

type ByPassword = Required<Audience>;

/** How long a token is good. */
export const readerSeconds = 7 * 24 * 60 * 60;

export type ReaderTokens = ReturnType<typeof createReaderTokens>;

const ofPerson = new RegExp(String.raw`^(\d{1,12})\.(${personPattern})\.([\w-]{43})$`);

export function createReaderTokens({ secrets, now }: ReaderTokensParts) {
  // A page sends many requests, and the registry returns the same object for a second.
  const valid = new WeakMap<Site, Map<string, ByPassword | string>>();
  const once = <Found extends ByPassword | string>(
    token: string,
    site: Site,
    check: () => Found | undefined,
  ): Found | undefined => {
    const known = valid.get(site) ?? new Map<string, ByPassword | string>();
    valid.set(site, known);
    const found = (known.get(token) as Found | undefined) ?? check();
    if (found !== undefined) known.set(token, found);
    return found;
  };

  return {
    /** `<expiry, in seconds since 1970>.<signature>`: good for an audience of a site until its password, its groups or the password of the site change. */
    create(site: Site, audience: ByPassword): string {
      const expires = expiry(readerSeconds);
      return `${expires}.${sign(partsOf(site, audience, expires))}`;
    },

    /** `<expiry>.<ID>.<signature>`: says who signed in, by the ID of a member or key, or a `viewerId`. What they may read is asked with each request. */
    createForPerson({ organization, domain }: Site, id: string, seconds = readerSeconds): string {
      const expires = expiry(seconds);
      return `${expires}.${id}.${sign(['person', organization, domain, id, expires])}`;
    },

    /** The ID of the member or key that a token is of. */
    personOf(token: string, site: Site): string | undefined {
      const [, expires = '', id = '', signature = ''] = ofPerson.exec(token) ?? [];
      if (id === '' || Number(expires) * 1000 <= now()) return undefined;
      const { organization, domain } = site;
      return once(token, site, () => (isSigned(signature, ['person', organization, domain, id, expires]) ? id : undefined));
    },

    /** The audience that a token is of. */
    audienceOf(token: string, site: Site): ByPassword | undefined {
      const [, expires = '', signature = ''] = /^(\d{1,12})\.([\w-]{43})$/.exec(token) ?? [];
      if (Number(expires) * 1000 <= now()) return undefined;
      const isOf = (audience: ByPassword) => isSigned(signature, partsOf(site, audience, expires));
      return once(token, site, () => passwordsOf(site.settings).find(isOf));
    },
  };

  function expiry(seconds: number): string {
    return String(Math.floor(now() / 1000) + seconds);
  }

  function partsOf({ organization, domain, settings }: Site, { groups, password }: ByPassword, expires: string): unknown[] {
    return ['reader', organization, domain, settings.password, groups, password, expires];
  }

  function isSigned(signature: string, parts: unknown[]): boolean {
    return isSignedWith(secrets, signature, (secret) => sign(parts, secret));
  }

  /** The first word separates these signatures from others made with the same secret. */
  function sign(parts: unknown[], secret = secrets[0]): string {
    return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url');
  }
}
