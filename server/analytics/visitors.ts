// Who reads, without a name: a hash of IP address and browser with the salt of the UTC day. Once the salt is deleted, after its day, no one can
// compute the hash again, not even with the secrets of the server.
import { createHmac, randomBytes } from 'node:crypto';
import type { Queryable } from '../database/database.ts';
import { addressSubject } from '../organizations/limits.ts';

export interface Reader {
  address: string;
  userAgent: string;
}

export function createVisitors(database: Queryable, now: () => number) {
  let known: { day: string; salt: Promise<string> } | undefined;

  return {
    /** The same for a reader of a site within a UTC day. Throws `DatabaseUnavailable` if it does not have the salt of the day. */
    async hashOf(domain: string, { address, userAgent }: Reader): Promise<string> {
      const salt = await saltOf(dayOf(now()));
      const reader = JSON.stringify([domain, addressSubject(address), userAgent]);
      return createHmac('sha256', salt).update(reader).digest('base64url').slice(0, 22);
    },

    /** Removes the salts of past days. */
    async removeOld(): Promise<void> {
      await database.query('delete from carrel.visitor_salts where day < $1::date', [dayOf(now())]);
    },
  };

  function saltOf(day: string): Promise<string> {
    if (known?.day === day) return known.salt;
    const current = { day, salt: makeSalt(day) };
    known = current;
    current.salt.catch(() => {
      if (known === current) known = undefined;
    });
    return current.salt;
  }

  /** All processes have the same salt: the first one to need it makes it, and removes those of past days. */
  async function makeSalt(day: string): Promise<string> {
    const salt = randomBytes(32).toString('base64url');
    const [row] = await database.query<{ salt: string }>(
      `with past as (delete from carrel.visitor_salts where day < $1::date)
       insert into carrel.visitor_salts as known (day, salt) values ($1::date, $2)
       on conflict (day) do update set salt = known.salt returning salt`,
      [day, salt],
    );
    return row!.salt;
  }
}

/** The UTC day of a time, as 2030-01-31. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
