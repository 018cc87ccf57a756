// From a question to the sections of the docs that can answer it.
import { excerpt } from '../../../integration/search/excerpt.ts';
import { isFollowUp, lastSelfContained, countKeywords } from '../../../integration/search/follow-up.ts';
import type { SearchIndex, SearchResult } from '../../../integration/search/index.ts';
import type { IndexedSection } from '../../../integration/search/section-files.ts';
import { parseQuery } from '../../../integration/search/query.ts';
import { isCompound } from '../../../integration/search/tokenize.ts';
import { asksAboutPage, proximityBoost } from '../../../integration/search/answer.ts';
import { pagePathOf } from '../../../integration/urls/page-path.ts';
import type { Question } from '../request/question.ts';
import type { DocsPage } from '../../active-exports/site-docs.ts';

/** A section that was found. */
export interface Retrieved extends Omit<IndexedSection, 'marked'> {
  /** 0 to 1; the best section has 1. */
  score: number;
  /** Terms that matched, as `excerpt` takes them. */
  terms: string[];
}

const mostSections = 60;
const mostOfOnePage = 4;
const leastScore = 0.15;

/**
 * The best sections, best first, of at most `question.pages` pages. Searches for the question itself, for earlier questions and for what
 * the reader has selected; the current page and its neighbors win ties.
 */
export async function retrieve(
  index: SearchIndex,
  question: Question,
  pageOf: (path: string) => DocsPage | undefined = () => undefined,
): Promise<Retrieved[]> {
  const limit = Math.min(100, Math.max(20, question.pages * 4));
  const lists = await Promise.all(
    queriesOf(question).map(async ({ text, weight, last }) => {
      const results = await index.search(text, { limit });
      return { weight, results: last === undefined ? results : byCoverage(results, text, last) };
    }),
  );
  const reading = question.currentPath !== undefined ? pageOf(question.currentPath) : undefined;
  if (reading && (asksAboutPage(question.text) || lists.every(({ results }) => results.length === 0))) {
    // A search for the page's title finds the page's own sections, each of which has the title.
    const ofTitle = await index.search(reading.title, { limit: 100 });
    lists.push({ weight: 1, results: ofTitle.filter(({ page }) => page === reading.path) });
  }
  const found = merged(lists, proximityBoost({ page: question.currentPath, selectedOn: selectedPages(question) }));
  const chosen = ofPages(found, question.pages);
  const sections = await index.sections(chosen.map(({ section }) => section));
  const best = chosen[0]?.score || 1;
  return chosen.flatMap(({ score, terms }, i) => {
    const section = sections[i];
    return section ? [{ ...section, score: Math.round((score / best) * 1000) / 1000, terms }] : [];
  });
}

/** The part of a section that shows the reader why it matched. */
export function excerptOf({ terms, ...section }: Pick<Retrieved, 'terms' | 'text' | 'code'>, length = 300): string {
  const [text, code] = [section.text.slice(0, searchedLength), section.code.slice(0, searchedLength)];
  const fromText = excerpt(text, terms, length);
  if (fromText.marks.length > 0 || code === '') return fromText.text;
  const fromCode = excerpt(code, terms, length);
  return fromCode.marks.length > 0 || text === '' ? fromCode.text : fromText.text;
}

/** Characters of a section that are searched for words: some sections hold a whole book. */
export const searchedLength = 20_000;

interface WeightedQuery {
  text: string;
  weight: number;
  /** Of a query that joins two questions, the second; sections that match both rank first. */
  last?: string;
}

const longestQuery = 2000;

/** The queries of a question, with their weights. */
function queriesOf({ text, turns, context }: Question): WeightedQuery[] {
  const asked = text.slice(0, longestQuery);
  const before = turns
    .filter(({ role }) => role === 'user')
    .slice(-6)
    .map((turn) => turn.text.slice(0, 500));
  const keywords = countKeywords(asked);
  const queries: WeightedQuery[] = [];
  const subject = lastSelfContained(before);
  if (subject === undefined) queries.push({ text: asked, weight: 1 });
  else if (keywords < 3 || isFollowUp(asked)) {
    queries.push({ text: asked, weight: 0.25 }, { text: `${subject} ${asked}`, weight: 1, last: asked });
    if (before.length > 1) queries.push({ text: `${before.slice(-2).join(' ')} ${asked}`, weight: 0.3 });
  } else queries.push({ text: asked, weight: 1 }, { text: `${subject} ${asked}`, weight: 0.3 });
  const marked = context.map(({ value }) => value.slice(0, 300)).join(' ');
  if (marked !== '') queries.push({ text: marked.slice(0, longestQuery), weight: keywords < 3 ? 1 : 0.5 });
  return queries;
}

/** Ordered by the share of the query's terms that match, times the score; sections with no word of the last question lose a quarter. */
function byCoverage(results: SearchResult[], query: string, last: string): SearchResult[] {
  const termsOf = (text: string) => parseQuery(text).terms.flatMap(({ term }) => (isCompound(term) ? [] : [term]));
  const [all, own] = [termsOf(query), termsOf(last)];
  const covering = results.map((result) => {
    const hasOwn = own.some((term) => result.terms.includes(term));
    return { ...result, score: result.score * Math.min(1, result.terms.length / all.length) * (hasOwn ? 1 : 0.75) };
  });
  return covering.sort((a, b) => b.score - a.score || a.section - b.section);
}

interface Found {
  section: number;
  page: string;
  score: number;
  terms: string[];
}

/** Merges lists by their scores, relative to the best of each list; best first. */
function merged(lists: { weight: number; results: Found[] }[], factorOf: (page: string) => number): Found[] {
  const bySection = new Map<number, Found>();
  for (const { weight, results } of lists) {
    const best = results[0]?.score || 1;
    for (const { section, page, score, terms } of results) {
      const share = (weight * score) / best;
      const known = bySection.get(section);
      if (!known) bySection.set(section, { section, page, terms, score: share });
      else bySection.set(section, { ...known, score: known.score + share, terms: [...new Set([...known.terms, ...terms])] });
    }
  }
  return [...bySection.values()]
    .map((found) => ({ ...found, score: found.score * factorOf(found.page) }))
    .sort((a, b) => b.score - a.score || a.section - b.section);
}

/** Pages on which the reader selected something. */
export function selectedPages({ context }: Pick<Question, 'context'>): string[] {
  return context.flatMap(({ path }) => (path === undefined ? [] : [pagePathOf(path)]));
}

/** Sections of the first `pages` pages whose score is high enough. */
function ofPages(found: Found[], pages: number): Found[] {
  const counts = new Map<string, number>();
  const chosen: Found[] = [];
  const least = leastScore * (found[0]?.score ?? 0);
  for (const one of found) {
    const count = counts.get(one.page) ?? 0;
    if (chosen.length === mostSections || one.score < least) break;
    if (count === mostOfOnePage || (count === 0 && counts.size === pages)) continue;
    counts.set(one.page, count + 1);
    chosen.push(one);
  }
  return chosen;
}
