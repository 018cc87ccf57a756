import { digitOf, numberOf, type NumberReader, type NumberWriter } from './numbers.ts';

/** The sections that have a term in one field, ascending, and how often: the entries from `from` to `to`, exclusive. */
export interface Postings {
  sections: Uint32Array | number[];
  counts: Uint32Array | number[];
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

/** Collects postings in page order, eight bytes each. */
export function createPostingsLog() {
  let keys = new Uint32Array(1 << 16);
  let counts = new Uint32Array(1 << 16);
  let length = 0;
  const sectionEnds: number[] = [];

  return {
    /** Adds a posting of the current section. */
    add(key: number, count: number): void {
      if (length === keys.length) {
        keys = grown(keys);
        counts = grown(counts);
      }
      keys[length] = key;
      counts[length++] = count;
    },
    endSection(): void {
      sectionEnds.push(length);
    },
    /** The postings of each key, by a stable counting sort: keys are numbers below `keyCount`. */
    sorted(keyCount: number): (key: number) => Postings {
      const starts = new Uint32Array(keyCount + 1);
      for (let i = 0; i < length; i++) starts[keys[i]! + 1]!++;
      for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!;
      const positions = starts.slice();
      const sections = new Uint32Array(length);
      const sortedCounts = new Uint32Array(length);
      for (let i = 0, section = 0; i < length; i++) {
        while (i >= sectionEnds[section]!) section++;
        const position = positions[keys[i]!]!++;
        sections[position] = section;
        sortedCounts[position] = counts[i]!;
      }
      return (key) => ({ sections, counts: sortedCounts, from: starts[key]!, to: starts[key + 1]! });
    },
  };
}

const comma = 44;

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
