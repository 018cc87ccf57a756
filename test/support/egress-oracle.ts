import { readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { chromium, type BrowserContext } from '@playwright/test';
import type { EgressEntry } from '../../integration/remote/request-report.ts';
import { chromiumArguments, findChromium } from './chromium.ts';
import { serveFolder } from './serve-folder.ts';

/** An external request of a page. */
export interface OutsideRequest {
  page: string;
  url: string;
  type: string;
}

/**
 * Opens every page of a built site over http in Chromium, scrolls each to its end, and returns the external requests. These
 * requests are aborted; no host name is looked up.
 */
export async function outsideRequests(
  folder: string,
  { base = '/', isWanted = () => true }: { base?: string; isWanted?: (page: string, index: number) => boolean } = {},
): Promise<{ pages: number; requests: OutsideRequest[] }> {
  const server = await serveFolder(folder, base);
  const own = new URL(server.address).host;
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...chromiumArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  const pages = pagesOf(folder).filter(isWanted);
  const requests: OutsideRequest[] = [];
  const waiting = [...pages];
  const worker = async () => {
    // One context for all pages, as a reader has: a cached file is requested once.
    const context = await browser.newContext({ serviceWorkers: 'block', viewport: { width: 1280, height: 900 } });
    for (let page = waiting.shift(); page !== undefined; page = waiting.shift()) {
      for (const request of await openPage(context, server.address, page, own)) requests.push(request);
    }
    await context.close();
  };
  try {
    await Promise.all([worker(), worker()]);
  } finally {
    await browser.close();
    await server.close();
  }
  return { pages: pages.length, requests };
}

/** Returns the requests without an entry. An entry for a script may contain only the start of its URL. */
export function missedBy(egress: EgressEntry[], requests: OutsideRequest[]): OutsideRequest[] {
  const known = new Set(egress.map(({ url }) => comparable(url)));
  const begun = egress.filter(({ element }) => element.includes('script')).map(({ url }) => comparable(url));
  return requests.filter(({ url }) => !known.has(comparable(url)) && !begun.some((start) => comparable(url).startsWith(start)));
}

// `//host/x` takes the protocol of its page, which here is http.
function comparable(url: string): string {
  return url.replace(/#.*$/s, '').replace(/^http:/, 'https:');
}

async function openPage(context: BrowserContext, address: string, file: string, own: string): Promise<OutsideRequest[]> {
  const found: OutsideRequest[] = [];
  const page = await context.newPage();
  const note = (url: string, type: string) => void (/^(?:https?|wss?):/.test(url) && found.push({ page: file, url, type }));
  await page.route(
    (url) => url.host !== own,
    async (route) => {
      const request = route.request();
      // A redirecting page stays where it is: a redirect is a navigation, not a load.
      if (request.isNavigationRequest() && request.frame() === page.mainFrame()) return route.abort();
      note(request.url(), request.resourceType());
      await route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '' });
    },
  );
  await page.routeWebSocket(
    () => true,
    (socket) => note(socket.url(), 'websocket'),
  );
  const encoded = file.split('/').map(encodeURIComponent).join('/');
  await page.goto(address + encoded, { waitUntil: 'load', timeout: 60_000 }).catch(() => undefined);
  await page.evaluate(scrollToEnd).catch(() => undefined);
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  await page.close();
  return found;
}

/** Runs in the page: scrolls, so that lazy content loads. */
async function scrollToEnd(): Promise<void> {
  // On a busy machine Chromium may stop drawing a page, which then gets no more frames.
  const frame = () =>
    new Promise<unknown>((resume) => {
      requestAnimationFrame(resume);
      setTimeout(resume, 1000);
    });
  for (let top = 0; top < document.documentElement.scrollHeight && top < 200_000; top += 800) {
    window.scrollTo(0, top);
    await frame();
  }
  await frame();
}

function pagesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.html?$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
