// A file that is joined from parts, one per file of the export, such as llms-full.txt: parts whose files are unchanged are copied from the
// previous export, so that one changed page does not mean reading all the others.

/** What a file was joined from. */
export interface JoinedFile {
  /** What the parts depend on besides their files. */
  key: string;
  /** In order, with their sizes in bytes. */
  parts: [file: string, size: number][];
}

/** Where a part is in the previous file. */
interface Range {
  start: number;
  end: number;
  index: number;
}

/** For each part its range in the previous file, if it is the same there. `isSame` tells whether a part's file is unchanged. */
export function keptRanges(
  previous: JoinedFile | undefined,
  { key, parts }: { key: string; parts: string[] },
  isSame: (file: string) => boolean,
): { ranges: (Range | undefined)[]; isWhole: boolean } {
  const known = new Map<string, Range>();
  let start = 0;
  const hasKey = previous?.key === key;
  for (const [index, [part, size]] of (hasKey ? previous.parts : []).entries()) {
    known.set(part, { start, end: start + size, index });
    start += size;
  }
  const ranges = parts.map((part, index) => {
    const range = known.get(part);
    // Only the first part has no separator before it.
    return range && (range.index === 0) === (index === 0) && isSame(part) ? range : undefined;
  });
  return { ranges, isWhole: hasKey && known.size === parts.length && ranges.every((range, index) => range?.index === index) };
}

/** The pieces of the file in order; ranges that follow each other are read as one. Sets the sizes of `parts`. */
export function* joinedPieces(
  { parts }: JoinedFile,
  ranges: (Range | undefined)[],
  textOf: (file: string, index: number) => string,
  read: (start: number, end: number) => Iterable<Uint8Array>,
): Generator<string | Uint8Array> {
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index]!;
    const range = ranges[index];
    if (!range) {
      const text = textOf(part[0], index);
      part[1] = Buffer.byteLength(text);
      yield text;
      continue;
    }
    let { end } = range;
    part[1] = end - range.start;
    for (let next = ranges[index + 1]; next?.start === end; next = ranges[index + 1]) {
      parts[++index]![1] = next.end - next.start;
      end = next.end;
    }
    yield* read(range.start, end);
  }
}
