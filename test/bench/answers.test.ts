// `npm run bench -- answers` as it is run, with a model and a judge that answer from a script.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  errorAnswer,
  openModelServer,
  textAnswer,
  type ModelAnswer,
  type ModelRequest,
} from '../server/assistant/model-server.ts';
import { openEmbeddingServer } from '../support/embedding-server.ts';
import { fixtureExports } from '../support/fixture-exports.ts';
import { runWarm, type Ended } from '../support/run-warm.ts';
import { engineLabels } from './search-engines.ts';

const repository = resolve(import.meta.dirname, '../..');
let folder: string;
let kettle: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carrel-answers-'));
  kettle = join(await fixtureExports(), 'plain-folder');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function bench(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const command = { args: ['answers', ...args], cwd: repository, env: { ...process.env, ...env } };
  return runWarm(join(import.meta.dirname, 'bench.ts'), 'bench', command);
}

function questions(...lines: object[]): string {
  const file = join(folder, `${lines.length}.jsonl`);
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

const four = [
  { question: 'How long should the first boil take?', page: '01-getting-started/02-first-boil' },
  { question: 'How much does the filter cost?', page: '03-parts', section: '03-parts' },
  { question: 'Why does water boil earlier on a mountain?', page: 'advanced_topics/altitude' },
  { question: 'Which colours are available?', page: null },
];

test('every engine finds pages and sections, and quotes are judged', async () => {
  // Pagefind finds only pages with every word of a question.
  const asked = [
    { question: 'filter price', page: '03-parts', section: '03-parts' },
    { question: 'water boils on a mountain', page: 'advanced_topics/altitude', section: ['/advanced_topics/altitude/'] },
    { question: 'colours', page: null },
  ];
  const { code, stdout, stderr } = await bench(['--site', kettle, '--questions', questions(...asked)]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('2 answerable questions, 2 with a section, 1 unanswerable');
  for (const [name, label] of Object.entries(engineLabels)) {
    if (name === 'meaning') continue;
    const row = stdout.split('\n').find((line) => line.startsWith(`  ${label}  `)) ?? '';
    const [, hit1 = NaN, hit5, mrr, sectionMrr = NaN] = row
      .trim()
      .split(/\s{2,}/)
      .map((cell) => Number.parseFloat(cell));
    expect([label, hit1 >= 50, hit5, mrr, sectionMrr >= 0.5]).toEqual([label, true, 100, expect.any(Number), true]);
  }
  expect(stdout).toMatch(/first quote from the page +100\.0 % \[100\.0, 100\.0\] \(2\)/);
  expect(stdout).toMatch(/any quote from the section +100\.0 % \[100\.0, 100\.0\] \(2\)/);
  expect(stdout).toMatch(/right refusals +100\.0 % \[100\.0, 100\.0\] \(1\)/);
});

test('whole answers of a model: cited pages, statements that their citations support, refusals, failures', async () => {
  await using model = await openModelServer((request) => (request.body.model === 'judge' ? verdict(request) : answer(request)));
  const file = questions(...four);
  const { code, stdout, stderr } = await bench(
    ['--site', kettle, '--questions', file, '--against', 'lunr'].concat([
      ...['--model-url', model.url, '--model', 'writer', '--judge-model', 'judge', '--model-key', 'KETTLE_KEY'],
    ]),
    { KETTLE_KEY: 'sesame' },
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(new Set(model.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer sesame']));
  expect(
    stdout
      .slice(stdout.indexOf('answers of the model'))
      .replace(/ {2,}/g, ' ')
      .replace(/, \d+ tokens each/, ''),
  ).toBe(
    [
      'answers of the model: 3, 1 failed',
      ' first citation is the page 100.0 % [100.0, 100.0] (2)',
      ' a citation is the page 100.0 % [100.0, 100.0] (2)',
      ' statements supported, by answer 75.0 % [50.0, 100.0] (2)',
      ' answers with every statement supported 50.0 % [0.0, 100.0] (2)',
      ' wrong refusals 0.0 % [0.0, 0.0] (2)',
      ' right refusals 100.0 % [100.0, 100.0] (1)',
      ' Why does water boil earlier on a mountain?: ModelBroken: status 500, AI_APICallError: away',
      '',
    ].join('\n'),
  );
});

function answer({ body }: ModelRequest): ModelAnswer {
  const prompt = JSON.stringify(body.messages);
  const passage = (page: string) => `[${new RegExp(`<passage (\\d+) \\w+>\\\\nFrom: [^\\\\]*\\(/${page}`).exec(prompt)?.[1]}]`;
  if (prompt.includes('first boil take'))
    return textAnswer(`It takes three minutes. ${passage('01-getting-started/02-first-boil')}`);
  if (prompt.includes('filter cost'))
    return textAnswer(`The filter costs $3 ${passage('03-parts')}. On Sundays it is free ${passage('03-parts')}.`);
  if (prompt.includes('mountain')) return errorAnswer(500, 'away');
  return textAnswer('The documentation does not answer this.');
}

interface ToJudge {
  sources: { number: number; text: string }[];
  statements: { text: string; cites: number[] }[];
}

/** Supported is what shares a word or a price with the sources that it cites. */
function verdict({ body }: ModelRequest): ModelAnswer {
  const { sources, statements } = JSON.parse(body.messages.at(-1)!.content) as ToJudge;
  const isSupported = ({ text, cites }: ToJudge['statements'][number]) =>
    sources.some(
      (source) => cites.includes(source.number) && /minutes|\$3/.exec(text)?.some((word) => source.text.includes(word)),
    );
  const refusal = statements.some(({ text }) => text.includes('does not answer'));
  const verdicts = statements.map((statement) => (refusal ? 'none' : isSupported(statement) ? 'yes' : 'no'));
  return textAnswer(`Here it is:\n\`\`\`json\n${JSON.stringify({ refusal, statements: verdicts })}\n\`\`\``);
}

test('a judge without a verdict for each statement fails, and does not count', async () => {
  await using model = await openModelServer((request) =>
    request.body.model === 'judge' ? textAnswer('They look fine to me.') : answer(request),
  );
  const args = ['--site', kettle, '--questions', questions(four[0]!), '--against', 'lunr'];
  const { stdout } = await bench([...args, '--model-url', model.url, '--model', 'writer', '--judge-model', 'judge']);
  expect(stdout).toMatch(/answers of the model: 0, 1 failed/);
  expect(stdout).toMatch(/statements supported, by answer +– \(0\)/);
  expect(stdout).toContain('judge: ModelBroken: not a verdict for each of 1 statements: They look fine to me.');
});

test('without a file of questions, headings ask, and are not found themselves', async () => {
  const docs = join(folder, 'lamps');
  mkdirSync(docs);
  const answered = 'A wet wick flickers. Dry it in the sun for two days, then trim it to the height of a finger nail.';
  writeFileSync(
    join(docs, 'index.md'),
    `# Lamps\n\n## Why does the flame flicker at night?\n\n${answered}\n\n### Dry wicks\n\nKeep two.\n`,
  );
  writeFileSync(join(docs, 'oil.md'), '# Oil\n\nOil of colza is clear.\n\n## What is it?\n\nToo short to be a question.\n');
  const { code, stdout, stderr } = await bench(['--site', docs, '--against', 'vitepress,lunr']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('1 answerable questions, 1 with a section, 0 unanswerable');
  expect(stdout).toMatch(/Carrel +100\.0 %/);
  // Its words are in the text as "flickers", which Lunr's stems find.
  expect(stdout).toMatch(/Lunr +100\.0 %/);
});

test('with an embedding model, search by meaning is compared, too', async () => {
  await using server = await openEmbeddingServer();
  const docs = join(folder, 'accounts');
  mkdirSync(docs);
  writeFileSync(join(docs, 'index.md'), '# Accounts\n\nEach account has a name.\n');
  writeFileSync(join(docs, 'end.md'), '# The end\n\nTo erase what you wrote, press the red button.\n');
  const file = questions({ question: 'delete', page: 'end' });
  const args = ['--site', docs, '--questions', file, '--against', 'lunr'];
  const { code, stdout, stderr } = await bench([...args, '--embeddings-url', server.url, '--embeddings-model', 'words']);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/ Carrel +0\.0 %/);
  expect(stdout).toMatch(/ Carrel, by meaning +100\.0 %/);
});

test.each([
  [['--site', '{kettle}', '--questions', 'nowhere.jsonl'], 'nowhere.jsonl": ENOENT'],
  [['--site', '{kettle}'], 'No heading of plain-folder is a question'],
  [['--against', 'grep'], '"grep" is not one of lunr, '],
  [['--model', 'writer'], 'A model needs both --model-url URL and --model NAME.'],
])('%j is rejected', async (args, message) => {
  const { code, stderr } = await bench(args.map((word) => word.replace('{kettle}', kettle)));
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test('a page that the docs do not have is reported, not counted as missed', async () => {
  const file = questions({ question: 'How do I clean the kettle?', page: '10-cleaning' });
  const { code, stderr } = await bench(['--site', kettle, '--questions', file]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('expects 10-cleaning, which the index of plain-folder does not have'),
  ]);
});
