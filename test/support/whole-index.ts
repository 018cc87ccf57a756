import MiniSearch from 'minisearch';
import type { SearchPage } from '../../integration/search/analyse.ts';
import { fields, fieldTexts, indexOptions } from '../../integration/search/options.ts';
import { parseQuery } from '../../integration/search/query.ts';
import { rank, type Corpus, type Ranked } from '../../integration/search/rank.ts';

/** Members of MiniSearch that are not for everyone. */
interface Inside {
  _index: {
    has(term: string): boolean;
    get(term: string): Map<number, Map<number, number>> | undefined;
    atPrefix(prefix: string): { size: number };
  };
  _fieldLength: Map<number, number[]>;
}

/** The pages in an ordinary MiniSearch, to compare shards with. */
export function wholeIndex(pages: SearchPage[]): { corpus: Corpus; search(query: string): Ranked[] } {
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
  const corpus: Corpus = {
    miniSearch,
    sectionCount: pageOf.length,
    has: (term) => inside._index.has(term),
    hasPrefix: (prefix) => inside._index.atPrefix(prefix).size > 0,
    pageOf: (section) => pageOf[section]!,
    firstOf: (page) => firstOf[page] ?? pageOf.length,
    boostOf: (page) => pages[page]!.boost ?? 1,
    lengthOf: (section, field) => inside._fieldLength.get(section)![fields.indexOf(field)]!,
    postingsOf: (term) => inside._index.get(term),
  };
  return { corpus, search: (query) => rank(parseQuery(query), corpus) };
}
