import { byWording } from './by-wording.ts';
import { openCorpus, type Corpus } from './corpus.ts';
import { markRanges } from './excerpt.ts';
import { once } from './once.ts';
import { parseQuery } from './query.ts';
import { queryFiles } from './query-files.ts';
import { rank, spread, type Ranked, type SectionRange } from './rank.ts';
import type { Citation } from './index-options.ts';
import { stemOf } from './tokenize.ts';
import { sectionFiles } from './section-files.ts';
import { spelling } from './spelling.ts';
import { format, type Meta } from './shards.ts';
import { ShardedTerms } from './sharded-terms.ts';

/** Loads the text of a file of the index by name (`meta`, `t3`, `x/…`, without `.js`); rejects if it cannot be loaded. */
export type Load = (name: string) => Promise<string>;

export interface SearchResult extends Citation {
  /** Tag of its page, such as the method of an operation. */
  tag?: string;
  /** Names of what its page is in: `Guides › Get started`. */
  trail?: string;
  score: number;
  /** Terms that matched, for `excerpt` and `markRanges`. */
  terms: string[];
  /** Number of the section in the index. */
  section: number;
  /** How many sections of its page match, of the best hundred. */
  matches: number;
}

export interface SearchScope {
  limit?: number;
  perPage?: number;
  sameAs?: number;
  /** Only this area is searched: a part of the site by its name, or a site of a collection by its path. */
  area?: string;
  /** Awaited once before files are loaded, if any must be. */
  beforeLoading?: () => Promise<void>;
}

/** A section that was found, by number, with the number of its page. */
export interface Candidate extends Ranked {
  page: number;
}

/** An open index. Files are loaded when first needed, each once. */
export type SearchIndex = Awaited<ReturnType<typeof openIndex>>;

/** Opens an index. Throws if the index has another format. */
export async function openIndex({ load }: { load: Load }) {
  const file = once(load);
  const meta: Meta = JSON.parse(await file('meta'));
  if (meta.format !== format && meta.format !== format - 1)
    throw new Error(
      `The search index has format ${meta.format}, but this reader supports formats ${format - 1} and ${format}. Export the site again.`,
    );
  const terms = new ShardedTerms(meta.starts, meta.dictionary);
  const corpus = openCorpus(meta, terms);
  const { sectionCount } = corpus;
  const queries = queryFiles(file, terms, meta);
  const files = sectionFiles(file, corpus);

  const areas = areasOf(meta, corpus);

  const matching = async (query: string, before?: (name: string) => Promise<void>, area?: string): Promise<Ranked[]> => {
    const asked = parseQuery(query);
    if (asked.terms.length === 0 || sectionCount === 0) return [];
    const within = area === undefined ? undefined : (areas.get(area) ?? []);
    const ranked = rank(await queries.loadQuery(asked, before), corpus, within);
    if (!asked.isPasted && !asked.isQuestion) return ranked;
    await before?.('');
    return byWording(ranked, query, asked, files.sections);
  };

  /** A word of the docs that has the term, as they write it. */
  const wordOf = async (term: string): Promise<string> => {
    const [best] = await matching(term);
    const [section] = best ? await files.sections([best.section]) : [];
    for (const text of section ? [section.title, ...section.headings, section.text, section.code] : []) {
      const [range] = markRanges(text, [term]);
      if (range) return text.slice(...range);
    }
    return term;
  };

  return {
    sectionCount,
    /** The parts of the site that can be searched alone. */
    areas: [...areas.keys()],
    /** Which sections are on which page. */
    corpus,
    ...files,
    ...spelling({ terms, corpus, queries, wordOf }),
    /**
     * The best sections, best first; at most `limit` (default 10, at most 100). With `perPage`, so many of each page come before the rest
     * of any page; with `sameAs`, only those of the page that has this section; with `area`, only those of an area. An empty query finds
     * nothing.
     */
    async search(query: string, { limit = 10, perPage, sameAs, area, beforeLoading }: SearchScope = {}): Promise<SearchResult[]> {
      const before = beforeLoading && once(beforeLoading);
      const ranked = await matching(query, before, area);
      const pageOf = ({ section }: { section: number }) => corpus.pageOf(section);
      const samePage = (section: number) => ranked.filter((found) => pageOf(found) === corpus.pageOf(section));
      const wide = perPage === undefined ? ranked : spread(ranked, perPage, pageOf);
      const results = (sameAs === undefined ? wide : samePage(sameAs)).slice(0, limit);
      if (!results.every(({ section }) => files.isLoaded(section))) await before?.('');
      return Promise.all(
        results.map(async ({ section, score, terms }: Ranked) => {
          const { texts: _, ...found } = await files.describe(section);
          return { ...found, score, terms, matches: samePage(section).length };
        }),
      );
    },
    /** The same without the names of the sections, which are in files of their own: at most `limit` of them, with the number of the page. */
    async candidates(query: string, limit: number): Promise<Candidate[]> {
      return (await matching(query)).slice(0, limit).map((one) => ({ ...one, page: corpus.pageOf(one.section) }));
    },
    /** How many sections match, at most a hundred. */
    async count(query: string): Promise<number> {
      return (await matching(query)).length;
    },
    /** The terms of the index that share the term's stem, and the number of sections that have one of them. */
    async inflections(term: string): Promise<{ terms: string[]; sections: number }> {
      const stem = stemOf(term);
      await queries.loadShards(stem.length < 3 ? terms.shardOf(term) : terms.shardsAt(stem));
      const found = stem.length < 3 ? (terms.has(term) ? [term] : []) : terms.withStem(stem, stemOf);
      const sections = new Set(
        found.flatMap((one) => [...(terms.get(one)?.values() ?? [])].flatMap((counts) => [...counts.keys()])),
      );
      return { terms: found, sections: sections.size };
    },
  };
}

/** Results grouped by page, in the order of each page's best section. */
export function groupByPage<Result extends { page: string; title: string }>(
  results: Result[],
): { page: string; title: string; results: Result[] }[] {
  const groups = new Map<string, { page: string; title: string; results: Result[] }>();
  for (const result of results) {
    const group = groups.get(result.page);
    if (group) group.results.push(result);
    else groups.set(result.page, { page: result.page, title: result.title, results: [result] });
  }
  return [...groups.values()];
}

/** The sections of each area. */
function areasOf({ areas = [] }: Meta, corpus: Corpus): Map<string, SectionRange[]> {
  const ranges = new Map<string, SectionRange[]>();
  let page = 0;
  for (const [area, pages] of areas) {
    const range: SectionRange = [corpus.firstOf(page), corpus.firstOf((page += pages))];
    if (area !== '') ranges.set(area, [...(ranges.get(area) ?? []), range]);
  }
  return ranges;
}
