// The times that a report covers.
import { z } from '@hono/zod-openapi';
import { ApiError } from '../platform/errors.ts';

const day = 86_400_000;

// In a query, an unencoded "+" is a space.
const time = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.replace(/ (?=\d\d:\d\d$)/, '+') : value),
    z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'must be a day such as 2030-01-31 (UTC), or a time such as 2030-01-31T00:00:00+02:00',
    }),
  )
  .optional();

export const periodQuery = {
  from: time.openapi({
    type: 'string',
    description: 'First day, or a time; by default 30 days before `to`.',
    example: '2030-01-01',
  }),
  to: time.openapi({
    type: 'string',
    description: 'Last day, which is included, or a time; by default now.',
    example: '2030-01-31',
  }),
};

export interface Period {
  from: Date;
  /** Excluded. */
  to: Date;
}

/** Days are those of UTC. Throws `ApiError` 400 `RequestInvalid` if the period ends before it begins. */
export function periodOf({ from, to }: { from?: string | undefined; to?: string | undefined }, now: number): Period {
  const end = to === undefined ? now + 1 : to.includes('T') ? Date.parse(to) : Date.parse(to) + day;
  const start = from === undefined ? Math.floor((end - 1) / day) * day - 29 * day : Date.parse(from);
  if (start < end) return { from: new Date(start), to: new Date(end) };
  throw new ApiError(
    'RequestInvalid',
    `The request is not valid. The query parameter "from" (${new Date(start).toISOString()}) must be before "to" (${new Date(end).toISOString()}).`,
  );
}
