import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, expect, type Browser, type Page } from '@playwright/test';
import type { Manifest } from '../../integration/manifest.ts';
import { serveSite } from '../../server/hosting/serve.ts';
import { openSearch, results, search, searchField } from '../e2e/search-dialog.ts';
import { chromiumArguments, findChromium } from '../support/chromium.ts';
import { generatePages, writeDocs } from './generate-docs.ts';
import { measure } from './measure.ts';
import { randomNumbers } from '../support/generated-pages.ts';

export interface SearchBenchOptions {
  /** An export to search; without, generated pages are exported first. */
  site?: string;
  pages: number;
  queries: number;
  repository: string;
}

const aim = 75 * 1024;

/** Milliseconds from a keystroke to the list that answers it, in an index that is loaded: the 95th percentile. */
const keystrokeAim = 40;

interface FirstSearch {
  query: string;
  /** Bytes over the wire, headers included, of every request after search was opened. */
  bytes: number;
  requests: number;
  milliseconds: number;
  results: number;
}

/** Measures what a first search costs a reader: over http with gzip, in a fresh browser context each, with words that the site has. */
export async function benchSearch({ site, pages, queries, repository }: SearchBenchOptions): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'carrel-bench-'));
  const source = site ?? (await exportGenerated(root, pages, repository));
  const manifest = JSON.parse(await readFile(path.join(source, 'carrel.json'), 'utf8')) as Manifest;
  const served = await serveSite({ source, port: 0 });
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const searches: FirstSearch[] = [];
    for (const query of knownWords(manifest, queries)) searches.push(await firstSearch(browser, served.address, query));
    print(searches);
    printKeystrokes(await keystrokes(browser, served.address, searches));
  } finally {
    await browser.close();
    await served.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function exportGenerated(root: string, pages: number, repository: string): Promise<string> {
  const docs = path.join(root, 'docs');
  const report = path.join(root, 'report.json');
  const site = path.join(root, 'site');
  await mkdir(docs);
  await writeDocs(docs, generatePages(pages));
  await measure(process.execPath, ['src/cli/carrel.ts', 'export', docs, '--out', site, '--report', report], { cwd: repository });
  const { sections } = JSON.parse(await readFile(report, 'utf8')) as { sections: number };
  console.log(`${pages} pages, ${sections} sections`);
  return site;
}

/** Words of titles, spread over the site: one or two of each chosen title. */
function knownWords(manifest: Manifest, count: number): string[] {
  const random = randomNumbers(1);
  const titles = manifest.pages.filter((page) => page.language === manifest.pages[0]!.language).map((page) => page.title);
  return Array.from({ length: count }, () => {
    const words = titles[Math.floor(random() * titles.length)]!.split(/\s+/).filter((word) => /^\p{L}{3,}$/u.test(word));
    return words.slice(0, 1 + Math.floor(random() * 2)).join(' ');
  }).filter((query) => query !== '');
}

async function firstSearch(browser: Browser, home: string, query: string): Promise<FirstSearch> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(home, { waitUntil: 'networkidle' });
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    let requests = 0;
    let pending = 0;
    session.on('Network.requestWillBeSent', () => pending++);
    session.on('Network.loadingFinished', (event) => {
      bytes += event.encodedDataLength;
      requests++;
      pending--;
    });
    const started = performance.now();
    await openSearch(page);
    const found = await search(page, query, home);
    const milliseconds = performance.now() - started;
    if (found.length > 0) await expect(results(page).first().locator('.excerpt')).not.toBeEmpty();
    await expect.poll(() => pending, { message: 'excerpts are on their way' }).toBe(0);
    return { query, bytes, requests, milliseconds, results: found.length };
  } finally {
    await context.close();
  }
}

/** The time from each keystroke to the next change of the list, when the same queries were typed before, so that nothing is loaded. */
async function keystrokes(browser: Browser, home: string, searches: FirstSearch[]): Promise<number[]> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(home, { waitUntil: 'networkidle' });
    await openSearch(page);
    const queries = searches.filter((entry) => entry.results > 0).map((entry) => entry.query);
    for (const query of queries) await typed(page, query);
    const times: number[] = [];
    for (const query of queries) times.push(...(await typed(page, query)));
    return times;
  } finally {
    await context.close();
  }
}

/** Types a query by events in the page, so that the time between this process and the browser does not count. */
async function typed(page: Page, query: string): Promise<number[]> {
  return searchField(page).evaluate(async (element, text) => {
    const field = element as HTMLInputElement;
    const list = field.closest('dialog')!.querySelector('[role=listbox]')!;
    const times: number[] = [];
    for (let length = 2; length <= text.length; length++) {
      const changed = new Promise<number | undefined>((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          resolve(performance.now());
        });
        observer.observe(list, { childList: true, subtree: true });
        // A keystroke that leaves the list as it is has no time.
        setTimeout(resolve, 1000, undefined);
      });
      const started = performance.now();
      field.value = text.slice(0, length);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      const shown = await changed;
      if (shown !== undefined) times.push(shown - started);
      // As fast as people type at most.
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    return times;
  }, query);
}

function printKeystrokes(times: number[]): void {
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  const verdict = at(0.95) <= keystrokeAim ? 'met' : 'missed';
  console.log(
    `keystroke to list, warm: median ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms of ${times.length} (aim ${keystrokeAim} ms: ${verdict})`,
  );
}

function print(searches: FirstSearch[]): void {
  for (const { query, bytes, requests, results } of searches) {
    console.log(
      `${query.padEnd(32)}${kilobytes(bytes).padStart(9)} in ${String(requests).padStart(2)} requests, ${results} results`,
    );
  }
  const bytes = searches.map((entry) => entry.bytes).sort((a, b) => a - b);
  const median = bytes[Math.floor(bytes.length / 2)] ?? 0;
  const times = searches.map((entry) => entry.milliseconds).sort((a, b) => a - b);
  console.log(
    `\nfirst search, p50: ${kilobytes(median)} (aim ${kilobytes(aim)}: ${median <= aim ? 'met' : 'missed'}), p90: ${kilobytes(bytes[Math.floor(bytes.length * 0.9)] ?? 0)}`,
  );
  console.log(`p50 time from opening search to results: ${(times[Math.floor(times.length / 2)] ?? 0).toFixed(0)} ms`);
  const none = searches.filter((entry) => entry.results === 0);
  if (none.length > 0) console.log(`found nothing for: ${none.map((entry) => entry.query).join(', ')}`);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
