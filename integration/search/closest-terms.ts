import type { ShardedTerms } from './sharded-terms.ts';

/** Terms of the index that a reader may have meant by one that it does not have, closest first; its dictionary must be loaded. */
export function closestTerms(term: string, terms: Pick<ShardedTerms, 'similar'>): string[] {
  return [...terms.similar(term, mostEdits(term))]
    .filter(([found]) => found[0] === term[0])
    .map(([found, edits]) => ({ found, edits, shared: sharedBeginning(found, term) }))
    .sort((a, b) => a.edits - b.edits || b.shared - a.shared || (a.found < b.found ? -1 : 1))
    .map(({ found }) => found);
}

/** More typos than search itself tolerates: the reader decides whether the word is meant. */
export function mostEdits({ length }: string): number {
  return Math.min(3, Math.floor((length + 1) / 3));
}

function sharedBeginning(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
