import type { Quote } from './answer.ts';
import english from '../texts/en.json' with { type: 'json' };
import type { Labels } from '../texts/index.ts';
import type { Citation } from './index-options.ts';
import { markedParts, markedText, marks, unmarked, withInlineCode } from './text-marks.ts';

type Quoted = Pick<Quote, 'text' | 'code'> & Partial<Pick<Quote, 'marked'>>;

/**
 * The answer as Markdown: the quotes, each with its citation `[1]`, `[2]`, … in order; or, without quotes, that the docs do not answer,
 * and the closest pages, cited in the same way. Quotes render as plain text, whatever they contain.
 */
export function quotedAnswer(
  quotes: (Citation & Quoted)[],
  labels: Labels['quotes'] = english.quotes,
  nearest: Citation[] = [],
): string {
  return [...quotedPieces(quotes, nearest, { labels, numberOf: (_citation, i) => i + 1 })].join('');
}

/** The same in pieces, each with at most one citation; `numberOf` is called right before the piece is yielded. */
export function* quotedPieces<Cited extends Citation>(
  quotes: (Cited & Quoted)[],
  nearest: Cited[],
  { labels, numberOf }: { labels: Labels['quotes']; numberOf: (citation: Cited, i: number) => number },
): Generator<string, void> {
  if (quotes.length > 0) {
    yield labels.answerQuotes;
    for (const [i, quote] of quotes.entries()) yield `\n\n${quoted(quote, numberOf(quote, i))}`;
    return;
  }
  yield labels.answerNone;
  if (nearest.length > 0) yield `\n\n${labels.answerNearest}\n`;
  for (const [i, citation] of nearest.entries()) {
    const name = plain([citation.title, ...citation.headings].filter(Boolean).join(' › '));
    yield `\n- ${name} [${numberOf(citation, i)}]`;
  }
}

/** A quote as Markdown; the citation follows its first words, or else its code. */
function quoted(quote: Quoted, number: number): string {
  const parts = markedParts(quote.marked ?? markedText({ text: unmarked(quote.text), code: quote.code }));
  let cited = false;
  let steps = 0;
  const blocks = parts.map(({ text, isCode }) => {
    if (isCode) return fenced(text);
    const lines = text.split('\n');
    const shown = quotedLines(lines, { citation: cited ? '' : ` [${number}]`, firstStep: steps + 1 });
    steps += lines.filter((line) => line.startsWith(marks.step)).length;
    cited = true;
    return shown;
  });
  return [...blocks, ...(cited ? [] : [`[${number}]`])].join('\n\n');
}

function fenced(code: string): string {
  const fence = ticksAround(code, 3);
  return `${fence}\n${code}\n${fence}`;
}

/** Lines, lists and tables in a blockquote. */
function quotedLines(all: string[], { citation, firstStep }: Around): string {
  const groups = groupsOf(all);
  const blocks = groups.map(({ kind, lines }, i) =>
    markdownOf[kind](lines, { citation: i === groups.length - 1 ? citation : '', firstStep }),
  );
  return `> ${blocks.join('\n\n').replace(/\n/g, '\n> ')}`.replace(/^> $/gm, '>');
}

/** The citation after the lines, and the number of the first step in them. */
interface Around {
  citation: string;
  firstStep: number;
}

type GroupKind = 'lines' | 'table' | 'steps' | 'items';

/** Consecutive lines of one kind. */
function groupsOf(lines: string[]): { kind: GroupKind; lines: string[] }[] {
  const groups: { kind: GroupKind; lines: string[] }[] = [];
  for (const line of lines) {
    const kind = kindOf(line);
    const last = groups.at(-1);
    if (last?.kind === kind && !line.startsWith(marks.head)) last.lines.push(line);
    else groups.push({ kind, lines: [line] });
  }
  return groups;
}

function kindOf(line: string): GroupKind {
  if (line.startsWith(marks.step)) return 'steps';
  if (line.startsWith(marks.item)) return 'items';
  return line.startsWith(marks.head) || line.includes(marks.cell) ? 'table' : 'lines';
}

const markdownOf: Record<GroupKind, (lines: string[], around: Around) => string> = {
  lines: (lines, { citation }) => lines.map((line) => inline(line.replaceAll(marks.cell, ' · '))).join('  \n') + citation,
  items: (lines, { citation }) => lines.map((line) => `- ${inline(line)}`).join('\n') + citation,
  steps: (lines, { citation, firstStep }) => lines.map((line, i) => `${firstStep + i}. ${inline(line)}`).join('\n') + citation,
  // A table is a block of its own.
  table: (lines, around) =>
    lines[0]?.startsWith(marks.head) ? table(lines) + around.citation.replace(' ', '\n\n') : markdownOf.lines(lines, around),
};

function table(lines: string[]): string {
  const rows = lines.map((line) => line.split(marks.cell).map((cell) => inline(cell, codeInCell)));
  const width = Math.max(...rows.map(({ length }) => length));
  const [head = [], ...rest] = rows.map((row) => `| ${Array.from({ length: width }, (_, i) => row[i] ?? '').join(' | ')} |`);
  return [head, `|${' --- |'.repeat(width)}`, ...rest].join('\n');
}

/** A line or cell that Markdown renders verbatim, with its inline code: without links, images, elements, formulas, lists or headings. */
function inline(line: string, codeOf = inlineCode): string {
  const shown = withInlineCode(line.replace(/^[\x80-\x84]/, '').trim(), codeOf, (text) => plain(text, codeOf));
  // What would begin a list, a heading, a rule or a container.
  return shown.replace(/^(?:[-+](?=\s|$)|#|[-=](?=[-=\s]*$)|>|:(?=::))/, '\\$&').replace(/^(\d+)([.)])/, '$1\\$2');
}

/** The words of a line that Markdown renders verbatim. */
export function plain(text: string, codeOf = inlineCode): string {
  let shown = '';
  let at = 0;
  // Some renderers turn URLs into links even where characters are escaped, but not in code.
  for (const { 0: url, index } of text.matchAll(/[!-~]*(?::\/\/|www\.|@|\bmailto:|\bxmpp:)[!-~]*/gi)) {
    shown += escaped(text.slice(at, index)) + codeOf(url);
    at = index + url.length;
  }
  return shown + escaped(text.slice(at));
}

function escaped(text: string): string {
  // An underscore within a word, an ampersand without a name and a bracket after an exclamation mark say what they say.
  return unmarked(text).replace(/[\\`*[\]<~|${}]|&(?=#?\w+;)|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&');
}

function inlineCode(text: string): string {
  const run = ticksAround(text, 1);
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${run}${space}${text}${space}${run}`;
}

/** In a table, a bar ends the cell in code too, and renderers disagree about one after a backslash, which therefore stands outside. */
function codeInCell(text: string): string {
  if (!text.includes('\\|')) return inlineCode(text).replaceAll('|', '\\|');
  return text
    .split('|')
    .map((part) => (part === '' ? '' : inlineCode(part)))
    .join('\\|');
}

/** A run of backticks longer than any in the text. */
function ticksAround(text: string, least: number): string {
  return '`'.repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}
