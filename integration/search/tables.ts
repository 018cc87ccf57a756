import type { AnalysedPage } from './analyse.ts';
import { NumberReader, NumberWriter, numbersText } from './numbers.ts';
import { fields, type Field } from './options.ts';
import { format, sectionsPerTable, type Meta, type PageRow } from './shards.ts';

/** A page as the tables describe it. */
export type PageEntry = Pick<AnalysedPage, 'page' | 'title' | 'boost' | 'lengths' | 'sections' | 'texts'>;

/** The content of the `meta` file. */
export function metaOf(pages: PageEntry[], starts: string[]): Meta {
  const lengths: Record<Field, NumberWriter> = {
    title: new NumberWriter(),
    heading: new NumberWriter(),
    text: new NumberWriter(),
    code: new NumberWriter(),
  };
  const averages = fields.map(() => 0);
  let sections = 0;
  for (const page of pages) {
    const reader = new NumberReader(page.lengths);
    const title = reader.number();
    lengths.title.number(title);
    for (let i = 0; i < page.sections.length; i++) {
      for (const [number, field] of fields.entries()) {
        const length = field === 'title' ? title : reader.number();
        if (field !== 'title') lengths[field].number(length);
        // In MiniSearch's order, so that the mean is the same to the last bit.
        averages[number] = ((averages[number] ?? 0) * sections + length) / (sections + 1);
      }
      sections++;
    }
  }
  return {
    format,
    pages: numbersText(pages.map((page) => page.sections.length)),
    boosts: Object.fromEntries(pages.flatMap((page, number) => (page.boost === 1 ? [] : [[number, page.boost]]))),
    lengths: {
      title: lengths.title.take(),
      heading: lengths.heading.take(),
      text: lengths.text.take(),
      code: lengths.code.take(),
    },
    averages,
    starts,
  };
}

/** The content of the `d` files. A page with sections in several files is in each of them. */
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
