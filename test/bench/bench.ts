// npm run bench -- export --pages 5000 [--against astro,starlight]
// npm run bench -- storage [--megabytes 500]
// npm run bench -- assistant [--pages 8334] [--queries 300] [--streams 2000]
// npm run bench -- server [--queued 1000] [--jobs 200] [--seconds 10]
// npm run bench -- static-site [--site FOLDER] [--pages 616] [--queries 20] [--runs 5]
// npm run bench -- modules
// npm run bench -- search [--site FOLDER] [--pages 700] [--queries 30]
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchAssistant } from './assistant.ts';
import { benchExport } from './export.ts';
import { rivalNames, type RivalName } from './export-rivals.ts';
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
    site: { type: 'string' },
    queries: { type: 'string' },
    streams: { type: 'string', default: '2000' },
    megabytes: { type: 'string', default: '500' },
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
    benchExport({ pages: Number(values.pages ?? 5000), against: values.against.split(',').filter(isRival), repository }),
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
  storage: () => benchStorage({ megabytes: Number(values.megabytes) }),
};

// `guest` is the name that this bench had before.
const name = positionals[0] === 'guest' ? 'static-site' : (positionals[0] ?? '');
const bench = benches[name];
if (!bench) {
  console.error(
    `Usage: npm run bench -- ${Object.keys(benches).join('|')} [--pages N] [--against ${rivalNames.join(',')}] [--site FOLDER] [--queries N] [--streams N] [--megabytes N] [--queued N] [--jobs N] [--seconds N] [--runs N]`,
  );
  process.exit(2);
}
await bench();

function isRival(name: string): name is RivalName {
  return (rivalNames as readonly string[]).includes(name);
}
