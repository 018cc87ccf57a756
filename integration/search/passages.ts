import type { QuestionWord } from './question-words.ts';
import type { SectionText } from './shards.ts';
import { most, rootsIn, speaksOf } from './spoken.ts';

/** Neighbouring lines or sentences of a section, word for word, and how far they speak of each word of the question. */
export interface Passage {
  text: string;
  code: string;
  speaks: number[];
  /** Whether it is the sentences that the section begins with. */
  leads: boolean;
}

/**
 * The passages that a section can be quoted with; at least one, which may be empty. Code is quoted along where it says what the words
 * before it do not, or is what they announce.
 */
export function passagesOf({ text, code }: SectionText, words: QuestionWord[]): Passage[] {
  const pieces = piecesOf(text);
  const texts = [
    ...windows(text, pieces, words, { longest: longestText, pieces: 8 }).map((one) => ({ ...one, leads: false })),
    ...leadOf(text, pieces, words),
  ];
  const lines = code.trim() === '' ? undefined : codeOf(code, words);
  const passages: Passage[] = texts.flatMap(({ text, speaks, leads }) => {
    const alone = { text, code: '', speaks, leads };
    if (!lines) return alone;
    const both = { text, code: lines.text, speaks: most(lines.speaks, speaks), leads };
    if (lines.isWhole && /[:：]$/.test(text)) return both;
    const saysMore = lines.speaks.some((value, i) => value > speaks[i]!) && speaks.some((value) => value > 0);
    return saysMore ? [alone, both] : alone;
  });
  if (lines) passages.push({ text: '', code: lines.text, speaks: lines.speaks, leads: false });
  return passages.length > 0 ? passages : [{ text: '', code: '', speaks: words.map(() => 0), leads: false }];
}

const longestText = 420;
const longestLead = 260;
const longestCode = 700;
const mostCodeLines = 15;

/** Part of a text; `end` is exclusive. */
interface Piece {
  start: number;
  end: number;
}

/** Lines, long ones by their sentences. */
function piecesOf(text: string): Piece[] {
  return linesOf(text).flatMap((line) => (line.end - line.start > longestText / 2 ? sentencesOf(text, line) : [line]));
}

/** Lines without the spaces around them; empty ones are none. */
function linesOf(text: string): Piece[] {
  return [...text.matchAll(/[^\s](?:[^\n]*[^\s])?/g)].map(({ 0: line, index }) => ({ start: index, end: index + line.length }));
}

function sentencesOf(text: string, { start, end }: Piece): Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: found, index } of text.slice(start, end).matchAll(sentencePattern)) {
    const from = start + index + (found.length - found.trimStart().length);
    const to = start + index + found.trimEnd().length;
    if (to > from) pieces.push({ start: from, end: to - from > longestText * 2 ? cutAt(text, from) : to });
  }
  return pieces;
}

// Ends at a full stop before a space, or at one that needs none; Hindi, Armenian, Ethiopic and Burmese have their own.
const sentencePattern = /.+?(?:[.!?؟…]["'”’»)\]]*(?=\s)|[。！？｡।॥։።။]["'”’»」』）)\]]*|$)/gsu;

/** Where to leave off in what has no end, such as a line of numbers. */
function cutAt(text: string, from: number): number {
  const space = text.lastIndexOf(' ', from + longestText);
  return space > from ? space : from + longestText;
}

interface Window {
  text: string;
  speaks: number[];
  from: number;
  to: number;
}

/** Stretches of neighbouring pieces that begin and end with one that speaks of the question; without such, the first piece. */
function windows(text: string, pieces: Piece[], words: QuestionWord[], limit: { longest: number; pieces: number }): Window[] {
  const speaking = pieces.map(({ start, end }) => speaksOf(rootsIn(text.slice(start, end), words), words));
  const says = speaking.map((speaks) => speaks.some((value) => value > 0));
  const found: Window[] = [];
  pieces.forEach(({ start }, from) => {
    if (!says[from]) return;
    let speaks = speaking[from]!;
    for (let to = from; to < Math.min(pieces.length, from + limit.pieces); to++) {
      const { end } = pieces[to]!;
      if (to > from && end - start > limit.longest) break;
      if (!says[to] && !isTitle(text, pieces[to - 1]!)) continue;
      speaks = most(speaks, speaking[to]!);
      found.push({ text: text.slice(start, end), speaks, from, to });
    }
  });
  const [first] = pieces;
  if (found.length === 0 && first)
    found.push({ text: text.slice(first.start, first.end), speaks: words.map(() => 0), from: 0, to: 0 });
  return found;
}

/** The sentences that a text begins with, up to a length; none where it begins with something else. */
function leadOf(text: string, pieces: Piece[], words: QuestionWord[]): { text: string; speaks: number[]; leads: true }[] {
  const [first] = pieces;
  if (!first) return [];
  const other = pieces.findIndex((piece) => piece.end - first.start > longestLead || !isSentence(text, piece));
  if (other === 0) return [];
  const last = pieces.at(other === -1 ? -1 : other - 1)!;
  const lead = text.slice(first.start, last.end);
  return [{ text: lead, speaks: speaksOf(rootsIn(lead, words), words), leads: true }];
}

/** The head of a table and the title of a list are none. */
function isSentence(text: string, { start, end }: Piece): boolean {
  return /[.!?…。！？؟।॥։።။]["'”’»」』）)\]]*$/.test(text.slice(start, end));
}

/** Whether the piece seems to be the title of the next, as the name of an option is of what the option does. */
function isTitle(text: string, { start, end }: Piece): boolean {
  return end - start < 80 && !/[.!?。！？]["')\]]*$/.test(text.slice(start, end));
}

/** All of a short code; of a long one the lines that speak most of the question, with what they need to be whole. */
function codeOf(code: string, words: QuestionWord[]): Window & { isWhole: boolean } {
  const lines = [...code.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({ start: index, end: index + line.length }));
  const all = { text: code.replace(/^\n+|\s+$/g, ''), from: 0, to: lines.length - 1 };
  if (lines.length <= mostCodeLines && code.length <= longestCode)
    return { ...all, isWhole: true, speaks: speaksOf(rootsIn(code, words), words) };
  const weightOf = ({ speaks, text }: Window) =>
    words.reduce((sum, { weight }, i) => sum + weight * speaks[i]!, 0) - text.length / 10_000;
  const found = windows(code, lines, words, { longest: longestCode, pieces: mostCodeLines });
  const best = found.reduce((a, b) => (weightOf(b) > weightOf(a) ? b : a));
  let { from, to } = best;
  const lineAt = (at: number) => code.slice(lines[at]!.start, lines[at]!.end);
  const isContinued = (at: number) => /[\\([{,|]$/.test(lineAt(at)) || /^\s|^[)\]}]/.test(lineAt(at + 1));
  while (from > 0 && to - from < mostCodeLines && isContinued(from - 1)) from--;
  while (to < lines.length - 1 && to - from < mostCodeLines && isContinued(to)) to++;
  const text = code.slice(lines[from]!.start, lines[to]!.end);
  return {
    ...best,
    isWhole: false,
    text: text.length > longestCode * 2 ? code.slice(lines[from]!.start, cutAt(code, lines[from]!.start)) : text,
  };
}
