// npm run bench -- export [--shape flat,deep,tabs] [--pages 500,1000,5000] [--against hugo,astro,starlight] [--highlight off]
// npm run bench -- export --real FOLDER[,FOLDER…] [--memory]
// npm run bench -- answers [--site FOLDER,…] [--questions FILE,…] [--against lunr,minisearch,vitepress,flexsearch,orama,pagefind]
//                          [--model-url URL --model NAME] [--model-key VARIABLE] [--judge-model NAME] [--tools off]
//                          [--embeddings-url URL --embeddings-model NAME]
// npm run bench -- storage [--megabytes 500] [--files 100000] [--kilobytes 8]
// npm run bench -- assistant [--pages 8334] [--queries 300] [--streams 2000]
// npm run bench -- idle
// npm run bench -- server [--queued 1000] [--jobs 200] [--seconds 10]
// npm run bench -- soak [--minutes 30]
// npm run bench -- static-site [--site FOLDER] [--pages 616] [--queries 20] [--runs 5]
// npm run bench -- diagrams --site FOLDER[,FOLDER…]
// npm run bench -- fuzz [--requests 100000] [--seed 1]
// npm run bench -- hosting [--pages 500] [--runs 5] [--seconds 10]
// npm run bench -- kills [--kills 200] [--seed 1]
// npm run bench -- modules
// npm run bench -- preview [--pages 1000,5000] [--runs 20]
// npm run bench -- words FOLDER [--pages 60] [--seed 1] [--include-root FOLDER,…]
// npm run bench -- search [--site FOLDER] [--pages 700] [--queries 30]
import path from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from '../../src/cli/usage.ts';
import { createToolSupport } from '../../server/assistant/model/tool-support.ts';
import { benchAnswers } from './answers.ts';
import { benchAssistant } from './assistant.ts';
import type { EmbeddingOptions } from './by-meaning.ts';
import { benchBundles } from './bundles.ts';
import { benchDiagrams } from './diagrams.ts';
import { benchExport, benchRealExport } from './export.ts';
import { rivalNames } from './export-rivals.ts';
import { shapes } from './generate-docs.ts';
import { benchFuzz } from './fuzz.ts';
import { benchHosting } from './hosting.ts';
import { benchKills } from './kills.ts';
import { benchIdle } from './idle-memory.ts';
import { benchModules } from './modules.ts';
import { benchPreview } from './preview.ts';
import { benchStaticSite } from './static-site.ts';
import { benchSearch } from './search.ts';
import { engineLabels, type EngineName } from './search-engines.ts';
import { benchServer } from './server.ts';
import { benchSoak } from './soak.ts';
import { benchStorage } from './storage.ts';
import { modelAt, type Answering } from './whole-answers.ts';
import { benchWords } from './words.ts';

const otherEngines = (Object.keys(engineLabels) as EngineName[]).filter((name) => !['carrel', 'meaning'].includes(name));
const repository = path.resolve(import.meta.dirname, '../..');
const parseOptions = {
  allowPositionals: true,
  options: {
    pages: { type: 'string' },
    against: { type: 'string' },
    shape: { type: 'string', default: 'tabs' },
    highlight: { type: 'string', default: 'on' },
    real: { type: 'string' },
    memory: { type: 'boolean', default: false },
    site: { type: 'string' },
    questions: { type: 'string' },
    'model-url': { type: 'string' },
    model: { type: 'string' },
    'model-key': { type: 'string' },
    'judge-model': { type: 'string' },
    tools: { type: 'string', default: 'on' },
    'embeddings-url': { type: 'string' },
    'embeddings-model': { type: 'string' },
    queries: { type: 'string' },
    streams: { type: 'string', default: '2000' },
    megabytes: { type: 'string', default: '500' },
    files: { type: 'string', default: '100000' },
    kilobytes: { type: 'string', default: '8' },
    queued: { type: 'string', default: '1000' },
    jobs: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '10' },
    kills: { type: 'string', default: '200' },
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    requests: { type: 'string', default: '100000' },
    runs: { type: 'string', default: '5' },
    'include-root': { type: 'string' },
  },
} as const;
type Arguments = ReturnType<typeof parseArgs<typeof parseOptions>>;
type Values = Arguments['values'];

/** Runs a benchmark, and returns the exit code. */
export async function bench(args: string[]): Promise<number> {
  try {
    const parsed = parseArgs({ args, ...parseOptions });
    const benches = benchesOf(parsed);
    // `guest` is the name that this bench had before.
    const name = parsed.positionals[0] === 'guest' ? 'static-site' : (parsed.positionals[0] ?? '');
    await (
      benches[name] ??
      stop(
        `Usage: npm run bench -- ${Object.keys(benches).join('|')} [--pages N,…] [--shape ${shapes.join(',')}] [--against ${rivalNames.join(',')}] [--highlight off] [--real FOLDER,…] [--site FOLDER] [--questions FILE] [--model-url URL] [--model NAME] [--queries N] [--streams N] [--megabytes N] [--files N] [--kilobytes N] [--queued N] [--jobs N] [--seconds N] [--kills N] [--requests N] [--minutes N] [--seed N] [--runs N]`,
      )
    )();
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message} ${error.hint}`.trim());
    return 2;
  }
}

function benchesOf({ positionals, values }: Arguments): Record<string, () => Promise<void>> {
  return {
    answers: () =>
      benchAnswers({
        sites: filesIn(values.site),
        questions: filesIn(values.questions),
        engines: [
          'carrel',
          ...(embeddings(values) ? (['meaning'] as const) : []),
          ...namesIn(values.against ?? otherEngines.join(','), otherEngines),
        ],
        answering: answering(values),
        embeddings: embeddings(values),
      }),
    assistant: () =>
      benchAssistant({
        pages: Number(values.pages ?? 8334),
        questions: Number(values.queries ?? 300),
        streams: Number(values.streams),
      }),
    export: () =>
      values.real !== undefined
        ? benchRealExport(filesIn(values.real), repository, values.memory)
        : benchExport({
            shapes: namesIn(values.shape, shapes),
            sizes: (values.pages ?? '5000')
              .split(',')
              .map(Number)
              .sort((a, b) => a - b),
            against: namesIn(values.against ?? '', rivalNames),
            highlight: values.highlight !== 'off',
            repository,
          }),
    diagrams: () => benchDiagrams((values.site ?? repository).split(',')),
    fuzz: () => benchFuzz({ requests: Number(values.requests), seed: Number(values.seed) }),
    hosting: () =>
      benchHosting({
        pages: Number(values.pages ?? 500),
        runs: Number(values.runs),
        seconds: Number(values.seconds),
        repository,
      }),
    kills: () => benchKills({ kills: Number(values.kills), seed: Number(values.seed) }),
    idle: benchIdle,
    modules: () => benchModules(repository),
    preview: () => benchPreview({ pages: (values.pages ?? '1000,5000').split(',').map(Number), runs: Number(values.runs) }),
    search: () =>
      benchSearch({
        site: values.site && path.resolve(values.site),
        pages: Number(values.pages ?? 700),
        queries: Number(values.queries ?? 30),
        repository,
      }),
    server: () => benchServer({ queued: Number(values.queued), jobs: Number(values.jobs), seconds: Number(values.seconds) }),
    soak: () => benchSoak({ minutes: Number(values.minutes) }),
    'static-site': () =>
      benchStaticSite({
        site: values.site && path.resolve(values.site),
        pages: Number(values.pages ?? 616),
        queries: Number(values.queries ?? 20),
        runs: Number(values.runs),
        repository,
      }),
    words: () =>
      benchWords({
        folder: path.resolve(positionals[1] ?? values.site ?? 'src/manual'),
        pages: Number(values.pages ?? 60),
        seed: Number(values.seed),
        includeRoots: filesIn(values['include-root']),
      }),
    async storage() {
      await benchStorage({ megabytes: Number(values.megabytes) });
      await benchBundles({ files: Number(values.files), kilobytes: Number(values.kilobytes), repository });
    },
  };
}

function answering({
  'model-url': url,
  model,
  'model-key': variable,
  'judge-model': judgeModel,
  tools,
}: Values): Answering | undefined {
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined) stop('A model needs both --model-url URL and --model NAME.');
  const key = variable === undefined ? undefined : process.env[variable];
  if (variable !== undefined && !key) stop(`--model-key: the environment variable ${variable} is not set.`);
  const judge = modelAt(url, judgeModel ?? model, key);
  return { model: modelAt(url, model, key), judge, tools: tools !== 'off', toolSupport: createToolSupport(Date.now) };
}

function embeddings({ 'embeddings-url': url, 'embeddings-model': model }: Values): EmbeddingOptions | undefined {
  if (url === undefined && model === undefined) return undefined;
  if (url === undefined || model === undefined) stop('Embeddings need both --embeddings-url URL and --embeddings-model NAME.');
  return { url, model };
}

/** Paths in a comma-separated list. */
function filesIn(list = ''): string[] {
  return list
    .split(',')
    .filter((file) => file !== '')
    .map((file) => path.resolve(file));
}

function stop(message: string): never {
  throw new UsageError(message, '');
}

/** The names in a comma-separated list; ends the program at one that is not known. */
function namesIn<Name extends string>(list: string, known: readonly Name[]): Name[] {
  return list
    .split(',')
    .filter((name) => name !== '')
    .map((name) => {
      const found = known.find((one) => one === name);
      if (found !== undefined) return found;
      return stop(`"${name}" is not one of ${known.join(', ')}.`);
    });
}

if (process.argv[1] === import.meta.filename) process.exitCode = await bench(process.argv.slice(2));
