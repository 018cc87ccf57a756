import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { exportStaticSite } from '../../../integration/static-site/export-static-site.ts';
import { optionsSchema } from '../../../integration/options.ts';
import type { Problem } from '../../../integration/diagnostics.ts';
import { atFileEnd } from '../../support/at-file-end.ts';
import { chromiumArguments, findChromium } from '../../support/chromium.ts';
import { serveFolder } from '../../support/serve-folder.ts';
import { temporaryFolder } from '../export/folder.ts';
import { writeFiles } from '../../support/write-files.ts';

/** A built site and its export. */
export interface ExportedSite {
  dist: string;
  offline: string;
  base: string;
  problems: Problem[];
}

export interface Given {
  /** Other URLs of the site's files. */
  ownUrls?: string[];
  /** Hosts whose files are vendored. */
  bringIn?: string[];
  /** How readers open search. @default not at all */
  search?: 'button' | 'off';
}

export async function exported(files: Record<string, string>, base = '/', given: Given = {}): Promise<ExportedSite> {
  const folder = temporaryFolder();
  const dist = join(folder, 'dist');
  writeFiles(dist, files);
  const offline = join(folder, 'offline');
  const options = {
    ...optionsSchema.parse({ search: given.search ?? 'off', vendor: given.bringIn !== undefined, allow: given.bringIn }),
    out: offline,
    zip: undefined,
  };
  const { warnings } = await exportStaticSite(
    { root: dist, base, ownUrls: given.ownUrls },
    { ...options, generator: 'test', environment: {} },
  );
  return { dist, offline, base, problems: warnings };
}

/** A page with these elements in its head and its body. */
export function page(body: string, head = ''): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title>${head}</head><body><main><h1>Page</h1>${body}</main></body></html>`;
}

/** The site itself, for comparison; then its export below a path of a host, and as files without a network. */
export const places = ['as built', 'over http', 'from file://'] as const;

export interface Opened {
  /** URL of the site's root. */
  url: string;
  /** The value of an expression on the page. */
  value<T>(expression: string): Promise<T>;
  /** Waits until an expression is true. */
  until(expression: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Errors and warnings of the console, exceptions, requests that failed. */
  faults: string[];
}

let browser: Promise<Browser> | undefined;

/** Opens a page of a site in a real browser. */
export async function open(site: ExportedSite, place: (typeof places)[number], file = 'index.html'): Promise<Opened> {
  browser ??= launch();
  const context = await (await browser).newContext({ offline: place === 'from file://' });
  onTestFinished(() => context.close());
  let url = `${pathToFileURL(site.offline).href}/`;
  if (place !== 'from file://') {
    const served = await (place === 'as built' ? serveFolder(site.dist, site.base) : serveFolder(site.offline, '/some/path/'));
    onTestFinished(() => served.close());
    ({ address: url } = served);
  }
  const opened = await context.newPage();
  const faults: string[] = [];
  opened.on('console', (message) => ['error', 'warning'].includes(message.type()) && faults.push(message.text()));
  opened.on('pageerror', (error) => faults.push(error.message));
  opened.on('requestfailed', (request) => faults.push(`${request.url()} failed`));
  await opened.goto(url + file);
  return {
    url,
    faults,
    value: (expression) => opened.evaluate(expression),
    press: (key) => opened.keyboard.press(key),
    until: async (expression) => void (await opened.waitForFunction(expression)),
  };
}

/** One browser for a test file. */
async function launch(): Promise<Browser> {
  const launched = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  atFileEnd(() => {
    browser = undefined;
    return launched.close();
  });
  return launched;
}
