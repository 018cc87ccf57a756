import { openCorpus } from './corpus.ts';
import { closestTerms, mostEdits } from './closest-terms.ts';
import { excerpt, markRanges, type Excerpt } from './excerpt.ts';
import { once } from './once.ts';
import { completes, parseQuery, resolved, tolerance, type Query, type QueryTerm } from './query.ts';
import { rank, spread, type Ranked } from './rank.ts';
import type { Citation } from './index-options.ts';
import { isUnspaced, stemOf } from './tokenize.ts';
import { format, sectionsPerTable, splitTexts, type Meta, type PageRow, type SectionText } from './shards.ts';
import { ShardedTerms } from './sharded-terms.ts';

/** Loads the text of a file of the index by name (`meta`, `t3`, `x/…`, without `.js`); rejects if it cannot be loaded. */
export type Load = (name: string) => Promise<string>;

export interface SearchResult extends Citation {
  /** Tag of its page, such as the method of an operation. */
  tag?: string;
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
  /** Awaited once before files are loaded, if any must be. */
  beforeLoading?: () => Promise<void>;
}

interface Misspelt {
  term: string;
  distance: number;
}

/** A section with its text. */
export type IndexedSection = Omit<SearchResult, 'score' | 'terms' | 'matches'> & SectionText;

/** A section that was found, by number, with the number of its page. */
export interface Candidate extends Ranked {
  page: number;
}

/** An open index. Files are loaded when first needed, each once. */
export type SearchIndex = Awaited<ReturnType<typeof openIndex>>;

/** Opens an index. Throws if the index has another format. */
export async function openIndex({ load }: { load: Load }) {
  const file = once(load);
  const tables = new Map<string, PageRow[]>();
  const table = async (name: string): Promise<PageRow[]> => {
    const rows = tables.get(name) ?? (JSON.parse(await file(name)) as PageRow[]);
    tables.set(name, rows);
    return rows;
  };
  const meta: Meta = JSON.parse(await file('meta'));
  if (meta.format !== format && meta.format !== format - 1)
    throw new Error(
      `The search index has format ${meta.format}, but this reader supports formats ${format - 1} and ${format}. Export the site again with the same version.`,
    );
  const terms = new ShardedTerms(meta.starts, meta.dictionary);
  const corpus = openCorpus(meta, terms);
  const { sectionCount } = corpus;

  const loadShards = async (numbers: number[]) => {
    await Promise.all([...new Set(numbers)].map(async (number) => terms.addShard(number, await file(`t${number}`))));
  };
  const loadDictionary = async (numbers: number[]) => {
    const nameOf = (number: number) => (meta.dictionary ? `dict${number}` : 'dict');
    await Promise.all([...new Set(numbers)].map(async (number) => terms.addDictionary(number, await file(nameOf(number)))));
  };

  const missingOf = (query: QueryTerm[]) =>
    query.flatMap((term) => (completes(term) ? terms.shardsAt(term.term) : terms.shardOf(term.term))).filter(isMissing);
  const isMissing = (shard: number) => !terms.hasShard(shard);

  /** What loads the files that a query needs next; undefined if they are all there. */
  const nextLoad = (asked: Query): (() => Promise<void>) | undefined => {
    const compounds = missingOf(asked.terms.filter(({ parts }) => parts));
    if (compounds.length > 0) return () => loadShards(compounds);
    const query = resolved(asked, terms).terms;
    const known = missingOf(query);
    if (known.length > 0) return () => loadShards(known);
    const unknown = query.map((term) => ({ term: term.term, distance: tolerance(term, terms) })).filter(isUnknown);
    const dictionary = missingDictionary(unknown);
    if (dictionary.length > 0) return () => loadDictionary(dictionary);
    const similar = unknown.flatMap(({ term, distance }) => [...terms.similar(term, distance).keys()]);
    const shards = similar.flatMap((term) => terms.shardOf(term)).filter(isMissing);
    return shards.length > 0 ? () => loadShards(shards) : undefined;
  };
  const isUnknown = ({ distance }: Misspelt) => distance > 0;
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

  const tableOf = (section: number) => `d${Math.floor(section / sectionsPerTable)}`;

  const describe = async (number: number) => {
    let first = number - (number % sectionsPerTable);
    for (const [page, title, rows, texts, tag] of await table(tableOf(number))) {
      const [anchor, ...headings] = rows[number - first] ?? [];
      if (anchor !== undefined) {
        const id = anchor ? `${page}#${anchor}` : page;
        return { id, page, title, ...(tag !== undefined && { tag }), headings, section: number, texts };
      }
      first += rows.length;
    }
    throw new Error(`There is no section ${number} in the search index.`);
  };

  const sections = (numbers: number[]) =>
    Promise.all(
      numbers.map(async (number): Promise<IndexedSection> => {
        const { texts, ...section } = await describe(number);
        let position = number - corpus.firstOf(corpus.pageOf(number));
        for (const [name, count] of texts) {
          const text = position < count && splitTexts(await file(`x/${name}`))[position];
          if (text) return { ...section, ...text };
          position -= count;
        }
        throw new Error(`The text of "${section.id}" is not in the search index.`);
      }),
    );

  /** The section below a heading without text of its own, which begins with its own heading. */
  const firstBelow = async ({ section, headings }: IndexedSection): Promise<Pick<SectionText, 'text' | 'code'>> => {
    const isLast = corpus.firstOf(corpus.pageOf(section) + 1) === section + 1;
    const [next] = isLast ? [] : await sections([section + 1]);
    if (!next || next.headings.length <= headings.length) return { text: '', code: '' };
    const { text, code } = next.text === '' && next.code === '' ? await firstBelow(next) : next;
    return { text: `${next.headings.at(-1)}\t${text}`, code };
  };

  return {
    sectionCount,
    /**
     * The best sections, best first; at most `limit` (default 10, at most 100). With `perPage`, so many of each page come before the rest
     * of any page; with `sameAs`, only those of the page that has this section. An empty query finds nothing.
     */
    async search(query: string, { limit = 10, perPage, sameAs, beforeLoading }: SearchScope = {}): Promise<SearchResult[]> {
      const asked = parseQuery(query);
      if (asked.terms.length === 0 || sectionCount === 0) return [];
      const before = beforeLoading && once(beforeLoading);
      const wanted = await loadQuery(asked, before);
      const ranked = rank(wanted, corpus);
      const pageOf = ({ section }: { section: number }) => corpus.pageOf(section);
      const samePage = (section: number) => ranked.filter((found) => pageOf(found) === corpus.pageOf(section));
      const wide = perPage === undefined ? ranked : spread(ranked, perPage, pageOf);
      const results = (sameAs === undefined ? wide : samePage(sameAs)).slice(0, limit);
      if (results.some(({ section }) => !tables.has(tableOf(section)))) await before?.('');
      return Promise.all(
        results.map(async ({ section, score, terms }: Ranked) => {
          const { texts: _, ...found } = await describe(section);
          return { ...found, score, terms, matches: samePage(section).length };
        }),
      );
    },
    /** The same without the names of the sections, which are in files of their own: at most `limit` of them, with the number of the page. */
    async candidates(query: string, limit: number): Promise<Candidate[]> {
      const asked = parseQuery(query);
      if (asked.terms.length === 0 || sectionCount === 0) return [];
      const found = rank(await loadQuery(asked), corpus).slice(0, limit);
      return found.map((one) => ({ ...one, page: corpus.pageOf(one.section) }));
    },
    /** How many sections match, at most a hundred. */
    async count(query: string): Promise<number> {
      const asked = parseQuery(query);
      return asked.terms.length === 0 || sectionCount === 0 ? 0 : rank(await loadQuery(asked), corpus).length;
    },
    /** Queries of words that the docs have, close to one that finds nothing; at most three, closest first. */
    async nearest(query: string): Promise<string[]> {
      const unknown = parseQuery(query).terms.filter(({ term, parts }) => !parts && !isUnspaced(term));
      if (unknown.length === 0 || sectionCount === 0) return [];
      const misspelt = unknown.map(({ term }) => ({ term, distance: mostEdits(term) }));
      while (missingDictionary(misspelt).length > 0) await loadDictionary(missingDictionary(misspelt));
      const closest = unknown.map(({ term }) => closestTerms(term, terms)).filter((found) => found.length > 0);
      const most = Math.min(3, Math.max(0, ...closest.map((found) => found.length)));
      const queries = Array.from({ length: most }, (_, i) => closest.map((found) => found[i] ?? found[0] ?? ''));
      return Promise.all(queries.map(async (found) => (await Promise.all(found.map((term) => this.wordOf(term)))).join(' ')));
    },
    /** A word of the docs that has the term, as they write it. */
    async wordOf(term: string): Promise<string> {
      const [result] = await this.search(term, { limit: 1 });
      const [section] = result ? await sections([result.section]) : [];
      for (const text of section ? [section.title, ...section.headings, section.text, section.code] : []) {
        const [range] = markRanges(text, [term]);
        if (range) return text.slice(...range);
      }
      return term;
    },
    /** The terms of the index that share the term's stem, and the number of sections that have one of them. */
    async inflections(term: string): Promise<{ terms: string[]; sections: number }> {
      const stem = stemOf(term);
      await loadShards(stem.length < 3 ? terms.shardOf(term) : terms.shardsAt(stem));
      const found = stem.length < 3 ? (terms.has(term) ? [term] : []) : terms.withStem(stem, stemOf);
      const sections = new Set(
        found.flatMap((one) => [...(terms.get(one)?.values() ?? [])].flatMap((counts) => [...counts.keys()])),
      );
      return { terms: found, sections: sections.size };
    },
    /** Sections with their texts, by number. */
    sections,
    /** The numbers of all sections on the page of a section, in the order of the page. */
    sectionsOfPage(section: number): number[] {
      const page = corpus.pageOf(section);
      const first = corpus.firstOf(page);
      return Array.from({ length: corpus.firstOf(page + 1) - first }, (_, i) => first + i);
    },
    /**
     * For each result, the part of its text, or else of its code, that shows why it was found. For a heading that another heading
     * follows, that of the section below.
     */
    async excerpts(results: SearchResult[], { length = 160 }: { length?: number } = {}): Promise<Excerpt[]> {
      const found = await sections(results.map(({ section }) => section));
      return Promise.all(
        results.map(async ({ terms }, i) => {
          const own = found[i];
          if (!own) return { text: '', marks: [] };
          const { text, code } = own.text === '' && own.code === '' ? await firstBelow(own) : own;
          const fromText = excerpt(text.replace(cellEnd, cellSeparator), terms, { length });
          if (fromText.marks.length > 0) return fromText;
          const fromCode = excerpt(code, terms, { length });
          return fromCode.marks.length > 0 || text === '' ? fromCode : fromText;
        }),
      );
    },
  };
}

// Cells of a table and what follows a heading are separated by tabs in a text, rows by new lines.
const cellEnd = /\t|(?<=\t[^\n]*)\n(?=[^\n]*\t)/g;
const cellSeparator = ' · ';

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
