import { numberOf } from './numbers.ts';

/**
 * Terms of a `dict` file that are a few slips of the fingers away from a term, each with their number: a letter added, left out,
 * replaced, or two neighbours swapped. MiniSearch counts a swap as two, which leaves the commonest slip uncorrected in short words.
 */
export function similarTerms(entries: string[], term: string, limit: number): Map<string, number> {
  const similar = new Map<string, number>();
  // rows[d] is the row of the distance matrix after d characters; neighbours share the rows of what they have in common.
  const rows: number[][] = [Array.from({ length: term.length + 1 }, (_, i) => i)];
  const leasts = [0];
  let word = '';
  // Terms that share this many characters with the last one looked at are all too far away.
  let hopeless = Infinity;
  for (const entry of entries) {
    const shared = numberOf(entry);
    word = word.slice(0, shared) + entry.slice(1);
    if (shared >= hopeless) continue;
    hopeless = Infinity;
    for (let depth = shared + 1; depth <= word.length; depth++) {
      const row = nextRow(rows, word, term, depth);
      rows[depth] = row;
      leasts[depth] = Math.min(...row);
      // A swap reaches back over one row.
      if (leasts[depth]! > limit && leasts[depth - 1]! >= limit) {
        hopeless = depth;
        break;
      }
    }
    if (hopeless === Infinity && rows[word.length]![term.length]! <= limit) similar.set(word, rows[word.length]![term.length]!);
  }
  return similar;
}

function nextRow(rows: number[][], word: string, term: string, depth: number): number[] {
  const above = rows[depth - 1]!;
  const row = [depth];
  for (let i = 1; i <= term.length; i++) {
    const replaced = above[i - 1]! + (word[depth - 1] === term[i - 1] ? 0 : 1);
    row.push(Math.min(replaced, above[i]! + 1, row[i - 1]! + 1));
    if (i > 1 && depth > 1 && word[depth - 1] === term[i - 2] && word[depth - 2] === term[i - 1])
      row[i] = Math.min(row[i]!, rows[depth - 2]![i - 2]! + 1);
  }
  return row;
}
