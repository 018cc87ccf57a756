import { fields } from './index-options.ts';
import { digitOf, numberOf, NumberReader, type NumberWriter } from './numbers.ts';

/** The sections that have a term in one field, ascending, and how often: the entries from `from` to `to`, exclusive. */
export interface Postings {
  sections: Uint32Array | number[];
  counts: Uint32Array | Uint16Array | number[];
  from: number;
  to: number;
}

/** The record of a term from its postings by field; '' for a term that is in no section. */
export function recordOf(fields: Postings[], writer: NumberWriter): string {
  for (let field = 0; field < fields.length; field++) {
    const { sections, counts, from, to } = fields[field]!;
    if (from === to) continue;
    if (writer.length > 0) writer.character(comma);
    writer.character(digitOf(field).charCodeAt(0));
    writer.number(to - from);
    let previous = -1;
    for (let i = from; i < to; i++) {
      const gap = sections[i]! - previous - 1;
      const count = counts[i]!;
      writer.number(gap * 2 + (count > 1 ? 1 : 0));
      if (count > 1) writer.number(count - 2);
      previous = sections[i]!;
    }
  }
  return writer.take();
}

/** Reads a record and the separator after it. */
export function readRecord(reader: NumberReader, visit: (field: number, section: number, count: number) => void): void {
  do {
    const field = numberOf(reader.text, reader.at++);
    let section = -1;
    for (let left = reader.number(); left > 0; left--) {
      const gap = reader.number();
      section += (gap >>> 1) + 1;
      visit(field, section, gap & 1 ? reader.number() + 2 : 1);
    }
  } while (reader.text.charCodeAt(reader.at++) === comma);
}

/** Reads the `postings` of an analyzed page, section by section. `visit` gets the position of each term in the page's `terms`. */
export function readPage(
  postings: string,
  sections: number,
  visit: (field: number, term: number, count: number) => void,
  endSection: () => void,
): void {
  const reader = new NumberReader(postings);
  const readField = (field: number) => {
    for (let left = reader.number(); left > 0; left--) {
      const code = reader.number();
      visit(field, code >>> 1, code & 1 ? reader.number() + 2 : 1);
    }
  };
  // The title is analyzed once and counts in every section.
  let next = 0;
  for (let section = 0; section < sections; section++) {
    reader.at = 0;
    readField(0);
    if (section > 0) reader.at = next;
    for (let field = 1; field < fields.length; field++) readField(field);
    next = reader.at;
    endSection();
  }
}

/** The postings of both, field by field. */
export function mergedPostings(reused: Postings[], added: Postings[]): Postings[] {
  return reused.map((one, field) => {
    const other = added[field];
    if (!other) return one;
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

/** Number of postings in a part of the log. The log grows without copies, and its parts are freed while the postings are sorted. */
const partLength = 1 << 18;
/** Further occurrences of a term in the same section do not count. */
export const mostOften = 0xffff;

interface LogPart {
  keys: Uint32Array;
  counts: Uint16Array;
}

/** Collects postings in page order, six bytes each. */
export function createPostingsLog() {
  const parts: LogPart[] = [];
  let part: LogPart | undefined;
  let inPart = partLength;
  const sectionEnds: number[] = [];

  return {
    /** Adds a posting of the current section. */
    add(key: number, count: number): void {
      if (part === undefined || inPart === partLength) {
        parts.push((part = { keys: new Uint32Array(partLength), counts: new Uint16Array(partLength) }));
        inPart = 0;
      }
      part.keys[inPart] = key;
      part.counts[inPart++] = Math.min(count, mostOften);
    },
    endSection(): void {
      sectionEnds.push(parts.length * partLength - partLength + inPart);
    },
    /** The postings of each key, by a stable counting sort: keys are numbers below `keyCount`. It empties the log. */
    sorted(keyCount: number): (key: number) => Postings {
      const length = sectionEnds.at(-1) ?? 0;
      const starts = new Uint32Array(keyCount + 1);
      const lengthOf = (index: number) => Math.min(partLength, length - index * partLength);
      for (const [index, { keys }] of parts.entries())
        for (let i = 0, end = lengthOf(index); i < end; i++) starts[keys[i]! + 1]!++;
      for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
      const positions = starts.slice();
      const sections = new Uint32Array(length);
      const sortedCounts = new Uint16Array(length);
      let section = 0;
      for (let index = 0, at = 0; parts.length > 0; index++) {
        const { keys, counts } = parts.shift()!;
        for (let i = 0, end = lengthOf(index); i < end; i++, at++) {
          while (at >= sectionEnds[section]!) section++;
          const position = positions[keys[i]!]!++;
          sections[position] = section;
          sortedCounts[position] = counts[i]!;
        }
      }
      return (key) => ({ sections, counts: sortedCounts, from: starts[key]!, to: starts[key + 1]! });
    },
  };
}

const comma = 44;
