// The index after changes to few pages, from the files of the previous one: only the files that differ are read and written.
import type { AnalyzedPage } from './analyze.ts';
import { addLengths, type Lengths, lengthsOf, rowOf } from './builder.ts';
import { fields } from './index-options.ts';
import { NumberReader, numbersOf, NumberWriter } from './numbers.ts';
import { mergedPostings, mostOften, type Postings, readPage, readRecord, recordOf } from './postings.ts';
import { format, type Meta, type PageRow, sectionsPerTable, shardScript, shardText } from './shards.ts';
import { ShardedTerms } from './sharded-terms.ts';
import { createTermWriter, dictionaryOf, frontDecoded } from './term-writer.ts';

/** A page of the previous index and what replaces it. */
export interface PageChange {
  /** Number of the page in the index. */
  position: number;
  before: AnalyzedPage;
  after: AnalyzedPage;
}

export interface PatchedIndex {
  /** Files that differ, by name, except the text files of the changed pages. */
  files: Map<string, string>;
  /** All other files, each with its name in the previous index. */
  reused: Map<string, string>;
}

/**
 * The files of the index in which the pages of `changes`, in ascending order, replace those of the previous index: the same as those of
 * a new index. `names` are the files of the previous index, and `read` reads one. Returns undefined when the index must be built: the number
 * of sections changed, which renumbers all after it, an area changed, or the previous index is not what `before` says.
 */
export function patchIndex(
  changes: PageChange[],
  { names, read }: { names: Iterable<string>; read: (name: string) => string },
): PatchedIndex | undefined {
  if (changes.some(({ before, after }) => before.sections.length !== after.sections.length || before.area !== after.area))
    return undefined;
  const meta: Meta = JSON.parse(shardText(read('meta.js')));
  if (meta.format !== format || meta.starts.length === 0) return undefined;
  const counts = numbersOf(meta.pages);
  const firsts = firstsOf(changes, counts);

  const tables = patchedTables(changes, firsts, read);
  if (tables === undefined) return undefined;
  const { shards, starts, added, removed } = patchedShards(changes, firsts, meta.starts, read);
  const next: Meta = { ...meta, starts, boosts: { ...meta.boosts }, ...lengthsOf(patchedLengths(changes, firsts, meta), counts) };
  for (const { position, after } of changes) {
    if (after.boost === 1) delete next.boosts[position];
    else next.boosts[position] = after.boost;
  }

  const before = meta.dictionary?.map((_, number) => shardText(read(`dict${number}.js`))) ?? [];
  const terms = before.flatMap(frontDecoded).filter((term) => !removed.has(term));
  const dictionary = dictionaryOf([...terms, ...added].sort());
  next.dictionary = dictionary.starts;

  const files = new Map([['meta.js', JSON.stringify(next)]]);
  const reused = new Map<string, string>();
  for (const [number, shard] of shards.entries()) {
    if (typeof shard === 'string') files.set(`t${number}.js`, shard);
    else reused.set(`t${number}.js`, `t${shard}.js`);
  }
  for (const [name, table] of tables) files.set(name, table);
  for (const [number, text] of dictionary.files.entries()) {
    if (text === before[number]) reused.set(`dict${number}.js`, `dict${number}.js`);
    else files.set(`dict${number}.js`, text);
  }
  for (const [name, text] of files) files.set(name, shardScript(text));

  const others = [...names].filter((name) => !files.has(name) && !/^(?:t|dict)\d/.test(name));
  const changedTables = [...tables.keys()].map((name) => files.get(name)!);
  const unused = unusedTexts(changes, allTables());
  for (const name of others) if (!unused.has(name)) reused.set(name, name);
  return { files, reused };

  function* allTables() {
    yield* changedTables;
    for (const name of others) if (/^d\d/.test(name)) yield read(name);
  }
}

/** The number of the first section of each changed page. */
function firstsOf(changes: PageChange[], counts: number[]): number[] {
  let position = 0;
  let section = 0;
  return changes.map((change) => {
    for (; position < change.position; position++) section += counts[position]!;
    return section;
  });
}

/** The `d` files with changed pages; undefined when their rows are not those of the pages before. */
function patchedTables(changes: PageChange[], firsts: number[], read: (name: string) => string): Map<string, string> | undefined {
  const tables = new Map<string, PageRow[]>();
  for (const [index, { before, after }] of changes.entries()) {
    const first = firsts[index]!;
    const end = first + before.sections.length;
    for (let start = first - (first % sectionsPerTable); start < end || start <= first; start += sectionsPerTable) {
      const name = `d${start / sectionsPerTable}.js`;
      const rows: PageRow[] = tables.get(name) ?? JSON.parse(shardText(read(name)));
      tables.set(name, rows);
      const [from, to] = [Math.max(start - first, 0), Math.min(start + sectionsPerTable, end) - first];
      const at = rows.findIndex(([page]) => page === before.page);
      if (JSON.stringify(rows[at]) !== JSON.stringify(rowOf(before, from, to))) return undefined;
      rows[at] = rowOf(after, from, to);
    }
  }
  return new Map([...tables].map(([name, rows]) => [name, JSON.stringify(rows)]));
}

function patchedLengths(changes: PageChange[], firsts: number[], meta: Meta): Lengths {
  const { title, heading, text, code } = meta.lengths;
  const lengths: Lengths = {
    title: numbersOf(title),
    heading: numbersOf(heading),
    text: numbersOf(text),
    code: numbersOf(code),
  };
  for (const [index, { position, after }] of changes.entries()) {
    const own: Lengths = { title: [], heading: [], text: [], code: [] };
    addLengths(own, after);
    for (const field of fields)
      lengths[field].splice(field === 'title' ? position : firsts[index]!, own[field].length, ...own[field]);
  }
  return lengths;
}

interface PatchedShards {
  /** The text of each `t` file, or its number in the previous index. */
  shards: (string | number)[];
  starts: string[];
  /** Terms that the index did not have, and those that it no longer has. */
  added: string[];
  removed: Set<string>;
}

function patchedShards(changes: PageChange[], firsts: number[], before: string[], read: (name: string) => string): PatchedShards {
  const changed = changedTerms(changes, firsts);
  const sections = changes.map(({ after }, index): [number, number] => [firsts[index]!, firsts[index]! + after.sections.length]);
  const terms = new ShardedTerms(before);
  const byShard = new Map<number, string[]>();
  for (const term of [...changed.keys()].sort()) {
    const [shard = 0] = terms.shardOf(term);
    byShard.set(shard, [...(byShard.get(shard) ?? []), term]);
  }
  const patched: PatchedShards = { shards: [], starts: [], added: [], removed: new Set() };
  const { shards, starts } = patched;

  const entriesOf = (shard: number): [term: string, record: string][] => {
    const [terms = '', list = ''] = shardText(read(`t${shard}.js`)).split('\n');
    const records = list.split(' ');
    const entries = frontDecoded(terms).map((term, index): [string, string] => [term, records[index]!]);
    const own = byShard.get(shard);
    if (own === undefined) return entries;
    const found = new Map(entries);
    for (const term of own) {
      const record = patchedRecord(found.get(term), changed.get(term)!, sections);
      if (record === '') patched.removed.add(term);
      else if (!found.has(term)) patched.added.push(term);
      found.set(term, record);
    }
    return [...found].sort(([one], [other]) => (one < other ? -1 : 1));
  };

  let next = 0;
  const reuseUpTo = (end: number) => {
    for (; next < end; next++) {
      shards.push(next);
      if (starts.length < shards.length) starts.push(before[next]!);
    }
  };
  for (const shard of [...byShard.keys()].sort((one, other) => one - other)) {
    if (shard < next) continue;
    // The first term of a changed file may now fit in the file before.
    reuseUpTo(Math.max(shard - 1, next));
    const begin = next;
    const writer = createTermWriter(begin === 0 ? undefined : (starts[shards.length] ?? before[begin]));
    starts.length = shards.length;
    // The files after an unchanged one whose first term still begins a file are the same as before.
    let isSame = false;
    for (; next < before.length; next++) {
      const [first, ...rest] = entriesOf(next);
      const isFirst = first !== undefined && writer.add(...first);
      isSame = isFirst && next > begin && !byShard.has(next);
      if (isSame) break;
      for (const entry of rest) writer.add(...entry);
    }
    const written = writer.finish();
    shards.push(...(isSame ? written.shards.slice(0, -1) : written.shards));
    starts.push(...written.starts);
  }
  reuseUpTo(before.length);
  return patched;
}

/** The terms that occur differently, each with its postings in all changed pages, by field. */
function changedTerms(changes: PageChange[], firsts: number[]): Map<string, PostingLists[]> {
  const pages = changes.map(({ before, after }) => ({ before: occurrences(before), after: occurrences(after) }));
  const changed = new Map<string, PostingLists[]>();
  for (const { before, after } of pages) {
    for (const term of new Set([...before.keys(), ...after.keys()]))
      if (before.get(term)?.join() !== after.get(term)?.join()) changed.set(term, emptyPostings());
  }
  for (const [term, postings] of changed) {
    for (const [index, { after }] of pages.entries()) {
      const found = after.get(term) ?? [];
      for (let at = 0; at < found.length; at += 3) {
        const [field, section, count] = found.slice(at, at + 3);
        addPosting(postings[field!]!, firsts[index]! + section!, count!);
      }
    }
  }
  return changed;
}

/** For each term of a page: field, section of the page and count of its postings, one after another. */
function occurrences({ terms, postings, sections }: AnalyzedPage): Map<string, number[]> {
  const found = new Map(terms.map((term): [string, number[]] => [term, []]));
  let section = 0;
  readPage(
    postings,
    sections.length,
    (field, term, count) => found.get(terms[term]!)!.push(field, section, Math.min(count, mostOften)),
    () => section++,
  );
  return found;
}

/** The record of a term in which `added` replaces the postings of the changed sections. */
function patchedRecord(record: string | undefined, added: Postings[], changed: [from: number, to: number][]): string {
  const others = emptyPostings();
  if (record !== undefined)
    readRecord(new NumberReader(record), (field, section, count) => {
      if (!changed.some(([from, to]) => section >= from && section < to)) addPosting(others[field]!, section, count);
    });
  return recordOf(mergedPostings(others, added), new NumberWriter());
}

type PostingLists = { sections: number[]; counts: number[]; from: number; to: number };

function emptyPostings(): PostingLists[] {
  return fields.map(() => ({ sections: [], counts: [], from: 0, to: 0 }));
}

function addPosting(postings: PostingLists, section: number, count: number): void {
  postings.sections.push(section);
  postings.counts.push(count);
  postings.to++;
}

/** The text files of changed pages that no page has any more; `tables` are the texts of all `d` files. */
function unusedTexts(changes: PageChange[], tables: Iterable<string>): Set<string> {
  const used = new Set(changes.flatMap(({ after }) => after.texts.map(([name]) => name)));
  const unused = new Set(changes.flatMap(({ before }) => before.texts.map(([name]) => name)).filter((name) => !used.has(name)));
  for (const table of tables) {
    for (const name of [...unused]) {
      if (!table.includes(name)) continue;
      const rows: PageRow[] = JSON.parse(shardText(table));
      if (rows.some((row) => row[3].some(([text]) => text === name))) unused.delete(name);
    }
    if (unused.size === 0) break;
  }
  return new Set([...unused].map((name) => `x/${name}.js`));
}
