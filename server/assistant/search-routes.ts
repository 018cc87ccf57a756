// Search and pages of a site, for callers that may ask its assistant.
import { exportKey } from '../active-exports/active-exports.ts';
import { pagePathOf } from '../../integration/urls/page-path.ts';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ApiEnvironment } from '../http/api.ts';
import { errorAnswers, errorSchema, jsonAnswer, jsonBody, namedObject } from '../http/error-answers.ts';
import { countRequest, type Limits } from '../organizations/limits.ts';
import type { ServerOptions } from '../platform/options.ts';
import { ApiError, type ErrorStatus } from '../platform/errors.ts';
import type { Assistant } from './answer/assistant.ts';
import { askingPage, pageSecurity, siteWithoutExportError, type SiteAccessParts, domainParams } from '../sites/site-access.ts';
import { searchLimit } from './request/asker.ts';
import { routesOf } from '../http/route.ts';

const label = z.string().max(200).nullish();
const groups = z.array(z.string().max(200)).max(100).nullish();

const searchSchema = z
  .object({
    query: z.string().trim().min(1, { error: 'must not be empty' }).max(1000),
    pageSize: z.int().min(1).max(50).default(10),
    scoreThreshold: z.number().min(0).max(1).nullish().openapi({ description: 'Minimum score of the results.' }),
    filter: z
      .object({
        version: label,
        language: label,
        tag: label.openapi({
          description: 'Tag of the page, such as the method of an operation, ignoring case.',
          example: 'POST',
        }),
        groups: groups.openapi({ description: 'Only narrows the results: it gives access to no page.' }),
      })
      .nullish(),
  })
  .openapi('Search', { example: { query: 'install with npm', pageSize: 10 } as never });

const foundSchema = namedObject('Found', {
  content: z.string(),
  path: z.string().openapi({ description: 'Path of the page, for the page route.', example: 'guides/install' }),
  metadata: z.object({
    title: z.string(),
    sections: z.array(z.string()).openapi({ description: "Headings from the page's first level to the section's own." }),
    anchor: z.string().openapi({ description: 'Anchor of the section; empty for the beginning of the page.', example: 'npm' }),
    language: z.string(),
    version: z.string().optional(),
    tag: z.string().optional().openapi({ description: 'Tag of the page.' }),
    score: z.number().openapi({ description: 'From 0 to 1; the best result has 1.' }),
  }),
});

const pageRequestSchema = z
  .object({ path: z.string().max(2000), groups })
  .openapi('PageRequest', { example: { path: 'guides/install' } as never });

const pageSchema = namedObject('Page', {
  path: z.string(),
  content: z.string().openapi({ description: 'The whole page as Markdown.' }),
});

const pageErrorSchema = errorSchema
  .extend({ message: z.string().openapi({ description: 'Same as `error`.' }) })
  .openapi('PageError');

interface SearchParts extends SiteAccessParts {
  assistant: Pick<Assistant, 'search' | 'page'>;
  limits: Pick<Limits, 'count'>;
  options: Pick<ServerOptions, 'searchesPerHour'>;
}

const route = routesOf<SearchParts>({ tags: ['Assistant'], security: pageSecurity, middleware: askingPage });

const searchSite = route('post /discovery/v1/search/{domain}', {
  summary: 'Search a site',
  description: 'The sections that match the words of the query best, as the search of the site finds them.',
  params: domainParams,
  body: jsonBody(searchSchema),
  answers: { 200: jsonAnswer('Sections, best first.', z.array(foundSchema)) },
  errors: [400, 401, 403, 404, 413, 415, 429],
  async handle({ parts, context, params: { domain }, body: { query, pageSize, scoreThreshold, filter } }) {
    await count(parts, context, 'search');
    const { version, language, groups, tag } = filter ?? {};
    const found = await parts.assistant.search(exportKey(domain, context.get('key').groups), {
      query,
      limit: pageSize,
      filter: { version: version ?? undefined, language: language ?? undefined, groups: groups ?? undefined },
      tag: tag ?? undefined,
    });
    if (!found) throw siteWithoutExportError(domain);
    const least = scoreThreshold ?? 0;
    return found
      .filter(({ score }) => score >= least)
      .map(({ id, page, title, headings, text, language, docsVersion, tag, score }) => ({
        content: text,
        path: page,
        metadata: {
          title,
          sections: headings,
          anchor: id.includes('#') ? id.slice(id.indexOf('#') + 1) : '',
          language,
          version: docsVersion,
          tag,
          score,
        },
      }));
  },
});

const readSitePage = route('post /discovery/v1/page/{domain}', {
  summary: 'Read a page of a site',
  description: 'A page as Markdown, by its path.',
  params: domainParams,
  body: jsonBody(pageRequestSchema),
  answers: { 200: jsonAnswer('The page.', pageSchema), ...pageErrors(400, 401, 403, 404, 413, 415, 429) },
  async handle({ parts, context, params: { domain }, body }) {
    await count(parts, context, 'page');
    const path = pagePathOf(body.path);
    const content = await parts.assistant.page(exportKey(domain, context.get('key').groups), path);
    if (content !== undefined) return { path, content };
    throw new ApiError(
      'PageUnknown',
      `The site "${domain}" has no page "${path.slice(0, 200)}". Send a path from search results, such as guides/install.`,
    );
  },
});

export const searchRoutes = { searchSite, readSitePage };

function count({ limits, options }: SearchParts, context: Context<ApiEnvironment>, what: 'search' | 'page'): Promise<void> {
  return countRequest(context, limits, [searchLimit(options, context.get('key').organization, what)]);
}

function pageErrors(...statuses: ErrorStatus[]) {
  return Object.fromEntries(
    Object.entries(errorAnswers(...statuses)).map(([status, { description }]) => [
      status,
      jsonAnswer(description, pageErrorSchema),
    ]),
  ) as Record<ErrorStatus, ReturnType<typeof jsonAnswer<typeof pageErrorSchema>>>;
}
