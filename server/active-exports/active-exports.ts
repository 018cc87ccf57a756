// What the port of the sites answers: each site's active export below `/sites/{domain}/`. It is public; keys play no part here.
import { setTimeout } from 'node:timers/promises';
import { isAskedByReaders } from '../sites/model-settings.ts';
import { StorageUnavailable } from '../storage/storage.ts';
import type { Services } from '../services.ts';
import { createEncoder } from '../hosting/encode.ts';
import { siteHandler } from '../hosting/handler.ts';
import { domainSchema } from '../sites/sites.ts';
import { FileRemoved, openStoredSite } from '../sites/stored-site.ts';
import { withAssistant, type SiteAssistant } from '../hosting/with-assistant.ts';

type Handler = (request: Request) => Promise<Response>;

interface ActiveSite {
  /** Digest of the manifest it was opened by. */
  manifest: string;
  handle: Promise<Handler | undefined>;
}

// A manifest of 20,000 files takes a few MB.
const mostOpened = 32;

type ActiveSitesServices = Pick<Services, 'sites' | 'jobs' | 'storage' | 'log' | 'keys' | 'options' | 'publicUrl'>;

/**
 * Answers with the sites' active exports. A request is answered from one export, whole: a newer one serves the requests that come after
 * it, a second later at most, and those under way end on the former.
 */
export function createActiveSites(services: ActiveSitesServices): Handler {
  const { sites, jobs, storage, log, keys, options, publicUrl } = services;
  const opened = new Map<string, ActiveSite>();
  const encode = createEncoder();

  return async function handle(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname === '/healthz') return plain(request, 200, 'ok');
    const [, root, name = '', ...rest] = pathname.split('/');
    if (root !== 'sites' || name === '') return pathname === '/' ? plain(request, 200, about) : unknown(request);
    const { data: domain } = domainSchema.safeParse(name);
    if (domain === undefined) return unknown(request);
    if (domain !== name) return redirect(`${['/sites', domain, ...rest].join('/')}${search}`);
    try {
      return (await answer(domain, request)) ?? unknown(request);
    } catch (error) {
      log.warn({ domain, error }, 'site cannot be served');
      const reason =
        error instanceof StorageUnavailable ? 'The storage of this site is away.' : 'This site cannot be served now.';
      return plain(request, 503, `${reason} Try again in a moment.`, { 'retry-after': '5' });
    }
  };

  async function answer(domain: string, request: Request): Promise<Response | undefined> {
    const active = await activeSite(domain);
    try {
      return await (
        await active?.handle
      )?.(request);
    } catch (error) {
      if (!(error instanceof FileRemoved)) throw error;
      // Retention was faster than the look at the active job: once more, on the export that is active now.
      forget(domain, active);
      const next = await otherSite(domain, active?.manifest);
      if (!next) throw error;
      return (await next.handle)?.(request);
    }
  }

  /** The site when its active export is another one; a registry that answers from memory knows that within a second. */
  async function otherSite(domain: string, manifest: string | undefined): Promise<ActiveSite | undefined> {
    for (let look = 0; look < 7; look++) {
      const active = await activeSite(domain);
      if (active?.manifest !== manifest) return active;
      await setTimeout(200);
    }
    return undefined;
  }

  async function activeSite(domain: string): Promise<ActiveSite | undefined> {
    const known = opened.get(domain);
    const manifest = await activeManifest(domain).catch((error: unknown) => {
      // The database is away: what was served goes on.
      if (!known) throw error;
      return known.manifest;
    });
    if (manifest === undefined) {
      opened.delete(domain);
      return undefined;
    }
    // Taken out and put back: the order of a Map is then the order of the last use.
    const current = opened.get(domain);
    opened.delete(domain);
    const active = current?.manifest === manifest ? current : open(domain, manifest);
    opened.set(domain, active);
    if (opened.size > mostOpened) opened.delete(opened.keys().next().value!);
    return active;
  }

  async function activeManifest(domain: string): Promise<string | undefined> {
    const jobId = (await sites.get(domain))?.activeJob;
    const job = jobId ? await jobs.get(jobId) : undefined;
    return job?.result?.manifest;
  }

  /** Undefined where no model answers: the pages quote the docs by themselves then. */
  async function assistantOf(domain: string): Promise<SiteAssistant | undefined> {
    const site = await sites.get(domain);
    if (!site || !isAskedByReaders(site.settings.assistant, options)) return undefined;
    const key = await keys.ofReaders(domain);
    return key === undefined ? undefined : { url: `${publicUrl}/discovery`, domain, key };
  }

  function open(domain: string, manifest: string): ActiveSite {
    const handle = openStoredSite(storage, domain, manifest).then(
      (site) =>
        site &&
        siteHandler(
          withAssistant(site, () => assistantOf(domain)),
          { base: `/sites/${domain}/`, encode },
        ),
    );
    const active = { manifest, handle };
    // Tried anew by the next request.
    handle.then(
      (handler) => handler ?? forget(domain, active),
      () => forget(domain, active),
    );
    return active;
  }

  function forget(domain: string, active: ActiveSite | undefined): void {
    if (opened.get(domain) === active) opened.delete(domain);
  }
}

const about = 'Documentation sites, each at /sites/{domain}/. Ask whoever runs this server for the address of yours.';

function unknown(request: Request): Response {
  return plain(request, 404, 'There is no such site here, or it was not exported yet.');
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

function redirect(location: string): Response {
  return new Response(null, { status: 308, headers: { location, 'cache-control': 'no-cache' } });
}
