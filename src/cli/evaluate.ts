import { answerFrom } from '../../integration/search/answer.ts';
import { groupByPage, type SearchIndex } from '../../integration/search/index.ts';
import { keywordsOf } from '../../integration/search/keywords.ts';
import type { ExpectedAnswer } from './questions.ts';

/** How one question was answered. */
export interface Evaluated extends ExpectedAnswer {
  /** Rank of the first expected page in the results for the keywords, from 1; null if it is not among the first ten pages. */
  rank: number | null;
  /** Pages quoted, best first; empty when the question was refused. */
  quoted: string[];
}

/** Shares from 0 to 1; null if there are no questions to count. */
export interface Evaluation {
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
  const place = pages.findIndex(({ page }) => expected.pages.includes(page));
  const { quotes } = await answerFrom(index, expected.question);
  return { ...expected, rank: place < 0 ? null : place + 1, quoted: [...new Set(quotes.map(({ page }) => page))] };
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
