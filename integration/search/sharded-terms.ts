import { similarTerms } from './dictionary.ts';
import { NumberReader } from './numbers.ts';
import { readRecord } from './postings.ts';
import { frontDecoded } from './term-writer.ts';

/** How often each section has a term, by field. */
export type TermPostings = Map<number, Map<number, number>>;

interface Shard {
  terms: string[];
  records: string[];
}

/**
 * The terms of an index, as far as their files are loaded. MiniSearch calls `get`, `atPrefix` and `fuzzyGet`, as on its own term tree;
 * they throw if a file that they need is not loaded, since results without it would have wrong scores.
 */
export class ShardedTerms {
  readonly #starts: string[];
  readonly #shards = new Map<number, Shard>();
  readonly #postings = new Map<string, TermPostings>();
  readonly #similar = new Map<string, Map<string, number>>();
  #dictionary: string[] | undefined;

  constructor(starts: string[]) {
    this.#starts = starts;
  }

  /** The number of the only file that can have the term, if any. */
  shardOf(term: string): number[] {
    let low = 0;
    let high = this.#starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= term) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? [] : [low - 1];
  }

  /** The numbers of the files that can have terms with the prefix. */
  shardsAt(prefix: string): number[] {
    const shards = this.shardOf(prefix);
    for (let i = (shards[0] ?? -1) + 1; this.#starts[i]?.startsWith(prefix); i++) shards.push(i);
    return shards;
  }

  addShard(number: number, text: string): void {
    if (this.#shards.has(number)) return;
    const [terms = '', records = ''] = text.split('\n');
    this.#shards.set(number, { terms: frontDecoded(terms), records: records.split(' ') });
  }

  addDictionary(text: string): void {
    this.#dictionary ??= text.split(' ');
  }

  has(term: string): boolean {
    return this.#find(term) !== undefined;
  }

  hasPrefix(prefix: string): boolean {
    return this.#termsAt(prefix).next().done === false;
  }

  get(term: string): TermPostings | undefined {
    const found = this.#find(term);
    return found === undefined ? undefined : this.#postingsOf(term, found);
  }

  *atPrefix(prefix: string): Generator<[string, TermPostings]> {
    for (const [term, record] of this.#termsAt(prefix)) yield [term, this.#postingsOf(term, record)];
  }

  /** Terms that have a stem and begin with it. */
  withStem(stem: string, stemOf: (term: string) => string): string[] {
    return [...this.#termsAt(stem)].map(([term]) => term).filter((term) => stemOf(term) === stem);
  }

  /** Terms of the dictionary within an edit distance, each with its distance. */
  similar(term: string, distance: number): Map<string, number> {
    if (!this.#dictionary) throw new Error('The dictionary of the search index is not loaded.');
    const key = `${distance} ${term}`;
    let similar = this.#similar.get(key);
    if (!similar) this.#similar.set(key, (similar = similarTerms(this.#dictionary, term, distance)));
    return similar;
  }

  fuzzyGet(term: string, distance: number): Map<string, [TermPostings, number]> {
    const found = new Map<string, [TermPostings, number]>();
    for (const [similar, typos] of this.similar(term, distance)) found.set(similar, [this.get(similar) ?? new Map(), typos]);
    return found;
  }

  /** The record of a term. */
  #find(term: string): string | undefined {
    for (const number of this.shardOf(term)) {
      const { terms, records } = this.#shard(number);
      const position = positionOf(terms, term);
      if (terms[position] === term) return records[position];
    }
    return undefined;
  }

  *#termsAt(prefix: string): Generator<[string, string]> {
    for (const number of this.shardsAt(prefix)) {
      const { terms, records } = this.#shard(number);
      for (let i = positionOf(terms, prefix); terms[i]?.startsWith(prefix); i++) yield [terms[i]!, records[i]!];
    }
  }

  #shard(number: number): Shard {
    const shard = this.#shards.get(number);
    if (!shard) throw new Error(`File t${number} of the search index is not loaded.`);
    return shard;
  }

  #postingsOf(term: string, record: string): TermPostings {
    let postings = this.#postings.get(term);
    if (!postings) this.#postings.set(term, (postings = decoded(record)));
    return postings;
  }
}

/** The position of the first term that does not sort before the given one. */
function positionOf(terms: string[], term: string): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (terms[middle]! < term) low = middle + 1;
    else high = middle;
  }
  return low;
}

function decoded(record: string): TermPostings {
  const postings: TermPostings = new Map();
  readRecord(new NumberReader(record), (field, section, count) => {
    let sections = postings.get(field);
    if (!sections) postings.set(field, (sections = new Map()));
    sections.set(section, count);
  });
  return postings;
}
