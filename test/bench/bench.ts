// npm run bench -- export [--shape flat,deep,tabs] [--pages 500,1000,5000] [--against hugo,astro,starlight] [--highlight off]
// npm run bench -- storage [--megabytes 500] [--files 100000] [--kilobytes 8]
// npm run bench -- assistant [--pages 8334] [--queries 300] [--streams 2000]
// npm run bench -- server [--queued 1000] [--jobs 200] [--seconds 10]
// npm run bench -- static-site [--site FOLDER] [--pages 616] [--queries 20] [--runs 5]
// npm run bench -- diagrams --site FOLDER[,FOLDER…]
// npm run bench -- modules
// npm run bench -- search [--site FOLDER] [--pages 700] [--queries 30]
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchAssistant } from './assistant.ts';
import { benchBundles } from './bundles.ts';
import { benchDiagrams } from './diagrams.ts';
import { benchExport } from './export.ts';
import { rivalNames } from './export-rivals.ts';
import { shapes } from './generate-docs.ts';
import { benchModules } from './modules.ts';
import { benchStaticSite } from './static-site.ts';
import { benchSearch } from './search.ts';
import { benchServer } from './server.ts';
import { benchStorage } from './storage.ts';

const repository = path.resolve(import.meta.dirname, '../..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    pages: { type: 'string' },
    against: { type: 'string', default: '' },
    shape: { type: 'string', default: 'tabs' },
    highlight: { type: 'string', default: 'on' },
    site: { type: 'string' },
    queries: { type: 'string' },
    streams: { type: 'string', default: '2000' },
    megabytes: { type: 'string', default: '500' },
    files: { type: 'string', default: '100000' },
    kilobytes: { type: 'string', default: '8' },
    queued: { type: 'string', default: '1000' },
    jobs: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    runs: { type: 'string', default: '5' },
  },
});

const benches: Record<string, () => Promise<void>> = {
  assistant: () =>
    benchAssistant({
      pages: Number(values.pages ?? 8334),
      questions: Number(values.queries ?? 300),
      streams: Number(values.streams),
    }),
  export: () =>
    benchExport({
      shapes: namesIn(values.shape, shapes),
      sizes: (values.pages ?? '5000')
        .split(',')
        .map(Number)
        .sort((a, b) => a - b),
      against: namesIn(values.against, rivalNames),
      highlight: values.highlight !== 'off',
      repository,
    }),
  diagrams: () => benchDiagrams((values.site ?? repository).split(',')),
  modules: () => benchModules(repository),
  search: () =>
    benchSearch({
      site: values.site && path.resolve(values.site),
      pages: Number(values.pages ?? 700),
      queries: Number(values.queries ?? 30),
      repository,
    }),
  server: () => benchServer({ queued: Number(values.queued), jobs: Number(values.jobs), seconds: Number(values.seconds) }),
  'static-site': () =>
    benchStaticSite({
      site: values.site && path.resolve(values.site),
      pages: Number(values.pages ?? 616),
      queries: Number(values.queries ?? 20),
      runs: Number(values.runs),
      repository,
    }),
  async storage() {
    await benchStorage({ megabytes: Number(values.megabytes) });
    await benchBundles({ files: Number(values.files), kilobytes: Number(values.kilobytes), repository });
  },
};

// `guest` is the name that this bench had before.
const name = positionals[0] === 'guest' ? 'static-site' : (positionals[0] ?? '');
const bench = benches[name];
if (!bench) {
  console.error(
    `Usage: npm run bench -- ${Object.keys(benches).join('|')} [--pages N,…] [--shape ${shapes.join(',')}] [--against ${rivalNames.join(',')}] [--highlight off] [--site FOLDER] [--queries N] [--streams N] [--megabytes N] [--files N] [--kilobytes N] [--queued N] [--jobs N] [--seconds N] [--runs N]`,
  );
  process.exit(2);
}
await bench();

/** The names in a comma-separated list; ends the program at one that is not known. */
function namesIn<Name extends string>(list: string, known: readonly Name[]): Name[] {
  return list
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const found = known.find((one) => one === name);
      if (found !== undefined) return found;
      console.error(`"${name}" is not one of ${known.join(', ')}.`);
      process.exit(2);
    });
}
