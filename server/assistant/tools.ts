// What a model may do besides answering, when the site allows it: search the same docs again, and read a page of them.
import { tool, type ToolSet } from 'ai';
import { z } from 'zod';
import { passagesOf, type Passage } from './passages.ts';
import { framed, framedPassages } from './prompt.ts';
import { retrieve, type Retrieved } from './retrieve.ts';
import type { DocsIndex, SiteDocs } from './site-indexes.ts';

export interface ToolContext {
  docs: SiteDocs;
  index: DocsIndex['index'];
  mark: string;
  /** For each of their answers. */
  tokens: number;
  /** Those the model has; what the tools find is added, with the numbers that follow. */
  passages: Passage[];
  /** Whether a new passage can still be cited: not when the reader has begun to read. */
  isOpen: () => boolean;
}

export function createTools({ docs, index, mark, tokens, passages, isOpen }: ToolContext): ToolSet {
  /** New sections as framed passages; those that the model has already are named by number. */
  function shown(found: Retrieved[]): string {
    const known = passages.filter(({ section }) => found.some(({ id }) => id === section.id));
    const fresh = found.filter(({ id }) => passages.every(({ section }) => section.id !== id));
    const added = passagesOf(fresh, tokens, passages.length);
    const open = isOpen();
    if (open) passages.push(...added);
    const parts = [
      known.length > 0 ? `You have passages ${known.map(({ number }) => number).join(', ')} already.` : '',
      open ? framedPassages(added, mark) : added.map((one) => framed('passage without a number', mark, one.text)).join('\n\n'),
    ];
    return (
      parts.filter((part) => part !== '').join('\n\n') ||
      'Nothing was found. Try other words, or say that the documentation does not answer.'
    );
  }

  return {
    search: tool({
      description: 'Searches the documentation. Use the words that it would use itself.',
      inputSchema: z.object({ query: z.string().min(1).max(500).describe('A few words, or a question') }),
      execute: async ({ query }) =>
        shown(await retrieve(index, { text: query, turns: [], context: [], files: [], filter: {}, pages: 5 })),
    }),
    read_page: tool({
      description: 'Reads a whole page of the documentation, by its path as passages name it.',
      inputSchema: z.object({ path: z.string().max(500).describe('Such as /guides/install') }),
      async execute({ path }) {
        const page = docs.page(path.replace(/[?#].*$/s, '').replace(/^\/+|\/+$/g, ''));
        const text = page && (await docs.markdown(page.path));
        if (!page || text === undefined) return 'There is no such page. Use paths that passages name, or search.';
        const { path: id, title } = page;
        return shown([{ id, page: id, title, headings: [], section: -1, text, code: '', score: 0.5, terms: [] }]);
      },
    }),
  };
}
