import { numberOf } from './numbers.ts';

/**
 * Terms of a `dict` file within an edit distance from a term, each with its distance: letters added, dropped, replaced, or two adjacent
 * ones swapped. MiniSearch counts a swap as two edits, which leaves the most frequent typo uncorrected in short words.
 */
export function similarTerms(entries: string[], term: string, limit: number): Map<string, number> {
  const similar = new Map<string, number>();
  // rows[d] is the row of the distance matrix after d characters; consecutive terms share the rows of their common beginning.
  const rows: number[][] = [Array.from({ length: term.length + 1 }, (_, i) => i)];
  const minima = [0];
  let word = '';
  // Terms that share this many characters with the last one are all too far away.
  let tooFarFrom = Infinity;
  for (const entry of entries) {
    const shared = numberOf(entry);
    word = word.slice(0, shared) + entry.slice(1);
    if (shared >= tooFarFrom) continue;
    tooFarFrom = Infinity;
    for (let depth = shared + 1; depth <= word.length; depth++) {
      const row = nextRow(rows, word, term, depth);
      rows[depth] = row;
      minima[depth] = Math.min(...row);
      // A swap looks back over one row.
      if (minima[depth]! > limit && minima[depth - 1]! >= limit) {
        tooFarFrom = depth;
        break;
      }
    }
    if (tooFarFrom === Infinity && rows[word.length]![term.length]! <= limit) similar.set(word, rows[word.length]![term.length]!);
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
