import { blocksOf, isSentence, type Block } from './blocks.ts';
import { matchedWeight, matchesOf, stemsIn, strongest } from './keyword-matches.ts';
import type { Keyword } from './keywords.ts';
import { marks } from './text-marks.ts';

/** Consecutive blocks or sentences of a section, verbatim, and how well they match each keyword. */
export interface Passage {
  /** Lines and code blocks with the marks of `text-marks.ts`; empty where there is nothing to quote. */
  marked: string;
  matches: number[];
  /** Whether it begins with the beginning of the section. */
  isLead: boolean;
  /** Characters that a reader reads to find the answer: what only completes the passage counts less. */
  length: number;
}

/**
 * The passages that a section can be quoted with; at least one, which may be empty. None breaks off: an announcement comes with what it
 * announces, a row of a table with its head, a step with the procedure. The description of a page is never quoted.
 */
export function passagesOf(marked: string, keywords: Keyword[]): Passage[] {
  const blocks = blocksOf(marked).filter(({ kind }) => kind !== 'description');
  const matched = blocks.map((block) => ({ ...block, matches: matchesOf(stemsIn(block.plain, keywords), keywords) }));
  const ranges = [...windows(matched), ...procedures(matched)];
  const lead = leadOf(matched);
  if (lead) ranges.push(lead);
  if (ranges.length === 0 && matched[0] && isSentence(matched[0])) ranges.push({ from: 0, to: 0 });
  // The lead comes last, so that it replaces the same passage by another way.
  const passages = new Map(
    ranges.flatMap((range) => passageOf(matched, range, keywords) ?? []).map((passage) => [passage.marked, passage]),
  );
  return passages.size > 0 ? [...passages.values()] : [{ marked: '', matches: keywords.map(() => 0), isLead: false, length: 0 }];
}

interface Matched extends Block {
  matches: number[];
}

/** Blocks from one to another, inclusive. */
interface Range {
  from: number;
  to: number;
  isLead?: boolean;
}

const maxText = 420;
const maxLead = 260;
/** The text of a whole quote, without its code. */
const maxQuote = 800;
const maxCode = 700;
const maxCodeLines = 15;
const maxBlocks = 8;

function isMatch({ matches }: Matched): boolean {
  return matches.some((match) => match > 0);
}

/** Runs of blocks that begin and end with a match. */
function windows(blocks: Matched[]): Range[] {
  const found: Range[] = [];
  for (const [from, block] of blocks.entries()) {
    if (!isMatch(block)) continue;
    let length = 0;
    for (let to = from; to < Math.min(blocks.length, from + maxBlocks); to++) {
      const next = blocks[to]!;
      length += sizeOf(next);
      if (to > from && (length > maxText || next.kind === 'code' || blocks[to - 1]!.kind === 'code')) break;
      if (isMatch(next)) found.push({ from, to });
    }
  }
  return found;
}

/** Numbered lists, each with the line before it. */
function procedures(blocks: Matched[]): Range[] {
  return blocks.flatMap(({ kind }, at) => {
    if (kind !== 'step' || isInList(blocks, at - 1)) return [];
    return [{ from: blocks[at - 1]?.kind === 'line' ? at - 1 : at, to: at }];
  });
}

/**
 * The beginning of a section up to a length: its first sentences, after short lines such as `Default: 80`, or the code that it begins with.
 * None where it begins with something else, such as a table.
 */
function leadOf(blocks: Matched[]): Range | undefined {
  const [first] = blocks;
  if (first?.kind === 'code' || (first && isAnnouncement(first))) return { from: 0, to: 0, isLead: true };
  let length = 0;
  let last = -1;
  for (const [at, block] of blocks.entries()) {
    length += block.plain.length;
    if (length > maxLead && last >= 0) break;
    if (isProperty(block)) continue;
    if (block.kind !== 'line' || !isSentence(block)) break;
    last = at;
  }
  return last >= 0 ? { from: 0, to: last, isLead: true } : undefined;
}

/** Whether a line says what something is, in one or two words and a value, as the type and the default of an option. */
function isProperty({ kind, plain }: Block): boolean {
  return (kind === 'line' || kind === 'item') && plain.length < 80 && /^\p{L}+(?: \p{L}+)?: \S/u.test(plain);
}

/** The passage of a range with what completes it; undefined if it is not complete without what the section does not have. */
function passageOf(blocks: Matched[], range: Range, keywords: Keyword[]): Passage | undefined {
  const core = blocks.slice(range.from, range.to + 1);
  let { to } = range;
  const parts: Matched[] = [];
  const [first] = core;
  if (!first) return undefined;
  if (first.kind === 'row') parts.push(...headOf(blocks, range.from));
  if (first.kind === 'code') parts.push(...introductionOf(blocks, range.from));
  if (first.kind === 'step' || core.at(-1)!.kind === 'step') {
    const list = listAround(blocks, first.kind === 'step' ? range.from : range.to);
    const size = textLength(core) + textLength(blocks.slice(list.from, list.to + 1));
    if (size <= maxQuote) {
      if (first.kind === 'step') parts.push(...blocks.slice(list.from, range.from));
      core.push(...blocks.slice(range.to + 1, list.to + 1));
      to = list.to;
    } else if (first.kind === 'step') core.splice(0, core.length, ...core.map(asItem));
  }
  const last = core.at(-1)!;
  const rest = announcedBy(blocks, last, { at: to, room: maxQuote - textLength([...parts, ...core]) });
  if (rest === undefined) {
    // A passage of several blocks is complete without the announcement at its end.
    if (core.length === 1 || range.to === range.from) return undefined;
    return passageOf(blocks, { ...range, to: range.to - 1 }, keywords);
  }
  const all = [...parts, ...core, ...rest];
  const quoted = all.map((block) => (block.kind === 'code' ? cutCode(block, keywords) : block));
  const found = quoted.reduce(
    (best, block) => strongest(best, block.matches),
    keywords.map(() => 0),
  );
  const coreLength = sum(blocks.slice(range.from, range.to + 1).map(sizeOf));
  return {
    marked: quoted.reduce((text, block) => joined(text, block), ''),
    matches: found,
    isLead: range.isLead ?? false,
    length: coreLength + (sum(all.map(sizeOf)) - coreLength) / 3,
  };
}

/** What must follow a block: the answer to a question, what a line announces, the rows of a head. Undefined if the section does not have it. */
function announcedBy(blocks: Matched[], last: Matched, { at, room }: { at: number; room: number }): Matched[] | undefined {
  const next = blocks[at + 1];
  if (last.kind === 'head') return next?.kind === 'row' ? wholeTable(blocks, at + 1, room) : undefined;
  if (isAnnouncement(last)) {
    if (!next) return undefined;
    if (next.kind === 'step' || next.kind === 'item') return listFrom(blocks, at + 1, room);
    if (next.kind === 'head') return wholeTable(blocks, at + 1, room);
    if (next.kind === 'row') return wholeTable(blocks, at + 1, room);
    // The name of a file, above its code.
    const after = blocks[at + 2];
    return next.kind === 'line' && isTitle(next) && after?.kind === 'code' ? [next, after] : [next];
  }
  if (isQuestion(last) && next) return [next];
  if (isCaption(last) && (!next || next.kind === 'head' || next.kind === 'row')) return undefined;
  if (last.kind === 'line' && isTitle(last) && !isProperty(last) && next && next.kind !== 'head' && next.kind !== 'row') {
    if (isAnnouncement(next)) return [next, ...(announcedBy(blocks, next, { at: at + 1, room: room - next.plain.length }) ?? [])];
    return [next];
  }
  return [];
}

/** Items from the first of a list on, as many as are short enough, with the code between them. */
function listFrom(blocks: Matched[], from: number, room: number): Matched[] {
  const { to } = listAround(blocks, from);
  return upTo(room, blocks.slice(from, to + 1));
}

/** A short table; undefined if it is long, since then none of its rows answers. */
function wholeTable(blocks: Matched[], from: number, room: number): Matched[] | undefined {
  let to = from;
  while (blocks[to + 1]?.kind === 'row') to++;
  const rows = blocks.slice(from, to + 1);
  return textLength(rows) <= room ? rows : undefined;
}

function upTo(limit: number, blocks: Matched[]): Matched[] {
  let length = 0;
  const end = blocks.findIndex((block, i) => (length += textLength([block])) > limit && i > 0);
  return end === -1 ? blocks : blocks.slice(0, end);
}

/** The head of the table that a row belongs to. */
function headOf(blocks: Matched[], row: number): Matched[] {
  let at = row;
  while (at > 0 && blocks[at]?.kind === 'row') at--;
  const head = blocks[at];
  return head?.kind === 'head' ? [head] : [];
}

/** What a code block is for: the line before it, with the line before that if it is only the name of a file. */
function introductionOf(blocks: Matched[], code: number): Matched[] {
  const [before, previous] = [blocks[code - 1], blocks[code - 2]];
  if (before?.kind !== 'line') return [];
  return isTitle(before) && previous?.kind === 'line' && isAnnouncement(previous) ? [previous, before] : [before];
}

/** The list around an item: its items, with the lines and code blocks that belong to them. */
function listAround(blocks: Matched[], at: number): { from: number; to: number } {
  const kind = blocks[at]?.kind;
  let [from, to] = [at, at];
  for (let i = at - 1; i >= 0 && isInList(blocks, i); i--) if (blocks[i]?.kind === kind) from = i;
  for (let i = at + 1; i < blocks.length && isWithin(blocks, i); i++)
    if (blocks[i]?.kind === kind || blocks[i]?.kind === 'code') to = i;
  return { from, to };
}

function isInList(blocks: Matched[], at: number): boolean {
  const kind = blocks[at]?.kind;
  return kind === 'step' || kind === 'item' || ((kind === 'code' || kind === 'line') && at > 0 && isInList(blocks, at - 1));
}

/** Whether a block may be part of a list that began before: an item, or a line or code block below one. */
function isWithin(blocks: Matched[], at: number): boolean {
  const kind = blocks[at]?.kind;
  if (kind === 'step' || kind === 'item' || kind === 'code') return true;
  const next = blocks[at + 1]?.kind;
  return kind === 'line' && (next === 'step' || next === 'code' || next === 'item');
}

/** A step without those before it does not have its number. */
function asItem<Any extends Block>(block: Any): Any {
  return block.kind === 'step' ? { ...block, kind: 'item', marked: marks.item + block.marked.slice(1) } : block;
}

function joined(text: string, { kind, marked, before }: Block): string {
  if (kind === 'code') return `${text}${marks.code}${marked}${marks.code}`;
  return text === '' || text.endsWith(marks.code) ? text + marked : text + before + marked;
}

function sizeOf({ kind, plain }: Block): number {
  return kind === 'code' ? Math.min(plain.length, maxCode) : plain.length;
}

function textLength(blocks: Block[]): number {
  return sum(blocks.map(({ kind, plain }) => (kind === 'code' ? 0 : plain.length + 1)));
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function isAnnouncement({ kind, plain }: Block): boolean {
  return kind !== 'code' && kind !== 'row' && kind !== 'head' && /[:：]$/.test(plain);
}

/** Whether the block looks like a title of the next, as the name of an option is of its description. */
function isTitle({ plain }: Block): boolean {
  return plain.length < 80 && !/[.!?。！？:：]["')\]]*$/.test(plain);
}

/** Whether a title says too little to be an answer by itself. */
function isCaption(block: Block): boolean {
  return block.kind === 'line' && isTitle(block) && !isProperty(block) && !/\S\s+\S+\s+\S/.test(block.plain);
}

function isQuestion({ kind, plain }: Block): boolean {
  return kind !== 'code' && /[?？؟]["'”’»」』）)\]]*$/.test(plain);
}

/** Short code as a whole; of long code, the lines that match best, with those that complete their statement. */
function cutCode(block: Matched, keywords: Keyword[]): Matched {
  const lines = block.plain.split('\n');
  if (lines.length <= maxCodeLines && block.plain.length <= maxCode) return block;
  const matches = lines.map((line) => matchesOf(stemsIn(line, keywords), keywords));
  let best = { from: 0, to: 0, rating: -1 };
  for (const [from, own] of matches.entries()) {
    let together = own;
    let length = 0;
    for (let to = from; to < Math.min(lines.length, from + maxCodeLines); to++) {
      length += lines[to]!.length + 1;
      if (to > from && length > maxCode) break;
      together = strongest(together, matches[to]!);
      const rating = matchedWeight(keywords, together) - length / 10_000;
      if (rating > best.rating) best = { from, to, rating };
    }
  }
  let { from, to } = best;
  const isContinued = (at: number) => /[\\([{,|]$/.test(lines[at] ?? '') || /^\s|^[)\]}]/.test(lines[at + 1] ?? '');
  while (from > 0 && to - from < maxCodeLines && isContinued(from - 1)) from--;
  while (to < lines.length - 1 && to - from < maxCodeLines && isContinued(to)) to++;
  const text = lines.slice(from, to + 1).join('\n');
  const own = matches.slice(from, to + 1).reduce(
    strongest,
    keywords.map(() => 0),
  );
  return { ...block, matches: own, marked: text.length > maxCode * 2 ? text.slice(0, maxCode) : text };
}
