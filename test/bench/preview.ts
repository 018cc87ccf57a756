// From saving a file to its text in a real browser, in sites of many pages; and the processor time of the preview for each change.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { chromiumArguments, findChromium } from '../support/chromium.ts';
import { generatePages, writeDocs } from './generate-docs.ts';

interface PreviewBenchOptions {
  pages: number[];
  /** Changes of each kind. */
  runs: number;
}

export async function benchPreview({ pages, runs }: PreviewBenchOptions): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments });
  console.log('pages  file         changes  median    p95   most  CPU of the preview (median)');
  for (const count of pages) {
    const root = mkdtempSync(path.join(tmpdir(), 'carrel-bench-'));
    const folder = path.join(root, 'docs');
    mkdirSync(folder);
    const generated = generatePages(count, 'tabs');
    await writeDocs(folder, generated, 'tabs');
    const edited = generated[Math.floor(count / 8)]!.path;
    prepare(folder, edited);
    const preview = await startPreview(folder);
    const page = await browser.newPage();
    await page.goto(`${preview.address}${edited}/`);
    for (const [name, change] of Object.entries(changes)) {
      const walls: number[] = [];
      const processor: number[] = [];
      for (let run = 0; run < runs; run++) {
        const mark = `mark${name.replace(/\W/g, '')}${run}x`;
        await idle(preview.pid);
        const cpu = cpuOf(preview.pid);
        const begun = performance.now();
        change(folder, edited, mark);
        await shown(page, mark);
        walls.push(performance.now() - begun);
        processor.push(cpuOf(preview.pid) - cpu);
      }
      const [median, p95, most] = [at(walls, 0.5), at(walls, 0.95), at(walls, 1)].map((value) => value.toFixed(0).padStart(6));
      console.log(
        `${String(count).padStart(5)}  ${name.padEnd(12)} ${String(runs).padStart(7)}  ${median} ${p95} ${most}  ${at(processor, 0.5).toFixed(0)} ms`,
      );
    }
    await page.close();
    preview.child.kill('SIGTERM');
    await preview.ended;
    rmSync(root, { recursive: true });
  }
  await browser.close();
}

const specification = (mark: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'API', version: '1' },
    paths: { '/users': { get: { summary: 'Users', description: mark, responses: { 200: { description: mark } } } } },
  });

/** A page that uses a snippet, and a page of an API; a change of either is seen on the page itself. */
function prepare(folder: string, edited: string): void {
  mkdirSync(path.join(folder, 'snippets'));
  writeFileSync(path.join(folder, 'snippets/note.mdx'), 'A note.\n');
  writeFileSync(path.join(folder, 'openapi.json'), specification('none'));
  writeFileSync(path.join(folder, 'style.css'), 'body { --mark: none }\n');
  const file = path.join(folder, `${edited}.md`);
  const text = readFileSync(file, 'utf8').replace(/^---\n(?:[^]*?\n)?---\n/, '');
  writeFileSync(
    file,
    `---\ntitle: Edited page\nopenapi: openapi.json GET /users\n---\n\nimport Note from "/snippets/note.mdx"\n\n<Note />\n\n${text}`,
  );
}

const changes: Record<string, (folder: string, edited: string, mark: string) => void> = {
  page: (folder, edited, mark) => replaced(path.join(folder, `${edited}.md`), /$/, `\n${mark}\n`),
  snippet: (folder, _, mark) => writeFileSync(path.join(folder, 'snippets/note.mdx'), `A note: ${mark}\n`),
  'docs.json': (folder, _, mark) => replaced(path.join(folder, 'docs.json'), /"name": "[^"]*"/, `"name": "${mark}"`),
  'style.css': (folder, _, mark) => writeFileSync(path.join(folder, 'style.css'), `body { --mark: ${mark} }\n`),
  specification: (folder, _, mark) => writeFileSync(path.join(folder, 'openapi.json'), specification(mark)),
};

function replaced(file: string, pattern: RegExp, text: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, text));
}

/** Waits until the text or the value of the stylesheet is on the page. */
async function shown(page: Page, mark: string): Promise<void> {
  await page.waitForFunction(
    (wanted) =>
      document.body?.textContent.includes(wanted) ||
      document.title.includes(wanted) ||
      (document.body && getComputedStyle(document.body).getPropertyValue('--mark').includes(wanted)),
    mark,
    { polling: 'raf' },
  );
}

async function startPreview(folder: string) {
  const program = path.resolve(import.meta.dirname, '../../src/cli/carrel.ts');
  const child = spawn(process.execPath, [program, 'dev', folder, '--port', '0', '--cache', 'off'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const address = await new Promise<string>((resolve) => {
    let text = '';
    child.stdout.on('data', (piece) => {
      const found = /(http:\S+\/)\n/.exec((text += String(piece)));
      if (found) resolve(found[1]!);
    });
  });
  return { address, child, ended, pid: child.pid! };
}

/** Milliseconds of processor time of a process. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Waits until the preview has read all pages after the last change. */
async function idle(pid: number): Promise<void> {
  for (let before = -1, now = cpuOf(pid); now !== before;) {
    before = now;
    await new Promise((resume) => setTimeout(resume, 700));
    now = cpuOf(pid);
  }
}

function at(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)]!;
}
