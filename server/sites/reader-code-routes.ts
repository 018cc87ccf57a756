// How people come back to a site for members after they have signed in.
import { z } from '@hono/zod-openapi';
import type { Api } from '../http/api.ts';
import { jsonAnswer, jsonBody, namedStrictObject, namedObject } from '../http/error-answers.ts';
import { domainSchema, groupsSchema } from '../http/field-schemas.ts';
import { addRoutes } from '../http/route.ts';
import { recordEvent } from '../organizations/audited.ts';
import { checkScope } from '../organizations/authenticate.ts';
import { countRequest, type Limits } from '../organizations/limits.ts';
import { adminRoutesOf, type AdminRouteParts } from '../organizations/admin-route.ts';
import { ApiError, fieldsInvalid } from '../platform/errors.ts';
import { originsOf } from './page-tokens.ts';
import type { ReaderCodes } from './reader-codes.ts';
import { groupsOfPerson, viewerId } from './site-people.ts';
import { siteUnknownError } from './site-routes.ts';
import { visibilityOf } from './site-readers.ts';
import { siteOf, type RegisteredSite, type Sites } from './sites.ts';

interface ReaderCodeParts extends AdminRouteParts {
  sites: Pick<Sites, 'get'>;
  readerCodes: ReaderCodes;
  limits: Pick<Limits, 'count'>;
}

/** Of a person. */
const codesPerMinute = 60;

/** The parameter of a site's URL that carries a code. */
export const codeParameter = 'carrel-code';

const newCodeSchema = namedStrictObject('NewReaderCode', {
  domain: domainSchema.openapi({ example: 'docs.example.com' }),
  state: z
    .string()
    .regex(/^[0-9a-f]{64}$/, { error: 'must be what the site has sent' })
    .openapi({ description: 'What the site began with.' }),
  to: z.string().max(4096).default('').openapi({ description: 'Path and query of the page, below the URL of the site.' }),
  from: z.string().max(300).optional().openapi({
    description: 'Origin at which the reader sees the site, if it is one of its origins; by default that of all sites.',
    example: 'https://docs.example.com',
  }),
  view: groupsSchema.optional().openapi({
    description: 'Groups of an audience: the site is seen as its readers see it, for an hour. This requires the scope `write`.',
  }),
});

const codeSchema = namedObject('ReaderCode', {
  url: z.string().openapi({ description: 'Opens the site, signed in: once, within a minute, in the browser that began there.' }),
});

export type ReaderCodeAnswer = z.infer<typeof codeSchema>;

const route = adminRoutesOf<ReaderCodeParts>('Sites');

export function addReaderCodeRoutes(api: Api, parts: ReaderCodeParts): void {
  addRoutes(api, parts, { createReaderCode });
}

const createReaderCode = route('post /v1/reader-codes', {
  summary: 'Go back to a site for members',
  description: 'For the dashboard, to which a private site sends people to sign in. Only for those who may read the site.',
  scope: 'read',
  body: jsonBody(newCodeSchema),
  answers: { 201: jsonAnswer('The way back.', codeSchema) },
  errors: [404, 429],
  async handle({ parts, context, key, body: { domain, state, to, from, view } }) {
    await countRequest(context, parts.limits, [
      { name: 'reader', subject: `reader code ${key.id}`, most: codesPerMinute, seconds: 60 },
    ]);
    if (view) checkScope(key, 'write', domain);
    const site = await siteOf(parts.sites, { domain, organization: key.organization });
    const readBy: string[] = ['members', 'groups', ...(view ? ['password'] : [])];
    if (!site || !readBy.includes(visibilityOf(site.settings))) throw siteUnknownError(domain);
    const person = view ? viewerId(key.id, view) : key.id;
    const groups = await groupsOfPerson(parts, site, { id: person, address: context.get('address') });
    if (view && !groups) throw fieldsInvalid([{ path: 'view', message: `are not those of an audience of "${domain}"` }]);
    if (!groups)
      throw new ApiError(
        'SiteNotForYou',
        `You may not read "${domain}": it is for members of some groups. An owner can add you to one.`,
      );
    const url = new URL(siteUrlAt(site, from, parts.sitesUrl));
    const isSecure = url.protocol === 'https:';
    url.searchParams.set(codeParameter, await parts.readerCodes.create(person, { domain, state, isSecure }));
    if (view) {
      const target = `${domain}/${view.join(',')}`;
      await recordEvent(parts, context, 'site.view', { organization: key.organization, target, key: key.id, name: key.name });
    }
    if (to !== '') url.searchParams.set('to', to);
    context.header('cache-control', 'no-store');
    return { url: url.href };
  },
});

/** Where readers who came from an origin see the site: no other address is an answer, or a code could be sent to a stranger. */
function siteUrlAt(site: RegisteredSite, from: string | undefined, sitesUrl: string): string {
  const { domain, settings } = site;
  const hosted = new URL(`${sitesUrl}/sites/${domain}/`);
  const own = URL.parse(settings.siteUrl ?? '');
  if (from !== undefined && own?.origin === from) return own.href.replace(/\/?$/, '/');
  // Not over http: others on the way could read the code.
  if (from === `https://${domain}`) return `${from}/`;
  // A machine has several names for itself.
  const isLocal = from !== undefined && from !== `http://${domain}` && originsOf(site, sitesUrl).includes(from);
  return isLocal ? `${from}${hosted.pathname}` : hosted.href;
}
