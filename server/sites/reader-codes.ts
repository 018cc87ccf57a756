// Codes with which a person who is signed in to the dashboard comes back to a site for members: each works once, for a minute, for one site and
// in the browser that began there.
import { randomBytes } from 'node:crypto';
import type { Database } from '../database/database.ts';
import { hashOfSecret } from '../organizations/keys.ts';

const codeMilliseconds = 60_000;

interface CodeOf {
  domain: string;
  /** As of `stateOf`: what the browser began with. */
  state: string;
}

export type ReaderCodes = ReturnType<typeof createReaderCodes>;

export function createReaderCodes(database: Database, now: () => number) {
  const hashOf = (code: string, { domain, state }: CodeOf) => hashOfSecret(`reader ${domain} ${state} ${code}`);
  return {
    /** `person` is the ID of a reader, which may have the groups that they look at, as of `viewerId`. The code says whether the site is read over https. */
    async create(person: string, { isSecure, ...of }: CodeOf & { isSecure: boolean }): Promise<string> {
      const [id, view] = person.split('~');
      const code = `${isSecure ? 's' : 'p'}${randomBytes(32).toString('base64url')}${view === undefined ? '' : `~${view}`}`;
      await database.query('insert into carrel.challenges (hash, key, expires_at) values ($1, $2, $3)', [
        ...[hashOf(code, of), id, new Date(now() + codeMilliseconds)],
      ]);
      return code;
    },

    /** Whose code it is, and whether the site is read over https. Of two requests with one code, one succeeds. */
    async use(code: string, of: CodeOf): Promise<{ person: string; isSecure: boolean } | undefined> {
      const form = /^[ps][\w-]{43}(~[\w-]+)?$/.exec(code);
      if (!form) return undefined;
      const [used] = await database.query<{ person: string }>(
        'delete from carrel.challenges where hash = $1 and expires_at > $2 returning key as person',
        [hashOf(code, of), new Date(now())],
      );
      return used && { person: used.person + (form[1] ?? ''), isSecure: code.startsWith('s') };
    },
  };
}

/** What a URL may show of the secret in the browser's cookie. */
export function stateOf(secret: string): string {
  return hashOfSecret(`state ${secret}`);
}
