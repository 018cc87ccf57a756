/**
 * Lines that readers paste, and whole questions: of the sections that have their words, the one that has them in the same order comes first.
 * The index does not know the order of words, so the texts of the best sections are read; a list of results shows excerpts of most of them
 * anyway.
 */
import type { Query } from './query.ts';
import type { Ranked } from './rank.ts';
import type { IndexedSection } from './section-files.ts';

const compared = 14;
// A section with all pairs of a line ranks before others with the same words; one with the line itself before those. Answers have few pairs of
// their question. Measured with lines of several documentation sites, and with their headings that are questions.
const pairsWeightOf = { lines: 10, questions: 0.4 };
const wholeFactor = 2;

/** The same sections, the first ones ranked anew; `read` reads their texts. */
export async function byWording(
  ranked: Ranked[],
  line: string,
  { isPasted }: Pick<Query, 'isPasted'>,
  read: (sections: number[]) => Promise<Pick<IndexedSection, 'title' | 'headings' | 'text' | 'code'>[]>,
): Promise<Ranked[]> {
  const pairsWeight = isPasted ? pairsWeightOf.lines : pairsWeightOf.questions;
  const first = ranked.slice(0, compared);
  const whole = normalized(line);
  const found = (await read(first.map(({ section }) => section))).map(({ title, headings, text, code }) => {
    const plain = normalized([title, ...headings, text, code].join('\n'));
    return { pairs: pairsOf(plain), hasWhole: isPasted && hasLine(plain, whole) };
  });
  // What the program, the time and the place add to a message is in no section, and what is in all of them says nothing.
  const weights = [...pairsOf(line)].flatMap((pair): [string, number][] => {
    const count = found.filter(({ pairs }) => pairs.has(pair)).length;
    return count === 0 ? [] : [[pair, Math.log(1 + compared / count)]];
  });
  const sumOf = (pairs: [string, number][]) => pairs.reduce((sum, [, weight]) => sum + weight, 0);
  const all = sumOf(weights) || 1;
  const best = first.map((one, i) => {
    const { pairs, hasWhole } = found[i]!;
    const share = sumOf(weights.filter(([pair]) => pairs.has(pair))) / all;
    return { ...one, score: one.score * (1 + pairsWeight * share) * (hasWhole ? wholeFactor : 1) };
  });
  return [...best.sort((a, b) => b.score - a.score || a.section - b.section), ...ranked.slice(compared)];
}

/** Pairs of neighboring words. */
function pairsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  return new Set(words.slice(1).map((word, i) => `${words[i]} ${word}`));
}

/** Whether a text has a line, and not only a longer path or word that begins with it. */
function hasLine(text: string, line: string): boolean {
  for (let at = text.indexOf(line); at >= 0; at = text.indexOf(line, at + 1))
    if (!/[\w/]/.test(text[at + line.length] ?? '')) return true;
  return false;
}

/** A line break or an indentation is one space, and a path has none. */
function normalized(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/ ?\/ ?/g, '/')
    .trim()
    .toLowerCase();
}
