// The files of the index that a query needs: shards with its terms, and the dictionary where a word is misspelt.
import { completes, resolved, tolerance, type Query, type QueryTerm } from './query.ts';
import type { ShardedTerms } from './sharded-terms.ts';
import type { Meta } from './shards.ts';

interface Misspelt {
  term: string;
  distance: number;
}

/** `file` loads the text of a file by its name. */
export function queryFiles(file: (name: string) => Promise<string>, terms: ShardedTerms, meta: Meta) {
  const loadEach = (numbers: number[], load: (number: number) => Promise<void>) =>
    Promise.all(Array.from(new Set(numbers), load));
  const loadShards = (numbers: number[]) => loadEach(numbers, async (number) => terms.addShard(number, await file(`t${number}`)));
  const loadDictionary = (numbers: number[]) =>
    loadEach(numbers, async (number) => terms.addDictionary(number, await file(`dict${meta.dictionary ? number : ''}`)));

  const missingOf = (query: QueryTerm[]) =>
    query.flatMap((term) => (completes(term) ? terms.shardsAt(term.term) : terms.shardOf(term.term))).filter(isMissing);
  const isMissing = (shard: number) => !terms.hasShard(shard);

  /** What loads the files that a query needs next; undefined if they are all there. */
  const nextLoad = (asked: Query): (() => Promise<unknown>) | undefined => {
    const compounds = missingOf(asked.terms.filter(({ parts }) => parts));
    if (compounds.length > 0) return () => loadShards(compounds);
    const query = resolved(asked, terms).terms;
    const known = missingOf(query);
    if (known.length > 0) return () => loadShards(known);
    const unknown = query
      .map((term) => ({ term: term.term, distance: tolerance(term, terms) }))
      .filter(({ distance }) => distance > 0);
    const dictionary = missingDictionary(unknown);
    if (dictionary.length > 0) return () => loadDictionary(dictionary);
    const similar = unknown.flatMap(({ term, distance }) => [...terms.similar(term, distance).keys()]);
    const shards = similar.flatMap((term) => terms.shardOf(term)).filter(isMissing);
    return shards.length > 0 ? () => loadShards(shards) : undefined;
  };
  const missingDictionary = (misspelt: Misspelt[]) =>
    misspelt.flatMap(({ term, distance }) => terms.missingDictionary(term, distance));

  /** The query that the index can answer, with all its terms loaded. */
  const loadQuery = async (asked: Query, before?: (name: string) => Promise<void>): Promise<Query> => {
    for (let load = nextLoad(asked); load; load = nextLoad(asked)) {
      await before?.('');
      await load();
    }
    return resolved(asked, terms);
  };

  return {
    loadQuery,
    loadShards,
    /** Loads the words that are similar to these. */
    async loadSimilar(misspelt: Misspelt[]): Promise<void> {
      while (missingDictionary(misspelt).length > 0) await loadDictionary(missingDictionary(misspelt));
    },
  };
}
