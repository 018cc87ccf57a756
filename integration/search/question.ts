/**
 * A whole question says its subject in many common words, and BM25 adds up how rare each is in a section by itself. A language model
 * of the section, smoothed by its page's, asks instead how likely the whole question is to come from there.
 */
import { fields } from './options.ts';
import type { QueryTerm } from './query.ts';
import type { Corpus, Ranked } from './rank.ts';

/**
 * Whether a query with so many telling words is a question: four and it asks, or eight whatever it says. Titles and headings, which
 * are also typed whole, are better found without.
 */
export function readsAsQuestion(query: string, tellingWords: number): boolean {
  return tellingWords >= 8 || (tellingWords >= 4 && asking.test(query));
}

const asking = /[?؟？]|^\s*(?:how|what|when|where|which|why|who|whose|can|could|do|does|did|is|are|should|would)\b/i;

/** Words of questions that say nothing of their subject; in a query of two words they might. */
export const isAskingWord = (word: string) => askingWords.has(word.toLowerCase());

const askingWords = new Set(
  (
    'about all also am any anyone anything because been being could did didn doesn doing don done else every get gets getting give go ' +
    'got had her here his however isn just keep keeps let like ll make makes me more most much must my need needs never one only other ' +
    'our out please re same see should since some someone something still such t than them too trying up us ve very want wants way ' +
    'ways were while who why won would yet'
  ).split(' '),
);

const reranked = 50;
const sectionWeight = 300;
const pageWeight = 1000;
const likelihoodShare = 0.6;

/** The sections with the first fifty in a new order; scores stay between those of the first and the fiftieth. */
export function byLikelihood(ranked: Ranked[], terms: QueryTerm[], corpus: Corpus): Ranked[] {
  const first = ranked.slice(0, reranked);
  const scores = normalised(first.map(({ score }) => score));
  const likelihoodOf = languageModel(terms, corpus);
  const likelihoods = normalised(first.map(({ section }) => likelihoodOf(section)));
  const [best = 0, least = 0] = [first[0]?.score, first.at(-1)?.score];
  const mixed = first.map((found, i) => ({
    ...found,
    score: least + (best - least) * ((1 - likelihoodShare) * scores[i]! + likelihoodShare * likelihoods[i]!),
  }));
  return [...mixed, ...ranked.slice(reranked)];
}

/** Of all sections of a corpus, which never change. */
const lengths = new WeakMap<Corpus, number>();

/** Gives the logarithm of how likely the terms come from a section. Lengths are those of the index, which count distinct tokens. */
function languageModel(terms: QueryTerm[], corpus: Corpus): (section: number) => number {
  const own = fields.filter((field) => field !== 'title');
  const lengthOf = (section: number) => own.reduce((sum, field) => sum + corpus.lengthOf(section, field), 0);
  const lengthOfAll = lengths.get(corpus) ?? sumOver(0, corpus.sectionCount, lengthOf);
  lengths.set(corpus, lengthOfAll);
  const known = terms.flatMap(({ term }) => {
    const postings = corpus.postingsOf(term);
    if (!postings) return [];
    const countIn = (section: number) =>
      own.reduce((sum, field) => sum + (postings.get(fields.indexOf(field))?.get(section) ?? 0), 0);
    const everywhere = own.reduce((sum, field) => sum + total(postings.get(fields.indexOf(field))), 0);
    const inTitle = (section: number) => postings.get(0)?.get(section) ?? 0;
    return [{ countIn, inTitle, general: Math.max(everywhere, 1) / lengthOfAll }];
  });
  return (section) => {
    const page = corpus.pageOf(section);
    const [from, to] = [corpus.firstOf(page), corpus.firstOf(page + 1)];
    const pageLength = corpus.lengthOf(section, 'title') + sumOver(from, to, lengthOf);
    const sectionLength = lengthOf(section);
    return known.reduce((sum, { countIn, inTitle, general }) => {
      const onPage = (inTitle(section) + sumOver(from, to, countIn) + pageWeight * general) / (pageLength + pageWeight);
      return sum + Math.log((countIn(section) + sectionWeight * onPage) / (sectionLength + sectionWeight));
    }, 0);
  };
}

function sumOver(from: number, to: number, value: (section: number) => number): number {
  let sum = 0;
  for (let section = from; section < to; section++) sum += value(section);
  return sum;
}

function total(counts: Map<number, number> | undefined): number {
  let sum = 0;
  for (const count of counts?.values() ?? []) sum += count;
  return sum;
}

function normalised(values: number[]): number[] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  return values.map((value) => (value - least) / range);
}
