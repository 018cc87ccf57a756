import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test as base, type Page } from '@playwright/test';
import type { Manifest } from '../../integration/manifest.ts';
import type { Problem } from '../../integration/diagnostics.ts';
import { serveSite, type ServeSiteOptions } from '../../server/hosting/serve.ts';

/** An export that the global set-up has written. */
export interface Exported {
  folder: string;
  zip: string;
  manifest: Manifest;
  report: { warnings: Problem[] };
  /** file:// address of a file in it. */
  file(name: string): string;
}

export function exported(name: string): Exported {
  const folder = path.join(process.env.CARREL_E2E!, name);
  return {
    folder,
    zip: `${folder}.zip`,
    manifest: JSON.parse(readFileSync(path.join(folder, 'carrel.json'), 'utf8')),
    report: JSON.parse(readFileSync(`${folder}.json`, 'utf8')),
    file: (file) => pathToFileURL(path.join(folder, file)).href,
  };
}

/** The faults of a page, and its external requests. */
export interface Watch {
  /** Console errors and warnings, uncaught exceptions, dialogs, failed requests. */
  faults: string[];
  /** Requests outside the site itself. */
  foreign: string[];
}

export function watch(page: Page): Watch {
  const seen: Watch = { faults: [], foreign: [] };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      seen.faults.push(`${page.url()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => seen.faults.push(`${page.url()}: ${error.message}`));
  page.on('dialog', (dialog) => {
    seen.faults.push(`${page.url()}: a dialog says ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('requestfailed', (request) => {
    // A navigation that another one replaces is aborted, which is not a fault.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') seen.faults.push(`${page.url()}: ${request.url()} failed`);
  });
  page.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    const own = ['file:', 'data:', 'blob:', 'about:'].includes(protocol) || ['127.0.0.1', 'localhost'].includes(hostname);
    if (!own) seen.foreign.push(request.url());
  });
  return seen;
}

export interface Fixtures {
  /** What a test has started on loopback; it is closed after the page's faults have been counted, since pages load files ahead of need. */
  servers: { close(): Promise<void> }[];
  /** Starts a server for an export on a free port. */
  serve: (source: string, at?: string, settings?: ServeSiteOptions['settings']) => Promise<string>;
  watched: Watch;
}

export const test = base.extend<Fixtures>({
  servers: async ({}, use) => {
    const servers: Fixtures['servers'] = [];
    await use(servers);
    await Promise.all(servers.map((server) => server.close()));
  },
  serve: async ({ servers }, use) => {
    await use(async (source, at = '/', settings) => {
      const served = await serveSite({ source, port: 0, base: at, settings });
      servers.push(served);
      return served.address;
    });
  },
  /** Fails the test if the console is not empty at its end, or if the page sent an external request. */
  watched: [
    async ({ page, servers: _servers }, use) => {
      const seen = watch(page);
      await use(seen);
      expect(seen.faults).toEqual([]);
      expect(seen.foreign).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
