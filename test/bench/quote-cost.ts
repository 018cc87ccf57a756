/**
 * What an answer by quotes costs: files and compressed bytes of a first question in a browser, and CPU time with the files at hand, in
 * generated docs of about so many sections.
 *
 *     node test/bench/quote-cost.ts [SECTIONS …]
 */
import { gzipSync } from 'node:zlib';
import { answerFrom } from '../../integration/search/answer.ts';
import { createIndexBuilder } from '../../integration/search/builder.ts';
import { openIndex } from '../../integration/search/index.ts';
import { shardText } from '../../integration/search/shards.ts';
import { generatedPages, randomNumbers } from '../support/generated-pages.ts';

const sizes = process.argv.slice(2).map(Number);
for (const wanted of sizes.length > 0 ? sizes : [4200, 50_000]) await measure(wanted);

async function measure(wanted: number): Promise<void> {
  const few = generatedPages(50);
  const perPage = few.flatMap((page) => page.sections).length / few.length;
  const pages = generatedPages(Math.round(wanted / perPage));
  const sections = pages.flatMap((page) => page.sections);
  const builder = createIndexBuilder();
  for (const page of pages) builder.addPage(page);
  const files = builder.finish();
  const compressed = new Map<string, number>();
  const random = randomNumbers(7);
  const pick = <Value>(values: Value[]) => values[Math.floor(random() * values.length)]!;
  // Words of one section, as they come in its text: common ones are asked for more often, as readers do.
  const question = () => {
    const words = pick(sections).text.match(/[a-z]{4,}/gi) ?? ['nothing'];
    const [first, second, third, fourth] = [pick(words), pick(words), pick(words), pick(words)];
    return pick([
      `How do I ${first} the ${second}?`,
      `What does ${first} ${second} mean for ${third} when ${fourth} is set?`,
      `Why is the ${first} of ${second} not ${third}, and can I change the ${fourth} unheardof?`,
    ]);
  };
  const load = async (name: string) => shardText(files.get(`${name}.js`)!);

  const costs: { files: number; bytes: number }[] = [];
  for (let i = 0; i < 200; i++) {
    const asked = new Set<string>();
    const index = await openIndex({ load: (name) => (asked.add(`${name}.js`), load(name)) });
    await answerFrom(index, question());
    costs.push({ files: asked.size, bytes: [...asked].reduce((sum, name) => sum + gzipped(name), 0) });
  }
  function gzipped(name: string): number {
    return compressed.get(name) ?? (compressed.set(name, gzipSync(files.get(name)!).length), compressed.get(name)!);
  }

  const index = await openIndex({ load });
  const times: number[] = [];
  for (let i = 0; i < 400; i++) {
    const asked = question();
    const start = process.cpuUsage();
    await answerFrom(index, asked);
    const { user, system } = process.cpuUsage(start);
    // The first ones load the files and warm the code.
    if (i >= 100) times.push((user + system) / 1000);
  }
  const bytes = costs.map((cost) => cost.bytes / 1024);
  console.log(`${sections.length} sections:`);
  console.log(`  first question: ${both(costs.map((cost) => cost.files))} files, ${both(bytes)} KB gz (p50, p95)`);
  console.log(`  files at hand: ${both(times)} ms CPU (p50, p95)`);
}

function both(values: number[]): string {
  const sorted = [...values].sort((a, b) => a - b);
  return [0.5, 0.95].map((share) => sorted[Math.floor(share * sorted.length)]!.toFixed(1)).join(', ');
}
