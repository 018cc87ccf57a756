/**
 * What a first search costs: compressed bytes, requests and rounds over a folder of Markdown, or over generated pages without one.
 *
 *     node test/bench/search-bytes.ts [FOLDER] [/PREFIX/]
 */
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { createIndexBuilder } from '../../integration/search/builder.ts';
import { openIndex } from '../../integration/search/index.ts';
import { shardText } from '../../integration/search/shards.ts';
import { generatedPages, randomNumbers } from '../support/generated-pages.ts';
import { markdownPages } from './markdown-pages.ts';

const [folder, prefix] = process.argv.slice(2);
const { pages, links } = folder ? markdownPages(folder, prefix) : { pages: generatedPages(1000), links: [] };
const sections = pages.flatMap((page) => page.sections);

const start = process.cpuUsage();
const builder = createIndexBuilder();
for (const page of pages) builder.addPage(page);
const files = builder.finish();
const { user, system } = process.cpuUsage(start);
console.log(
  `${pages.length} pages, ${sections.length} sections, built in ${Math.round((user + system) / 1000)} ms CPU, ${files.size} files`,
);

const compressed = new Map([...files].map(([name, script]) => [name, gzipSync(script, { level: 9 }).length]));
for (const kind of ['meta', 'dict', 't', 'd', 'x']) {
  const names = [...files.keys()].filter((name) => name.match(/^(meta|dict|[tdx])/)![0] === kind);
  const total = (size: (name: string) => number) => kilobytes(names.reduce((sum, name) => sum + size(name), 0));
  console.log(
    `  ${kind}: ${names.length} files, ${total((name) => files.get(name)!.length)} KB, gz ${total((name) => compressed.get(name)!)} KB`,
  );
}

const client = gzipSync(await clientCode(), { level: 9 }).length;
console.log(`client (search and MiniSearch): gz ${kilobytes(client)} KB`);

const random = randomNumbers(3);
const kinds: Record<string, () => string> = {
  'known words': () => Array.from({ length: 1 + Math.floor(random() * 3) }, knownWord).join(' '),
  'unfinished word': () => knownWord().slice(0, 3),
  'misspelled word': () => misspelt(knownWord()),
  ...(links.length > 0 && { 'text of a link': () => links[Math.floor(random() * links.length)]!.text }),
};
for (const [kind, query] of Object.entries(kinds)) {
  const costs: Awaited<ReturnType<typeof firstSearch>>[] = [];
  for (let i = 0; i < 300; i++) costs.push(await firstSearch(query()));
  const at = (share: number, value: (cost: (typeof costs)[number]) => number) =>
    costs.map(value).sort((a, b) => a - b)[Math.floor(share * costs.length)]!;
  const sizes = [0.5, 0.95].map((share) => kilobytes(client + at(share, ({ bytes }) => bytes))).join('/');
  const titled = [0.5, 0.95].map((share) => kilobytes(client + at(share, ({ withoutTexts }) => withoutTexts))).join('/');
  console.log(
    `${kind}: p50/p95 ${sizes} KB gz, before excerpts ${titled}; ${at(0.5, ({ requests }) => requests)} requests, ${at(0.95, ({ rounds }) => rounds)} rounds`,
  );
}

/** A search with ten results and their excerpts in an index that was never used before. */
async function firstSearch(query: string) {
  let bytes = 0;
  let requests = 0;
  let rounds = 0;
  let waiting: Promise<void> | undefined;
  const load = async (name: string) => {
    bytes += compressed.get(`${name}.js`)!;
    requests++;
    // Files asked for before any of them has arrived come in one round.
    waiting ??= new Promise((resolve) => setImmediate(() => ((waiting = undefined), rounds++, resolve())));
    await waiting;
    return shardText(files.get(`${name}.js`)!);
  };
  const index = await openIndex({ load });
  const results = await index.search(query);
  const withoutTexts = bytes;
  await index.excerpts(results);
  return { bytes, requests, rounds, withoutTexts };
}

function knownWord(): string {
  for (;;) {
    const { text } = sections[Math.floor(random() * sections.length)]!;
    const words = text.match(/[\p{L}\p{M}]{4,}/gu) ?? [];
    if (words.length > 0) return words[Math.floor(random() * words.length)]!;
  }
}

function misspelt(word: string): string {
  const at = 1 + Math.floor(random() * (word.length - 1));
  return word.slice(0, at) + word.slice(at + 1);
}

/** The minified code that a browser needs to open and search an index. */
async function clientCode(): Promise<string> {
  const entry = fileURLToPath(new URL('../../integration/search/index.ts', import.meta.url));
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: true, target: 'es2022', lib: { entry, formats: ['iife'], name: 'search' } },
  });
  return (built as Rolldown.RolldownOutput[])[0]!.output[0].code;
}

function kilobytes(bytes: number): string {
  return (bytes / 1024).toFixed(1);
}
