/**
 * How well search finds the answers of questions: the questions are headings such as "Why does my pod restart?", which are left out of
 * the index, so that only the text below them can be found. Prints the mean over all folders with a 95 % bootstrap interval.
 *
 *     node test/bench/questions.ts FOLDER …
 *     node test/bench/questions.ts --embeddings-url URL --embeddings-model NAME FOLDER …     by words and by meaning
 */
import { parseArgs } from 'node:util';
import { embed } from '../../integration/remote/embeddings.ts';
import { createIndexBuilder } from '../../integration/search/builder.ts';
import { openIndex, type SearchIndex } from '../../integration/search/index.ts';
import { shownPerPage } from '../../integration/search/index-options.ts';
import { shardText } from '../../integration/search/shards.ts';
import { beginning, embeddedText, openVectors, quantized, withVectors } from '../../integration/search/vectors.ts';
import { randomNumbers } from '../support/generated-pages.ts';
import { markdownPages } from './markdown-pages.ts';

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: { 'embeddings-url': { type: 'string' }, 'embeddings-model': { type: 'string' } },
});
const { 'embeddings-url': url, 'embeddings-model': model } = values;
if (folders.length === 0) throw new Error('Specify folders of Markdown: node test/bench/questions.ts FOLDER …');

/** Reciprocal ranks of the first right page and the first right section, by question. */
const ranks: { page: number; section: number; shown: number }[] = [];
for (const folder of folders) {
  const { pages } = markdownPages(folder);
  const asked = new Map<string, { page: string; id: string }[]>();
  for (const section of pages.flatMap((page) => page.sections)) {
    const heading = section.headings.at(-1) ?? '';
    if (!/(?:\S+\s+){3}\S.*\?$/.test(heading) || section.text.length + section.code.length < 80) continue;
    asked.set(heading, [...(asked.get(heading) ?? []), section]);
    section.headings = [...section.headings.slice(0, -1), ''];
  }
  const builder = createIndexBuilder();
  for (const page of pages) builder.addPage(page);
  const files = builder.finish();
  const byWords = await openIndex({ load: async (name) => shardText(files.get(`${name}.js`)!) });
  const index = url === undefined || model === undefined ? byWords : await byMeaning(byWords, { url, model });
  const before = ranks.length;
  for (const [question, answers] of asked) {
    if (answers.length > 3) continue;
    const results = await index.search(question, { limit: 100, perPage: shownPerPage });
    const found = [...new Set(results.map(({ page }) => page))].slice(0, 10);
    const page = 1 + found.findIndex((path) => answers.some((answer) => answer.page === path));
    const section = 1 + results.slice(0, 10).findIndex(({ id }) => answers.some((answer) => answer.id === id));
    const shown = Number(results.slice(0, 10).some(({ page }) => answers.some((answer) => answer.page === page)));
    ranks.push({ page: page && 1 / page, section: section && 1 / section, shown });
  }
  report(folder, ranks.slice(before));
}
report('all', ranks);

function report(name: string, of: typeof ranks): void {
  if (of.length === 0) return console.log(`${name}: no questions`);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const random = randomNumbers(3);
  const pages = of.map(({ page }) => page);
  const samples = Array.from({ length: 1000 }, () => mean(pages.map(() => pages[Math.floor(random() * pages.length)]!)));
  samples.sort((a, b) => a - b);
  console.log(
    `${name}: ${of.length} questions, page MRR ${mean(pages).toFixed(3)} [${samples[25]!.toFixed(3)}, ${samples[974]!.toFixed(3)}], in the first five ` +
      `${(100 * mean(pages.map((page) => (page >= 0.2 ? 1 : 0)))).toFixed(0)} %, in the first ten results ${(100 * mean(of.map(({ shown }) => shown))).toFixed(1)} %, section MRR ${mean(of.map(({ section }) => section)).toFixed(3)}`,
  );
}

async function byMeaning(index: SearchIndex, embeddings: { url: string; model: string }): Promise<SearchIndex> {
  const texts = (await index.sections(Array.from({ length: index.sectionCount }, (_, section) => section))).map(embeddedText);
  const vectors: Int8Array[] = [];
  for (let from = 0; from < texts.length; from += 64)
    for (const vector of await embed(embeddings, texts.slice(from, from + 64), { timeout: 600_000 }))
      vectors.push(quantized(vector));
  const dimension = vectors[0]?.length ?? 1;
  const opened = openVectors(Int8Array.from(vectors.flatMap((vector) => [...vector])), { dimension, count: vectors.length });
  return withVectors(index, async (query, limit) => {
    const [vector] = await embed(embeddings, [beginning(query)], { timeout: 60_000 });
    return opened.nearest(vector!, limit);
  });
}
