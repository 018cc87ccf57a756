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
  const most = text.length <= 3 ? 1 : Math.max(2, text.length / 4);
  const found: { name: string; distance: number }[] = [];
  const letters = lettersOf(text);
  for (const name of names) {
    const other = name.toLowerCase();
    const distance = distanceOf(other) ?? (differ(letters, lettersOf(other)) > most ? Infinity : editDistance(text, other, most));
    if (distance <= most && distance < Math.max(text.length, other.length)) found.push({ name, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** A bit for each of 32 groups of characters. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) letters |= 1 << (text.charCodeAt(at) & 31);
  return letters;
}

/** The least distance of texts of such letters: an edit brings at most one of them, and takes at most one. */
function differ(one: number, other: number): number {
  return Math.max(bits(one & ~other), bits(other & ~one));
}

function bits(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count++;
  return count;
}

/** Insertions, deletions, substitutions and swaps of neighbors (optimal string alignment); Infinity where they are more than `most`, as soon as that is certain. */
function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Infinity;
  let before: number[] = [];
  let leastBefore = 0;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1]! + Number(from[i - 1] !== to[j - 1]);
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? before[j - 2]! + 1 : Infinity;
      const distance = Math.min(row[j]! + 1, next[j - 1]! + 1, replaced, swapped);
      if (distance < least) least = distance;
      next.push(distance);
    }
    // A swap goes back two rows.
    if (least > most && leastBefore > most) return Infinity;
    [before, row, leastBefore] = [row, next, least];
  }
  return row.at(-1) ?? 0;
}
