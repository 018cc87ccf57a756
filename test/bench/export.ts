import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { warnAbove } from './aims.ts';
import { rivals, type RivalName } from './export-rivals.ts';
import { folderSize } from './folder-size.ts';
import { generatePages, writeDocs, type GeneratedPage, type Shape } from './generate-docs.ts';
import { measure, type MeasuredPhases } from './measure.ts';

export interface ExportBenchOptions {
  shapes: Shape[];
  /** Numbers of pages, ascending. */
  sizes: number[];
  against: RivalName[];
  /** Whether code blocks name their languages, which makes all generators highlight them. */
  highlight: boolean;
  repository: string;
}

interface Built extends MeasuredPhases {
  /** Of all files. */
  bytes: number;
  /** Of HTML files. */
  htmlBytes: number;
}

const runs = ['cold', 'warm', 'changed'] as const;
type Runs = Record<(typeof runs)[number], Built>;

const megabyte = 1e6;
const gigabyte = 1e9;

/** What an export should cost at most: applies to the shape and number of pages where they are given. */
const aims: {
  what: string;
  shape?: Shape;
  /** Least and most pages. */
  pages?: [number, number];
  value: (runs: Runs) => number;
  most: number;
  unit: string;
}[] = [
  { what: 'cold', shape: 'tabs', pages: [5000, 5000], value: ({ cold }) => cold.cpuSeconds, most: 24, unit: 'CPU-s' },
  { what: 'warm', pages: [5000, 5000], value: ({ warm }) => warm.cpuSeconds, most: 1.5, unit: 'CPU-s' },
  { what: 'one page changed', pages: [5000, 5000], value: ({ changed }) => changed.cpuSeconds, most: 1, unit: 'CPU-s' },
  { what: 'output', pages: [5000, 5000], value: ({ cold }) => cold.bytes / megabyte, most: 250, unit: 'MB' },
  { what: 'peak memory', pages: [0, 5000], value: peakMemory, most: 0.6, unit: 'GB' },
  { what: 'peak memory', pages: [5001, 50_000], value: peakMemory, most: 2, unit: 'GB' },
];

/** CPU time cold, of Hugo's in the same run. */
const mostOfHugo = { highlighted: 1.25, plain: 1 };
const mostOfAstro = { cold: 1, warm: 0.2 };

/** Between a site and one with more pages; 1 is linear. */
const mostExponent = 1.05;
/** A smaller site tells little about growth: what does not depend on pages weighs too much. */
const leastPagesForGrowth = 2000;

/**
 * Exports generated pages of each shape and size with an empty cache, with a full one, and with one page changed; builds the same pages with
 * others; prints costs, growth and missed aims.
 */
export async function benchExport({ shapes, sizes, against, highlight, repository }: ExportBenchOptions): Promise<void> {
  // Below the repository, so that the projects of others find its packages; git ignores the folder.
  await mkdir(path.join(repository, '.carrel'), { recursive: true });
  const root = await mkdtemp(path.join(repository, '.carrel/bench-'));
  try {
    const installed = against.filter((name) => rivals[name].command(repository) !== undefined);
    for (const name of against) if (!installed.includes(name)) console.log(`${name} is not installed: left out`);
    const one = generatePages(1, 'flat');
    // The theme is compiled once for a working tree, which is not part of an export.
    await exportWithCarrel(path.join(root, 'theme'), one, 'flat', repository);
    const empty = await exportWithCarrel(path.join(root, 'empty'), one, 'flat', repository);
    print('carrel, one page', empty.cold);
    for (const shape of shapes) {
      const measured: { pages: number; runs: Runs }[] = [];
      for (const pages of sizes) {
        const generated = generatePages(pages, shape).map((page) => (highlight ? page : withoutLanguages(page)));
        const kilobytes = generated.reduce((sum, page) => sum + page.markdown.length, 0) / 1024 / pages;
        console.log(`\n${shape}: ${pages} pages of ${kilobytes.toFixed(1)} KB, four code blocks each`);
        const folder = path.join(root, `${shape}-${pages}`);
        const carrel = await exportWithCarrel(folder, generated, shape, repository, print);
        measured.push({ pages, runs: carrel });
        await rm(folder, { recursive: true });
        printAims(shape, pages, carrel);
        for (const name of installed) await compare(name, path.join(root, name), generated, carrel, { highlight, repository });
      }
      printGrowth(shape, measured, empty.cold);
    }
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

type Print = (name: string, built: Built, pages?: number, stages?: Record<string, number>) => void;

async function exportWithCarrel(
  root: string,
  pages: GeneratedPage[],
  shape: Shape,
  repository: string,
  onRun?: Print,
): Promise<Runs> {
  const docs = path.join(root, 'docs');
  await mkdir(docs, { recursive: true });
  await writeDocs(docs, pages, shape);
  const run = exporter(docs, root, repository);
  const runAs = async (name: string): Promise<Built> => {
    const { built, report } = await run();
    onRun?.(`carrel, ${name}`, built, pages.length, report.seconds);
    return built;
  };
  const cold = await runAs('cold');
  const warm = await runAs('warm');
  await appendFile(path.join(docs, `${pages[Math.floor(pages.length / 2)]!.path}.md`), '\nOne sentence more.\n');
  return { cold, warm, changed: await runAs('one page changed') };
}

/** Exports a docs folder into a folder below `root`, with the cache of the runs before. */
function exporter(docs: string, root: string, repository: string, more: string[] = []) {
  const [site, cache, file] = ['site', 'cache', 'report.json'].map((name) => path.join(root, name)) as [string, string, string];
  const args = ['src/cli/carrel.ts', 'export', docs, '--out', site, '--cache', cache, '--report', file, ...more];
  return async () => {
    const measured = await measure(process.execPath, args, { cwd: repository });
    const report = JSON.parse(await readFile(file, 'utf8')) as { pages: number; seconds: Record<string, number> };
    const built: Built = { ...measured, bytes: await folderSize(site), htmlBytes: await folderSize(site, '.html') };
    return { built, report };
  };
}

/** What a page costs at most, cold, in CPU milliseconds, and the peak in gigabytes: measured in November 2026 on two slow cores. */
const sizeClasses = [
  { name: 'up to 50 pages', most: 50, cpu: 160, peak: 0.25 },
  { name: 'up to 500 pages', most: 500, cpu: 45, peak: 0.35 },
  { name: 'more pages', most: Infinity, cpu: 16, peak: 0.95 },
];

/**
 * Exports real docs folders with an empty cache and with a full one, and prints the costs of a page by size of the folder. With `memory`, it also
 * archives them, and prints the peak of each phase.
 */
export async function benchRealExport(folders: string[], repository: string, memory: boolean): Promise<void> {
  const measured: { pages: number; cold: Built; warm: Built }[] = [];
  for (const folder of folders) {
    const root = await mkdtemp(path.join(tmpdir(), 'carrel-bench-'));
    try {
      const run = exporter(folder, root, repository, memory ? ['--zip', path.join(root, 'site.zip'), '--progress-fd', '4'] : []);
      const [cold, warm] = [await run(), await run()];
      const { pages } = cold.report;
      console.log(`\n${folder}: ${pages} pages`);
      print('carrel, cold', cold.built, pages, cold.report.seconds);
      print('carrel, warm', warm.built, pages, warm.report.seconds);
      if (memory) for (const [name, { built }] of Object.entries({ cold, warm })) printPeaks(name, built);
      measured.push({ pages, cold: cold.built, warm: warm.built });
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  }
  console.log('');
  for (const [index, { name, most, ...aim }] of sizeClasses.entries()) {
    const sites = measured.filter(({ pages }) => pages <= most && pages > (sizeClasses[index - 1]?.most ?? 0));
    if (sites.length === 0) continue;
    const total = (value: (site: (typeof sites)[number]) => number) => sites.reduce((sum, site) => sum + value(site), 0);
    const perPage = (run: 'cold' | 'warm') => (1000 * total((site) => site[run].cpuSeconds)) / total(({ pages }) => pages);
    const peak = Math.max(...sites.map(({ cold }) => cold.peakMemory)) / gigabyte;
    console.log(
      `${name}: ${sites.length} folders, ${total(({ pages }) => pages)} pages, ${perPage('cold').toFixed(1)} CPU-ms a page cold, ${perPage('warm').toFixed(1)} warm, at most ${peak.toFixed(2)} GB`,
    );
    warnAbove(`${name}, cold`, perPage('cold'), aim.cpu, 'CPU-ms a page');
    warnAbove(`${name}, peak memory`, peak, aim.peak, 'GB');
  }
}

async function compare(
  name: RivalName,
  project: string,
  pages: GeneratedPage[],
  carrel: Runs,
  { highlight, repository }: Pick<ExportBenchOptions, 'highlight' | 'repository'>,
): Promise<void> {
  const { write, command, output } = rivals[name];
  const [program = '', ...args] = command(repository) ?? [];
  await write(project, pages);
  const build = async (run: string): Promise<Built> => {
    const measured = await measure(program, args, { cwd: project, env: { ASTRO_TELEMETRY_DISABLED: '1' } });
    const folder = path.join(project, output);
    const built = { ...measured, bytes: await folderSize(folder), htmlBytes: await folderSize(folder, '.html') };
    print(`${name}, ${run}`, built, pages.length);
    return built;
  };
  const cold = await build('cold');
  const warm = await build('warm');
  await rm(project, { recursive: true });
  const ratio = (run: 'cold' | 'warm', other: Built) => carrel[run].cpuSeconds / other.cpuSeconds;
  console.log(
    `carrel takes ${ratio('cold', cold).toFixed(2)} times the CPU of ${name} cold, ${ratio('warm', warm).toFixed(2)} times warm`,
  );
  const most = highlight ? mostOfHugo.highlighted : mostOfHugo.plain;
  if (name === 'hugo') warnAbove('cold, of Hugo’s CPU', ratio('cold', cold), most, 'x');
  if (name === 'astro') warnAbove('cold, of bare Astro’s CPU', ratio('cold', cold), mostOfAstro.cold, 'x');
  if (name === 'astro') warnAbove('warm, of its warm CPU', ratio('warm', warm), mostOfAstro.warm, 'x');
}

/** Without the languages, no generator highlights the code. */
function withoutLanguages({ path, markdown }: GeneratedPage): GeneratedPage {
  return { path, markdown: markdown.replace(/^```\w.*$/gm, '```') };
}

function peakMemory({ cold, warm, changed }: Runs): number {
  return Math.max(cold.peakMemory, warm.peakMemory, changed.peakMemory) / gigabyte;
}

function print(name: string, built: Built, pages = 1, stages: Record<string, number> = {}): void {
  const parts = Object.entries(stages).map(([stage, seconds]) => `${stage} ${seconds.toFixed(1)}`);
  const figures = [
    `${built.cpuSeconds.toFixed(2).padStart(8)} CPU-s`,
    `${built.wallSeconds.toFixed(2).padStart(8)} s`,
    `${(built.peakMemory / gigabyte).toFixed(2).padStart(6)} GB`,
    `${(built.bytes / megabyte).toFixed(1).padStart(8)} MB out`,
    `${(built.htmlBytes / pages / 1000).toFixed(1).padStart(7)} KB of HTML a page`,
  ];
  console.log(`${name.padEnd(26)}${figures.join('')}${parts.length > 0 ? `   (${parts.join(', ')})` : ''}`);
}

function printPeaks(name: string, { peaks }: Built): void {
  const parts = Object.entries(peaks).map(([phase, bytes]) => `${phase} ${(bytes / megabyte).toFixed(0)}`);
  console.log(`peak memory, ${name}, in MB: ${parts.join(', ')}`);
}

function printAims(shape: Shape, pages: number, runs: Runs): void {
  for (const aim of aims) {
    const [least, most] = aim.pages ?? [0, Infinity];
    if ((aim.shape ?? shape) === shape && pages >= least && pages <= most)
      warnAbove(aim.what, aim.value(runs), aim.most, aim.unit);
  }
}

/** Prints the exponents of CPU time and bytes from each size to the next and over all, without what a site of one page costs. */
function printGrowth(shape: Shape, measured: { pages: number; runs: Runs }[], empty: Built): void {
  const [first, last] = [measured.find(({ pages }) => pages >= leastPagesForGrowth) ?? measured[0], measured.at(-1)];
  if (!first || !last || first === last) return;
  const costs = { CPU: (built: Built) => built.cpuSeconds, bytes: (built: Built) => built.bytes };
  for (const [what, cost] of Object.entries(costs)) {
    const exponent = (from: typeof first, to: typeof first) =>
      Math.log((cost(to.runs.cold) - cost(empty)) / (cost(from.runs.cold) - cost(empty))) / Math.log(to.pages / from.pages);
    const steps = measured.slice(1).map((to, index) => `${to.pages}: ${exponent(measured[index]!, to).toFixed(2)}`);
    console.log(
      `${shape}: ${what} grow with the pages to the power of ${exponent(first, last).toFixed(2)} (${steps.join(', ')})`,
    );
    warnAbove(`growth of ${what} from ${first.pages} to ${last.pages} pages`, exponent(first, last), mostExponent, '');
  }
}
