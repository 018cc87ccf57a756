// Events that pages send about their readers, with `navigator.sendBeacon`, which sends no header.
import { z } from '@hono/zod-openapi';
import { isbot } from 'isbot';
import { createActiveExports, exportKey } from '../active-exports/active-exports.ts';
import { siteWithoutExportError, domainParams, keyOfPage } from '../sites/site-access.ts';
import type { Api } from '../http/api.ts';
import type { Jobs } from '../jobs/model/jobs.ts';
import { addressSubject, countRequest, type Limits } from '../organizations/limits.ts';
import { ApiError } from '../platform/errors.ts';
import type { ServerOptions } from '../platform/options.ts';
import type { PageTokens } from '../sites/page-tokens.ts';
import { readerSeconds } from '../sites/reader-tokens.ts';
import type { PeopleParts } from '../sites/site-people.ts';
import { visibilityOf } from '../sites/site-readers.ts';
import { recordsEvents, type RegisteredSite, type Sites } from '../sites/sites.ts';
import type { Storage } from '../storage/storage.ts';
import { eventsSchema } from './event-schemas.ts';
import type { Events } from './events.ts';
import { addRoutes, routesOf } from '../http/route.ts';
import { jsonAnswer, jsonBody, namedObject } from '../http/error-answers.ts';

export interface EventParts extends PeopleParts {
  pageTokens: Pick<PageTokens, 'keyOf'>;
  sites: Pick<Sites, 'get' | 'lastKnown'>;
  jobs: Pick<Jobs, 'get' | 'latestFor'>;
  storage: Storage;
  limits: Pick<Limits, 'count'>;
  options: Pick<ServerOptions, 'eventsPerHour' | 'eventsPerMinute'>;
  events: Pick<Events, 'add'>;
}

// Sites whose pages are known.
const mostSites = 200;

const route = routesOf<EventParts & { exported: ReturnType<typeof knownPages> }>({ tags: ['Analytics'], security: [] });

export function addEventRoutes(api: Api, parts: EventParts): void {
  addRoutes(api, { ...parts, exported: knownPages(parts) }, { createReaderEvents });
}

function knownPages(parts: EventParts) {
  return createActiveExports(parts, {
    most: mostSites,
    make: (_domain, { manifest }) => new Set(manifest.pages.map(({ path }) => path)),
  });
}

const createReaderEvents = route('post /discovery/v1/events/{domain}', {
  summary: 'Record what a reader does',
  description:
    'For sites whose `features.analytics.mode` is `own` or `both`. Needs no key, but on private sites the token of the page, which is not stored. The body may have the type `text/plain`, as `navigator.sendBeacon` sends it. Nothing is recorded about crawlers, and about browsers that send `DNT: 1` or `Sec-GPC: 1`. No IP address is stored.',
  params: domainParams,
  body: { required: true, content: { ...jsonBody(eventsSchema).content, 'text/plain': { schema: eventsSchema } } },
  answers: {
    202: jsonAnswer(
      'The events will be stored.',
      namedObject('AcceptedEvents', { accepted: z.int().openapi({ description: 'Number of events that are recorded.' }) }),
    ),
  },
  errors: [400, 403, 404, 413, 415, 429],
  async handle({ parts, context, params: { domain }, body: { events: given, key } }) {
    const { sites, limits, options, events, exported } = parts;
    const userAgent = context.req.header('user-agent') ?? '';
    const isUnwanted = context.req.header('dnt') === '1' || context.req.header('sec-gpc') === '1';
    if (isUnwanted || userAgent === '' || isbot(userAgent)) return { accepted: 0 };

    const address = context.get('address');
    const amount = given.length;
    // Before the site is looked up: a flood of made-up domains has a limit, too.
    await countRequest(context, limits, [
      { name: 'site', subject: `events ${domain}`, most: options.eventsPerHour, seconds: 3600, amount },
      { name: 'address', subject: `events ${addressSubject(address)}`, most: options.eventsPerMinute, seconds: 60, amount },
    ]);
    const site = await sites.get(domain);
    const groups = site && (await groupsOf(parts, site, { token: key ?? '', address }));
    if (!groups) throw new ApiError('SiteUnknown', `There is no site "${domain.slice(0, 100)}". Correct the domain.`);
    if (!recordsEvents(site)) {
      throw new ApiError(
        'AnalyticsOff',
        `The site "${domain}" records no events. Set features.analytics.mode of the site to "own" or "both": PATCH /v1/sites/${domain}`,
      );
    }
    const pages = await exported.open(exportKey(domain, groups));
    if (!pages) throw siteWithoutExportError(domain);
    return { accepted: await events.add({ domain, address, userAgent, events: given, isPage: (path) => pages.made.has(path) }) };
  },
});

/** The groups of a reader, who may have had the page open for long; undefined for strangers to a private site, which for them does not exist. */
async function groupsOf(
  parts: EventParts,
  site: RegisteredSite,
  { token, address }: { token: string; address: string },
): Promise<string[] | undefined> {
  if (visibilityOf(site.settings) === 'public') return [];
  try {
    return (await keyOfPage(parts, site, { token, address, lateSeconds: readerSeconds })).groups;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return undefined;
    throw error;
  }
}
