// One index of those of several sites: its scores are those of an index that was built from all their pages.
import { indexFiles, readWrittenIndex } from './builder.ts';
import { NumberWriter } from './numbers.ts';
import { mergedPostings, recordOf } from './postings.ts';
import { createTermWriter } from './term-writer.ts';

export interface SiteIndexFiles {
  /** Path of the site: paths of its pages begin with it. */
  site: string;
  /** Reads a file by name (`t0.js`). Files with texts are not read. */
  read: (name: string) => string;
  /** Where the files with texts stay, from where those of the merged index would be: `../../../vue/_carrel/search/1a2b/en/x`. */
  texts: string;
}

/** Files by name. Throws if an index has another format. */
export function mergeIndexes(indexes: SiteIndexFiles[]): Map<string, string> {
  let first = 0;
  const opened = indexes.map(({ site, read, texts }) => {
    const { pages, sectionCount, terms } = readWrittenIndex(read);
    const all = terms(Int32Array.from({ length: sectionCount }, (_, section) => first + section));
    first += sectionCount;
    const moved = pages.map((page) => ({
      ...page,
      page: pathInSite(site, page.page),
      area: site,
      texts: page.texts.map(([name, count]): [string, number] => [`${texts}/${name}`, count]),
    }));
    return { pages: moved, terms: all, current: all.next() };
  });
  const writer = createTermWriter();
  const numbers = new NumberWriter();
  for (;;) {
    const waiting = opened.flatMap((one) => (one.current.done ? [] : [{ one, ...one.current.value }]));
    const term = waiting.reduce<string | undefined>(
      (least, { term }) => (least === undefined || term < least ? term : least),
      undefined,
    );
    if (term === undefined) break;
    const found = waiting.filter((next) => next.term === term);
    writer.add(term, recordOf(found.map(({ postings }) => postings).reduce(mergedPostings), numbers));
    for (const { one } of found) one.current = one.terms.next();
  }
  return indexFiles(
    opened.flatMap(({ pages }) => pages),
    writer.finish(),
  );
}

/** Path in a collection of a page of one of its sites. */
export function pathInSite(site: string, path: string): string {
  return path === '' ? site : `${site}/${path}`;
}
