// How well questions with known answers are answered: by search, beside other engines; by quotes; and by a model, if there is one.
import { mkdtemp, rm } from 'node:fs/promises';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  evaluated,
  quoteValues,
  rankedAnswer,
  searchValues,
  type Evaluated,
  type RankedAnswer,
} from '../../src/cli/evaluation.ts';
import { fixtureExports } from '../support/fixture-exports.ts';
import { byMeaning, type EmbeddingOptions } from './by-meaning.ts';
import { bootstrap } from './bootstrap.ts';
import { openCorpus, type JudgedCorpus } from './judged-corpus.ts';
import { engineLabels, withEngines, type EngineName } from './search-engines.ts';
import { answerValues, wholeAnswer, type Answering, type WholeAnswer } from './whole-answers.ts';

export interface AnswersBenchOptions {
  /** Docs folders or exports; without, our fixtures and manual with their questions. */
  sites: string[];
  /** Files of questions about the sites; without, headings that are questions. */
  questions: string[];
  engines: EngineName[];
  answering?: Answering;
  /** Makes vectors of all sections, for the engine `meaning` and the answers of the model. */
  embeddings?: EmbeddingOptions;
}

/** Prints a table for each set of questions, and one for all of them. */
export async function benchAnswers({ sites, questions, ...measuring }: AnswersBenchOptions): Promise<void> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'carrel-bench-answers-'));
  const all = emptyResults(measuring.engines);
  try {
    const sets = sites.length > 0 ? sites.map((site) => ({ site, files: questions })) : await ownSets();
    for (const { site, files } of sets) {
      const corpus = await openCorpus(site, files, scratch);
      const results = await measured(corpus, { ...measuring, scratch });
      report(corpus.name, results);
      add(all, results);
    }
    if (sets.length > 1) report('all', all);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The exports of our fixtures and manual, with their files in fixtures/questions. */
async function ownSets(): Promise<{ site: string; files: string[] }[]> {
  const root = await fixtureExports();
  const folder = path.join(import.meta.dirname, '../../fixtures/questions');
  const files = readdirSync(folder).sort();
  const siteOf = (file: string) => file.replace(/(?:-held-out)?\.jsonl$/, '');
  return [...new Set(files.map(siteOf))].map((name) => ({
    site: path.join(root, name),
    files: files.filter((file) => siteOf(file) === name).map((file) => path.join(folder, file)),
  }));
}

interface Results {
  sections: number;
  search: Map<EngineName, RankedAnswer[]>;
  quotes: Evaluated[];
  answers: WholeAnswer[];
}

function emptyResults(engines: EngineName[]): Results {
  return { sections: 0, search: new Map(engines.map((name) => [name, []])), quotes: [], answers: [] };
}

function add(to: Results, results: Results): void {
  to.sections += results.sections;
  for (const [name, ranked] of results.search) to.search.get(name)!.push(...ranked);
  to.quotes.push(...results.quotes);
  to.answers.push(...results.answers);
}

interface Measuring extends Pick<AnswersBenchOptions, 'engines' | 'answering' | 'embeddings'> {
  scratch: string;
}

async function measured({ docs, parts }: JudgedCorpus, { engines, answering, embeddings, scratch }: Measuring): Promise<Results> {
  const results = emptyResults(engines);
  for (const { found, sections, questions } of parts) {
    const { index } = found;
    if (embeddings) found.byMeaning = await byMeaning(index, embeddings);
    results.sections += sections.length;
    await withEngines(engines, { ...found, sections, scratch }, async (opened) => {
      for (const question of questions)
        for (const [name, search] of opened)
          results.search.get(name)!.push(rankedAnswer(question, await search(question.question)));
    });
    for (const question of questions) {
      results.quotes.push(await evaluated(index, question));
      if (answering)
        results.answers.push(await wholeAnswer({ docs: { ...docs, index: async () => found }, sections }, question, answering));
    }
  }
  return results;
}

function report(name: string, { sections, search, quotes, answers }: Results): void {
  const { mrr, sectionMrr } = searchValues(quotes);
  const { rightRefusals } = quoteValues(quotes);
  console.log(
    `\n${name}: ${sections} sections, ${mrr.length} answerable questions, ${sectionMrr.length} with a section, ${rightRefusals.length} unanswerable\n`,
  );
  printRow('', ['hit@1', 'hit@5', 'MRR@10', 'section MRR@10', "Carrel's MRR is higher by"]);
  const ours = searchValues(search.get('carrel') ?? []).mrr;
  const rows = [...search].map(([engine, ranked]) => [engineLabels[engine], ranked] as const);
  for (const [label, ranked] of [...rows, ['Carrel, as quotes do', quotes] as const]) {
    const values = searchValues(ranked);
    const difference = label === engineLabels.carrel ? [] : values.mrr.map((value, i) => ours[i]! - value);
    printRow(label, [...[values.hit1, values.hit5].map(percent), ...[values.mrr, values.sectionMrr, difference].map(decimal)]);
  }
  const quoted = quoteValues(quotes);
  console.log('\n  quotes');
  printFigure('first quote from the page', quoted.quoted1);
  printFigure('any quote from the page', quoted.quoted);
  printFigure('first quote from the section', quoted.quotedSection1);
  printFigure('any quote from the section', quoted.quotedSection);
  printFigure('wrong refusals', quoted.wrongRefusals);
  printFigure('right refusals', quoted.rightRefusals);
  if (answers.length > 0) reportAnswers(answers);
}

function reportAnswers(answers: WholeAnswer[]): void {
  const values = answerValues(answers);
  const failures = answers.flatMap(({ question, failure }) => (failure === undefined ? [] : `    ${question}: ${failure}`));
  const tokens = Math.round(answers.reduce((sum, answer) => sum + answer.tokens, 0) / answers.length);
  console.log(`\n  answers of the model: ${answers.length - failures.length}, ${failures.length} failed, ${tokens} tokens each`);
  printFigure('first citation is the page', values.citedFirst);
  printFigure('a citation is the page', values.cited);
  printFigure('statements supported, by answer', values.supported);
  printFigure('answers with every statement supported', values.everySupported);
  printFigure('wrong refusals', values.wrongRefusals);
  printFigure('right refusals', values.rightRefusals);
  for (const failure of failures) console.log(failure);
}

function printRow(name: string, cells: string[]): void {
  console.log(`  ${name.padEnd(24)}${cells.map((cell) => cell.padEnd(24)).join('')}`.trimEnd());
}

function printFigure(name: string, values: number[]): void {
  console.log(`    ${name.padEnd(42)}${percent(values)} (${values.length})`);
}

function percent(values: number[]): string {
  return interval(values, (value) => (100 * value).toFixed(1), ' %');
}

function decimal(values: number[]): string {
  return interval(values, (value) => value.toFixed(3), '');
}

/** `62.5 % [50.0, 75.0]`: the mean and its 95 % bootstrap interval. */
function interval(values: number[], written: (value: number) => string, unit: string): string {
  const found = bootstrap(values);
  return found ? `${written(found.mean)}${unit} [${written(found.low)}, ${written(found.high)}]` : '–';
}
