import { matchedWeight, matchesOf, stemsIn, strongest } from './keyword-matches.ts';
import type { Keyword } from './keywords.ts';
import type { SectionText } from './shards.ts';

/** Consecutive lines or sentences of a section, verbatim, and how well they match each keyword. */
export interface Passage {
  text: string;
  code: string;
  matches: number[];
  /** Whether these are the first sentences of the section. */
  isLead: boolean;
}

/**
 * The passages that a section can be quoted with; at least one, which may be empty. Code is quoted along with the text where it matches keywords
 * that the text before it does not, or where that text introduces it.
 */
export function passagesOf({ text, code }: SectionText, keywords: Keyword[]): Passage[] {
  const pieces = piecesOf(text);
  const texts = [
    ...windows(text, pieces, keywords, { length: maxText, pieces: 8 }).map((window) => ({ ...window, isLead: false })),
    ...leadOf(text, pieces, keywords),
  ];
  const lines = code.trim() === '' ? undefined : codeOf(code, keywords);
  const passages: Passage[] = texts.flatMap(({ text, matches, isLead }) => {
    const alone = { text, code: '', matches, isLead };
    if (!lines) return alone;
    const both = { text, code: lines.text, matches: strongest(lines.matches, matches), isLead };
    if (lines.isWhole && /[:：]$/.test(text)) return both;
    const addsMatches = isMatch(matches) && lines.matches.some((match, i) => match > (matches[i] ?? 0));
    return addsMatches ? [alone, both] : alone;
  });
  if (lines) passages.push({ text: '', code: lines.text, matches: lines.matches, isLead: false });
  return passages.length > 0 ? passages : [{ text: '', code: '', matches: keywords.map(() => 0), isLead: false }];
}

const maxText = 420;
const maxLead = 260;
const maxCode = 700;
const maxCodeLines = 15;

function isMatch(matches: number[]): boolean {
  return matches.some((match) => match > 0);
}

/** Part of a text; `end` is exclusive. */
interface Piece {
  start: number;
  end: number;
}

/** Lines, long ones by their sentences. */
function piecesOf(text: string): Piece[] {
  return linesOf(text).flatMap((line) => (line.end - line.start > maxText / 2 ? sentencesOf(text, line) : [line]));
}

/** Lines that are not empty, without the spaces around them. */
function linesOf(text: string): Piece[] {
  return [...text.matchAll(/[^\s](?:[^\n]*[^\s])?/g)].map(({ 0: line, index }) => ({ start: index, end: index + line.length }));
}

function sentencesOf(text: string, { start, end }: Piece): Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: found, index } of text.slice(start, end).matchAll(sentencePattern)) {
    const from = start + index + (found.length - found.trimStart().length);
    const to = start + index + found.trimEnd().length;
    if (to > from) pieces.push({ start: from, end: to - from > maxText * 2 ? cutAt(text, from) : to });
  }
  return pieces;
}

// A sentence ends at a period before a space, or at one of a script that needs no space.
const sentencePattern = /.+?(?:[.!?؟…]["'”’»)\]]*(?=\s)|[。！？｡।॥։።။]["'”’»」』）)\]]*|$)/gsu;

/** Where to cut a text without an end, such as a line of numbers. */
function cutAt(text: string, from: number): number {
  const space = text.lastIndexOf(' ', from + maxText);
  return space > from ? space : from + maxText;
}

interface Window {
  text: string;
  matches: number[];
  /** Its first and its last piece. */
  from: number;
  to: number;
}

/** Runs of consecutive pieces that begin and end with a match, or with what a title or question announces; where nothing matches, the first piece. */
function windows(text: string, pieces: Piece[], keywords: Keyword[], max: { length: number; pieces: number }): Window[] {
  const matched = pieces.map(({ start, end }) => {
    const matches = matchesOf(stemsIn(text.slice(start, end), keywords), keywords);
    return { start, end, matches, isMatch: isMatch(matches) };
  });
  const found: Window[] = [];
  for (const [from, { start, matches: own, isMatch }] of matched.entries()) {
    if (!isMatch) continue;
    let matches = own;
    for (const [offset, piece] of matched.slice(from, from + max.pieces).entries()) {
      if (offset > 0 && piece.end - start > max.length) break;
      const previous = matched[from + offset - 1];
      const isAnnounced = previous && (isTitle(text, previous) || (previous.isMatch && isQuestion(text, previous)));
      if (!piece.isMatch && !isAnnounced) continue;
      matches = strongest(matches, piece.matches);
      // A question of the docs says nothing without its answer.
      const next = matched[from + offset + 1];
      if (isQuestion(text, piece) && next && next.end - start <= max.length) continue;
      found.push({ text: text.slice(start, piece.end), matches, from, to: from + offset });
    }
  }
  const [first] = pieces;
  if (found.length === 0 && first)
    found.push({ text: text.slice(first.start, first.end), matches: keywords.map(() => 0), from: 0, to: 0 });
  return found;
}

/** The first sentences of a text, up to a length; none where the text does not begin with a sentence. */
function leadOf(text: string, pieces: Piece[], keywords: Keyword[]): { text: string; matches: number[]; isLead: true }[] {
  const [first] = pieces;
  if (!first) return [];
  const end = pieces.findIndex((piece) => piece.end - first.start > maxLead || !isSentence(text, piece));
  const last = end === -1 ? pieces.at(-1) : pieces[end - 1];
  if (!last) return [];
  const lead = text.slice(first.start, last.end);
  return [{ text: lead, matches: matchesOf(stemsIn(lead, keywords), keywords), isLead: true }];
}

/** Whether the piece is a sentence, unlike the head of a table or the title of a list. */
function isSentence(text: string, { start, end }: Piece): boolean {
  return /[.!?…。！？؟।॥։።။]["'”’»」』）)\]]*$/.test(text.slice(start, end));
}

/** Whether the piece looks like a title of the next, as the name of an option is of its description. */
function isTitle(text: string, { start, end }: Piece): boolean {
  return end - start < 80 && !/[.!?。！？]["')\]]*$/.test(text.slice(start, end));
}

function isQuestion(text: string, { start, end }: Piece): boolean {
  return /[?？؟]["'”’»」』）)\]]*$/.test(text.slice(start, end));
}

/** Short code as a whole; of long code, the lines that match best, with those that complete their statement. */
function codeOf(code: string, keywords: Keyword[]): { text: string; matches: number[]; isWhole: boolean } {
  const lines = [...code.matchAll(/[^\n]+/g)].map(({ 0: line, index }) => ({ start: index, end: index + line.length }));
  if (lines.length <= maxCodeLines && code.length <= maxCode)
    return { text: code.replace(/^\n+|\s+$/g, ''), matches: matchesOf(stemsIn(code, keywords), keywords), isWhole: true };
  const rating = ({ matches, text }: Window) => matchedWeight(keywords, matches) - text.length / 10_000;
  const found = windows(code, lines, keywords, { length: maxCode, pieces: maxCodeLines });
  const best = found.reduce((a, b) => (rating(b) > rating(a) ? b : a));
  let { from, to } = best;
  const linesBetween = (first: number, last: number) => code.slice(lines[first]?.start, lines[last]?.end);
  const isContinued = (at: number) => /[\\([{,|]$/.test(linesBetween(at, at)) || /^\s|^[)\]}]/.test(linesBetween(at + 1, at + 1));
  while (from > 0 && to - from < maxCodeLines && isContinued(from - 1)) from--;
  while (to < lines.length - 1 && to - from < maxCodeLines && isContinued(to)) to++;
  const text = linesBetween(from, to);
  const isTooLong = text.length > maxCode * 2;
  return { text: isTooLong ? text.slice(0, cutAt(text, 0)) : text, matches: best.matches, isWhole: false };
}
