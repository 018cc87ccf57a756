import { digitOf, type NumberReader, type NumberWriter } from './numbers.ts';

/** What of the index lies under one key: the sections, ascending, and how often each has the term. */
export interface SortedPostings {
  /** Writes the record of a term whose fields have the keys from `key` on. */
  write(key: number, fieldCount: number, writer: NumberWriter): void;
}

/** Postings in the order they come, eight bytes each. */
export function createPostingsLog() {
  let keys = new Uint32Array(1 << 16);
  let counts = new Uint32Array(1 << 16);
  let length = 0;
  const sectionEnds: number[] = [];

  return {
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
    /** Sorts by key, keeping the order of sections within each: a counting sort, since keys are numbers below `keyCount`. */
    sorted(keyCount: number): SortedPostings {
      const ends = new Uint32Array(keyCount + 1);
      for (let i = 0; i < length; i++) ends[keys[i]! + 1]!++;
      for (let key = 0; key < keyCount; key++) ends[key + 1]! += ends[key]!;
      const starts = ends.slice();
      const sections = new Uint32Array(length);
      const sortedCounts = new Uint32Array(length);
      for (let i = 0, section = 0; i < length; i++) {
        while (i >= sectionEnds[section]!) section++;
        const place = starts[keys[i]!]!++;
        sections[place] = section;
        sortedCounts[place] = counts[i]!;
      }
      return {
        write(key, fieldCount, writer) {
          let written = false;
          for (let field = 0; field < fieldCount; field++) {
            const from = ends[key + field]!;
            const to = ends[key + field + 1]!;
            if (from === to) continue;
            if (written) writer.character(comma);
            written = true;
            writer.character(digitOf(field).charCodeAt(0));
            writer.number(to - from);
            let previous = -1;
            for (let i = from; i < to; i++) {
              writePosting(writer, sections[i]! - previous - 1, sortedCounts[i]!);
              previous = sections[i]!;
            }
          }
        },
      };
    },
  };
}

export function writePosting(writer: NumberWriter, gap: number, count: number): void {
  writer.number(gap * 2 + (count > 1 ? 1 : 0));
  if (count > 1) writer.number(count - 2);
}

/** Reads what `writePosting` wrote: `[gap, count]`. */
export function readPosting(reader: NumberReader): [gap: number, count: number] {
  const gap = reader.number();
  return [gap >>> 1, gap & 1 ? reader.number() + 2 : 1];
}

const comma = 44;

function grown(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2);
  larger.set(numbers);
  return larger;
}
