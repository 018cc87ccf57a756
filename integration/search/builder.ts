import { createAnalyser, type AnalysedPage, type SearchPage } from './analyse.ts';
import { NumberReader } from './numbers.ts';
import { fields } from './options.ts';
import { createPostingsLog } from './postings.ts';
import { shardScript } from './shards.ts';
import { metaOf, tablesOf, type PageEntry } from './tables.ts';
import { createTermWriter, type TermFiles } from './terms.ts';

/** Collects pages and gives the files of their index. */
export interface IndexBuilder {
  /** Adds a page after those already added; sections are numbered in this order. Throws if a section is not of the page. */
  addPage(page: SearchPage): void;
  /** Adds a page analysed before. */
  addAnalysed(page: AnalysedPage): void;
  /** All files by name (`meta.js`, `t0.js`, `x/….js`). The same pages in the same order give the same bytes. */
  finish(): Map<string, string>;
}

/**
 * Writes an index without filling a MiniSearch first: the same numbers in less time and a fraction of the memory.
 * Postings are kept as plain numbers in the order they come, and are sorted by term at the end.
 */
export function createIndexBuilder(): IndexBuilder {
  const analyse = createAnalyser();
  const termNumbers = new Map<string, number>();
  const log = createPostingsLog();
  const pages: PageEntry[] = [];
  const texts = new Map<string, string>();

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
    let afterTitle = 0;
    for (let section = 0; section < entry.sections.length; section++) {
      const next = reader.at;
      reader.at = 0;
      addField(0);
      afterTitle ||= reader.at;
      reader.at = Math.max(next, afterTitle);
      for (let field = 1; field < fields.length; field++) addField(field);
      log.endSection();
    }
    pages.push(entry);
    for (const [name, script] of Object.entries(files)) texts.set(`${name}.js`, script);
  };

  return {
    addPage: (page) => addAnalysed(analyse(page)),
    addAnalysed,
    finish() {
      const terms = createTermWriter();
      const names = [...termNumbers.keys()];
      const postings = log.sorted(names.length * fields.length);
      // The default order of strings is that of their code units: the same everywhere, unlike any alphabet's.
      for (const term of names.sort())
        terms.add(term, (writer) => postings.write(termNumbers.get(term)! * fields.length, fields.length, writer));
      return new Map([...indexFiles(pages, terms.finish()), ...texts]);
    },
  };
}

/** The files of an index but for the texts. */
export function indexFiles(pages: PageEntry[], terms: TermFiles): Map<string, string> {
  const files = new Map([
    ['meta.js', JSON.stringify(metaOf(pages, terms.starts))],
    ['dict.js', terms.dictionary],
  ]);
  terms.shards.forEach((shard, i) => files.set(`t${i}.js`, shard));
  tablesOf(pages).forEach((table, i) => files.set(`d${i}.js`, JSON.stringify(table)));
  for (const [name, text] of files) files.set(name, shardScript(text));
  return files;
}
