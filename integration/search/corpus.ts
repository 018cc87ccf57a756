import MiniSearch from 'minisearch';
import { numbersOf } from './numbers.ts';
import { fields, indexOptions, type Field } from './index-options.ts';
import type { KnownTerms } from './query.ts';
import type { Meta } from './shards.ts';
import type { ShardedTerms } from './sharded-terms.ts';

/** What ranking needs to know about an index. */
export interface Corpus extends KnownTerms {
  miniSearch: MiniSearch;
  sectionCount: number;
  pageOf(section: number): number;
  /** First section of a page; for the number after the last page, the number of sections. */
  firstOf(page: number): number;
  boostOf(page: number): number;
  lengthOf(section: number, field: Field): number;
  /** Terms that `term` may be a misspelling of, with so many typos. */
  similar(term: string, typos: number): string[];
  /** How often each section has the term, by field number. */
  postingsOf(term: string): Map<number, Map<number, number>> | undefined;
}

/** An empty MiniSearch that reads terms, lengths and section numbers from the files of the index. */
export function openCorpus(meta: Meta, terms: ShardedTerms): Corpus {
  const counts = numbersOf(meta.pages);
  const firsts: number[] = [];
  const pages: number[] = [];
  counts.forEach((count, page) => {
    firsts.push(pages.length);
    for (let i = 0; i < count; i++) pages.push(page);
  });
  const lengths = fields.map((field) => numbersOf(meta.lengths[field]));
  const lengthOf = (section: number, field: number) => lengths[field]![field === 0 ? pages[section]! : section]!;
  const all = fields.map(() => 0);
  const miniSearch = MiniSearch.loadJS(
    {
      documentCount: pages.length,
      nextId: pages.length,
      documentIds: {},
      fieldIds: Object.fromEntries(fields.map((field, id) => [field, id])),
      fieldLength: {},
      averageFieldLength: meta.averages,
      storedFields: {},
      index: [],
      serializationVersion: 2,
    },
    indexOptions,
  );
  // These three are protected members of MiniSearch 7.2. A test compares the scores with those of a whole index.
  Object.assign(miniSearch, {
    _index: terms,
    _documentIds: { has: () => true, get: (id: number) => id },
    _fieldLength: {
      get(id: number) {
        for (let field = 0; field < all.length; field++) all[field] = lengthOf(id, field);
        return all;
      },
    },
  });
  const fieldNumbers: Record<Field, number> = { title: 0, heading: 1, text: 2, code: 3 };
  return {
    miniSearch,
    sectionCount: pages.length,
    has: (term) => terms.has(term),
    hasPrefix: (prefix) => terms.hasPrefix(prefix),
    pageOf: (section) => pages[section]!,
    firstOf: (page) => firsts[page] ?? pages.length,
    similar: (term, typos) => (typos > 0 ? [...terms.similar(term, typos).keys()] : []),
    postingsOf: (term) => terms.get(term),
    boostOf: (page) => meta.boosts[page] ?? 1,
    lengthOf: (section, field) => lengthOf(section, fieldNumbers[field]),
  };
}
