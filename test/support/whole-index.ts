import MiniSearch from 'minisearch';
import type { SearchPage } from '../../integration/search/analyze.ts';
import { byWording } from '../../integration/search/by-wording.ts';
import { fields, fieldTexts, indexOptions } from '../../integration/search/index-options.ts';
import { parseQuery, resolved } from '../../integration/search/query.ts';
import type { Corpus } from '../../integration/search/corpus.ts';
import { rank, type Ranked } from '../../integration/search/rank.ts';

type TermPostings = Map<number, Map<number, number>>;

/** Private members of MiniSearch. */
interface Inside {
  _index: Map<string, TermPostings> & {
    atPrefix(prefix: string): { size: number };
    fuzzyGet(term: string, limit: number): Map<string, [TermPostings, number]>;
  };
  _fieldLength: Map<number, number[]>;
}

/** Returns the edit distance of two words, where a swap of neighbors counts as one edit; any number above `limit` if it is larger. */
export function typosBetween(one: string, other: string, limit: number): number {
  if (one === other) return 0;
  if (limit === 0 || Math.abs(one.length - other.length) > limit) return limit + 1;
  if (one[0] === other[0]) return typosBetween(one.slice(1), other.slice(1), limit);
  const swapped = one.length > 1 && one[0] === other[1] && one[1] === other[0];
  return (
    1 +
    Math.min(
      typosBetween(one.slice(1), other, limit - 1),
      typosBetween(one, other.slice(1), limit - 1),
      typosBetween(one.slice(1), other.slice(1), limit - 1),
      swapped ? typosBetween(one.slice(2), other.slice(2), limit - 1) : limit,
    )
  );
}

/**
 * Indexes the pages in an ordinary MiniSearch, to compare with the shards. It counts a swap as one edit, and corrects the first letter
 * only where nothing else is similar.
 */
export function wholeIndex(pages: SearchPage[]): { corpus: Corpus; search(query: string): Promise<Ranked[]> } {
  const miniSearch = new MiniSearch(indexOptions);
  const pageOf: number[] = [];
  const firstOf: number[] = [];
  pages.forEach((page, number) => {
    firstOf.push(pageOf.length);
    for (const section of page.sections) {
      miniSearch.add({ id: pageOf.length, ...fieldTexts(section) });
      pageOf.push(number);
    }
  });
  const inside = miniSearch as unknown as Inside;
  const tree = inside._index;
  const byLevenshtein = tree.fuzzyGet.bind(tree);
  tree.fuzzyGet = (term, limit) => {
    const similar = new Map<string, [TermPostings, number]>();
    // A swap is two Levenshtein edits.
    for (const [known, [postings]] of byLevenshtein(term, 2 * limit)) {
      const typos = typosBetween(known, term, limit);
      if (typos <= limit) similar.set(known, [postings, typos]);
    }
    const withSameStart = new Map([...similar].filter(([known]) => known[0] === term[0]));
    return withSameStart.size > 0 ? withSameStart : similar;
  };
  const corpus: Corpus = {
    miniSearch,
    sectionCount: pageOf.length,
    has: (term) => inside._index.has(term),
    hasPrefix: (prefix) => inside._index.atPrefix(prefix).size > 0,
    pageOf: (section) => pageOf[section]!,
    firstOf: (page) => firstOf[page] ?? pageOf.length,
    boostOf: (page) => pages[page]!.boost ?? 1,
    lengthOf: (section, field) => inside._fieldLength.get(section)![fields.indexOf(field)]!,
    similar: (term, typos) => (typos > 0 ? [...tree.fuzzyGet(term, typos).keys()] : []),
    postingsOf: (term) => inside._index.get(term),
  };
  const sections = pages.flatMap((page) => page.sections);
  return {
    corpus,
    async search(query) {
      const asked = parseQuery(query);
      const ranked = rank(resolved(asked, corpus), corpus);
      if (!asked.isPasted && !asked.isQuestion) return ranked;
      return byWording(ranked, query, asked, async (numbers) => numbers.map((number) => sections[number]!));
    },
  };
}
