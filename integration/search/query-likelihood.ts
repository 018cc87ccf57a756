/**
 * Query likelihood. A whole question names its subject in many common words, and BM25 adds up the rarity of each word separately. A
 * language model of the section, smoothed by that of its page, estimates instead how likely the whole question comes from there.
 */
import type { Corpus } from './corpus.ts';
import { type Field, fields } from './index-options.ts';
import type { QueryTerm } from './query.ts';

const reranked = 50;
const sectionWeight = 200;
const pageWeight = 1000;
const likelihoodShare = 0.6;
// Between a few short sections, smaller differences than a factor of 20 say nothing.
const leastRange = 3;

/** Sections, best first, with the first fifty ranked anew. */
export function byLikelihood<Ranked extends { section: number; score: number }>(
  ranked: Ranked[],
  terms: QueryTerm[],
  corpus: Corpus,
): Ranked[] {
  const first = ranked.slice(0, reranked);
  const best = first[0]?.score ?? 0;
  const likelihoodOf = languageModel(terms, corpus);
  const likelihoods = normalized(first.map(({ section }) => likelihoodOf(section)));
  const mixed = first.map((found, i) => ({
    ...found,
    score: (1 - likelihoodShare) * found.score + likelihoodShare * best * (likelihoods[i] ?? 0),
  }));
  const least = Math.min(...mixed.map(({ score }) => score));
  // The others stay behind, in their order.
  const rest = ranked.slice(reranked).map((found) => ({ ...found, score: found.score * (least / (first.at(-1)?.score || 1)) }));
  return [...mixed, ...rest].sort((a, b) => b.score - a.score || a.section - b.section);
}

/** Length of all sections of a corpus; it never changes. */
const totalLengths = new WeakMap<Corpus, number>();

/** How much a word counts in each field: code repeats names that the text around it explains. */
const fieldWeights: Record<Field, number> = { title: 1, heading: 1, text: 1, code: 0.4 };

/** The logarithm of how likely the terms come from a section. Lengths are those of the index, which count distinct tokens. */
function languageModel(terms: QueryTerm[], corpus: Corpus): (section: number) => number {
  const weighted = (value: (field: Field, number: number) => number) =>
    fields.reduce((sum, field, number) => sum + fieldWeights[field] * value(field, number), 0);
  const lengthOf = (section: number) => weighted((field) => corpus.lengthOf(section, field));
  const totalLength = totalLengths.get(corpus) ?? sumOver(0, corpus.sectionCount, lengthOf);
  totalLengths.set(corpus, totalLength);
  const known = terms.flatMap(({ term }) => {
    const postings = corpus.postingsOf(term);
    if (!postings) return [];
    const countIn = (section: number) => weighted((_, number) => postings.get(number)?.get(section) ?? 0);
    const everywhere = weighted((_, number) => total(postings.get(number)));
    return [{ countIn, general: Math.max(everywhere, 1) / totalLength }];
  });
  return (section) => {
    const page = corpus.pageOf(section);
    const [from, to] = [corpus.firstOf(page), corpus.firstOf(page + 1)];
    const pageLength = sumOver(from, to, lengthOf);
    const sectionLength = lengthOf(section);
    return known.reduce((sum, { countIn, general }) => {
      const onPage = (sumOver(from, to, countIn) + pageWeight * general) / (pageLength + pageWeight);
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

/** The values on a scale to 1, which the highest has; the lowest has 0, or more where all are close to each other. */
function normalized(logarithms: number[]): number[] {
  const most = Math.max(...logarithms);
  const range = Math.max(most - Math.min(...logarithms), leastRange);
  return logarithms.map((value) => 1 - (most - value) / range);
}
