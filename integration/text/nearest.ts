/**
 * Up to three names that are spelled like `wanted`, most similar first; letter case does not count. `distanceOf` may name the distance of
 * a candidate, in lower case, that is near for another reason.
 */
export function nearest(
  wanted: string,
  names: Iterable<string>,
  distanceOf: (name: string) => number | undefined = () => undefined,
): string[] {
  const text = wanted.toLowerCase();
  // Two words of three letters are rarely more than two edits apart, however different they are.
  let most = text.length <= 3 ? 1 : Math.max(2, Math.floor(text.length / 4));
  const found: { name: string; distance: number }[] = [];
  const letters = new Int32Array(32);
  count(letters, text, 1);
  for (const name of names) {
    const other = name.toLowerCase();
    const distance = distanceOf(other) ?? (leastDistance(letters, other) > most ? Infinity : editDistance(text, other, most));
    if (distance > most || distance >= Math.max(text.length, other.length)) continue;
    found.push({ name, distance });
    found.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1)).splice(3);
    if (found.length === 3) most = Math.min(most, found[2]!.distance);
  }
  return found.map(({ name }) => name);
}

/** Counts the characters of a text in 32 groups. */
function count(letters: Int32Array, text: string, by: 1 | -1): void {
  for (let at = 0; at < text.length; at++) letters[text.charCodeAt(at) & 31]! += by;
}

/** The least distance that texts of such letters can have: an edit brings at most one of them, and takes at most one. */
function leastDistance(letters: Int32Array, other: string): number {
  count(letters, other, -1);
  let [more, fewer] = [0, 0];
  for (const left of letters)
    if (left > 0) more += left;
    else fewer -= left;
  count(letters, other, 1);
  return Math.max(more, fewer);
}

/** Insertions, deletions, substitutions and swaps of neighbors (optimal string alignment); Infinity where they are more than `most`, as soon as that is certain. */
function editDistance(from: string, to: string, most: number): number {
  let [start, fromEnd, toEnd] = [0, from.length, to.length];
  if (Math.abs(fromEnd - toEnd) > most) return Infinity;
  while (start < fromEnd && from.charCodeAt(start) === to.charCodeAt(start)) start++;
  for (; fromEnd > start && toEnd > start && from.charCodeAt(fromEnd - 1) === to.charCodeAt(toEnd - 1); fromEnd--) toEnd--;
  const width = toEnd - start;
  let before = new Int32Array(width + 1);
  let next = new Int32Array(width + 1);
  let row = Int32Array.from(before.keys());
  let leastBefore = 0;
  for (let i = 1; i <= fromEnd - start; i++) {
    const letter = from.charCodeAt(start + i - 1);
    const letterBefore = i > 1 ? from.charCodeAt(start + i - 2) : -1;
    let least = (next[0] = i);
    for (let j = 1; j <= width; j++) {
      const other = to.charCodeAt(start + j - 1);
      let distance = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (letter === other ? 0 : 1));
      if (letterBefore === other && j > 1 && letter === to.charCodeAt(start + j - 2))
        distance = Math.min(distance, before[j - 2]! + 1);
      next[j] = distance;
      if (distance < least) least = distance;
    }
    // A swap goes back two rows.
    if (least > most && leastBefore > most) return Infinity;
    leastBefore = least;
    [before, row, next] = [row, next, before];
  }
  return row[width]! > most ? Infinity : row[width]!;
}
