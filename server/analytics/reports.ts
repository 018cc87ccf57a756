// What the stored events say about a site. Each report is a list in a fixed order.
import type { Queryable } from '../database/database.ts';
import type { Period } from './period.ts';

/** A part of a list. */
interface Wanted extends Period {
  domain: string;
  offset: number;
  limit: number;
}

const during = `domain = $1 and at >= $2 and at < $3`;
const utcDay = `to_char(at at time zone 'UTC', 'YYYY-MM-DD')`;

export function readViews(database: Queryable, wanted: Wanted & { found?: boolean | undefined }) {
  return database.query(
    `select ${utcDay} as date, path, found, count(*)::integer as views, count(distinct visitor)::integer as visitors
     from carrel.events where ${during} and type = 'view' and ($6::boolean is null or found = $6)
     group by 1, 2, 3 order by 1 desc, 4 desc, 2 limit $4 offset $5`,
    [...parametersOf(wanted), wanted.found ?? null],
  );
}

/** Every day of the period, with or without visitors. */
export function readVisitors(database: Queryable, wanted: Wanted) {
  return database.query(
    `with days as (
       select to_char(day, 'YYYY-MM-DD') as date
       from generate_series(date_trunc('day', $2::timestamptz at time zone 'UTC'), ($3::timestamptz at time zone 'UTC') - interval '1 millisecond', interval '1 day') as day
     ), counted as (
       select ${utcDay} as date, count(distinct visitor)::integer as visitors, count(*) filter (where type = 'view')::integer as views
       from carrel.events where ${during} group by 1
     )
     select date, coalesce(visitors, 0) as visitors, coalesce(views, 0) as views
     from days left join counted using (date) order by date desc limit $4 offset $5`,
    parametersOf(wanted),
  );
}

export function readSearches(database: Queryable, wanted: Wanted & { onlyWithoutResults: boolean }) {
  return database.query(
    `select (array_agg(query order by at desc))[1] as query, count(*)::integer as hits,
       count(*) filter (where results = 0)::integer as "withoutResults",
       round(count(path)::numeric / count(*), 4)::float8 as ctr,
       mode() within group (order by path) as "topClickedPage", max(at) as "lastSearchedAt"
     from carrel.events where ${during} and type = 'search' and ($6::boolean is false or results = 0)
     group by lower(query) order by 2 desc, lower(query) limit $4 offset $5`,
    [...parametersOf(wanted), wanted.onlyWithoutResults],
  );
}

export function readQuestions(database: Queryable, wanted: Wanted & { onlyWithoutAnswer: boolean }) {
  return database.query(
    `select (array_agg(query order by at desc))[1] as query, count(*)::integer as asked,
       count(*) filter (where answer = 'model')::integer as model,
       count(*) filter (where answer = 'quotes')::integer as quotes,
       count(*) filter (where answer = 'none')::integer as "none",
       mode() within group (order by path) as "topPage", max(at) as "lastAskedAt"
     from carrel.events where ${during} and type = 'question' and ($6::boolean is false or answer = 'none')
     group by lower(query) order by 2 desc, lower(query) limit $4 offset $5`,
    [...parametersOf(wanted), wanted.onlyWithoutAnswer],
  );
}

/** Pages that helped least come first. */
export function readFeedbackByPage(database: Queryable, wanted: Wanted) {
  return database.query(
    `select path, count(*) filter (where helpful)::integer as helpful, count(*) filter (where not helpful)::integer as "notHelpful",
       count(comment)::integer as comments, max(given_at) as "lastGivenAt"
     from carrel.page_feedback where domain = $1 and given_at >= $2 and given_at < $3
     group by path order by 3 desc, 2 desc, path limit $4 offset $5`,
    parametersOf(wanted),
  );
}

export function readComments(database: Queryable, wanted: Wanted) {
  return database.query(
    `select path, helpful, comment, given_at as "givenAt"
     from carrel.page_feedback where domain = $1 and given_at >= $2 and given_at < $3 and comment is not null
     order by given_at desc, path, visitor limit $4 offset $5`,
    parametersOf(wanted),
  );
}

/** Questions that the assistant of the server got. */
export async function readCallers(
  database: Queryable,
  { organization, domain, from, to }: Period & { organization: string; domain: string },
) {
  const [row] = await database.query<Record<'web' | 'api' | 'other' | 'total', number>>(
    `select count(*) filter (where caller = 'web')::integer as web, count(*) filter (where caller = 'api')::integer as api,
       count(*) filter (where caller is null)::integer as other, count(*)::integer as total
     from carrel.answers a join carrel.threads t on t.id = a.thread
     where t.organization = $4 and t.domain = $1 and a.asked_at >= $2 and a.asked_at < $3`,
    [domain, from, to, organization],
  );
  return row!;
}

function parametersOf({ domain, from, to, limit, offset }: Wanted): unknown[] {
  return [domain, from, to, limit, offset];
}
