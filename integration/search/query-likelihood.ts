/**
 * Query likelihood. A whole question names its subject in many common words, and BM25 adds up the rarity of each word separately. A
 * language model of the section, smoothed by that of its page, estimates instead how likely the whole question comes from there.
 */
import type { Corpus } from './corpus.ts';
import { fields } from './index-options.ts';
import type { QueryTerm } from './query.ts';

const reranked = 50;
const sectionWeight = 300;
const pageWeight = 1000;
const likelihoodShare = 0.6;

/** Sections with the first fifty ranked anew; their scores stay between those of the first and the fiftieth. */
export function byLikelihood<Ranked extends { section: number; score: number }>(
  ranked: Ranked[],
  terms: QueryTerm[],
  corpus: Corpus,
): Ranked[] {
  const first = ranked.slice(0, reranked);
  const scores = normalized(first.map(({ score }) => score));
  const likelihoodOf = languageModel(terms, corpus);
  const likelihoods = normalized(first.map(({ section }) => likelihoodOf(section)));
  const [best = 0, least = 0] = [first[0]?.score, first.at(-1)?.score];
  const mixed = first.map((found, i) => ({
    ...found,
    score: least + (best - least) * ((1 - likelihoodShare) * (scores[i] ?? 0) + likelihoodShare * (likelihoods[i] ?? 0)),
  }));
  return [...mixed, ...ranked.slice(reranked)];
}

/** Length of all sections of a corpus; it never changes. */
const totalLengths = new WeakMap<Corpus, number>();

/** The logarithm of how likely the terms come from a section. Lengths are those of the index, which count distinct tokens. */
function languageModel(terms: QueryTerm[], corpus: Corpus): (section: number) => number {
  const ownFields = fields.filter((field) => field !== 'title');
  const lengthOf = (section: number) => ownFields.reduce((sum, field) => sum + corpus.lengthOf(section, field), 0);
  const totalLength = totalLengths.get(corpus) ?? sumOver(0, corpus.sectionCount, lengthOf);
  totalLengths.set(corpus, totalLength);
  const known = terms.flatMap(({ term }) => {
    const postings = corpus.postingsOf(term);
    if (!postings) return [];
    const countIn = (section: number) =>
      ownFields.reduce((sum, field) => sum + (postings.get(fields.indexOf(field))?.get(section) ?? 0), 0);
    const everywhere = ownFields.reduce((sum, field) => sum + total(postings.get(fields.indexOf(field))), 0);
    const inTitle = (section: number) => postings.get(0)?.get(section) ?? 0;
    return [{ countIn, inTitle, general: Math.max(everywhere, 1) / totalLength }];
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

function normalized(values: number[]): number[] {
  const least = Math.min(...values);
  const range = Math.max(...values) - least || 1;
  return values.map((value) => (value - least) / range);
}
