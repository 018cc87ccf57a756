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
  readonly #dictionaryStarts: string[];
  /** The entries of the `dict` files that are loaded, by number. */
  readonly #dictionary = new Map<number, string[]>();
  readonly #shards = new Map<number, Shard>();
  readonly #postings = new Map<string, TermPostings>();
  readonly #similar = new Map<string, Map<string, number>>();

  /** `starts` and `dictionary` are those of `Meta`. */
  constructor(starts: string[], dictionary: string[] = ['']) {
    this.#starts = starts;
    this.#dictionaryStarts = dictionary;
  }

  /** The number of the only file that can have the term, if any. */
  shardOf(term: string): number[] {
    return lastAtMost(this.#starts, term);
  }

  /** The numbers of the files that can have terms with the prefix. */
  shardsAt(prefix: string): number[] {
    const shards = this.shardOf(prefix);
    for (let i = (shards[0] ?? -1) + 1; this.#starts[i]?.startsWith(prefix); i++) shards.push(i);
    return shards;
  }

  hasShard(number: number): boolean {
    return this.#shards.has(number);
  }

  addShard(number: number, text: string): void {
    if (this.#shards.has(number)) return;
    const [terms = '', records = ''] = text.split('\n');
    this.#shards.set(number, { terms: frontDecoded(terms), records: records.split(' ') });
  }

  addDictionary(number: number, text: string): void {
    this.#dictionary.set(number, text.split(' '));
  }

  /** The numbers of the `dict` files that `similar` needs next; none if it has all that it needs. */
  missingDictionary(term: string, distance: number): number[] {
    const own = lastAtMost(this.#dictionaryStarts, term.charAt(0));
    const isEnough = own.some((number) => !this.#dictionary.has(number)) || this.#withSameStart(term, distance).size > 0;
    const needed = isEnough ? own : [...this.#dictionaryStarts.keys()];
    return needed.filter((number) => !this.#dictionary.has(number));
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

  /**
   * Terms of the dictionary within an edit distance, each with its distance. Others than those with the same first character only
   * where there are none of them: hardly anybody misspells it, and so one file is enough for most words.
   */
  similar(term: string, distance: number): Map<string, number> {
    if (this.missingDictionary(term, distance).length > 0) throw new Error('The dictionary of the search index is not loaded.');
    const found = this.#withSameStart(term, distance);
    return found.size > 0 ? found : this.#similarIn([...this.#dictionary.keys()], term, distance);
  }

  #withSameStart(term: string, distance: number): Map<string, number> {
    const found = this.#similarIn(lastAtMost(this.#dictionaryStarts, term.charAt(0)), term, distance);
    return new Map([...found].filter(([similar]) => similar[0] === term[0]));
  }

  #similarIn(files: number[], term: string, distance: number): Map<string, number> {
    return new Map(files.sort((a, b) => a - b).flatMap((number) => [...this.#similarInFile(number, term, distance)]));
  }

  #similarInFile(file: number, term: string, distance: number): Map<string, number> {
    const key = `${file} ${distance} ${term}`;
    let similar = this.#similar.get(key);
    if (!similar) this.#similar.set(key, (similar = similarTerms(this.#dictionary.get(file) ?? [], term, distance)));
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

/** The position of the last start that does not sort after the term, if any. */
function lastAtMost(starts: string[], term: string): number[] {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= term) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? [] : [low - 1];
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
