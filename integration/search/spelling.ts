// What readers mean by words that the docs do not have as they are written.
import type { Corpus } from './corpus.ts';
import { parseQuery, tolerance } from './query.ts';
import type { queryFiles } from './query-files.ts';
import type { ShardedTerms } from './sharded-terms.ts';
import { isCompound, isUnspaced, locate, toTerm } from './tokenize.ts';

interface Index {
  terms: ShardedTerms;
  corpus: Corpus;
  queries: Pick<ReturnType<typeof queryFiles>, 'loadSimilar'>;
  /** A word of the docs that has the term, as they write it. */
  wordOf: (term: string) => Promise<string>;
}

/** The functions of an open index for words that are spelt in another way. */
export function spelling({ terms, corpus, queries, wordOf }: Index) {
  return {
    /** Queries of words that the docs have, close to one that finds nothing; at most three, closest first. */
    async nearest(query: string): Promise<string[]> {
      const unknown = parseQuery(query).terms.filter(({ term }) => !isCompound(term) && !isUnspaced(term));
      if (corpus.sectionCount === 0) return [];
      await queries.loadSimilar(unknown.map(({ term }) => ({ term, distance: mostEdits(term) })));
      const closest = unknown.map(({ term }) => closestTerms(term, terms)).filter((found) => found.length > 0);
      const ranks = [0, 1, 2].filter((rank) => closest.some((found) => found[rank]));
      const queryAt = async (rank: number) =>
        (await Promise.all(closest.map((found) => wordOf(found[rank] ?? found[0]!)))).join(' ');
      return Promise.all(ranks.map(queryAt));
    },
    /** The query in the spelling of the docs, if its first result has words only in another one. */
    async corrected(query: string, first: { terms: string[] }): Promise<string | undefined> {
      const misspelt = parseQuery(query).terms.filter((term) => tolerance(term, corpus) > 0);
      const meant = new Map<string, string>();
      for (const { term } of misspelt) {
        const found = closestTerms(term, terms).find((one) => first.terms.includes(one));
        if (found !== undefined) meant.set(term, await wordOf(found));
      }
      let text = '';
      let at = 0;
      for (const { start, end, tokens } of locate(query)) {
        const word = tokens.map((token) => meant.get(toTerm(token) ?? '')).find((found) => found !== undefined);
        if (word === undefined || start < at) continue;
        text += query.slice(at, start) + word;
        at = end;
      }
      return at === 0 ? undefined : text + query.slice(at);
    },
  };
}

/** Terms of the index that a reader may have meant by one that it does not have, closest first; its dictionary must be loaded. */
function closestTerms(term: string, terms: Pick<ShardedTerms, 'similar'>): string[] {
  return [...terms.similar(term, mostEdits(term))]
    .filter(([found]) => found[0] === term[0])
    .map(([found, edits]) => ({ found, edits, shared: sharedBeginning(found, term) }))
    .sort((a, b) => a.edits - b.edits || b.shared - a.shared || (a.found < b.found ? -1 : 1))
    .map(({ found }) => found);
}

/** More typos than search itself tolerates: the reader decides whether the word is meant. */
function mostEdits({ length }: string): number {
  return Math.min(3, Math.floor((length + 1) / 3));
}

function sharedBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
