// The text of a page in drafts of its sections, while its elements are read one after another.
import { attribute, type Tag } from '../html/read-html.ts';
import type { Section } from '../search/index-options.ts';
import { marks, unmarked } from '../search/text-marks.ts';
import { blockEnd, cell, codeLines, collapse, headCell, toSection, type SectionDraft, type SectionsOf } from './section-lines.ts';

interface OpenHeading {
  level: number;
  id: string | undefined;
  text: string[];
  /** Text of links that only link to the heading itself: its name if it has no other. */
  linkText: string[];
}

export function sectionDrafts() {
  const drafts: SectionDraft[] = [];
  const parents: { level: number; text: string }[] = [];
  let draft: SectionDraft = { anchor: '', headings: [], text: [] };
  let heading: OpenHeading | undefined;
  /** The first heading of level 1: where its pieces are in a text. */
  let firstTitle: { title: string; pieces: string[]; at: number } | undefined;
  const add = (...pieces: string[]) => void draft.text.push(...pieces);
  const tables = tableMarks(add);
  /** Names of the open lists. */
  const lists: string[] = [];
  /** How many code blocks are open, one in another, and what is in them. */
  let code = 0;
  let codeBlock: string[] = [];

  const endHeading = () => {
    if (!heading) return;
    const { level, id } = heading;
    const text = collapse(heading.text) || collapse(heading.linkText);
    heading = undefined;
    const isTitle = level === 1 && !firstTitle;
    if (isTitle) firstTitle = { title: text, pieces: draft.text, at: draft.text.length };
    if (isTitle || !id || text === '') return add(blockEnd, text, blockEnd);
    drafts.push(draft);
    while (parents.length > 0 && parents.at(-1)!.level >= level) parents.pop();
    parents.push({ level, text });
    draft = { anchor: id, headings: parents.map((parent) => parent.text), text: [] };
  };

  return {
    inHeading: (): boolean => heading !== undefined,
    beginHeading(level: number, id: string | undefined): void {
      endHeading();
      heading = { level, id, text: [], linkText: [] };
    },
    /** The id of an element in the open heading, which is the heading's if it has none. */
    nameHeading(id: string | undefined): void {
      if (heading) heading.id ||= id;
    },
    endHeading,
    beginCode: () => void code++,
    endCode(): void {
      if (--code > 0) return;
      const block = codeLines(codeBlock).join('\n');
      codeBlock = [];
      if (block !== '') tables.addCode(block);
    },
    /** Separates what is before and after the tag of a block. */
    separate(name: string): void {
      if (heading) heading.text.push(' ');
      else if (code > 0) codeBlock.push('\n');
      else add(inLine.has(name) || (tables.inCell() && !tableParts.has(name)) ? ' ' : blockEnd);
    },
    endBlock: () => add(blockEnd),
    /** Marks what begins in the text. */
    mark(tag: Tag): void {
      const { name } = tag;
      if (tables.begin(name)) return;
      if (name === 'ol' || name === 'ul') lists.push(name);
      else if (name === 'li' && !tables.inCell()) add(lists.at(-1) === 'ol' ? marks.step : marks.item);
      else if (name === 'code' && code === 0) add(marks.inlineCode);
      else if (attribute(tag, 'data-carrel-description') !== undefined) add(marks.description);
    },
    endMark(name: string): void {
      if (name === 'table') tables.end();
      else if (name === 'ol' || name === 'ul') lists.pop();
      else if (name === 'code' && code === 0) add(marks.inlineCode);
    },
    /** `isLink` tells whether it is in a link that only links to the open heading. */
    text(text: string, isLink: boolean): void {
      if (heading) (isLink ? heading.linkText : heading.text).push(text);
      else if (code > 0) codeBlock.push(unmarked(text));
      else draft.text.push(unmarked(text));
    },
    sections(page: SectionsOf): Section[] {
      // The title of the page is a field of its own in every section.
      if (firstTitle?.title === collapse([page.title])) firstTitle.pieces.splice(firstTitle.at, 3);
      return [...drafts, draft].map((finished) => toSection(finished, page));
    },
  };
}

/** The open tables, and the marks of their cells. Tables without head cells often only arrange a page. */
function tableMarks(add: (...pieces: string[]) => void) {
  const open: { hasHead: boolean; cell: boolean }[] = [];
  /** Code blocks in cells of the open table, which come after it. */
  const codeOfTable: string[] = [];
  const inCell = () => open.at(-1)?.hasHead === true && open.at(-1)?.cell === true;
  const addBlock = (block: string) => add(blockEnd, `${marks.code}${block}${marks.code}`, blockEnd);
  return {
    inCell,
    /** Whether the element is a part of a table that has marks. */
    begin(name: string): boolean {
      const table = open.at(-1);
      if (name === 'table') open.push({ hasHead: false, cell: false });
      else if (name === 'td' || name === 'th') {
        if (table) Object.assign(table, { cell: true, hasHead: table.hasHead || name === 'th' });
        add(name === 'th' ? headCell : cell);
      } else if (name === 'tr' && table) table.cell = false;
      else return false;
      return true;
    },
    end(): void {
      open.pop();
      for (const block of codeOfTable.splice(0)) addBlock(block);
    },
    addCode(block: string): void {
      // A row of a table is one line.
      if (inCell()) codeOfTable.push(block);
      else addBlock(block);
    },
  };
}

/** Blocks that stand in one line with what is around them. */
const inLine = new Set(['td', 'th', 'br']);

const tableParts = new Set(['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr']);

export const blocks = new Set(
  (
    'address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'legend li main ol option p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);
