import { createAnalyser, type AnalysedPage, type SearchPage } from './analyse.ts';
import { NumberReader, NumberWriter } from './numbers.ts';
import { fields } from './options.ts';
import { createPostingsLog, recordOf, type Postings } from './postings.ts';
import { readPrevious } from './previous.ts';
import { shardScript } from './shards.ts';
import { metaOf, tablesOf, type PageEntry } from './tables.ts';
import { createTermWriter, type TermFiles } from './terms.ts';

/** Collects pages and gives the files of their index. */
export interface IndexBuilder {
  /** Adds a page after those already added; sections are numbered in this order. Throws if a section is not of the page. */
  addPage(page: SearchPage): void;
  /** Adds a page analysed before. */
  addAnalysed(page: AnalysedPage): void;
  /**
   * Adds a page as it is in the previous index: by far the fastest way. False, and nothing added, where the previous index does not
   * have it, or has it before a page already kept; then the page has to be added.
   */
  keepPage(path: string): boolean;
  /** All files by name (`meta.js`, `t0.js`, `x/….js`), but for `keptTexts`. The same pages in the same order give the same bytes. */
  finish(): Map<string, string>;
  /** Names of the text files of kept pages. They are in the previous index, and `finish` cannot give them. */
  keptTexts(): string[];
}

/**
 * Writes an index without filling a MiniSearch first: the same numbers in less time and a fraction of the memory.
 * Postings are kept as plain numbers in the order they come, and are sorted by term at the end.
 *
 * `previous` gives the files of an index written before, by name; only `meta`, `t` and `d` files are read.
 */
export function createIndexBuilder(options: { previous?: (name: string) => string } = {}): IndexBuilder {
  const analyse = createAnalyser();
  const termNumbers = new Map<string, number>();
  const log = createPostingsLog();
  const pages: PageEntry[] = [];
  const texts = new Map<string, string>();
  const previous = options.previous && openKept(options.previous);
  let sections = 0;

  const addAnalysed = ({ terms, postings, files, ...entry }: AnalysedPage) => {
    const numbers = new Uint32Array(terms.length);
    for (let i = 0; i < terms.length; i++) {
      let number = termNumbers.get(terms[i]!);
      if (number === undefined) termNumbers.set(terms[i]!, (number = termNumbers.size));
      numbers[i] = number;
    }
    const reader = new NumberReader(postings);
    const addField = (field: number) => {
      for (let left = reader.number(); left > 0; left--) {
        const place = reader.number();
        log.add(numbers[place >>> 1]! * fields.length + field, place & 1 ? reader.number() + 2 : 1);
      }
    };
    // The title is written once and counts in every section.
    let next = 0;
    for (let section = 0; section < entry.sections.length; section++) {
      reader.at = 0;
      addField(0);
      if (section > 0) reader.at = next;
      for (let field = 1; field < fields.length; field++) addField(field);
      next = reader.at;
      log.endSection();
    }
    sections += entry.sections.length;
    pages.push(entry);
    for (const [name, script] of Object.entries(files)) texts.set(`${name}.js`, script);
  };

  return {
    addPage: (page) => addAnalysed(analyse(page)),
    addAnalysed,
    keepPage(path) {
      const entry = previous?.keep(path, sections);
      if (!entry) return false;
      for (let i = 0; i < entry.sections.length; i++) log.endSection();
      sections += entry.sections.length;
      pages.push(entry);
      return true;
    },
    finish() {
      // The default order of strings is that of their code units: the same everywhere, unlike any alphabet's.
      const names = [...termNumbers.keys()].sort();
      const sorted = log.sorted(names.length * fields.length);
      const added = (term: string) => fields.map((_, field) => sorted(termNumbers.get(term)! * fields.length + field));
      const terms = createTermWriter();
      const writer = new NumberWriter();
      let next = 0;
      const addBefore = (limit?: string) => {
        for (; next < names.length && (limit === undefined || names[next]! < limit); next++)
          terms.add(names[next]!, recordOf(added(names[next]!), writer));
      };
      for (const { term, postings, record } of previous?.terms() ?? []) {
        addBefore(term);
        if (names[next] === term) terms.add(term, recordOf(merged(postings, added(names[next++]!)), writer));
        else terms.add(term, record ?? recordOf(postings, writer));
      }
      addBefore();
      return new Map([...indexFiles(pages, terms.finish()), ...texts]);
    },
    keptTexts: () => [...(previous?.texts ?? [])],
  };
}

/** The previous index with what is kept of it. */
function openKept(script: (name: string) => string) {
  const { pages, sectionCount, terms } = readPrevious(script);
  const renumbered = new Int32Array(sectionCount).fill(-1);
  const places = new Map<string, { entry: PageEntry; first: number }>();
  let first = 0;
  for (const entry of pages) {
    places.set(entry.page, { entry, first });
    first += entry.sections.length;
  }
  const texts = new Set<string>();
  let end = -1;
  return {
    texts,
    terms: () => terms(renumbered),
    keep(path: string, number: number): PageEntry | undefined {
      const place = places.get(path);
      if (!place || place.first < end) return undefined;
      places.delete(path);
      place.entry.sections.forEach((_, i) => (renumbered[place.first + i] = number + i));
      end = place.first + place.entry.sections.length;
      for (const [name] of place.entry.texts) texts.add(`x/${name}.js`);
      return place.entry;
    },
  };
}

/** The postings of both, field by field. */
function merged(kept: Postings[], added: Postings[]): Postings[] {
  return kept.map((one, field) => {
    const other = added[field]!;
    const sections: number[] = [];
    const counts: number[] = [];
    for (let i = one.from, j = other.from; i < one.to || j < other.to;) {
      const from = j === other.to || (i < one.to && one.sections[i]! < other.sections[j]!) ? one : other;
      const at = from === one ? i++ : j++;
      sections.push(from.sections[at]!);
      counts.push(from.counts[at]!);
    }
    return { sections, counts, from: 0, to: sections.length };
  });
}

function indexFiles(pages: PageEntry[], terms: TermFiles): Map<string, string> {
  const files = new Map([
    ['meta.js', JSON.stringify(metaOf(pages, terms.starts))],
    ['dict.js', terms.dictionary],
  ]);
  terms.shards.forEach((shard, i) => files.set(`t${i}.js`, shard));
  tablesOf(pages).forEach((table, i) => files.set(`d${i}.js`, JSON.stringify(table)));
  for (const [name, text] of files) files.set(name, shardScript(text));
  return files;
}
