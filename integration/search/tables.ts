import type { AnalysedPage } from './analyse.ts';
import { NumberReader, NumberWriter, numbersText } from './numbers.ts';
import { fields } from './options.ts';
import { format, sectionsPerTable, type Meta, type PageRow } from './shards.ts';

/** What the tables say of a page. */
export type PageEntry = Pick<AnalysedPage, 'page' | 'title' | 'boost' | 'lengths' | 'sections' | 'texts'>;

/** The text of `meta`, as a value. */
export function metaOf(pages: PageEntry[], starts: string[]): Meta {
  const lengths = fields.map(() => new NumberWriter());
  const averages = fields.map(() => 0);
  let sections = 0;
  for (const page of pages) {
    const reader = new NumberReader(page.lengths);
    const title = reader.number();
    lengths[0]!.number(title);
    for (let i = 0; i < page.sections.length; i++) {
      for (let field = 0; field < fields.length; field++) {
        const length = field === 0 ? title : reader.number();
        if (field > 0) lengths[field]!.number(length);
        // Added in MiniSearch's order, so that the mean is the same to the last bit.
        averages[field] = (averages[field]! * sections + length) / (sections + 1);
      }
      sections++;
    }
  }
  const texts = lengths.map((writer) => writer.take());
  return {
    format,
    pages: numbersText(pages.map((page) => page.sections.length)),
    boosts: Object.fromEntries(pages.flatMap((page, number) => (page.boost === 1 ? [] : [[number, page.boost]]))),
    lengths: { title: texts[0]!, heading: texts[1]!, text: texts[2]!, code: texts[3]! },
    averages,
    starts,
  };
}

/** The values of the `d` files. A page whose sections fall into two files is in both. */
export function tablesOf(pages: PageEntry[]): PageRow[][] {
  const tables: PageRow[][] = [];
  let number = 0;
  for (const { page, title, sections, texts } of pages) {
    let from = 0;
    do {
      const table = (tables[Math.floor(number / sectionsPerTable)] ??= []);
      const count = Math.min(sections.length - from, sectionsPerTable - (number % sectionsPerTable));
      table.push([page, title, sections.slice(from, from + count), texts]);
      from += count;
      number += count;
    } while (from < sections.length);
  }
  return tables;
}
