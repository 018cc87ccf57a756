import { listen } from '../http/listen.ts';
import { siteHandler } from './handler.ts';
import { answerHealth, type Shown } from './health.ts';
import type { OpenedSite } from '../active-exports/open-site.ts';
import { withAssistant, type SiteAssistant } from './with-assistant.ts';

export interface ListenOptions {
  /**
   * 0 takes any free port.
   * @default 4401
   */
  port?: number;
  /** @default '127.0.0.1' */
  host?: string;
  /**
   * Where the site is mounted: '/docs/'.
   * @default '/'
   */
  base?: string;
  /** Named in `carrel.config.js` of any site. */
  assistant?: SiteAssistant;
}

export interface SiteListener {
  /** Address of the home page: 'http://127.0.0.1:4401/docs/'. */
  address: string;
  /** Answers with this site from now on; requests that were there before end with the site they began with. */
  show(site: OpenedSite, version?: string): void;
  /** Takes no more requests; those being answered get `grace` milliseconds to end. @default 5000 */
  close(grace?: number): Promise<void>;
}

/** Listens, and answers 503 until there is a site to show. Throws `ExportError` `CannotListen`. */
export async function listenForSite({ port = 4401, host = '127.0.0.1', base, assistant }: ListenOptions): Promise<SiteListener> {
  const mount = normaliseBase(base);
  let shown: Shown | undefined;
  let handle: (request: Request) => Promise<Response> = starting;
  const { address, answer, close } = await listen(port, host);
  answer((request) => answerHealth(request, shown) ?? handle(request));
  return {
    address: `${address}${mount}`,
    show(site, version) {
      handle = siteHandler(assistant ? withAssistant(site, async () => assistant) : site, { base: mount });
      shown = { site: site.name, version };
    },
    close: (grace = 5000) => close(grace),
  };
}

async function starting(): Promise<Response> {
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '5', 'cache-control': 'no-store' };
  return new Response('The site is being fetched. Try again in a moment.\n', { status: 503, headers });
}

/** 'docs', '/docs' and '/docs/' are one mount. */
function normaliseBase(base = '/'): string {
  const inner = base.replace(/^\/+|\/+$/g, '');
  return inner === '' ? '/' : `/${inner}/`;
}
