import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { warnAbove } from './aims.ts';
import { generatePages } from './generate-docs.ts';
import { measure, type Measured } from './measure.ts';
import { randomNumbers } from '../support/generated-pages.ts';

const megabyte = 1e6;
const mostMemory = 200;
/** CPU time of packing, of `zip -6`, and of verifying and unpacking, of `unzip -tq`. */
const mostOfZip = 1.3;
const mostOfUnzip = 3;

interface BundlesBenchOptions {
  files: number;
  /** Of each file. */
  kilobytes: number;
  repository: string;
}

/** Packs, verifies, unpacks and serves an export of many files of one size, the same files with zip and unzip; prints costs and missed aims. */
export async function benchBundles({ files, kilobytes, repository }: BundlesBenchOptions): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carrel-bench-bundles-'));
  const inFolder = (name: string) => path.join(folder, name);
  const [site, bundle, zipped, unpacked] = [inFolder('site'), inFolder('bundle.zip'), inFolder('zip.zip'), inFolder('unpacked')];
  try {
    await writeExport(site, files, kilobytes * 1000);
    console.log(`\na bundle of ${files} files of ${kilobytes} KB`);
    const carrel = (script: string, step: string, ...args: string[]) =>
      measured(step, process.execPath, [script, step, ...args], repository);
    const hasZip = isInstalled('zip') && isInstalled('unzip');
    if (!hasZip) console.log('zip and unzip are not installed: left out');
    const zip = hasZip ? await measured('zip -6', 'zip', ['-6', '-q', '-r', zipped, '.'], site) : undefined;
    const pack = await carrel('test/bench/bundle-run.ts', 'pack', site, bundle);
    const unzip = hasZip ? await measured('unzip -tq', 'unzip', ['-tq', bundle], folder) : undefined;
    const verify = await carrel('src/cli/carrel.ts', 'verify', bundle);
    const unpack = await carrel('test/bench/bundle-run.ts', 'unpack', bundle, unpacked);
    const serve = await carrel('test/bench/bundle-run.ts', 'serve', bundle);
    if (zip) {
      const [own, other] = [await stat(bundle), await stat(zipped)];
      console.log(`the bundle has ${(own.size / other.size).toFixed(2)} times the bytes of zip -6`);
      warnAbove('pack, of the CPU of zip -6', pack.cpuSeconds / zip.cpuSeconds, mostOfZip, 'x');
    }
    for (const [name, { cpuSeconds, peakMemory }] of Object.entries({ pack, verify, unpack, serve })) {
      if (unzip && name !== 'pack')
        warnAbove(`${name}, of the CPU of unzip -tq`, cpuSeconds / unzip.cpuSeconds, mostOfUnzip, 'x');
      warnAbove(`${name}, memory`, peakMemory / megabyte, mostMemory, 'MB');
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measured(name: string, program: string, args: string[], cwd: string): Promise<Measured> {
  const result = await measure(program, args, { cwd });
  const figures = [
    `${result.cpuSeconds.toFixed(2).padStart(8)} CPU-s`,
    `${result.wallSeconds.toFixed(2).padStart(8)} s`,
    `${(result.peakMemory / megabyte).toFixed(0).padStart(6)} MB`,
  ];
  console.log(name.padEnd(12) + figures.join(''));
  return result;
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Pages in folders of their own, whose texts pack about as well as those of a site. */
async function writeExport(folder: string, count: number, fileSize: number): Promise<void> {
  const text = generatePages(200)
    .map(({ markdown }) => markdown)
    .join('\n');
  const random = randomNumbers(1);
  const pages: { path: string; file: string; title: string; language: string }[] = [];
  const files: Record<string, { sha256: string; size: number }> = {};
  for (let index = 0; index < count; index++) {
    const page = `part-${Math.floor(index / 1000)}/page-${index}`;
    const file = `${page}/index.html`;
    const start = Math.floor(random() * (text.length - fileSize));
    const content = Buffer.from(`<p>${index}</p>${text.slice(start, start + fileSize)}`);
    await mkdir(path.join(folder, page), { recursive: true });
    await writeFile(path.join(folder, file), content);
    files[file] = { sha256: hash('sha256', content), size: content.length };
    pages.push({ path: page, file, title: `Page ${index}`, language: 'en' });
  }
  const manifest = {
    ...{ format: 1, site: 'Bench', version: '1', deployment: 'client-hosted', generator: 'carrel/bench' },
    ...{ entry: 'part-0/page-0/index.html', indexes: [], pages, redirects: [], files },
  };
  await writeFile(path.join(folder, 'carrel.json'), JSON.stringify(manifest));
  await writeFile(path.join(folder, 'carrel.config.js'), '');
}
