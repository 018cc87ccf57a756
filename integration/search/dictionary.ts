import { numberOf } from './numbers.ts';

/** Terms of a `dict` file within the Levenshtein distance of a term, each with its distance. */
export function similarTerms(entries: string[], term: string, limit: number): Map<string, number> {
  const similar = new Map<string, number>();
  // rows[d] is the row of the Levenshtein matrix after d characters; neighbours share the rows of what they have in common.
  const rows: number[][] = [Array.from({ length: term.length + 1 }, (_, i) => i)];
  let word = '';
  // Terms that share this many characters with the last one looked at are all too far away.
  let hopeless = Infinity;
  for (const entry of entries) {
    const shared = numberOf(entry);
    word = word.slice(0, shared) + entry.slice(1);
    if (shared >= hopeless) continue;
    hopeless = Infinity;
    for (let depth = shared + 1; depth <= word.length; depth++) {
      const above = rows[depth - 1]!;
      const row = [depth];
      let least = depth;
      for (let i = 1; i <= term.length; i++) {
        const replaced = above[i - 1]! + (word[depth - 1] === term[i - 1] ? 0 : 1);
        const distance = Math.min(replaced, above[i]! + 1, row[i - 1]! + 1);
        row.push(distance);
        if (distance < least) least = distance;
      }
      rows[depth] = row;
      if (least > limit) {
        hopeless = depth;
        break;
      }
    }
    if (hopeless === Infinity && rows[word.length]![term.length]! <= limit) similar.set(word, rows[word.length]![term.length]!);
  }
  return similar;
}
