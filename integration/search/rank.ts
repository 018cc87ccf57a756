import type MiniSearch from 'minisearch';
import type { SearchOptions, SearchResult as RawResult } from 'minisearch';
import { searchOptions, type Field } from './options.ts';
import { completes, tolerance, type KnownTerms, type Query, type QueryTerm } from './query.ts';
import { byLikelihood } from './question.ts';

/** What ranking asks of an index; answered alike by shards and by a whole index. */
export interface Corpus extends KnownTerms {
  miniSearch: MiniSearch;
  sectionCount: number;
  pageOf(section: number): number;
  /** First section of a page; past the last page, the number of sections. */
  firstOf(page: number): number;
  boostOf(page: number): number;
  lengthOf(section: number, field: Field): number;
  /** How often each section has the term, by number of the field. */
  postingsOf(term: string): Map<number, Map<number, number>> | undefined;
}

/** A section found. */
export interface Ranked {
  section: number;
  score: number;
  /** Terms of the index that matched, among them completed and corrected ones. */
  terms: string[];
}

/** The best sections for a query, at most a hundred, best first. */
export function rank({ terms, isQuestion }: Query, corpus: Corpus): Ranked[] {
  const best = bestOf(corpus, {
    ...searchOptions,
    tokenize: () => terms.map(({ term }) => term),
    processTerm: (term) => term,
    prefix: (_, i) => completes(terms[i]!),
    fuzzy: (_, i) => tolerance(terms[i]!, corpus),
    boostDocument: (section: number) => corpus.boostOf(corpus.pageOf(section)),
  });
  const ranked = withinPages(best, corpus).map((score, i) => ({
    section: best[i]!.id as number,
    score: score * (1 + titleBonus(best[i]!, terms, corpus)),
    terms: Object.keys(best[i]!.match),
  }));
  return isQuestion ? inOrder(byLikelihood(inOrder(ranked), terms, corpus)) : inOrder(ranked);
}

type Raw = Pick<RawResult, 'id' | 'score' | 'match'>;

/** What MiniSearch finds by number of the section; `search` makes a result of each of them, and sorts all, for the sake of a hundred. */
interface Inside {
  executeQuery(query: string, options: SearchOptions): Map<number, { score: number; terms: string[]; match: Raw['match'] }>;
}

/** The first hundred. */
function bestOf(corpus: Corpus, options: SearchOptions): Raw[] {
  const better = (a: Raw, b: Raw) => b.score - a.score || a.id - b.id;
  let best: Raw[] = [];
  let least = -Infinity;
  for (const [id, { score, terms, match }] of (corpus.miniSearch as unknown as Inside).executeQuery('', options)) {
    // As `search` does: the more of the words, the better.
    const result = { id, score: rounded(score * (terms.length || 1)), match };
    if (result.score < least) continue;
    if (best.push(result) < 4 * reranked) continue;
    best = best.sort(better).slice(0, reranked);
    least = best.at(-1)!.score;
  }
  return best.sort(better).slice(0, reranked);
}

/** Best first; equal scores in the order of the sections. */
function inOrder(ranked: Ranked[]): Ranked[] {
  return ranked
    .map((found) => ({ ...found, score: rounded(found.score) }))
    .sort((a, b) => b.score - a.score || a.section - b.section);
}

const reranked = 100;

// Shards add up the parts of a score in another order than a whole index does; the last digits then differ.
const rounded = (score: number) => Math.round(score * 1e9) / 1e9;

/** Scores with a share for what else the page has to say: a page with three good sections is about the subject. */
function withinPages(results: Raw[], corpus: Corpus): number[] {
  const best = new Map<number, number[]>();
  for (const { id, score } of results) {
    const scores = best.get(corpus.pageOf(id)) ?? [];
    if (scores.push(score) === 1) best.set(corpus.pageOf(id), scores);
  }
  return results.map(({ id, score }) => {
    const [first = 0, second = 0, third = 0] = best.get(corpus.pageOf(id))!;
    return score + 0.3 * (first + second / 2 + third / 3);
  });
}

/** Bonus for a heading or title that has all the terms, the larger the less else it says; most for where a page of such a title begins. */
function titleBonus({ id, match }: Raw, terms: QueryTerm[], corpus: Corpus): number {
  const all = (field: Field) => terms.every(({ term }) => Object.hasOwn(match, term) && match[term]!.includes(field));
  const share = (field: Field) => terms.length / Math.max(terms.length, corpus.lengthOf(id, field));
  const isFirst = corpus.firstOf(corpus.pageOf(id)) === id;
  return (all('heading') ? 0.4 * share('heading') ** 2 : 0) + (all('title') ? (isFirst ? 0.6 : 0.1) * share('title') : 0);
}
