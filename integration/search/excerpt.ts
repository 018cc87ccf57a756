import { locate, toTerm, type Piece } from './tokenize.ts';

/** Part of a text with the ranges to highlight; `end` is exclusive. */
export interface Excerpt {
  text: string;
  marks: [start: number, end: number][];
}

/** Ranges of the words that match one of the terms; adjacent pairs of a script without spaces become one range. */
export function markRanges(text: string, terms: Iterable<string>): [start: number, end: number][] {
  const wanted = new Set(terms);
  return joined(locate(text).filter((piece) => matches(piece, wanted)));
}

/**
 * The part of the text with most of the terms, at most `length` UTF-16 units long, cut between words where possible, with an ellipsis
 * in place of omitted text. Runs of white space become one space.
 */
export function excerpt(text: string, terms: Iterable<string>, length: number): Excerpt {
  const plain = text.replace(/\s+/g, ' ').trim();
  const wanted = new Set(terms);
  const pieces = locate(plain);
  const start = startOf(plain, pieces, wanted, length);
  const room = length - (start > 0 ? 1 : 0);
  const end = plain.length - start <= room ? plain.length : cutBefore(plain, pieces, start, start + room - 1);
  const lead = start > 0 ? '…' : '';
  const shift = lead.length - start;
  const marks = joined(pieces.filter((piece) => piece.start >= start && piece.end <= end && matches(piece, wanted)));
  return {
    text: lead + plain.slice(start, end).trimEnd() + (end < plain.length ? '…' : ''),
    marks: marks.map(([from, to]) => [from + shift, to + shift]),
  };
}

function matches(piece: Piece, wanted: Set<string>): boolean {
  return piece.tokens.some((token) => wanted.has(toTerm(token) ?? ''));
}

function joined(pieces: Piece[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const { start, end } of pieces) {
    const last = ranges.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** Where the best part begins: the one with most different terms, then most words, then the earliest; a little before its first hit. */
function startOf(text: string, pieces: Piece[], wanted: Set<string>, length: number): number {
  const hits = pieces.filter((piece) => matches(piece, wanted));
  let [best] = hits;
  if (text.length <= length || !best) return 0;
  const lead = Math.floor(length / 5);
  let bestScore = 0;
  for (const [at, first] of hits.entries()) {
    const found = new Set<string>();
    let next = at;
    for (let hit = hits[next]; hit && hit.end <= first.start + length - lead; hit = hits[++next]) {
      for (const term of hit.tokens.map((token) => toTerm(token) ?? '')) if (wanted.has(term)) found.add(term);
    }
    const score = found.size * 10 + Math.min(next - at, 9);
    if (score > bestScore) [best, bestScore] = [first, score];
  }
  const earliest = Math.min(best.start - lead, text.length - length + 1);
  if (earliest <= 0) return 0;
  return pieces.find((piece) => piece.start >= earliest)?.start ?? best.start;
}

/** End of the last whole word before `limit`; inside a word only if it is longer than the whole excerpt. */
function cutBefore(text: string, pieces: Piece[], start: number, limit: number): number {
  let end = 0;
  for (const piece of pieces) {
    if (piece.end > limit) break;
    end = piece.end;
  }
  if (end > start) return end;
  // A surrogate pair must stay whole.
  return /[\ud800-\udbff]/.test(text[limit - 1] ?? '') ? limit - 1 : limit;
}
