// What a model reads of the sections that were found: their Markdown, and what belongs to them.
import { pageMarkdown } from './page-markdown.ts';
import type { Retrieved } from './retrieve.ts';
import { sectionsOfMarkdown } from './section-markdown.ts';
import type { DocsIndex, SiteDocs } from '../../active-exports/site-docs.ts';

export interface SectionReading {
  docs: SiteDocs;
  found: DocsIndex;
  siteUrl: string | undefined;
}

/** A section as a model reads it. */
export interface ReadSection extends Retrieved {
  /** Absent where it cannot be told apart in the page; its plain text is read instead. */
  markdown?: string;
}

type PlainSection = Omit<Retrieved, 'score' | 'terms'>;

interface PageSections {
  sections: PlainSection[];
  markdown: (string | undefined)[];
}

const mostSections = 1000;

/**
 * The sections with their Markdown, in the same order. In place of a section without content comes the first one below it, if any; after
 * one that introduces the next with a colon comes that.
 */
export async function readSections(reading: SectionReading, retrieved: Retrieved[]): Promise<ReadSection[]> {
  const pages = new Map<string, Promise<PageSections>>();
  const read = new Map<string, ReadSection>();
  for (const { score, terms, ...own } of retrieved) {
    let page = pages.get(own.page);
    if (!page) pages.set(own.page, (page = sectionsOf(reading, own)));
    const { sections, markdown } = await page;
    const position = sections.findIndex(({ section }) => section === own.section);
    for (const at of positionsOf(sections, position)) {
      const section = sections[at]!;
      const part = markdown[at];
      if (!read.has(section.id))
        read.set(section.id, { ...section, score, terms, ...(part !== undefined && { markdown: part }) });
    }
  }
  return [...read.values()];
}

async function sectionsOf({ docs, found, siteUrl }: SectionReading, own: PlainSection): Promise<PageSections> {
  const { corpus } = found.index;
  const page = corpus.pageOf(own.section);
  const first = corpus.firstOf(page);
  const numbers = Array.from({ length: corpus.firstOf(page + 1) - first }, (_, at) => first + at);
  if (numbers.length > mostSections) return { sections: [own], markdown: [] };
  const [sections, text] = await Promise.all([found.index.sections(numbers), pageMarkdown(docs, own.page, siteUrl)]);
  return { sections, markdown: text === undefined ? [] : sectionsOfMarkdown(text, sections) };
}

/** The sections to read for the one at a position. */
function positionsOf(sections: PlainSection[], position: number): number[] {
  const section = sections[position];
  if (!section) return [];
  if (isEmpty(section)) {
    let at = position + 1;
    while (isBelow(sections[at], section) && isEmpty(sections[at]!)) at++;
    return isBelow(sections[at], section) ? positionsOf(sections, at) : [];
  }
  const introduces = section.code === '' && /[:：]$/.test(section.text.trimEnd());
  return introduces && position + 1 < sections.length ? [position, ...positionsOf(sections, position + 1)] : [position];
}

function isEmpty({ text, code }: PlainSection): boolean {
  return text.trim() === '' && code.trim() === '';
}

/** Everything on a page is below its lead. */
function isBelow(section: PlainSection | undefined, parent: PlainSection): boolean {
  if (!section) return false;
  return (
    section.headings.length > parent.headings.length && parent.headings.every((heading, i) => section.headings[i] === heading)
  );
}
