import type { MatchInfo, SearchOptions } from 'minisearch';
import type { Corpus } from './corpus.ts';
import { fields, pastedBoost, questionBoost, searchOptions, type Field } from './index-options.ts';
import { completes, tolerance, type Query, type QueryTerm } from './query.ts';
import { byLikelihood } from './query-likelihood.ts';
import { isCompound } from './tokenize.ts';

export interface Ranked {
  section: number;
  score: number;
  /** Terms of the index that matched, including completions and corrections. */
  terms: string[];
}

/** Sections from the first number up to the second. */
export type SectionRange = [from: number, to: number];

/** The best sections for a query, at most a hundred, best first. `within` does not change how much a word counts. */
export function rank(query: Query, corpus: Corpus, within?: SectionRange[]): Ranked[] {
  const { isQuestion } = query;
  const terms = corrected(query, corpus);
  const byTerm = new Map<string, QueryTerm>(terms.map((term) => [term.term, term]));
  const queryTerm = (term: string) => byTerm.get(term) ?? { term, unfinished: false };
  const named = new Set(terms.flatMap((term) => (isCompound(term.term) ? namedBy(term, corpus) : [])));
  const found = bestOf(corpus, within, {
    ...searchOptions,
    boost: boostOf(query, terms),
    tokenize: () => terms.map(({ term }) => term),
    processTerm: (term) => term,
    // The last word of a question, and a name, are whole if the docs have them.
    prefix: (term) =>
      completes(queryTerm(term)) && !(corpus.has(term) && (isQuestion || isCompound(term) || queryTerm(term).isPart)),
    fuzzy: (term) => tolerance(queryTerm(term), corpus),
    boostDocument: (section: number, term: string) =>
      corpus.boostOf(corpus.pageOf(section)) * (queryTerm(term).isPart && named.has(section) ? 1 / partWeight : 1),
    boostTerm: (term) => (queryTerm(term).isPart ? partWeight : 1),
  });
  const best = isQuestion ? byLikelihood(found, terms, corpus) : found;
  const pageShare = pageShares(best, corpus);
  const ranked = best.map(({ section, score, match }) => ({
    section,
    score: (score + pageShare(section)) * (1 + titleBonus({ section, match }, { ...query, terms }, corpus)),
    terms: Object.keys(match),
  }));
  return inOrder(ranked);
}

interface Corrected extends QueryTerm {
  /** The term, and those of the index that it may be a misspelling of. */
  forms: string[];
}

/** The terms with their corrections. Of a name that was corrected, the parts count as little as of one that the index has. */
function corrected({ terms }: Query, corpus: Corpus): Corrected[] {
  const found = terms.flatMap((term) => {
    const typos = tolerance(term, corpus);
    const forms = [term.term, ...corpus.similar(term.term, typos)];
    // Nothing is close to a compound: its words are searched.
    return isCompound(term.term) && typos > 0 && forms.length === 1 ? [] : [{ ...term, forms }];
  });
  const parts = new Set(found.flatMap(({ forms, parts = [] }) => (forms.length > 1 ? parts : [])));
  return found.map((term) => (parts.has(term.term) ? { ...term, isPart: true } : term));
}

function boostOf({ isPasted, isQuestion }: Query, terms: QueryTerm[]): Record<Field, number> {
  if (isPasted) return pastedBoost;
  if (isQuestion) return questionBoost;
  return terms.some(({ isPart }) => isPart) ? { ...searchOptions.boost, code: 1 } : searchOptions.boost;
}

/** The same results with so many of each page in front: a page with ten good sections does not hide the other pages. */
export function spread<Result>(results: Result[], perPage: number, pageOf: (result: Result) => string | number): Result[] {
  const counts = new Map<string | number, number>();
  const [first, rest]: [Result[], Result[]] = [[], []];
  for (const result of results) {
    const page = pageOf(result);
    const count = (counts.get(page) ?? 0) + 1;
    counts.set(page, count);
    (count > perPage ? rest : first).push(result);
  }
  return [...first, ...rest];
}

/**
 * The sections whose name is a compound in other words: `parallel()` on the page `Animated` is about `Animated.parallel`, and the page
 * `Wait for` about `wait.for`, even where they do not spell it out.
 */
function namedBy({ parts }: QueryTerm, corpus: Corpus): number[] {
  const last = parts?.at(-1);
  if (!parts || last === undefined || parts.length < 2) return [];
  const sectionsWith = (term: string, field: Field) =>
    corpus.postingsOf(term)?.get(fields.indexOf(field)) ?? new Map<number, number>();
  const inTitle = (section: number) => parts.slice(0, -1).every((term) => sectionsWith(term, 'title').has(section));
  const byHeading = [...sectionsWith(last, 'heading').keys()].filter(
    (section) => corpus.lengthOf(section, 'heading') === 1 && inTitle(section),
  );
  const byTitle = [...sectionsWith(last, 'title').keys()].filter(
    (section) =>
      corpus.firstOf(corpus.pageOf(section)) === section &&
      corpus.lengthOf(section, 'title') === parts.length &&
      inTitle(section),
  );
  return [...byHeading, ...byTitle];
}

/** How much the words of a compound count that the index has: sections with the compound come first, then those with its words. */
const partWeight = 0.05;

interface Found {
  section: number;
  score: number;
  match: MatchInfo;
}

/** What MiniSearch finds, by section number. Its `search` would build and sort all results, though only a hundred are needed. */
interface MiniSearchInternals {
  executeQuery(query: string, options: SearchOptions): Map<number, { score: number; terms: string[]; match: MatchInfo }>;
}

/** The hundred sections with the highest scores. */
function bestOf(corpus: Corpus, within: SectionRange[] | undefined, options: SearchOptions): Found[] {
  const isOutside = (section: number) => within !== undefined && !within.some(([from, to]) => section >= from && section < to);
  const byScore = (a: Found, b: Found) => b.score - a.score || a.section - b.section;
  let best: Found[] = [];
  let least = -Infinity;
  for (const [section, { score, terms, match }] of (corpus.miniSearch as unknown as MiniSearchInternals).executeQuery(
    '',
    options,
  )) {
    // As in `search`: a section with more of the words ranks higher.
    const result = { section, score: rounded(score * (terms.length || 1)), match };
    if (result.score < least || isOutside(section)) continue;
    if (best.push(result) < 4 * maxResults) continue;
    best = best.sort(byScore).slice(0, maxResults);
    least = best.at(-1)?.score ?? least;
  }
  return best.sort(byScore).slice(0, maxResults);
}

/** Best first, equal scores in the order of the sections. */
function inOrder(ranked: Ranked[]): Ranked[] {
  return ranked
    .map((found) => ({ ...found, score: rounded(found.score) }))
    .sort((a, b) => b.score - a.score || a.section - b.section);
}

const maxResults = 100;

// Shards add up the parts of a score in another order than a whole index; the last digits then differ.
const rounded = (score: number) => Math.round(score * 1e9) / 1e9;

/** What the other sections of its page add to a section's score: a page with three good sections is about the subject. */
function pageShares(results: Found[], corpus: Corpus): (section: number) => number {
  const best = new Map<number, number[]>();
  for (const { section, score } of results) {
    const scores = best.get(corpus.pageOf(section)) ?? [];
    if (scores.push(score) === 1) best.set(corpus.pageOf(section), scores);
  }
  return (section) => {
    const [first = 0, second = 0, third = 0] = best.get(corpus.pageOf(section)) ?? [];
    return 0.3 * (first + second / 2 + third / 3);
  };
}

/**
 * Bonus for a heading or title with all terms, higher if it has few others; highest for the introduction of a page whose title is the
 * query, then for the section with such a heading and the introduction of a page with such a title. `Animated parallel` is also the
 * section `parallel` of the page `Animated`. Headings that questions name count less.
 */
function titleBonus(
  { section, match }: Pick<Found, 'section' | 'match'>,
  query: Omit<Query, 'terms'> & { terms: Corrected[] },
  corpus: Corpus,
): number {
  const { terms, isQuestion, length } = query;
  const has = ({ forms }: Corrected, field: Field) =>
    forms.some((form) => Object.hasOwn(match, form) && match[form]?.includes(field) === true);
  const share = (count: number, field: Field) => count && count / Math.max(count, corpus.lengthOf(section, field));
  const isFirst = corpus.firstOf(corpus.pageOf(section)) === section;
  const inHeading = terms.filter((term) => has(term, 'heading'));
  const isNamed = inHeading.length === terms.length;
  const ofHeading = share(inHeading.length, 'heading') ** 2;
  const isWhole = isFirst && corpus.lengthOf(section, 'title') === length;
  const ofTitle = isWhole ? 2 : (isFirst ? 0.6 : 0.1) * share(terms.length, 'title');
  const title = terms.every((term) => has(term, 'title')) ? ofTitle : 0;
  if (isNamed) return title + (isQuestion ? 0.4 : 1) * ofHeading;
  const isNamedWithPage = !isQuestion && !isFirst && terms.every((term) => has(term, 'heading') || has(term, 'title'));
  return title + (isNamedWithPage ? 0.4 * ofHeading : 0);
}
