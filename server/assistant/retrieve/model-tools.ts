// The docs tools for a model, as it reads their results: passages with numbers that it can cite, within a number of tokens.
import type { ModelTools } from '../model/model-call.ts';
import { docsTools, listPages, readPage, searchDocs, type DocsVariant, type Input, type PageRead } from './docs-tools.ts';
import { framedPassages, passagesOf, type Passage } from './passages.ts';
import { firstTokens, framed, line, tokensIn } from './prompt-text.ts';

export interface ModelToolsContext extends DocsVariant {
  mark: string;
  /** Tokens for the results of all tools together. */
  tokens: number;
  /** Passages that the model has; the tools add what they find, with the next numbers. */
  passages: Passage[];
}

// Shares of the tokens of all tools.
const searchShare = 0.25;
const pageShare = 0.6;
const listShare = 0.25;
const leastTokens = 50;
const mostCalls = 16;

export function createModelTools({ mark, tokens, passages, ...variant }: ModelToolsContext): ModelTools {
  let left = tokens;
  let calls = 0;
  let reading: Promise<unknown> = Promise.resolve();

  /** A tool that is not run after too many calls, or without room for its result. */
  function limited<Name extends keyof typeof docsTools>(name: Name, execute: (input: Input<Name>) => string | Promise<string>) {
    const tried = (given: unknown) => {
      if (++calls > mostCalls) return tooMany;
      return isFull() ? noRoom : execute(given as Input<Name>);
    };
    return { ...docsTools[name], execute: tried };
  }

  function isFull(): boolean {
    return left < Math.min(leastTokens, tokens / 2);
  }

  /** The result of a tool; its tokens are subtracted. */
  function spent(text: string): string {
    left -= tokensIn(text);
    return text;
  }

  return {
    search: limited('search', async (input) => {
      const found = await searchDocs(variant, input);
      // Other tools of the same step may have taken the room meanwhile.
      if (isFull()) return noRoom;
      const known = passages.filter(({ section }) => found.some(({ id }) => id === section.id));
      const fresh = found.filter(({ id }) => passages.every(({ section }) => section.id !== id));
      const added = passagesOf(fresh, Math.min(left, tokens * searchShare), passages.length);
      passages.push(...added);
      const parts = [
        known.length > 0 ? `You have passages ${known.map(({ number }) => number).join(', ')} already.` : '',
        spent(framedPassages(added, mark)),
      ];
      return parts.filter((part) => part !== '').join('\n\n') || nothingFound;
    }),
    read_page: limited('read_page', (input) => {
      // One after the other, since each gets what the others left.
      const result = reading.then(() => readInRoom(input));
      reading = result.catch(() => undefined);
      return result;
    }),
    list_pages: limited('list_pages', (input) => {
      const { offset = 0 } = input;
      const { pages, total } = listPages(variant, input);
      if (pages.length === 0) return total === 0 ? 'There is no such page.' : `There are ${total} pages.`;
      const rows = pages.map(({ path, title }) => `/${line(path)}: ${line(title)}`).join('\n');
      const shown = firstTokens(rows, Math.min(left, tokens * listShare));
      // A row that is cut comes again in the next part.
      const count = shown === rows ? pages.length : Math.max(1, shown.split('\n').length - 1);
      const next = offset + count;
      const more = next < total ? `\n\n${total - next} more: call list_pages with offset ${next}, or search.` : '';
      return spent(framed('pages', mark, shown)) + more;
    }),
  };

  async function readInRoom(input: Input<'read_page'>): Promise<string> {
    const read = await readPage(variant, input, Math.min(left, tokens * pageShare));
    if (!read) return 'There is no such page. Use paths that passages name, list_pages, or search.';
    if (isFull()) return noRoom;
    if (read.part === '') return `The page has ${read.text.length} characters; you asked for what follows them.`;
    const more = read.next === undefined ? '' : `\n\nThe page goes on: call read_page with this path and offset ${read.next}.`;
    return spent(framedPassages([{ ...passageOf(read), text: read.part }], mark)) + more;
  }

  /** All parts of a page that are read have one number, beside the numbers of its sections that were found. */
  function passageOf({ page: { path, title }, text }: PageRead): Passage {
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
const tooMany = 'Not run: too many calls.';
const nothingFound = 'Nothing was found. Try other words, or say that the documentation does not answer.';
