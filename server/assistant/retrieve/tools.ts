// Tools for a model, when the site allows them: search the same docs again, and read a page of them.
import { tool, type ToolSet } from 'ai';
import { z } from 'zod';
import { framedPassages, passagesOf, type Passage } from './passages.ts';
import { tokensIn, firstTokens } from './prompt-text.ts';
import { retrieve } from './retrieve.ts';
import type { DocsIndex, SiteDocs } from '../../active-exports/site-docs.ts';

export interface ToolContext {
  docs: SiteDocs;
  index: DocsIndex['index'];
  mark: string;
  /** Tokens for the results of all tools together. */
  tokens: number;
  /** Passages that the model has; the tools add what they find, with the next numbers. */
  passages: Passage[];
}

// Shares of the tokens of all tools.
const searchShare = 0.25;
const pageShare = 0.6;
const leastTokens = 50;

export function createTools({ docs, index, mark, tokens, passages }: ToolContext): ToolSet {
  let left = tokens;

  function isFull(): boolean {
    return left < Math.min(leastTokens, tokens / 2);
  }

  /** Passages as the model reads them; their tokens are subtracted. */
  function shown(added: Passage[]): string {
    const text = framedPassages(added, mark);
    left -= tokensIn(text);
    return text;
  }

  return {
    search: tool({
      description: 'Searches the documentation. Use the words that it would use itself.',
      inputSchema: z.object({ query: z.string().min(1).max(500).describe('A few words, or a question') }),
      async execute({ query }) {
        if (isFull()) return noRoom;
        const found = await retrieve(index, { text: query, turns: [], context: [], files: [], filter: {}, pages: 5 });
        const known = passages.filter(({ section }) => found.some(({ id }) => id === section.id));
        const fresh = found.filter(({ id }) => passages.every(({ section }) => section.id !== id));
        const added = passagesOf(fresh, Math.min(left, tokens * searchShare), passages.length);
        passages.push(...added);
        const parts = [
          known.length > 0 ? `You have passages ${known.map(({ number }) => number).join(', ')} already.` : '',
          shown(added),
        ];
        return parts.filter((part) => part !== '').join('\n\n') || nothingFound;
      },
    }),
    read_page: tool({
      description:
        'Reads a page of the documentation, as Markdown, by its path as passages name it. A long page comes in parts, each of which says how to read on.',
      inputSchema: z.object({
        path: z.string().max(500).describe('Such as /guides/install'),
        offset: z.int().min(0).optional().describe('Where to read on, as the part before says; 0 is the beginning'),
      }),
      async execute({ path, offset = 0 }) {
        const page = docs.page(path.replace(/[?#].*$/s, '').replace(/^\/+|\/+$/g, ''));
        const text = page && (await docs.markdown(page.path));
        if (!page || text === undefined) return 'There is no such page. Use paths that passages name, or search.';
        if (offset > 0 && offset >= text.length)
          return `The page has ${text.length} characters; you asked for what follows them.`;
        if (isFull()) return noRoom;
        const { part, end } = pagePart(text, offset, Math.min(left, tokens * pageShare));
        const goesOn = end < text.length ? `\n\nThe page goes on: call read_page with this path and offset ${end}.` : '';
        return shown([{ ...passageOf(page, text), text: part }]) + goesOn;
      },
    }),
  };

  /** All parts of a page that are read have one number, beside the numbers of its sections that were found. */
  function passageOf({ path, title }: { path: string; title: string }, text: string): Passage {
    const known = passages.find(({ section }) => section.id === path && section.section === wholePage);
    if (known) return known;
    const score = passages.find(({ section }) => section.page === path)?.section.score;
    const section = { id: path, page: path, title, headings: [], section: wholePage, text, code: '', score, terms: [] };
    const passage = { number: passages.length + 1, section, text: '' };
    passages.push(passage);
    return passage;
  }
}

// No section has this number.
const wholePage = -1;
const noRoom = 'There is no room for more of the documentation. Answer from the passages that you have.';
const nothingFound = 'Nothing was found. Try other words, or say that the documentation does not answer.';

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
