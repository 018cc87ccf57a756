// Questions with the pages and sections that answer them, and how well search and quotes find those.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { answerFrom } from '../../integration/search/answer.ts';
import { groupByPage, type SearchIndex } from '../../integration/search/index.ts';
import { keywordsOf } from '../../integration/search/keywords.ts';
import { jsonValue } from '../../integration/text/json.ts';
import { UsageError } from './usage.ts';

/** A question with the pages that answer it, if any. */
export interface ExpectedAnswer {
  question: string;
  pages: string[];
  /** IDs of the sections that answer it, `path#anchor`; empty where only pages are known. */
  sections: string[];
  language?: string | undefined;
  docsVersion?: string | undefined;
}

const oneOrMore = z.union([z.string(), z.array(z.string()).min(1)]);

const questionSchema = z.object({
  question: z.string().min(1),
  /** Path of the page that answers the question, or of several; null if the docs do not answer it. */
  page: oneOrMore.nullable(),
  /** ID of the section that answers it, or of several. */
  section: oneOrMore.optional(),
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
    const { page, section, ...rest } = read.data;
    const pages = (page === null ? [] : [page].flat()).map((path) => path.replace(/^\/+|\/+$|#.*$/g, ''));
    const sections = (section === undefined ? [] : [section].flat()).map((id) => id.replace(/^\/+|(?<!#.*)\/+(?=#|$)/gs, ''));
    const stray = sections.find((id) => !pages.includes(id.replace(/#.*/s, '')));
    if (stray !== undefined)
      throw new UsageError(
        `Line ${at + 1} of "${file}" has the section "${stray}", which is not on a page of the line.`,
        'Write sections as "path#anchor", where the path is one of "page".',
      );
    return [{ ...rest, pages, sections }];
  });
  if (questions.length === 0) throw new UsageError(`"${file}" contains no questions.`, 'Write one JSON object per line.');
  return questions;
}

/** What search found for a question. */
export interface RankedAnswer extends ExpectedAnswer {
  /** Rank of the first expected page, from 1; null if it is not among the first ten pages. */
  rank: number | null;
  /** Rank of the first expected section; null if it is not among the first ten results, or no section is expected. */
  sectionRank: number | null;
}

/** The ranks of what is expected in results, best first. */
export function rankedAnswer(expected: ExpectedAnswer, results: { id: string; page: string }[]): RankedAnswer {
  const pages = [...new Set(results.map(({ page }) => page))];
  return {
    ...expected,
    rank: rankAmongTen(pages, expected.pages),
    sectionRank: rankAmongTen(
      results.map(({ id }) => id),
      expected.sections,
    ),
  };
}

function rankAmongTen(found: string[], expected: string[]): number | null {
  const at = found.slice(0, 10).findIndex((one) => expected.includes(one));
  return at < 0 ? null : at + 1;
}

/** How one question was answered. */
export interface Evaluated extends RankedAnswer {
  /** Pages quoted, best first; empty when the question was refused. */
  quoted: string[];
  quotedSections: string[];
}

/** Searches for the keywords of the question, as quotes do, and quotes. */
export async function evaluated(index: SearchIndex, expected: ExpectedAnswer): Promise<Evaluated> {
  const { query } = await keywordsOf(index, expected.question);
  const results = await index.search(query, { limit: 50 });
  const { quotes } = await answerFrom(index, expected.question);
  return {
    ...rankedAnswer(expected, results),
    quoted: groupByPage(quotes).map(({ page }) => page),
    quotedSections: quotes.map(({ id }) => id),
  };
}

/** The values of each figure, 0 to 1, one for each question that counts. The figure is their mean. */
export function searchValues(all: RankedAnswer[]) {
  const answerable = all.filter(({ pages }) => pages.length > 0);
  const withSection = all.filter(({ sections }) => sections.length > 0);
  const reciprocal = (rank: number | null) => (rank === null ? 0 : 1 / rank);
  return {
    hit1: answerable.map(({ rank }) => Number(rank === 1)),
    hit5: answerable.map(({ rank }) => Number(rank !== null && rank <= 5)),
    mrr: answerable.map(({ rank }) => reciprocal(rank)),
    sectionMrr: withSection.map(({ sectionRank }) => reciprocal(sectionRank)),
  };
}

/** The same for quotes. */
export function quoteValues(all: Evaluated[]) {
  const answerable = all.filter(({ pages }) => pages.length > 0);
  const unanswerable = all.filter(({ pages }) => pages.length === 0);
  const withSection = all.filter(({ sections }) => sections.length > 0);
  return {
    /** Whether the first quote, or any quote, is from an expected page. */
    quoted1: answerable.map(({ pages, quoted }) => Number(pages.includes(quoted[0]!))),
    quoted: answerable.map((one) => Number(isQuoted(one))),
    /** … from an expected section, of those that have one. */
    quotedSection1: withSection.map(({ sections, quotedSections }) => Number(sections.includes(quotedSections[0]!))),
    quotedSection: withSection.map(({ sections, quotedSections }) => Number(quotedSections.some((id) => sections.includes(id)))),
    wrongRefusals: answerable.map(({ quoted }) => Number(quoted.length === 0)),
    rightRefusals: unanswerable.map(({ quoted }) => Number(quoted.length === 0)),
  };
}

/** Whether one of the expected pages is quoted. */
export function isQuoted({ pages, quoted }: Evaluated): boolean {
  return quoted.some((page) => pages.includes(page));
}

/** Shares from 0 to 1; null if there are no questions to count. */
export type Evaluation = Record<'answerable' | 'unanswerable' | 'withSection', number> &
  Record<keyof ReturnType<typeof searchValues> | keyof ReturnType<typeof quoteValues>, number | null>;

export function summed(all: Evaluated[]): Evaluation {
  const { hit1, hit5, mrr, sectionMrr } = searchValues(all);
  const quotes = quoteValues(all);
  return {
    answerable: mrr.length,
    unanswerable: quotes.rightRefusals.length,
    withSection: sectionMrr.length,
    hit1: mean(hit1),
    hit5: mean(hit5),
    mrr: mean(mrr),
    sectionMrr: mean(sectionMrr),
    quoted1: mean(quotes.quoted1),
    quoted: mean(quotes.quoted),
    quotedSection1: mean(quotes.quotedSection1),
    quotedSection: mean(quotes.quotedSection),
    wrongRefusals: mean(quotes.wrongRefusals),
    rightRefusals: mean(quotes.rightRefusals),
  };
}

function mean(values: number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
