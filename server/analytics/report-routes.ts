// Analytics of a site for its operators, as JSON or CSV.
import { z } from '@hono/zod-openapi';
import { namedObject } from '../http/error-answers.ts';
import type { Context } from 'hono';
import Papa from 'papaparse';
import { domainOf, siteAdminKey, type SiteAccessParts, domainParams } from '../sites/site-access.ts';
import type { Queryable } from '../database/database.ts';
import { pageOf, readCursor } from '../database/paging.ts';
import type { ApiEnvironment } from '../http/api.ts';
import { countRequest, type Limits } from '../organizations/limits.ts';
import { routesOf } from '../http/route.ts';
import type { ServerOptions } from '../platform/options.ts';
import { periodOf, periodQuery, type Period } from './period.ts';
import {
  readCallers,
  readComments,
  readFeedbackByPage,
  readQuestions,
  readSearches,
  readViews,
  readVisitors,
} from './reports.ts';

interface ReportParts extends SiteAccessParts {
  database: Queryable;
  limits: Pick<Limits, 'count'>;
  options: Pick<ServerOptions, 'analyticsPerHour'>;
}

const mostRows = 10_000;
const usualRows = { json: 100, csv: mostRows };

const formatQuery = z.enum(['json', 'csv'], { error: 'must be json or csv' }).default('json');
const listQuery = z.object({
  ...periodQuery,
  format: formatQuery,
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(mostRows)
    .optional()
    .openapi({ description: `Number of rows, ${usualRows.json} by default; for CSV ${usualRows.csv}.` }),
  cursor: z
    .string()
    .max(200)
    .optional()
    .openapi({ description: 'The `cursor` of the page before; for CSV, its `X-Next-Cursor`.' }),
});

const date = z.iso.date().openapi({ description: 'A UTC day.', example: '2030-01-31' });
const count = z.int();
const page = z.string().openapi({ example: 'guides/install' });
const flag = (description: string) => z.enum(['true', 'false']).optional().openapi({ description });

const viewSchema = namedObject('PageViews', {
  date,
  path: page,
  found: z.boolean().openapi({ description: 'False for a path that the site did not have.' }),
  views: count,
  visitors: count,
});
const visitorsSchema = namedObject('DailyVisitors', { date, visitors: count, views: count });
const searchSchema = namedObject('SearchedQuery', {
  query: z.string().openapi({ description: 'As last typed; upper and lower case count as one.', example: 'install' }),
  hits: count.openapi({ description: 'How often it was searched for.' }),
  withoutResults: count.openapi({ description: 'How often nothing was found.' }),
  ctr: z.number().openapi({ description: 'Share of these searches after which a result was opened, from 0 to 1.' }),
  topClickedPage: page.nullable(),
  lastSearchedAt: z.iso.datetime(),
});
const questionSchema = namedObject('AskedQuestion', {
  query: z.string().openapi({ example: 'How do I install it?' }),
  asked: count.openapi({ description: 'How often it was asked.' }),
  model: count.openapi({ description: 'How often a model answered.' }),
  quotes: count.openapi({ description: 'How often quotes of the docs were the answer.' }),
  none: count.openapi({ description: 'How often there was no answer.' }),
  topPage: page.nullable().openapi({ description: 'Page on which it was asked most.' }),
  lastAskedAt: z.iso.datetime(),
});
const pageFeedbackSchema = namedObject('PageFeedback', {
  path: page,
  helpful: count,
  notHelpful: count,
  comments: count,
  lastGivenAt: z.iso.datetime(),
});
const commentSchema = namedObject('PageComment', {
  path: page,
  helpful: z.boolean(),
  comment: z.string(),
  givenAt: z.iso.datetime(),
});
const callersSchema = namedObject('Callers', {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  web: count.openapi({ description: 'Questions from web pages.' }),
  api: count.openapi({ description: 'Questions from programs.' }),
  other: count.openapi({ description: 'Questions whose caller was not recorded.' }),
  total: count,
});

export type ViewAnswer = z.infer<typeof viewSchema>;
export type VisitorsAnswer = z.infer<typeof visitorsSchema>;
export type SearchAnswer = z.infer<typeof searchSchema>;
export type QuestionAnswer = z.infer<typeof questionSchema>;
export type PageFeedbackAnswer = z.infer<typeof pageFeedbackSchema>;

const period = { from: z.iso.datetime(), to: z.iso.datetime().openapi({ description: 'Excluded.' }) };
const nextCursor = z
  .string()
  .optional()
  .openapi({ description: 'Returns the next rows when sent as `cursor`; absent at the end.' });

type Rows = Period & { domain: string; limit: number; offset: number };

interface Report<Query extends z.ZodObject, Body extends z.ZodType> {
  summary: string;
  description: string;
  query: Query;
  body: Body;
  handle(request: ReportRequest<z.output<Query>>): Promise<Response>;
}

interface ReportRequest<Query> {
  parts: ReportParts;
  context: Context<ApiEnvironment>;
  query: Query;
}

const route = routesOf<ReportParts>({ tags: ['Analytics'], security: [{ adminKey: ['read'] }], middleware: siteAdminKey });

function report<Query extends z.ZodObject, Body extends z.ZodType>(
  name: string,
  { body, handle, ...about }: Report<Query, Body>,
) {
  return route(`get /v1/analytics/{domain}/${name}`, {
    ...about,
    params: domainParams,
    answers: {
      200: {
        description: 'The report.',
        content: {
          'application/json': { schema: body },
          'text/csv': {
            schema: z.string().openapi({ description: 'A line with the names of the columns, and one for each row.' }),
          },
        },
      },
    },
    errors: [400, 401, 403, 404, 429],
    async handle(request) {
      const { limits, options } = request.parts;
      const subject = `analytics ${request.context.get('key').organization}`;
      await countRequest(request.context, limits, [
        { name: 'organization', subject, most: options.analyticsPerHour, seconds: 3600 },
      ]);
      return handle(request);
    },
  });
}

export const reportRoutes = {
  readViews: report('views', {
    summary: 'Views of pages',
    description: 'Views and visitors of each page on each day, latest day first, most viewed page first.',
    query: listQuery.extend({
      found: flag('`false`: only paths that the site did not have, such as those of broken links. `true`: only its pages.'),
    }),
    body: namedObject('ViewsReport', { ...period, views: z.array(viewSchema), cursor: nextCursor }),
    handle: ({ query: { found, ...query }, ...request }) =>
      list({ ...request, query }, 'views', viewSchema, (database, wanted) =>
        readViews(database, { ...wanted, found: found === undefined ? undefined : found === 'true' }),
      ),
  }),

  readVisitors: report('visitors', {
    summary: 'Visitors',
    description:
      'Visitors of each day, latest first. Visitors can’t be recognized on another day, so their numbers only add up to visits.',
    query: listQuery,
    body: namedObject('VisitorsReport', { ...period, visitors: z.array(visitorsSchema), cursor: nextCursor }),
    handle: (request) => list(request, 'visitors', visitorsSchema, readVisitors),
  }),

  readSearches: report('searches', {
    summary: 'Searches',
    description: 'What readers search for, most frequent first.',
    query: listQuery.extend({ withoutResults: flag('`true`: only searches that found nothing.') }),
    body: namedObject('SearchesReport', { ...period, searches: z.array(searchSchema), cursor: nextCursor }),
    handle: ({ query: { withoutResults, ...query }, ...request }) =>
      list({ ...request, query }, 'searches', searchSchema, (database, wanted) =>
        readSearches(database, { ...wanted, onlyWithoutResults: withoutResults === 'true' }),
      ),
  }),

  readQuestions: report('questions', {
    summary: 'Questions',
    description: 'What readers ask on pages, and who answered, most frequent first.',
    query: listQuery.extend({ withoutAnswer: flag('`true`: only questions that the docs do not answer.') }),
    body: namedObject('QuestionsReport', { ...period, questions: z.array(questionSchema), cursor: nextCursor }),
    handle: ({ query: { withoutAnswer, ...query }, ...request }) =>
      list({ ...request, query }, 'questions', questionSchema, (database, wanted) =>
        readQuestions(database, { ...wanted, onlyWithoutAnswer: withoutAnswer === 'true' }),
      ),
  }),

  readPageFeedback: report('feedback', {
    summary: 'Feedback about pages',
    description: 'How many readers a page helped, least helpful page first; or the comments, latest first.',
    query: listQuery.extend({
      by: z.enum(['page', 'comment'], { error: 'must be page or comment' }).default('page'),
    }),
    body: namedObject('FeedbackReport', {
      ...period,
      feedback: z.union([z.array(pageFeedbackSchema), z.array(commentSchema)]),
      cursor: nextCursor,
    }),
    handle: ({ query: { by, ...query }, ...request }) =>
      by === 'page'
        ? list({ ...request, query }, 'feedback', pageFeedbackSchema, readFeedbackByPage)
        : list({ ...request, query }, 'feedback', commentSchema, readComments),
  }),

  readCallers: report('callers', {
    summary: 'Callers of the assistant',
    description: 'How many questions the assistant of the site got on this server, as long as their conversations are stored.',
    query: z.object({ ...periodQuery, format: formatQuery }),
    body: callersSchema,
    async handle({ parts, context, query: { format, ...query } }) {
      const covered = periodOf(query, parts.now());
      const { organization } = context.get('key');
      const counted = await readCallers(parts.database, { ...covered, domain: domainOf(context), organization });
      return format === 'csv'
        ? csv(context, 'callers', Object.keys(counted), [counted])
        : context.json({ ...periodAnswer(covered), ...counted });
    },
  }),
};

async function list<Name extends string, Row extends z.ZodRawShape>(
  { parts, context, query: { format, cursor, limit = usualRows[format], ...query } }: ReportRequest<z.output<typeof listQuery>>,
  name: Name,
  schema: z.ZodObject<Row>,
  read: (database: Queryable, wanted: Rows) => Promise<object[]>,
): Promise<Response> {
  const covered = periodOf(query, parts.now());
  const offset = cursor === undefined ? 0 : Number(readCursor(cursor, /^rows (\d{1,9})$/)[0]);
  const found = await read(parts.database, { ...covered, domain: domainOf(context), limit: limit + 1, offset });
  const { page: rows, cursor: next } = pageOf(found, limit, () => `rows ${offset + limit}`);
  if (format === 'csv') {
    if (next !== undefined) context.header('x-next-cursor', next);
    return csv(context, name, Object.keys(schema.shape), rows);
  }
  return context.json({ ...periodAnswer(covered), [name]: rows, ...(next !== undefined && { cursor: next }) });
}

function periodAnswer({ from, to }: Period) {
  return { from: from.toISOString(), to: to.toISOString() };
}

/** A cell that a spreadsheet would take for a formula begins with an apostrophe. */
function csv(context: Context<ApiEnvironment>, name: string, columns: string[], rows: object[]) {
  const cells = rows.map((row) => columns.map((column) => cellOf((row as Record<string, unknown>)[column])));
  const text = Papa.unparse([columns, ...cells], { escapeFormulae: /^[=+\-@\t\r]/, newline: '\r\n' });
  return context.body(`${text}\r\n`, 200, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${domainOf(context)}-${name}.csv"`,
  });
}

function cellOf(value: unknown): unknown {
  return value instanceof Date ? value.toISOString() : value;
}
