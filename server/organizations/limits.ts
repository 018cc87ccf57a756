// Rate limits, counted in the database, so that all processes count together.
import { createHmac } from 'node:crypto';
import type { Context } from 'hono';
import ipaddr from 'ipaddr.js';
import type { Queryable } from '../database/database.ts';
import { ApiError } from '../platform/errors.ts';

export interface Limit {
  /** Its name in headers: `organization`. */
  name: string;
  /** What is counted, stored only as a hash. */
  subject: string;
  most: number;
  /** How much this request counts. @default 1 */
  amount?: number;
  /** Length of the window, which begins at a multiple of it since 1970: 3600 is a full hour, 86,400 a UTC day. */
  seconds: number;
}

export type Limits = ReturnType<typeof createLimits>;

interface Window extends Limit {
  /** Milliseconds since 1970. */
  endsAt: number;
  hash: string;
}

// Maximum number of cached subjects that have reached a limit: invented ones can't fill the memory.
const mostFull = 10_000;

export function createLimits(database: Queryable, secret: string, now: () => number) {
  /** When the exhausted window of a subject ends: until then, another query would change nothing. */
  const full = new Map<string, number>();

  return {
    /**
     * Counts one request for all of these limits, or for none when one of them is reached; one that counts more than is left is the last. Returns the headers `ratelimit` and
     * `ratelimit-policy`. Throws `ApiError` 429 `TooManyRequests` with them and `retry-after`.
     */
    async count(limits: Limit[]): Promise<Record<string, string>> {
      const at = now();
      const windows = limits.map((limit) => windowOf(limit, secret, at));
      const known = windows.find(({ hash, endsAt }) => full.get(hash) === endsAt);
      if (known) throw tooManyRequestsError(known, windows, at);

      const counts = await countAll(database, windows);
      const reached = windows.find(({ hash }) => !counts.has(hash));
      if (!reached) return headersOf(windows, (window) => window.most - (counts.get(window.hash) ?? 0), at);
      const last = await reachedOf(database, windows);
      if (last) full.set(last.hash, last.endsAt);
      const oldest = full.keys().next();
      if (!oldest.done && full.size > mostFull) full.delete(oldest.value);
      throw tooManyRequestsError(last ?? reached, windows, at);
    },

    /** Removes the counts of windows that have ended. */
    async removeOld(): Promise<void> {
      await database.query('delete from carrel.counts where ends_at < $1', [new Date(now())]);
      for (const [hash, endsAt] of full) if (endsAt <= now()) full.delete(hash);
    },
  };
}

/** Counts a request, and sets the headers of its response. Throws what `count` throws. */
export async function countRequest(context: Context, limits: Pick<Limits, 'count'>, wanted: Limit[]): Promise<void> {
  for (const [name, value] of Object.entries(await limits.count(wanted))) context.header(name, value);
}

/** The subscriber behind an address: with IPv6, one subscriber has a whole /64. */
export function addressSubject(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address}/64`).toString();
}

function windowOf(limit: Limit, secret: string, at: number): Window {
  const length = limit.seconds * 1000;
  const hash = createHmac('sha256', secret).update(`limit ${limit.name} ${limit.seconds} ${limit.subject}`).digest('base64url');
  return { ...limit, hash, endsAt: (Math.floor(at / length) + 1) * length };
}

/**
 * The counts including this request; fewer than windows when one of them is full. It is one statement, which locks its rows in a fixed
 * order. Of two concurrent requests for the last place, the second finds the row that the first updated, and gets no count: its other
 * counts are then one too high, never one too low.
 */
async function countAll(database: Queryable, windows: Window[]): Promise<Map<string, number>> {
  const sorted = windows.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  const rows = await database.query<{ subject: string; count: number }>(
    `with wanted as (
       select subject, ends_at::timestamptz, most::integer, amount
       from jsonb_to_recordset($1::jsonb) as given (subject text, ends_at text, most integer, amount integer)
     )
     insert into carrel.counts as known (subject, ends_at, count)
     select subject, ends_at, amount from wanted
     where most > 0 and not exists (
       select from wanted w join carrel.counts c using (subject, ends_at) where c.count >= w.most
     )
     order by subject
     on conflict (subject, ends_at) do update set count = known.count + excluded.count
       where known.count < (select most from wanted where wanted.subject = known.subject)
     returning subject, count`,
    [
      JSON.stringify(
        sorted.map(({ hash, endsAt, most, amount = 1 }) => ({
          ...{ subject: hash, ends_at: new Date(endsAt).toISOString(), most, amount },
        })),
      ),
    ],
  );
  return new Map(rows.map(({ subject, count }) => [subject, count]));
}

/** Of the windows that are full, the one that ends last. */
async function reachedOf(database: Queryable, windows: Window[]): Promise<Window | undefined> {
  const rows = await database.query<{ subject: string; endsAt: Date; count: number }>(
    'select subject, ends_at as "endsAt", count from carrel.counts where subject = any($1::text[])',
    [windows.map(({ hash }) => hash)],
  );
  const full = windows.filter(({ hash, endsAt, most }) =>
    rows.some((row) => row.subject === hash && row.endsAt.getTime() === endsAt && row.count >= most),
  );
  return full.toSorted((a, b) => b.endsAt - a.endsAt)[0];
}

function tooManyRequestsError(reached: Window, windows: Window[], at: number): ApiError {
  const seconds = secondsLeft(reached, at);
  const headers = headersOf(windows, (window) => (window === reached ? 0 : undefined), at);
  return new ApiError(
    'TooManyRequests',
    `The limit of ${reached.most} requests ${lengths[reached.seconds] ?? `in ${reached.seconds} s`} for ${meanings[reached.name] ?? reached.name} is reached. Try again in ${seconds} s.`,
    { headers: { ...headers, 'retry-after': String(seconds) } },
  );
}

const lengths: Record<number, string> = { 60: 'per minute', 3600: 'per hour', 86_400: 'per day' };
const meanings: Record<string, string> = {
  organization: 'the organization of this key',
  address: 'your IP address',
  site: 'this site',
  reader: 'one reader',
};

/** In the format of draft-ietf-httpapi-ratelimit-headers-10. Windows that were not counted have no remaining number. */
function headersOf(windows: Window[], left: (window: Window) => number | undefined, at: number): Record<string, string> {
  const remaining = windows.flatMap((window) => {
    const remaining = left(window);
    return remaining === undefined ? [] : [`"${window.name}";r=${Math.max(0, remaining)};t=${secondsLeft(window, at)}`];
  });
  return {
    'ratelimit-policy': windows.map(({ name, most, seconds }) => `"${name}";q=${most};w=${seconds}`).join(', '),
    ratelimit: remaining.join(', '),
  };
}

function secondsLeft({ endsAt }: Window, at: number): number {
  return Math.max(1, Math.ceil((endsAt - at) / 1000));
}
