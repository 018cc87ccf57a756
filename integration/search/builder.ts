import { type AnalyzedPage, createAnalyzer, type SearchPage } from './analyze.ts';
import { NumberReader, numbersOf, numbersText, NumberWriter } from './numbers.ts';
import { type Field, fields } from './index-options.ts';
import { createPostingsLog, mergedPostings, type Postings, readPage, readRecord, recordOf } from './postings.ts';
import { format, type Meta, type PageRow, sectionsPerTable, shardScript, shardText } from './shards.ts';
import { createTermWriter, frontDecoded, type TermFiles } from './term-writer.ts';

/** Collects pages and builds the files of their index. */
export type IndexBuilder = ReturnType<typeof createIndexBuilder>;

/**
 * Builds an index without filling a MiniSearch first: the same numbers in less time and a fraction of the memory.
 * Postings are collected as plain numbers in page order, and sorted by term at the end.
 *
 * `previous` reads the files of the previous index by name; only `meta`, `t` and `d` files are read. `onText` takes the text files as they are
 * added, since they are most of an index; without it, they are in the result of `finish`.
 */
export function createIndexBuilder(
  options: { previous?: (name: string) => string; onText?: (name: string, script: string) => void } = {},
) {
  const analyze = createAnalyzer();
  const termNumbers = new Map<string, number>();
  const log = createPostingsLog();
  const pages: PageEntry[] = [];
  const texts = new Map<string, string>();
  const onText = options.onText ?? ((name: string, script: string) => void texts.set(name, script));
  const previous = options.previous && openPreviousIndex(options.previous);
  let sections = 0;

  const addAnalyzed = ({ terms, postings, files, ...entry }: AnalyzedPage) => {
    const numbers = new Uint32Array(terms.length);
    for (const [i, term] of terms.entries()) {
      let number = termNumbers.get(term);
      if (number === undefined) termNumbers.set(term, (number = termNumbers.size));
      numbers[i] = number;
    }
    const add = (field: number, term: number, count: number) => log.add(numbers[term]! * fields.length + field, count);
    readPage(postings, entry.sections.length, add, () => log.endSection());
    sections += entry.sections.length;
    pages.push(entry);
    for (const [name, script] of Object.entries(files)) onText(`${name}.js`, script);
  };

  return {
    /** Adds a page; its sections are numbered after those of earlier pages. Throws if a section belongs to another page. */
    addPage: (page: SearchPage): void => addAnalyzed(analyze(page)),
    /** Adds a page that was analyzed earlier. */
    addAnalyzed,
    /**
     * Adds a page from the previous index, which is by far the fastest way. Returns false and adds nothing if the previous index does
     * not have the page, or has it before a page that was already reused.
     */
    reusePage(path: string): boolean {
      const entry = previous?.reuse(path, sections);
      if (!entry) return false;
      for (let i = 0; i < entry.sections.length; i++) log.endSection();
      sections += entry.sections.length;
      pages.push(entry);
      return true;
    },
    /** All files by name (`meta.js`, `t0.js`, `x/….js`), except `reusedTexts`. The same pages in the same order give the same bytes. */
    finish(): Map<string, string> {
      // Strings sort by code units by default, which is the same on every machine, unlike the order of a locale.
      const names = [...termNumbers.keys()].sort();
      const sorted = log.sorted(names.length * fields.length);
      const added = (term: string) => fields.map((_, field) => sorted(termNumbers.get(term)! * fields.length + field));
      const terms = createTermWriter();
      const writer = new NumberWriter();
      let next = 0;
      const addBefore = (limit?: string) => {
        for (let name = names[next]; name !== undefined && (limit === undefined || name < limit); name = names[++next])
          terms.add(name, recordOf(added(name), writer));
      };
      for (const { term, postings, record } of previous?.terms() ?? []) {
        addBefore(term);
        if (names[next] === term) {
          terms.add(term, recordOf(mergedPostings(postings, added(term)), writer));
          next++;
        } else terms.add(term, record ?? recordOf(postings, writer));
      }
      addBefore();
      return new Map([...indexFiles(pages, terms.finish()), ...texts]);
    },
    /** Names of the text files of reused pages: they are in the previous index and not in the result of `finish`. */
    reusedTexts: (): string[] => [...(previous?.texts ?? [])],
  };
}

/** The previous index, with its reused pages. */
function openPreviousIndex(read: (name: string) => string) {
  const { pages, sectionCount, terms } = readWrittenIndex(read);
  const renumbered = new Int32Array(sectionCount).fill(-1);
  const unused = new Map<string, { entry: PageEntry; first: number }>();
  let first = 0;
  for (const entry of pages) {
    unused.set(entry.page, { entry, first });
    first += entry.sections.length;
  }
  const texts = new Set<string>();
  let end = -1;
  return {
    texts,
    terms: () => terms(renumbered),
    reuse(path: string, number: number): PageEntry | undefined {
      const page = unused.get(path);
      if (!page || page.first < end) return undefined;
      unused.delete(path);
      const { entry, first } = page;
      entry.sections.forEach((_, i) => (renumbered[first + i] = number + i));
      end = first + entry.sections.length;
      for (const [name] of entry.texts) texts.add(`x/${name}.js`);
      return entry;
    },
  };
}

/** The files of an index; `more` is what its `meta` file also has. */
export function indexFiles(pages: PageEntry[], terms: TermFiles): Map<string, string> {
  const files = new Map([['meta.js', JSON.stringify(metaOf(pages, terms))]]);
  terms.shards.forEach((shard, i) => files.set(`t${i}.js`, shard));
  terms.dictionary.files.forEach((text, i) => files.set(`dict${i}.js`, text));
  tablesOf(pages).forEach((table, i) => files.set(`d${i}.js`, JSON.stringify(table)));
  for (const [name, text] of files) files.set(name, shardScript(text));
  return files;
}

/** Opens an index, as far as another one reuses it; `read` reads a file by name (`t0.js`). Throws if the index has another format. */
export function readWrittenIndex(read: (name: string) => string) {
  const meta: Meta = JSON.parse(shardText(read('meta.js')));
  if (meta.format !== format)
    throw new Error(`The search index has format ${meta.format}, not ${format}. Build the index without it.`);
  const counts = numbersOf(meta.pages);
  return {
    pages: pageEntries(meta, counts, read),
    sectionCount: counts.reduce((sum, count) => sum + count, 0),
    /**
     * Each term in ascending order, with its postings by field. Sections get their new numbers; those numbered -1 are omitted. The
     * record is there if no number changed. The postings are valid until the next term.
     */
    *terms(renumbered: Int32Array): Generator<{ term: string; postings: Postings[]; record?: string }> {
      const size = renumbered.length;
      const postings = fields.map(() => ({ sections: new Uint32Array(size), counts: new Uint32Array(size), from: 0, to: 0 }));
      for (let shard = 0; shard < meta.starts.length; shard++) {
        const [terms = '', records = ''] = shardText(read(`t${shard}.js`)).split('\n');
        const reader = new NumberReader(records);
        for (const term of frontDecoded(terms)) {
          const start = reader.at;
          let same = true;
          for (const found of postings) found.to = 0;
          readRecord(reader, (field, section, count) => {
            const number = renumbered[section]!;
            if (number !== section) same = false;
            if (number < 0) return;
            const found = postings[field]!;
            found.sections[found.to] = number;
            found.counts[found.to++] = count;
          });
          yield { term, postings, ...(same && { record: records.slice(start, reader.at - 1) }) };
        }
      }
    },
  };
}

function pageEntries(meta: Meta, counts: number[], read: (name: string) => string): PageEntry[] {
  const titles = new NumberReader(meta.lengths.title);
  const others = fields.slice(1).map((field) => new NumberReader(meta.lengths[field]));
  const lengths = new NumberWriter();
  const pages: PageEntry[] = [];
  const rows = tableRows(read);
  const areas = (meta.areas ?? []).flatMap(([area, count]) => Array<string>(count).fill(area));
  for (const [number, count] of counts.entries()) {
    lengths.number(titles.number());
    for (let i = 0; i < count; i++) for (const reader of others) lengths.number(reader.number());
    const [page, title, first, texts, tag, trail] = rows.next().value;
    const sections = [...first];
    while (sections.length < count) sections.push(...rows.next().value[2]);
    const area = areas[number] || undefined;
    pages.push({ page, title, tag, trail, area, boost: meta.boosts[number] ?? 1, lengths: lengths.take(), sections, texts });
  }
  return pages;
}

/** The rows of all `d` files. The caller knows how many there are. */
function* tableRows(read: (name: string) => string): Generator<PageRow, never> {
  for (let table = 0; ; table++) {
    const rows: PageRow[] = JSON.parse(shardText(read(`d${table}.js`)));
    yield* rows;
  }
}

/** A page as the tables describe it. */
type PageEntry = Pick<AnalyzedPage, 'page' | 'title' | 'tag' | 'trail' | 'area' | 'boost' | 'lengths' | 'sections' | 'texts'>;

/** The content of the `meta` file. */
function metaOf(pages: PageEntry[], { starts, dictionary }: TermFiles): Meta {
  const lengths: Lengths = { title: [], heading: [], text: [], code: [] };
  for (const page of pages) addLengths(lengths, page);
  const counts = pages.map((page) => page.sections.length);
  const boosts = pages.flatMap((page, number) => (page.boost === 1 ? [] : [[number, page.boost]]));
  return {
    format,
    pages: numbersText(counts),
    boosts: Object.fromEntries(boosts),
    ...lengthsOf(lengths, counts),
    starts,
    dictionary: dictionary.starts,
    ...(pages.some(({ area }) => area) && { areas: areasOf(pages) }),
  };
}

function areasOf(pages: PageEntry[]): NonNullable<Meta['areas']> {
  const areas: NonNullable<Meta['areas']> = [];
  for (const { area = '' } of pages) {
    const last = areas.at(-1);
    if (last?.[0] === area) last[1]++;
    else areas.push([area, 1]);
  }
  return areas;
}

/** The number of distinct tokens in each section's field; in the title, one number for each page. */
export type Lengths = Record<Field, number[]>;

/** Appends the lengths of a page. */
export function addLengths(lengths: Lengths, page: Pick<AnalyzedPage, 'lengths' | 'sections'>): void {
  const reader = new NumberReader(page.lengths);
  lengths.title.push(reader.number());
  for (let i = 0; i < page.sections.length; i++) {
    for (const field of fields) if (field !== 'title') lengths[field].push(reader.number());
  }
}

/** The lengths as the `meta` file has them; `counts` are the numbers of sections of the pages. */
export function lengthsOf(lengths: Lengths, counts: number[]): Pick<Meta, 'lengths' | 'averages'> {
  const averages = fields.map(() => 0);
  let sections = 0;
  for (const [page, count] of counts.entries()) {
    for (const end = sections + count; sections < end; sections++) {
      for (const [number, field] of fields.entries()) {
        const length = lengths[field][field === 'title' ? page : sections]!;
        // In MiniSearch's order, so that the mean is the same to the last bit.
        averages[number] = ((averages[number] ?? 0) * sections + length) / (sections + 1);
      }
    }
  }
  const { title, heading, text, code } = lengths;
  return {
    lengths: { title: numbersText(title), heading: numbersText(heading), text: numbersText(text), code: numbersText(code) },
    averages,
  };
}

/** The content of the `d` files. A page with sections in several files is in each of them. */
function tablesOf(pages: PageEntry[]): PageRow[][] {
  const tables: PageRow[][] = [];
  let number = 0;
  for (const page of pages) {
    let from = 0;
    do {
      const table = (tables[Math.floor(number / sectionsPerTable)] ??= []);
      const count = Math.min(page.sections.length - from, sectionsPerTable - (number % sectionsPerTable));
      table.push(rowOf(page, from, from + count));
      from += count;
      number += count;
    } while (from < page.sections.length);
  }
  return tables;
}

/** The row of a page in a `d` file, with its sections from `from` to `to`, exclusive. */
export function rowOf(
  { page, title, tag, trail, sections, texts }: Pick<AnalyzedPage, 'page' | 'title' | 'tag' | 'trail' | 'sections' | 'texts'>,
  from: number,
  to: number,
): PageRow {
  const row: PageRow = [page, title, sections.slice(from, to), texts];
  if (tag || trail) row[4] = tag ?? '';
  if (trail) row[5] = trail;
  return row;
}
