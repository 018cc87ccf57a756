import { resolve } from 'node:path';
import { z } from 'zod';
import { docsOptions, openDocs } from './open-docs.ts';
import { flag, option, runner, type Command, UsageError } from './usage.ts';
import { readFile } from 'node:fs/promises';
import { answerFrom } from '../../integration/search/answer.ts';
import { groupByPage, type SearchIndex } from '../../integration/search/index.ts';
import { keywordsOf } from '../../integration/search/keywords.ts';
import { jsonValue } from '../../integration/text/json.ts';

const percent = z.coerce
  .number({ error: 'must be a number' })
  .min(0, { error: 'must be 0 or more' })
  .max(100, { error: 'must be at most 100' })
  .optional();

const options = z.strictObject({
  ...docsOptions,
  'min-hit': option(percent, 'PERCENT', 'Minimum share of questions whose page is among the first five results'),
  'max-wrong-refusals': option(percent, 'PERCENT', 'Maximum share of answerable questions without a quote'),
  'max-wrong-answers': option(percent, 'PERCENT', 'Maximum share of unanswerable questions with quotes'),
  json: flag('Print the figures and the result of every question as JSON'),
});

/** `carrel eval`: its options and how it is used. */
export const command: Command<typeof options> = {
  usage: 'eval QUESTIONS.jsonl',
  summary: 'Measure how well search and quotes answer a list of questions.',
  options,
  words: [1, 1],
};

/** Exit codes: 0 measured, 3 measured and outside a limit. */
export const run = runner(command, async ({ options, words: [file = ''] }) => {
  const questions = await readQuestions(resolve(file));
  const docs = await openDocs(options);
  const answers: Evaluated[] = [];
  for (const question of questions) {
    const { language = options.language, docsVersion = options['docs-version'] } = question;
    const { index } = await docs.index({ language, docsVersion });
    answers.push(await evaluated(index, question));
  }
  const figures = summed(answers);
  const faults = faultsOf(figures, options);
  if (options.json) console.log(JSON.stringify({ ...figures, faults, questions: answers }, null, 2));
  else console.log([table(figures), missed(answers), faults.join('\n')].filter(Boolean).join('\n\n'));
  return faults.length > 0 ? 3 : 0;
});

function faultsOf({ hit5, wrongRefusals, rightRefusals }: Evaluation, limits: z.infer<typeof options>): string[] {
  const faults: string[] = [];
  const { 'min-hit': least, 'max-wrong-refusals': refusals, 'max-wrong-answers': wrong } = limits;
  const wrongAnswers = rightRefusals === null ? null : 1 - rightRefusals;
  if (least !== undefined && hit5 !== null && hit5 * 100 < least)
    faults.push(`hit@5 is ${share(hit5)}, below --min-hit ${least} %.`);
  if (refusals !== undefined && wrongRefusals !== null && wrongRefusals * 100 > refusals)
    faults.push(`Wrong refusals are ${share(wrongRefusals)}, above --max-wrong-refusals ${refusals} %.`);
  if (wrong !== undefined && wrongAnswers !== null && wrongAnswers * 100 > wrong)
    faults.push(`Wrong answers are ${share(wrongAnswers)}, above --max-wrong-answers ${wrong} %.`);
  return faults;
}

function table(figures: Evaluation): string {
  const { answerable, unanswerable, hit1, hit5, mrr, quoted1, quoted, wrongRefusals, rightRefusals } = figures;
  const rows: [string, string, string][] = [
    ['hit@1', share(hit1), 'the expected page is the first result'],
    ['hit@5', share(hit5), '… is among the first five'],
    ['MRR', mrr === null ? '–' : mrr.toFixed(3), 'mean of 1 / its rank'],
    ['quoted first', share(quoted1), 'the first quote is from the expected page'],
    ['quoted', share(quoted), '… any of the quotes is'],
    ['wrong refusals', share(wrongRefusals), 'the docs answer, but nothing was quoted'],
    ['right refusals', share(rightRefusals), 'the docs do not answer, and nothing was quoted'],
  ];
  const head = `${answerable} answerable questions, ${unanswerable} unanswerable`;
  return [head, '', ...rows.map(([name, value, meaning]) => `  ${name.padEnd(16)}${value.padStart(8)}   ${meaning}`)].join('\n');
}

function missed(answers: Evaluated[]): string {
  const lines = answers.flatMap((answer) => {
    const { question, pages, quoted } = answer;
    if (pages.length === 0) return quoted.length > 0 ? [`  answered   ${question} (${quoted.join(', ')})`] : [];
    if (quoted.length === 0) return [`  refused    ${question} (${pages.join(', ')})`];
    return isQuoted(answer) ? [] : [`  elsewhere  ${question} (${pages.join(', ')}; quoted: ${quoted.join(', ')})`];
  });
  return lines.length > 0 ? ['Wrong results:', ...lines].join('\n') : '';
}

function share(value: number | null): string {
  return value === null ? '–' : `${(value * 100).toFixed(1)} %`;
}

/** A question with the pages that answer it, if any. */
export interface ExpectedAnswer {
  question: string;
  pages: string[];
  language?: string | undefined;
  docsVersion?: string | undefined;
}

const questionSchema = z.object({
  question: z.string().min(1),
  /** Path of the page that answers the question, or of several; null if the docs do not answer it. */
  page: z.union([z.string(), z.array(z.string()).min(1), z.null()]),
  language: z.string().min(1).optional(),
  docsVersion: z.string().min(1).optional(),
});

/** Reads questions, one JSON object per line. Throws a UsageError that names the first invalid line. */
export async function readQuestions(file: string): Promise<ExpectedAnswer[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read "${file}": ${cause.code ?? cause.message}.`, 'Specify a file with questions.');
  });
  const questions = text.split('\n').flatMap((content, at): ExpectedAnswer[] => {
    if (content.trim() === '') return [];
    const read = questionSchema.safeParse(jsonValue(content));
    if (!read.success)
      throw new UsageError(
        `Line ${at + 1} of "${file}" is not a question with a page: ${content.slice(0, 80)}`,
        'Write each line as {"question": "How do I install it?", "page": "guides/install"}, with "page": null if the docs do not answer it.',
      );
    const { page, ...rest } = read.data;
    return [{ ...rest, pages: (page === null ? [] : [page].flat()).map((path) => path.replace(/^\/+|\/+$|#.*$/g, '')) }];
  });
  if (questions.length === 0) throw new UsageError(`"${file}" contains no questions.`, 'Write one JSON object per line.');
  return questions;
}

/** How one question was answered. */
export interface Evaluated extends ExpectedAnswer {
  /** Rank of the first expected page in the results for the keywords, from 1; null if it is not among the first ten pages. */
  rank: number | null;
  /** Pages quoted, best first; empty when the question was refused. */
  quoted: string[];
}

/** Shares from 0 to 1; null if there are no questions to count. */
interface Evaluation {
  answerable: number;
  unanswerable: number;
  hit1: number | null;
  hit5: number | null;
  mrr: number | null;
  /** Share of answerable questions where the first quote, or any quote, is from an expected page. */
  quoted1: number | null;
  quoted: number | null;
  /** Share of answerable questions without an answer. */
  wrongRefusals: number | null;
  /** Share of unanswerable questions without an answer. */
  rightRefusals: number | null;
}

export async function evaluated(index: SearchIndex, expected: ExpectedAnswer): Promise<Evaluated> {
  const { query } = await keywordsOf(index, expected.question);
  const results = await index.search(query, { limit: 50 });
  const pages = groupByPage(results).slice(0, 10);
  const rank = pages.findIndex(({ page }) => expected.pages.includes(page));
  const { quotes } = await answerFrom(index, expected.question);
  return { ...expected, rank: rank < 0 ? null : rank + 1, quoted: [...new Set(quotes.map(({ page }) => page))] };
}

export function summed(all: Evaluated[]): Evaluation {
  const answerable = all.filter(({ pages }) => pages.length > 0);
  const unanswerable = all.filter(({ pages }) => pages.length === 0);
  const ofAnswerable = (value: (one: Evaluated) => number | boolean) => mean(answerable.map((one) => Number(value(one))));
  return {
    answerable: answerable.length,
    unanswerable: unanswerable.length,
    hit1: ofAnswerable(({ rank }) => rank === 1),
    hit5: ofAnswerable(({ rank }) => rank !== null && rank <= 5),
    mrr: ofAnswerable(({ rank }) => (rank === null ? 0 : 1 / rank)),
    quoted1: ofAnswerable(({ pages, quoted }) => pages.includes(quoted[0]!)),
    quoted: ofAnswerable(isQuoted),
    wrongRefusals: ofAnswerable(({ quoted }) => quoted.length === 0),
    rightRefusals: mean(unanswerable.map(({ quoted }) => Number(quoted.length === 0))),
  };
}

/** Whether one of the expected pages is quoted. */
export function isQuoted({ pages, quoted }: Evaluated): boolean {
  return quoted.some((page) => pages.includes(page));
}

function mean(values: number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
