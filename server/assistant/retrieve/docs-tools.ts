// What a program can do with the docs of a site: search them, read a page, and list the pages. The tools of models are made of these.
import { z } from 'zod';
import { pagePathOf } from '../../../integration/urls/page-path.ts';
import { pagePart } from './page-part.ts';
import { pageMarkdown } from './page-markdown.ts';
import { readSections, type ReadSection, type SectionReading } from './read-sections.ts';
import { retrieve } from './retrieve.ts';
import type { DocsPage } from '../../active-exports/site-docs.ts';

/** The docs of one language and version. */
export type DocsVariant = SectionReading;

/** Name, description and input of each tool. */
export const docsTools = {
  search: {
    description: 'Searches the documentation and returns the sections that match best. Use the words that it would use itself.',
    inputSchema: z.object({ query: z.string().min(1).max(500).describe('A few words, or a question') }),
  },
  read_page: {
    description:
      'Reads a page of the documentation, as Markdown, by its path as search and list_pages name it. A long page comes in parts, each of which says how to read on.',
    inputSchema: z.object({
      path: z.string().max(500).describe('Such as /guides/install'),
      offset: z.int().min(0).optional().describe('Where to read on, as the part before says; 0 is the beginning'),
    }),
  },
  list_pages: {
    description: 'Lists the pages of the documentation, each with its path and title. Many pages come in parts.',
    inputSchema: z.object({
      under: z.string().max(500).optional().describe('Only the page with this path and those below it, such as /guides'),
      offset: z.int().min(0).optional().describe('How many pages to skip, as the part before says'),
    }),
  },
};

/** The checked input of a tool. */
export type Input<Name extends keyof typeof docsTools> = z.output<(typeof docsTools)[Name]['inputSchema']>;

/** Sections with their Markdown, best first, of at most `pages` pages. */
export async function searchDocs(variant: DocsVariant, { query }: Input<'search'>, pages = 5): Promise<ReadSection[]> {
  const { byMeaning } = variant.found;
  return readSections(variant, await retrieve(byMeaning, { text: query, turns: [], context: [], files: [], filter: {}, pages }));
}

/** A part of a page as Markdown. */
export interface PageRead {
  page: DocsPage;
  /** The whole page. */
  text: string;
  /** From `offset` on; empty behind the end. */
  part: string;
  /** The offset of the next part; absent in the last one. */
  next?: number;
}

/** At most `tokens` of a page, by a path with or without slashes and anchor; undefined if there is no such page. */
export async function readPage(
  { docs, siteUrl }: Omit<DocsVariant, 'found'>,
  { path, offset = 0 }: Input<'read_page'>,
  tokens: number,
): Promise<PageRead | undefined> {
  const page = docs.page(pagePathOf(path));
  const text = page && (await pageMarkdown(docs, page.path, siteUrl));
  if (!page || text === undefined) return undefined;
  const { part, end } = pagePart(text, offset, tokens);
  return { page, text, part, ...(end < text.length && { next: end }) };
}

/** Some pages of the docs. */
export interface PageList {
  pages: Pick<DocsPage, 'path' | 'title'>[];
  /** How many there are, with those before and after these. */
  total: number;
  /** The offset of the next part; absent in the last one. */
  next?: number;
}

/** At most `limit` pages of a language and version, in the order of the docs. */
export function listPages(
  { docs, found }: Omit<DocsVariant, 'siteUrl'>,
  { under = '', offset = 0 }: Input<'list_pages'>,
  limit = 100,
): PageList {
  const folder = pagePathOf(under);
  const all = docs.pages.filter(
    ({ path, language, docsVersion }) =>
      language === found.language &&
      docsVersion === found.docsVersion &&
      (folder === '' || path === folder || path.startsWith(`${folder}/`)),
  );
  const pages = all.slice(offset, offset + limit).map(({ path, title }) => ({ path, title }));
  const next = offset + pages.length;
  return { pages, total: all.length, ...(next < all.length && { next }) };
}
