// The port for sites: it serves the active export of each site below `/sites/{domain}/`. It needs no key, except for private sites.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { createActiveExports, exportKey } from '../active-exports/active-exports.ts';
import type { Jobs } from '../jobs/model/jobs.ts';
import type { Logger } from '../platform/log.ts';
import type { ServerOptions } from '../platform/options.ts';
import { pagesAskModel } from '../sites/model-settings.ts';
import type { PageReader, PageTokens } from '../sites/page-tokens.ts';
import { isOwnHost, namesOf } from '../http/own-host.ts';
import { domainSchema } from '../http/field-schemas.ts';
import { visibilityOf } from '../sites/site-readers.ts';
import { recordsEvents, type RegisteredSite, type Sites } from '../sites/sites.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { createEncoder, siteHandler, type SiteHandler } from './handler.ts';
import type { SiteQuoter } from './site-questions.ts';
import { createLinkedExports, type LinkedExportsParts } from './linked-exports.ts';
import { createPrivateSites, type Connected, type PrivateSitesParts } from './private-sites.ts';
import type { SiteLook } from './sign-in-page.ts';
import { withProvidersOff, withSettings, type HostSettings } from './with-settings.ts';

// A manifest of 20,000 files takes a few MB.
const mostOpened = 32;

export interface HostedSitesParts extends LinkedExportsParts, PrivateSitesParts {
  sites: Sites;
  jobs: Jobs;
  log: Logger;
  pageTokens: Pick<PageTokens, 'create'>;
  options: ServerOptions;
  publicUrl: string;
  /** Answers questions of programs. */
  quote?: SiteQuoter;
}

/** What the server knows of the connection of a request. */
interface Bindings {
  incoming?: Pick<IncomingMessage, 'socket'>;
}

/**
 * Serves the sites' active exports. Each request is served from one export: a newer one serves later requests, after at most a second, and
 * open requests end with the previous one.
 */
export function createHostedSites(parts: HostedSitesParts): (request: Request, bindings?: Bindings) => Promise<Response> {
  const { log, options, quote } = parts;
  const encode = createEncoder();
  const settingsOf = createSiteSettings(parts);
  /** Who reads, while a request is answered: the handler of an export serves all its readers. */
  const reading = new AsyncLocalStorage<string | undefined>();
  const active = createActiveExports(parts, {
    most: mostOpened,
    make: (domain, { opened, manifest: { site, accent }, groups }) => ({
      look: { name: site, accent },
      answer: siteHandler(
        withSettings(withProvidersOff(opened), () => settingsOf(domain, { groups, person: reading.getStore() })),
        { base: `/sites/${domain}/`, encode, quote },
      ),
    }),
  });
  const linked = createLinkedExports(parts, encode);
  const answerPrivately = createPrivateSites(parts);

  return async function handle(request, bindings) {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/healthz') return plain(request, 200, 'ok');
    const [, root, name = '', ...rest] = pathname.split('/');
    if (pathname === '/') return options.sitesIndex === 'on' ? listOfSites(request, parts) : plain(request, 200, about);
    if (root === 'exports') return whileAvailable(request, { link: 'export' }, () => answerLinked(request));
    if (root !== 'sites' || name === '') return unknown(request);
    const { data: domain } = domainSchema.safeParse(name);
    if (domain === undefined) return unknown(request);
    if (domain !== name) return redirect(`${['/sites', domain, ...rest].join('/')}${search}`);
    return whileAvailable(request, { domain }, async () => {
      const connected = { request, socket: bindings?.incoming?.socket.remoteAddress };
      const answered = await active.use(domain, ({ made, site }) => answerOf(connected, site, made));
      return answered ?? unknown(request);
    });
  };

  async function answerOf(
    connected: Connected,
    site: RegisteredSite,
    everybody: { look: SiteLook; answer: SiteHandler },
  ): Promise<Response | undefined> {
    if (site.isUnproven) return undefined;
    const { request } = connected;
    const answer = async ({ groups, person }: PageReader, more?: Record<string, string>) =>
      reading.run(person, async () => {
        const own =
          groups.length > 0 &&
          (await active.use(exportKey(site.domain, groups), ({ made }) => answerWithFolders(request, made.answer, more)));
        return own || answerWithFolders(request, everybody.answer, more);
      });
    const response = await answerPrivately(connected, site, { base: `/sites/${site.domain}/`, look: everybody.look, answer });
    if (site.previewOf !== undefined) response?.headers.set('x-robots-tag', 'noindex');
    return response;
  }

  async function answerLinked(request: Request): Promise<Response> {
    const answered = await linked(request, answerWithFolders);
    if (typeof answered !== 'string') return answered;
    if (answered === 'unknown') return unknown(request);
    const reason = answered === 'expired' ? 'This link has expired. Create a new one.' : 'The files of this export were removed.';
    return plain(request, 410, reason);
  }

  async function whileAvailable(request: Request, about: object, answer: () => Promise<Response>): Promise<Response> {
    try {
      return await answer();
    } catch (error) {
      log.warn({ ...about, error }, 'a site could not be served');
      const reason =
        error instanceof StorageUnavailable ? 'The storage of this site is not available.' : 'This site cannot be served now.';
      return plain(request, 503, `${reason} Try again in a moment.`, { 'retry-after': '5' });
    }
  }
}

/** How long settings are kept. */
const keptMilliseconds = 60_000;

/** The modes of analytics where this server records nothing. */
const withoutOwn = { off: 'off', own: 'off', providers: 'providers', both: 'providers' } as const;

/** Returns a function that looks up what the pages of a site find in their settings. */
function createSiteSettings({ sites, pageTokens, options, publicUrl, now }: HostedSitesParts) {
  // The registry returns the same object for a second, and the token in the settings is as good a minute later.
  const known = new WeakMap<RegisteredSite, { at: number; ofReaders: Map<string, HostSettings | undefined> }>();

  return async function settingsOf(domain: string, reader: PageReader): Promise<HostSettings | undefined> {
    const site = await sites.get(domain).catch((error: unknown) => {
      const last = sites.lastKnown(domain);
      if (!last) throw error;
      return last;
    });
    if (!site) return undefined;
    const before = known.get(site);
    // The last known site stays while the database is away, and tokens expire.
    const isRecent = before !== undefined && Math.abs(now() - before.at) < keptMilliseconds;
    const { ofReaders } = isRecent ? before : { ofReaders: new Map<string, HostSettings | undefined>() };
    if (!isRecent) known.set(site, { at: now(), ofReaders });
    const key = JSON.stringify(reader);
    if (!ofReaders.has(key)) ofReaders.set(key, makeSettings(site, reader));
    return ofReaders.get(key);
  };

  /** Without an assistant if no model answers: the pages then quote the docs themselves. */
  function makeSettings(site: RegisteredSite, reader: PageReader): HostSettings | undefined {
    const { domain } = site;
    const { assistant, ...features } = site.settings.features ?? {};
    const { playground, analytics } = features;
    const asks = pagesAskModel(site.settings, options);
    const isProxied = playground?.mode === 'proxy';
    const others = Object.values(features).some((feature) => feature !== undefined);
    if (!asks && !assistant && !others) return undefined;
    const records = recordsEvents(site);
    const isPrivate = visibilityOf(site.settings) !== 'public';
    // Pages of every version of Carrel send it as their key.
    const key = asks || isProxied || (records && isPrivate) ? pageTokens.create(site, reader) : undefined;
    return {
      expire: key !== undefined,
      ...(asks && { assistant: { url: `${publicUrl}/discovery`, domain, key } }),
      ...((assistant || others) && {
        features: {
          ...features,
          ...(assistant && { assistant }),
          ...(analytics && {
            analytics: records
              ? { ...analytics, url: `${publicUrl}/discovery`, domain, ...(isPrivate && { key }) }
              : { ...analytics, mode: withoutOwn[analytics.mode ?? 'off'] },
          }),
          ...(playground && { playground: { ...playground, ...(isProxied && { url: publicUrl, domain, key }) } }),
        },
      }),
    };
  }
}

/** A page has one URL: that of its folder. Links in exports name `index.html`, which file:// needs. */
async function answerWithFolders(request: Request, answer: SiteHandler, more?: Record<string, string>): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  if (!pathname.endsWith('/index.html') || !['GET', 'HEAD'].includes(request.method)) return answer(request, more);
  const { status } = await answer(new Request(request.url, { method: 'HEAD' }));
  return status === 200 ? redirect(`./${search}`, more) : answer(request, more);
}

/** The sites that are served, as a page without scripts or styles of its own. */
async function listOfSites(request: Request, { sites, options, publicUrl, sitesUrl }: HostedSitesParts): Promise<Response> {
  const domains = await sites.served().catch(() => undefined);
  if (!domains) return plain(request, 503, 'The sites cannot be listed now. Try again in a moment.', { 'retry-after': '5' });
  const { hostname } = new URL(request.url);
  if (!isOwnHost(hostname, [...namesOf(options, [publicUrl, sitesUrl]), ...domains]))
    return plain(request, 403, `The sites are not listed for the host "${hostname}". ${allowHint}`);
  const items = domains.map((domain) => `<li><a href="sites/${escapeHtml(domain)}/">${escapeHtml(domain)}</a></li>`);
  const list = items.length > 0 ? `<ul>\n${items.join('\n')}\n</ul>` : '<p>No site has been exported yet.</p>';
  return plain(request, 200, listPage(list), { 'content-type': 'text/html; charset=utf-8' });
}

function listPage(list: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Documentation</title>
<main>
<h1>Documentation</h1>
${list}
</main>
</html>`;
}

const allowHint = "Set the server's CARREL_SITES_URL to the URL of the sites, or add the host to CARREL_ALLOW_HOSTS.";

const about = 'Documentation sites, each at /sites/{domain}/. Ask the operator of this server for the address of yours.';

function unknown(request: Request): Response {
  return plain(request, 404, 'There is no such site here, or it has not been exported yet.');
}

function plain(request: Request, status: number, text: string, extra: Record<string, string> = {}): Response {
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-cache',
    ...extra,
  };
  return new Response(request.method === 'HEAD' ? null : `${text}\n`, { status, headers });
}

function redirect(location: string, more: Record<string, string> = {}): Response {
  return new Response(null, { status: 308, headers: { location, 'cache-control': 'no-cache', ...more } });
}
