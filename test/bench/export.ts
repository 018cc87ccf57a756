import { appendFile, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { rivals, type RivalName } from './export-rivals.ts';
import { generatePages, writeDocs } from './generate-docs.ts';
import { measure, type Measured } from './measure.ts';

export interface ExportBenchOptions {
  pages: number;
  against: RivalName[];
  repository: string;
}

const aims = { coldOfAstro: 1, warmOfAstro: 1 / 5, oneChangedSeconds: 1, memory: 0.6 * 1024 ** 3 };

/** Exports generated pages with an empty cache, with a full one, and with one page changed; builds the same pages with others; prints all. */
export async function benchExport({ pages, against, repository }: ExportBenchOptions): Promise<void> {
  // Below the repository, so that the projects of others find its packages; git ignores the folder.
  await mkdir(path.join(repository, '.carrel'), { recursive: true });
  const root = await mkdtemp(path.join(repository, '.carrel/bench-'));
  try {
    const generated = generatePages(pages);
    const docs = path.join(root, 'docs');
    await mkdir(docs);
    await writeDocs(docs, generated);
    const kilobytes = generated.reduce((sum, page) => sum + page.markdown.length, 0) / 1024 / pages;
    console.log(`${pages} pages of ${kilobytes.toFixed(1)} KB, four code blocks each\n`);

    const carrel = await benchCarrel(root, docs, path.join(docs, `${generated[Math.floor(pages / 2)]!.path}.md`), repository);
    const others: Partial<Record<RivalName, Record<'cold' | 'warm', Measured>>> = {};
    for (const name of against) {
      const project = path.join(root, name);
      await rivals[name](project, generated);
      others[name] = {
        cold: await build(`${name}, cold`, project, repository),
        warm: await build(`${name}, warm`, project, repository),
      };
    }
    printRatios(carrel, others);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function benchCarrel(root: string, docs: string, changedPage: string, repository: string) {
  const report = path.join(root, 'report.json');
  const args = [
    'src/cli/carrel.ts',
    'export',
    docs,
    '--out',
    path.join(root, 'site'),
    '--cache',
    path.join(root, 'cache'),
    '--report',
    report,
  ];
  const run = async (name: string) => {
    const measured = await measure(process.execPath, args, { cwd: repository });
    const { seconds } = JSON.parse(await readFile(report, 'utf8')) as { seconds: Record<string, number> };
    print(`carrel, ${name}`, measured, seconds);
    return measured;
  };
  // The theme is compiled once for a working tree, which is not part of an export.
  await measure(
    process.execPath,
    ['src/cli/carrel.ts', 'export', await onePage(root), '--out', path.join(root, 'one'), '--cache', 'off'],
    {
      cwd: repository,
    },
  );
  const cold = await run('cold');
  const warm = await run('warm');
  await appendFile(changedPage, '\nOne sentence more.\n');
  return { cold, warm, changed: await run('one page changed') };
}

async function onePage(root: string): Promise<string> {
  const docs = path.join(root, 'one-page');
  await mkdir(docs);
  await writeDocs(docs, generatePages(1));
  return docs;
}

async function build(name: string, project: string, repository: string): Promise<Measured> {
  const measured = await measure(process.execPath, [path.join(repository, 'node_modules/astro/bin/astro.mjs'), 'build'], {
    cwd: project,
    env: { ASTRO_TELEMETRY_DISABLED: '1' },
  });
  print(name, measured);
  return measured;
}

function print(name: string, { cpuSeconds, wallSeconds, peakMemory }: Measured, stages: Record<string, number> = {}): void {
  const parts = Object.entries(stages).map(([stage, seconds]) => `${stage} ${seconds.toFixed(1)}`);
  const figures = `${cpuSeconds.toFixed(1).padStart(7)} CPU-s ${wallSeconds.toFixed(1).padStart(7)} s ${(peakMemory / 1024 ** 3).toFixed(2).padStart(6)} GB`;
  console.log(`${name.padEnd(26)}${figures}${parts.length > 0 ? `   (${parts.join(', ')})` : ''}`);
}

function printRatios(
  carrel: Record<'cold' | 'warm' | 'changed', Measured>,
  others: Partial<Record<RivalName, Record<'cold' | 'warm', Measured>>>,
): void {
  console.log('');
  const rows: [what: string, value: number, aim: number, unit: string][] = [];
  const { astro } = others;
  if (astro) {
    rows.push(['cold, of bare Astro’s CPU', carrel.cold.cpuSeconds / astro.cold.cpuSeconds, aims.coldOfAstro, 'x']);
    rows.push(['warm, of its warm CPU', carrel.warm.cpuSeconds / astro.warm.cpuSeconds, aims.warmOfAstro, 'x']);
  }
  rows.push(['one page changed', carrel.changed.cpuSeconds, aims.oneChangedSeconds, 'CPU-s']);
  const memory = Math.max(carrel.cold.peakMemory, carrel.warm.peakMemory, carrel.changed.peakMemory);
  rows.push(['peak memory', memory / 1024 ** 3, aims.memory / 1024 ** 3, 'GB']);
  for (const [what, value, aim, unit] of rows) {
    console.log(`${what.padEnd(28)}${value.toFixed(2)} ${unit}  (aim ${aim.toFixed(2)}: ${value <= aim ? 'met' : 'missed'})`);
  }
  for (const [name, other] of Object.entries(others)) {
    const ratio = (kind: 'cold' | 'warm') => (other[kind].cpuSeconds / carrel[kind].cpuSeconds).toFixed(1);
    console.log(`${name} takes ${ratio('cold')} times the CPU of carrel cold, ${ratio('warm')} times warm`);
  }
}
