// Built sites against Pagefind: time and memory of the export (without the Markdown of pages, which Pagefind does not write) against its
// index alone, and bytes until a reader sees results.
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { chromiumArguments, findChromium } from '../support/chromium.ts';
import { folderSize } from './folder-size.ts';
import { writeFinishedSite } from './finished-pages.ts';
import { measure, type Measured } from './measure.ts';

export interface StaticSiteBenchOptions {
  /** A built site; without one, pages of about 70 KB are generated. */
  site?: string;
  pages: number;
  queries: number;
  /** Of each program, in turn. */
  runs: number;
  repository: string;
}

/** Prints both programs' numbers side by side, and the ratio. */
export async function benchStaticSite({ site, pages, queries, runs, repository }: StaticSiteBenchOptions): Promise<void> {
  const root = await mkdtemp(path.join(tmpdir(), 'carrel-bench-static-site-'));
  try {
    const finished = path.join(root, 'finished');
    if (site) await cp(site, finished, { recursive: true });
    else await writeFinishedSite(finished, pages);
    await rm(path.join(finished, 'pagefind'), { recursive: true, force: true });
    const size = await folderSize(finished);
    console.log(`${site ?? `${pages} pages`}: ${(size / 1e6).toFixed(0)} MB`);

    const out = path.join(root, 'export');
    const index = path.join(root, 'index');
    const report = path.join(root, 'report.json');
    compilePackages(repository);
    const programs: Record<'carrel' | 'pagefind', [string, string[]]> = {
      carrel: [process.execPath, ['build/cli/carrel.js', 'export', finished, '--out', out, '--no-markdown', '--report', report]],
      pagefind: [process.execPath, [runner(repository), '--site', finished, '--output-path', index]],
    };
    const measured: Record<'carrel' | 'pagefind', Measured[]> = { carrel: [], pagefind: [] };
    for (let run = 0; run < runs; run++) {
      for (const name of ['carrel', 'pagefind'] as const) {
        // Neither may start from what it made before.
        await rm(name === 'carrel' ? out : index, { recursive: true, force: true });
        measured[name].push(await measure(...programs[name], { cwd: repository }));
      }
    }
    printRuns(measured, size);
    console.log(`carrel: ${(await readFile(report, 'utf8')).match(/"seconds": \{[^}]*\}/)?.[0].replace(/\s+/g, ' ')}`);
    await compareBytes({ finished, index, out, queries });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** npm installs JavaScript, so the time to strip types does not belong to an export. */
function compilePackages(repository: string): void {
  for (const name of ['integration', '.'])
    execFileSync(process.execPath, ['test/support/compile.ts', name], { cwd: repository, stdio: 'inherit' });
}

function runner(repository: string): string {
  return path.join(repository, 'node_modules/pagefind/lib/runner/bin.cjs');
}

function printRuns(measured: Record<'carrel' | 'pagefind', Measured[]>, size: number): void {
  for (const [name, runs] of Object.entries(measured)) {
    const [wall, cpu, memory] = [median(runs, 'wallSeconds'), median(runs, 'cpuSeconds'), median(runs, 'peakMemory')];
    console.log(`${name.padEnd(9)} ${wall.toFixed(2)} s, ${cpu.toFixed(2)} CPU-s, ${(memory / 1e6).toFixed(0)} MB`);
  }
  const ratio = (key: keyof Measured, aim: number) => {
    const found = median(measured.carrel, key) / median(measured.pagefind, key);
    return `${found.toFixed(2)} (aim ${aim}: ${found <= aim ? 'met' : 'missed'})`;
  };
  console.log(
    `export with sections, index, relative copy and audit against Pagefind's index alone: ${ratio('wallSeconds', 1)}, CPU ${ratio('cpuSeconds', 1.3)}`,
  );
  const over = (median(measured.carrel, 'peakMemory') - size) / 1e6;
  console.log(`memory over what the pages need: ${over.toFixed(0)} MB (aim 300: ${over <= 300 ? 'met' : 'missed'})`);
}

function median(runs: Measured[], key: keyof Measured): number {
  const sorted = runs.map((run) => run[key]).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

interface Places {
  finished: string;
  index: string;
  out: string;
  queries: number;
}

/** Bytes of all files of a search, over http with gzip, until ten results with excerpts (or all there are) are on the screen. */
async function compareBytes({ finished, index, out, queries }: Places): Promise<void> {
  await cp(index, path.join(finished, 'pagefind'), { recursive: true });
  await addPagefind(path.join(finished, 'index.html'));
  const words = await titleWords(path.join(out, 'carrel.json'), queries);
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  try {
    const ours = await bytesOf(browser, out, '_carrel/', words, searchCarrel);
    const theirs = await bytesOf(browser, finished, 'pagefind/', words, searchPagefind);
    const ratio = middle(ours) / middle(theirs);
    console.log(
      `bytes to first results, p50: carrel ${kilobytes(middle(ours))}, Pagefind ${kilobytes(middle(theirs))}: ${ratio.toFixed(2)} (aim 0.25: ${ratio <= 0.25 ? 'met' : 'missed'})`,
    );
  } finally {
    await browser.close();
  }
}

async function addPagefind(file: string): Promise<void> {
  const html = await readFile(file, 'utf8');
  const search =
    '<link rel="stylesheet" href="/pagefind/pagefind-ui.css"><script src="/pagefind/pagefind-ui.js"></script><div id="pagefind-bench"></div>' +
    '<script>new PagefindUI({ element: "#pagefind-bench", pageSize: 10 })</script></body>';
  await writeFile(
    file,
    html.replace('</body>', () => search),
  );
}

async function titleWords(manifestFile: string, count: number): Promise<string[]> {
  const { pages } = JSON.parse(await readFile(manifestFile, 'utf8')) as { pages: { title: string }[] };
  const step = Math.max(1, Math.floor(pages.length / count));
  return pages
    .filter((_, index) => index % step === 0)
    .slice(0, count)
    .map(({ title }) => title.split(/\s+/).filter((word) => /^\p{L}{3,}$/u.test(word))[0])
    .filter((word) => word !== undefined);
}

type Search = (page: Page, words: string) => Promise<void>;

const searchCarrel: Search = async (page, words) => {
  await page.keyboard.press('Control+k');
  await page.locator('carrel-search').getByRole('combobox').fill(words);
  const excerpts = page.locator('carrel-search [role=option] .excerpt').filter({ hasText: /\S/ });
  await excerpts.first().waitFor();
};

const searchPagefind: Search = async (page, words) => {
  await page.locator('#pagefind-bench input').fill(words);
  await page.locator('#pagefind-bench .pagefind-ui__result-excerpt').first().waitFor();
};

async function bytesOf(browser: Browser, folder: string, below: string, words: string[], search: Search): Promise<number[]> {
  const server = await serveGzipped(folder, `/${below}`);
  try {
    const sums: number[] = [];
    for (const word of words) {
      const context = await browser.newContext();
      const page = await context.newPage();
      server.counted.bytes = 0;
      await page.goto(`${server.address}/`, { waitUntil: 'load' });
      await search(page, word);
      await expect.poll(() => server.counted.open, { message: 'excerpts are on their way' }).toBe(0);
      sums.push(server.counted.bytes);
      await context.close();
    }
    return sums;
  } finally {
    await server.close();
  }
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
};

interface Host {
  address: string;
  /** Of the files that are counted: bytes of their bodies as they went out, and how many are on their way. Workers ask too, which a page does not hear of. */
  counted: { bytes: number; open: number };
  close(): Promise<void>;
}

/** A static host as people have them: what is text goes out with gzip. Files whose addresses begin with `below` are counted. */
async function serveGzipped(folder: string, below: string): Promise<Host> {
  const counted = { bytes: 0, open: 0 };
  const server = createServer(async (request, response) => {
    const asked = decodeURIComponent(new URL(request.url!, 'http://host.invalid').pathname);
    const isCounted = asked.startsWith(below);
    if (isCounted) counted.open++;
    response.once('close', () => (counted.open -= Number(isCounted)));
    const bytes = await readFile(path.join(folder, asked.endsWith('/') ? `${asked}index.html` : asked)).catch(() => undefined);
    if (!bytes) return void response.writeHead(404).end();
    const type = types[asked.endsWith('/') ? '.html' : path.extname(asked)];
    const body = type ? gzipSync(bytes) : bytes;
    if (isCounted) counted.bytes += body.length;
    const head = { 'content-type': type ?? 'application/octet-stream' };
    response.writeHead(200, type ? { ...head, 'content-encoding': 'gzip' } : head).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counted,
    close: () => new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

function middle(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}
