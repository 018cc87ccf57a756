// The lines of a section: one for each block, with marks.
import type { Section } from '../search/index-options.ts';
import { marks, textAndCode, withCodeWords } from '../search/text-marks.ts';

/** What sections need to know about their page. */
export interface SectionsOf {
  path: string;
  title: string;
  language: string;
  docsVersion?: string;
}

/** A section whose text is still in pieces. */
export interface SectionDraft {
  anchor: string;
  headings: string[];
  text: string[];
}

// Never in a text: HTML forbids these characters.
export const blockEnd = '\x1d';
export const cell = '\x1e';
export const headCell = '\x1f';

export function toSection(draft: SectionDraft, page: SectionsOf): Section {
  const marked = lines(draft.text)
    .replace(/\n?\x84\n?/g, marks.code)
    .replace(/\x84$/, '');
  const section: Section = {
    id: draft.anchor === '' ? page.path : `${page.path}#${draft.anchor}`,
    page: page.path,
    title: page.title,
    headings: draft.headings,
    ...textAndCode(marked),
    marked,
    language: page.language,
  };
  if (page.docsVersion !== undefined) section.docsVersion = page.docsVersion;
  return section;
}

export function collapse(pieces: string[]): string {
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

/** The lines of code, without empty ones. */
export function codeLines(pieces: string[]): string[] {
  return pieces
    .join('')
    .split('\n')
    .map((line) => withoutData(line.trimEnd()))
    .filter((line) => line !== '');
}

/** One line per block, with marks: an answer quotes whole blocks. */
function lines(pieces: string[]): string {
  const found: string[] = [];
  let mark = '';
  for (const piece of pieces.join('').split(blockEnd)) {
    if (piece.startsWith(marks.code)) {
      found.push(piece);
      continue;
    }
    const line = piece.includes(cell) || piece.includes(headCell) ? row(piece) : balanced(collapse([piece]));
    if (line === '') continue;
    // The mark of an item belongs to the first of its blocks.
    if (itemMarks.has(line)) mark = line;
    else {
      found.push(itemMarks.has(line.charAt(0)) ? line : mark + line);
      mark = '';
    }
  }
  return found.join('\n');
}

/** The cells of a row, marked as a head if all of them are. Empty ones count, so that cells stay below their heads. */
function row(piece: string): string {
  const [before = '', ...cells] = piece.split(/[\x1e\x1f]/).map((text) => balanced(collapse([text])));
  if (cells.every((text) => text === '')) return before;
  if (before !== '') return [before, ...cells].join(' ');
  const isHead = cells.length > 1 && !piece.includes(cell);
  return `${isHead ? marks.head : ''}${cells.join(marks.cell)}`;
}

/** Long runs of Base64 are data, not words. Hexadecimal digits have no capital letters among small ones. */
function withoutData(line: string): string {
  return line.length < longestWord
    ? line
    : line.replace(/[A-Za-z0-9+/]{100,}={0,2}/g, (run) => (/[A-Z]/.test(run) && /[a-z]/.test(run) && /\d/.test(run) ? '…' : run));
}

const longestWord = 100;

/** Inline code that begins in one line and ends in another is not marked. */
function balanced(line: string): string {
  const isBalanced = line.split(marks.inlineCode).length % 2 === 1;
  return isBalanced ? withCodeWords(withoutData(line)) : line.replaceAll(marks.inlineCode, '');
}

const itemMarks = new Set<string>([marks.step, marks.item, marks.description]);
