import { numbersOf, NumberReader, NumberWriter } from './numbers.ts';
import { fields } from './options.ts';
import { readRecord, type Postings } from './postings.ts';
import { format, shardText, type Meta, type PageRow } from './shards.ts';
import type { PageEntry } from './tables.ts';
import { frontDecoded } from './terms.ts';

/** An index written before, as far as the next one needs it. */
export interface PreviousIndex {
  pages: PageEntry[];
  sectionCount: number;
  /**
   * Each term in ascending order, with its postings by field; sections are renumbered, those numbered -1 left out. Where that
   * changed nothing there is the record, too. The postings hold until the next term.
   */
  terms(renumbered: Int32Array): Generator<{ term: string; postings: Postings[]; record?: string }>;
}

/** Reads a written index; `script` gives a file by name (`t0.js`). Throws if it has another format. */
export function readPrevious(script: (name: string) => string): PreviousIndex {
  const meta = JSON.parse(shardText(script('meta.js'))) as Meta;
  if (meta.format !== format)
    throw new Error(`The previous search index has format ${meta.format}, not ${format}: build the index anew.`);
  const counts = numbersOf(meta.pages);
  return {
    pages: pageEntries(meta, counts, script),
    sectionCount: counts.reduce((sum, count) => sum + count, 0),
    *terms(renumbered) {
      const size = renumbered.length;
      const postings = fields.map(() => ({ sections: new Uint32Array(size), counts: new Uint32Array(size), from: 0, to: 0 }));
      for (let shard = 0; shard < meta.starts.length; shard++) {
        const [terms = '', records = ''] = shardText(script(`t${shard}.js`)).split('\n');
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

function pageEntries(meta: Meta, counts: number[], script: (name: string) => string): PageEntry[] {
  const titles = new NumberReader(meta.lengths.title);
  const others = fields.slice(1).map((field) => new NumberReader(meta.lengths[field]));
  const lengths = new NumberWriter();
  const pages: PageEntry[] = [];
  let rows: PageRow[] = [];
  let table = 0;
  for (const [number, count] of counts.entries()) {
    lengths.number(titles.number());
    for (let i = 0; i < count; i++) for (const reader of others) lengths.number(reader.number());
    const sections: PageEntry['sections'] = [];
    let row: PageRow;
    do {
      if (rows.length === 0) rows = (JSON.parse(shardText(script(`d${table++}.js`))) as PageRow[]).reverse();
      row = rows.pop()!;
      sections.push(...row[2]);
    } while (sections.length < count);
    pages.push({
      page: row[0],
      title: row[1],
      boost: meta.boosts[number] ?? 1,
      lengths: lengths.take(),
      sections,
      texts: row[3],
    });
  }
  return pages;
}
