import { excerpt, markRanges } from '../../../integration/search/excerpt.ts';
import { tokensIn } from './prompt-text.ts';

/**
 * The part of a section's Markdown that matches best, at most `tokens` long: whole blocks around the best one. Of a block that is longer,
 * lines around the best one: rows of a table with its head, lines of code in their fence.
 */
export function sectionPart(markdown: string, terms: string[], tokens: number): string {
  if (tokensIn(markdown) <= tokens) return markdown;
  const blocks = blocksOf(markdown);
  const matches = blocks.map((block) => matchesOf(block, terms));
  const best = Math.max(0, matches.indexOf(Math.max(...matches)));
  if (tokensIn(blocks[best] ?? '') > tokens) return linesOf(blocks[best]!, terms, tokens);
  return around(blocks, best, tokens, '\n\n');
}

/** Paragraphs, lists, tables and code blocks: what is between blank lines outside of code. */
function blocksOf(markdown: string): string[] {
  const blocks: string[][] = [[]];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence)) fence = undefined;
    if (line.trim() === '' && fence === undefined) blocks.push([]);
    else blocks.at(-1)!.push(line);
  }
  return blocks.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
}

function linesOf(block: string, terms: string[], tokens: number): string {
  const lines = block.split('\n');
  const fence = /^[ \t>]*(`{3,}|~{3,})/.exec(block)?.[1];
  const isTable = /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(lines[1] ?? '') && lines[0]!.includes('|');
  const head = lines.splice(0, fence === undefined ? (isTable ? 2 : 0) : 1);
  if (fence !== undefined && lines.at(-1)?.trim().startsWith(fence)) lines.pop();
  const matches = lines.map((line) => matchesOf(line, terms));
  const best = Math.max(0, matches.indexOf(Math.max(...matches)));
  const room = Math.max(20, tokens - tokensIn(head.join('\n')) - 10);
  const line = lines[best] ?? '';
  const long = tokensIn(line) > room;
  const perToken = line.length / Math.max(1, tokensIn(line));
  const body = long ? excerpt(line, terms, Math.max(40, Math.floor(room * perToken))).text : around(lines, best, room, '\n');
  return [...head, body, ...(fence === undefined ? [] : [fence])].join('\n');
}

/** As many parts as fit, around one of them: first what follows it. */
function around(parts: string[], at: number, tokens: number, between: string): string {
  let [from, to] = [at, at + 1];
  let left = tokens - tokensIn(parts[at] ?? '') - 4;
  const take = (index: number): boolean => {
    const part = parts[index];
    const size = part === undefined ? Infinity : tokensIn(part) + 1;
    if (size > left) return false;
    left -= size;
    return true;
  };
  for (let grows = true; grows;) {
    grows = false;
    if (take(to)) [to, grows] = [to + 1, true];
    if (take(from - 1)) [from, grows] = [from - 1, true];
  }
  const shown = parts.slice(from, to);
  return [...(from > 0 ? ['…'] : []), ...shown, ...(to < parts.length ? ['…'] : [])].join(between);
}

/** How many of the terms occur. */
function matchesOf(text: string, terms: string[]): number {
  return terms.filter((term) => markRanges(text, [term]).length > 0).length;
}
