import { numbersOf, NumberReader, NumberWriter } from './numbers.ts';
import { fields } from './options.ts';
import { readRecord, type Postings } from './postings.ts';
import { format, shardText, type Meta, type PageRow } from './shards.ts';
import type { PageEntry } from './tables.ts';
import { frontDecoded } from './terms.ts';

/** The index of the previous build, as far as the next one reuses it. */
export interface PreviousIndex {
  pages: PageEntry[];
  sectionCount: number;
  /**
   * Each term in ascending order, with its postings by field. Sections get their new numbers; those numbered -1 are omitted. The
   * record is there if no number changed. The postings are valid until the next term.
   */
  terms(renumbered: Int32Array): Generator<{ term: string; postings: Postings[]; record?: string }>;
}

/** Opens an index; `read` reads a file by name (`t0.js`). Throws if the index has another format. */
export function readPreviousIndex(read: (name: string) => string): PreviousIndex {
  const meta: Meta = JSON.parse(shardText(read('meta.js')));
  if (meta.format !== format)
    throw new Error(`The previous search index has format ${meta.format}, not ${format}. Build the index without it.`);
  const counts = numbersOf(meta.pages);
  return {
    pages: pageEntries(meta, counts, read),
    sectionCount: counts.reduce((sum, count) => sum + count, 0),
    *terms(renumbered) {
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
  for (const [number, count] of counts.entries()) {
    lengths.number(titles.number());
    for (let i = 0; i < count; i++) for (const reader of others) lengths.number(reader.number());
    const [page, title, first, texts] = rows.next().value;
    const sections = [...first];
    while (sections.length < count) sections.push(...rows.next().value[2]);
    pages.push({ page, title, boost: meta.boosts[number] ?? 1, lengths: lengths.take(), sections, texts });
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
