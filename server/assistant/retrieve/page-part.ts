import { firstTokens, tokensIn } from './prompt-text.ts';

/**
 * A page's Markdown from the character `from` on, at most `tokens` long, and where it continues. A page that is longer ends before a heading,
 * else after a paragraph, else after a line, and not inside a code block, where one of these is near enough to the limit.
 */
export function pagePart(text: string, from: number, tokens: number): { part: string; end: number } {
  const rest = text.slice(from);
  if (tokensIn(rest) <= tokens) return { part: rest.trim(), end: text.length };
  // The text ends with an ellipsis.
  const longest = Math.max(1, firstTokens(rest, tokens).length - 1);
  const length = lastBreak(rest, longest);
  return { part: rest.slice(0, length).trim(), end: from + length };
}

// A break counts only when it leaves at least this share of the limit.
const shares = { heading: 0.6, paragraph: 0.5, line: 0.3 };

function lastBreak(text: string, longest: number): number {
  const last = { heading: 0, paragraph: 0, line: 0 };
  let fence: string | undefined;
  let wasBlank = false;
  for (const { 0: line, index } of text.slice(0, longest).matchAll(/[^\n]*\n|[^\n]+$/g)) {
    if (index > 0) last.line = index;
    if (index > 0 && fence === undefined) {
      if (/^#{1,6} /.test(line)) last.heading = index;
      if (wasBlank) last.paragraph = index;
    }
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && fence === undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    wasBlank = line.trim() === '';
  }
  for (const kind of ['heading', 'paragraph', 'line'] as const) if (last[kind] >= longest * shares[kind]) return last[kind];
  return longest;
}
