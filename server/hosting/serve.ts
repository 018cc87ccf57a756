import { ExportError } from '../../integration/errors.ts';
import type { Deployment } from '../../integration/manifest.ts';
import { checkSettings } from '../../integration/page-settings.ts';
import type { PublicKey } from '../../integration/output/signature.ts';
import { openSite, type OpenedSite } from '../active-exports/open-site.ts';
import { listen } from '../http/listen.ts';
import { isOwnHost } from '../http/own-host.ts';
import { siteHandler } from './handler.ts';
import type { SiteQuoter } from './site-questions.ts';
import { withSettings, type HostSettings } from './with-settings.ts';

export interface ServeSiteOptions extends ListenOptions {
  /** An export folder, or the zip of one. */
  source: string;
  /** Only what one of these keys signed is served. */
  keys?: readonly PublicKey[];
}

export type ServedSite = Awaited<ReturnType<typeof serveSite>>;

/**
 * Serves a site until it is closed. Every file of an archive is read first, and of a folder that must be signed, so that what `carrel verify` refuses is not served.
 * Throws what `openSite` throws, and `ExportError` `BundleNotWhole`, `CannotListen`, `SettingsNotPossible`.
 */
export async function serveSite({ source, keys, ...options }: ServeSiteOptions) {
  const site = await openSite(source, keys);
  const [problem] = (await site.verify?.()) ?? [];
  if (problem) throw new ExportError('BundleNotWhole', `"${source}" is not served: ${problem.message}`, problem.hint);
  const { address, show, close } = await listenForSite(options);
  try {
    show(site);
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    /** URL of the home page: 'http://127.0.0.1:4401/docs/'. */
    address,
    name: site.name,
    close: (): Promise<void> => close(),
  };
}

export interface ListenOptions {
  /**
   * 0 takes any free port.
   * @default 4401
   */
  port?: number;
  /** @default '127.0.0.1' */
  host?: string;
  /** Further names of the server, whose requests are answered, without their ports; `*` for all. */
  allowHosts?: string[];
  /**
   * Where the site is mounted: '/docs/'.
   * @default '/'
   */
  base?: string;
  /** Added to the `carrel.config.js` of the site. */
  settings?: HostSettings;
  /** Answers questions of programs. */
  quote?: SiteQuoter;
}

/** Listens, and responds with 503 until there is a site to serve. Throws `ExportError` `CannotListen`. */
export async function listenForSite({ port = 4401, host = '127.0.0.1', allowHosts = [], base, settings, quote }: ListenOptions) {
  const mount = normalizeBase(base);
  let shown: Shown | undefined;
  let handle: (request: Request) => Promise<Response> = starting;
  const { address, answer, close } = await listen(port, host);
  const hostRefusal = refuseOtherHosts([host, ...allowHosts]);
  answer((request) => answerHealth(request, shown) ?? hostRefusal(request) ?? handle(request));
  const check = (deployment: Deployment) => {
    if (settings) checkSettings(allFeatures(settings), deployment);
  };
  return {
    /** URL of the home page: 'http://127.0.0.1:4401/docs/'. */
    address: `${address}${mount}`,
    /** Throws `ExportError` `SettingsNotPossible` if a site of this deployment type can't have the settings. */
    check,
    /**
     * Serves this site from now on; earlier requests end with the site that they began with.
     * Throws `ExportError` `SettingsNotPossible`.
     */
    show(site: OpenedSite, about: Omit<Shown, 'site'> = {}): void {
      check(site.deployment);
      handle = siteHandler(settings ? withSettings(site, async () => settings) : site, { base: mount, quote });
      shown = { site: site.name, ...about };
    },
    /** Accepts no more requests; the open ones have `grace` milliseconds to end. @default 5000 */
    close: (grace = 5000): Promise<void> => close(grace),
  };
}

function allFeatures({ assistant, ...settings }: HostSettings): HostSettings {
  return { ...settings, features: { ...(assistant && { assistant }), ...settings.features } };
}

/** Answers requests for hosts that are not this server's; undefined for all other requests. */
function refuseOtherHosts(names: string[]): (request: Request) => Response | undefined {
  // Most requests are for the same host, and parsing takes time.
  let last = '';
  return ({ url }) => {
    const host = url.split('/', 3)[2]!;
    if (host === last) return undefined;
    const { hostname } = new URL(url);
    if (isOwnHost(hostname, names)) {
      last = host;
      return undefined;
    }
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    const text = `This server does not answer requests for "${hostname}". Start it with --allow-host ${hostname}, or add that to CARREL_ALLOW_HOSTS.\n`;
    return new Response(text, { status: 403, headers });
  };
}

async function starting(): Promise<Response> {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5', 'cache-control': 'no-store' };
  return new Response('The site is being downloaded. Try again in a moment.\n', { status: 503, headers });
}

/** 'docs', '/docs' and '/docs/' are one mount. */
function normalizeBase(base = '/'): string {
  const inner = base.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '/' : `/${inner}/`;
}

// For monitoring a server of one site. No file of a site has such a path, since names that begin with a dot are never served (site-path.ts).

/** What is being served. */
interface Shown {
  site: string;
  version?: string;
  /** Of a watched folder: bundles and deltas that were stored and refused. */
  counts?: { taken: number; refused: number };
}

/**
 * Answers `/.carrel/live` (200 while the process lives), `/.carrel/ready` (200 when there is a site to show, else 503) and `/.carrel/metrics`,
 * wherever the site is mounted; undefined for all other requests.
 */
function answerHealth(request: Request, shown: Shown | undefined): Response | undefined {
  // Most requests are for pages, and parsing takes time.
  if (!request.url.includes('/.carrel/')) return undefined;
  const { pathname } = new URL(request.url);
  if (!['/.carrel/live', '/.carrel/ready', '/.carrel/metrics'].includes(pathname)) return undefined;
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return new Response(null, { status: 405, headers: { ...headers, allow: 'GET, HEAD' } });
  }
  if (pathname === '/.carrel/metrics')
    return new Response(metricsOf(shown), {
      headers: { ...headers, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
  const isReady = pathname === '/.carrel/live' || shown !== undefined;
  const { counts, ...site } = shown ?? {};
  const answer = pathname === '/.carrel/live' ? { status: 'ok' } : { status: shown ? 'ok' : 'starting', ...site, ...counts };
  return Response.json(answer, { status: isReady ? 200 : 503, headers });
}

/** In the text format of Prometheus. */
function metricsOf({ site = '', version = '', counts = { taken: 0, refused: 0 } }: Partial<Shown> = {}): string {
  const label = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `# HELP carrel_served_info The site and version that are served.
# TYPE carrel_served_info gauge
carrel_served_info{site="${label(site)}",version="${label(version)}"} ${site === '' ? 0 : 1}
# HELP carrel_watched_bundles_total Bundles and deltas of the watched folder, by what became of them.
# TYPE carrel_watched_bundles_total counter
carrel_watched_bundles_total{outcome="taken"} ${counts.taken}
carrel_watched_bundles_total{outcome="refused"} ${counts.refused}
`;
}
