// Splits the main content of a page at its headings: the introduction, then one section for each heading with an id.
import type { Section } from '../search/index-options.ts';
import { partsOf, type ContentRules, type PartRules } from './content-rules.ts';
import { attribute, readHtml, type HtmlReader, type Tag } from '../html/read-html.ts';
import { marks, textAndCode, unmarked, withCodeWords } from '../search/text-marks.ts';

/** What sections need to know about their page. */
export interface SectionsOf {
  path: string;
  title: string;
  language: string;
  docsVersion?: string;
}

export interface SectionReader extends HtmlReader {
  /** Whether the next text is in the main content, which excludes `data-carrel-skip` elements. */
  inContent(): boolean;
  /** What was read from a page of this length, once it is known what the page is; undefined without main content. Called once. */
  finish(length: number, page: SectionsOf): PageContent | undefined;
}

/** The content of a page. */
export interface PageContent {
  sections: Section[];
  /** Its ranges in the page, without the excluded parts. */
  slices: [start: number, end: number][];
}

/** The sections of a built page, in reading order. */
export function readSections(html: string, page: SectionsOf, rules?: ContentRules): Section[] {
  return readContent(html, page, contentParts(html, rules))?.sections ?? [];
}

/** The content that the first of some parts gives which the page has, and which is wanted. */
export function readContent(
  html: string,
  page: SectionsOf,
  parts: Iterable<PartRules>,
  isWanted: (content: PageContent) => boolean = () => true,
): PageContent | undefined {
  for (const part of parts) {
    const reader = sectionReader(part);
    readHtml(html, reader);
    const content = reader.finish(html.length, page);
    if (content && isWanted(content)) return content;
  }
  return undefined;
}

/** Whether there are words in it. */
export function hasWords({ sections }: Pick<PageContent, 'sections'>): boolean {
  return sections.some(({ text, code, headings }) => text !== '' || code !== '' || headings.length > 0);
}

/** The elements that may contain the content, best first. The names may also appear in a comment or a text, so the first may prove empty. */
export function* contentParts(html: string, rules?: ContentRules): Generator<PartRules, undefined> {
  if (rules) return yield* partsOf(html, rules);
  if (html.includes('data-carrel-content')) yield marked;
  if (/<main[\s>]/i.test(html)) yield named.main;
  if (/<article[\s>]/i.test(html)) yield named.article;
  yield named.body;
}

const marked: PartRules = { isContent: (tag) => attribute(tag, 'data-carrel-content') !== undefined };
const named = {
  main: { isContent: (tag) => tag.name === 'main' },
  article: { isContent: (tag) => tag.name === 'article' },
  body: { isContent: (tag) => tag.name === 'body' },
} satisfies Record<string, PartRules>;

interface OpenElement {
  name: string;
  tag: Tag;
  kind: 'plain' | 'content' | 'skip' | 'diagram' | 'code' | 'heading';
  /** For a heading's wrapper: the id that a heading right at its start may take over. */
  id: string | undefined;
}

interface Draft {
  anchor: string;
  headings: string[];
  text: string[];
}

interface OpenHeading {
  level: number;
  id: string | undefined;
  text: string[];
  /** Text of links that only link to the heading itself: its name if it has no other. */
  linkText: string[];
}

export function sectionReader(part: PartRules): SectionReader {
  const open: OpenElement[] = [];
  const drafts: Draft[] = [];
  const slices: PageContent['slices'] = [];
  const parents: { level: number; text: string }[] = [];
  let draft: Draft = { anchor: '', headings: [], text: [] };
  let found = false;
  let content = 0;
  let skipped = 0;
  let sliceStart = 0;
  let code = 0;
  let heading: OpenHeading | undefined;
  let headingLink = 0;
  let textSinceWrapper = false;
  /** Open tables: whether the table has head cells, and whether a cell of it is open. */
  const tables: { hasHead: boolean; cell: boolean }[] = [];
  /** Names of the open lists. */
  const lists: string[] = [];
  /** The open code block. */
  let codeBlock: string[] = [];
  /** Code blocks in cells of the open table, which come after it. */
  const codeOfTable: string[] = [];
  /** The first heading of level 1: where its pieces are in a text. */
  let firstTitle: { title: string; pieces: string[]; at: number } | undefined;

  const separate = (name: string) => {
    if (heading) heading.text.push(' ');
    else if (code > 0) codeBlock.push('\n');
    else draft.text.push(inLine.has(name) || (isInCell() && !tableParts.has(name)) ? ' ' : blockEnd);
  };

  // Tables without head cells often only arrange a page.
  const isInCell = () => tables.at(-1)?.hasHead === true && tables.at(-1)?.cell === true;

  /** Marks what begins in the text. */
  const mark = (tag: Tag) => {
    const { name } = tag;
    const table = tables.at(-1);
    if (name === 'table') tables.push({ hasHead: false, cell: false });
    else if (name === 'td' || name === 'th') {
      if (table) Object.assign(table, { cell: true, hasHead: table.hasHead || name === 'th' });
      draft.text.push(name === 'th' ? headCell : cell);
    } else if (name === 'tr' && table) table.cell = false;
    else if (name === 'ol' || name === 'ul') lists.push(name);
    else if (name === 'li' && !isInCell()) draft.text.push(lists.at(-1) === 'ol' ? marks.step : marks.item);
    else if (name === 'code' && code === 0) draft.text.push(marks.inlineCode);
    else if (attribute(tag, 'data-carrel-description') !== undefined) draft.text.push(marks.description);
  };

  const endMark = (name: string) => {
    if (name === 'table') {
      tables.pop();
      for (const block of codeOfTable.splice(0)) addCode(block);
    } else if (name === 'ol' || name === 'ul') lists.pop();
    else if (name === 'code' && code === 0) draft.text.push(marks.inlineCode);
  };

  const endHeading = () => {
    if (!heading) return;
    const { level, id } = heading;
    const text = collapse(heading.text) || collapse(heading.linkText);
    heading = undefined;
    headingLink = 0;
    const isTitle = level === 1 && !firstTitle;
    if (isTitle) firstTitle = { title: text, pieces: draft.text, at: draft.text.length };
    if (isTitle || !id || text === '') {
      draft.text.push(blockEnd, text, blockEnd);
      return;
    }
    drafts.push(draft);
    while (parents.length > 0 && parents.at(-1)!.level >= level) parents.pop();
    parents.push({ level, text });
    draft = { anchor: id, headings: parents.map((parent) => parent.text), text: [] };
  };

  const endCode = () => {
    const block = codeLines(codeBlock).join('\n');
    codeBlock = [];
    if (block === '') return;
    // A row of a table is one line.
    if (isInCell()) codeOfTable.push(block);
    else addCode(block);
  };

  const addCode = (block: string) => draft.text.push(blockEnd, `${marks.code}${block}${marks.code}`, blockEnd);

  const endSlice = (end: number) => {
    if (end > sliceStart) slices.push([sliceStart, end]);
  };

  // `start` and `end` are those of the tag that ends it.
  const leave = (element: OpenElement, start: number, end: number) => {
    if (element.kind === 'content') {
      content--;
      if (skipped === 0) endSlice(start);
      draft.text.push(blockEnd);
    } else if (element.kind === 'skip') {
      skipped--;
      sliceStart = end;
    } else if (element.kind === 'diagram') skipped--;
    else if (element.kind === 'heading') endHeading();
    else if (element.kind === 'code') {
      code--;
      if (code === 0) endCode();
    } else if (element.kind === 'plain' && content > 0 && skipped === 0 && !heading) endMark(element.name);
    if (headingLink > open.length) headingLink = 0;
  };

  // Elements that are open inside the closed one end where its end tag begins.
  const closeFrom = (index: number, start: number, end: number) => {
    while (open.length > index) leave(open.pop()!, start, open.length === index ? end : start);
  };

  const kindOf = (tag: Tag): OpenElement['kind'] => {
    if (content === 0) {
      if (!part.isContent(tag, open)) return 'plain';
      if (!part.isOpenEnded) return 'content';
      content = 1;
      found = true;
      sliceStart = tag.start;
    }
    if (skipped > 0) return 'plain';
    if (isSkipped(tag, open.at(-1)?.name) || (part.isIgnored?.(tag, open) && !(heading && isHeadingLink(tag)))) return 'skip';
    if (tag.attributes.some(isDiagramSource)) return 'diagram';
    if (tag.name === 'pre') return 'code';
    return headingLevels.has(tag.name) ? 'heading' : 'plain';
  };

  return {
    open(tag) {
      const { name } = tag;
      const closes = impliedCloses.get(name);
      if (closes) {
        const last = open.at(-1);
        if (last && closes.has(last.name)) closeFrom(open.length - 1, tag.start, tag.start);
      }
      if (content > 0 && skipped === 0 && blocks.has(name)) separate(name);
      if (voids.has(name)) return;
      const kind = kindOf(tag);
      let id: string | undefined;
      if (content > 0 && skipped === 0) {
        id = attribute(tag, 'id') || undefined;
        if (heading && name === 'a' && isHeadingLink(tag)) headingLink ||= open.length + 1;
        if (heading && !heading.id && (id ?? (name === 'a' ? attribute(tag, 'name') : undefined))) {
          heading.id = id ?? attribute(tag, 'name');
        }
      }
      if (kind === 'content') {
        content++;
        found = true;
        sliceStart = tag.end;
      } else if (kind === 'skip') {
        skipped++;
        endSlice(tag.start);
      } else if (kind === 'diagram') skipped++;
      else if (kind === 'code') code++;
      else if (kind === 'heading') {
        endHeading();
        const wrapper = textSinceWrapper ? undefined : open.findLast((element) => element.id);
        heading = { level: headingLevels.get(name)!, id: id ?? wrapper?.id, text: [], linkText: [] };
        if (wrapper) wrapper.id = undefined;
      }
      if (id && kind === 'plain') textSinceWrapper = false;
      if (kind === 'plain' && content > 0 && skipped === 0 && !heading) mark(tag);
      open.push({ name, tag, kind, id: kind === 'plain' ? id : undefined });
    },
    close(name, start, end) {
      let index = open.length - 1;
      while (index >= 0 && open[index]!.name !== name) index--;
      if (index < 0) return;
      closeFrom(index, start, end);
      if (content > 0 && skipped === 0 && blocks.has(name)) separate(name);
    },
    text(text) {
      if (content === 0 || skipped > 0) return;
      if (heading) (headingLink > 0 ? heading.linkText : heading.text).push(text);
      else {
        if (code > 0) codeBlock.push(unmarked(text));
        else draft.text.push(unmarked(text));
        if (!textSinceWrapper && text.trim() !== '') textSinceWrapper = true;
      }
    },
    inContent: () => content > 0 && skipped === 0,
    finish(end, page) {
      closeFrom(0, end, end);
      if (content > 0) endSlice(end);
      // The title of the page is a field of its own in every section.
      if (firstTitle?.title === collapse([page.title])) firstTitle.pieces.splice(firstTitle.at, 3);
      return found ? { sections: [...drafts, draft].map((finished) => toSection(finished, page)), slices } : undefined;
    },
  };
}

function toSection(draft: Draft, page: SectionsOf): Section {
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

function collapse(pieces: string[]): string {
  return pieces.join('').replace(/\s+/g, ' ').trim();
}

/** The lines of code, without empty ones. */
function codeLines(pieces: string[]): string[] {
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

function isSkipped(tag: Tag, parent: string | undefined): boolean {
  if (skippedNames.has(tag.name)) return true;
  if (tag.name === 'math') return attribute(tag, 'display') === 'block';
  // A formula in a sentence counts with its TeX.
  if (parent === 'semantics') return attribute(tag, 'encoding') !== 'application/x-tex';
  for (const { name, value } of tag.attributes) {
    if (name === 'data-carrel-skip' || name === 'data-pagefind-ignore' || (name === 'aria-hidden' && value !== 'false'))
      return true;
  }
  return false;
}

/** Whether an attribute says that the element has the source of a Mermaid diagram, as common generators and highlighters do. */
function isDiagramSource({ name, value }: Tag['attributes'][number]): boolean {
  if (name === 'class') return /(?:^|\s)(?:mermaid|lang(?:uage)?-mermaid)(?:\s|$)/i.test(value);
  return (name === 'lang' || name === 'data-language' || name === 'data-lang') && value.toLowerCase() === 'mermaid';
}

function isHeadingLink(tag: Tag): boolean {
  if (!attribute(tag, 'href')?.includes('#')) return false;
  return (attribute(tag, 'class') ?? '')
    .split(/\s+/)
    .some((name) => /^(?:[a-z-]*anchor(?:-link)?|hash-?link|headerlink|permalink)$/i.test(name));
}

// Never in a text: HTML forbids these characters.
const blockEnd = '\x1d';
const cell = '\x1e';
const headCell = '\x1f';

/** Blocks that stand in one line with what is around them. */
const inLine = new Set(['td', 'th', 'br']);

const tableParts = new Set(['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr']);

const headingLevels = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, level]));

const skippedNames = new Set(['script', 'style', 'nav', 'svg', 'template', 'button', 'noscript', 'iframe', 'select', 'dialog']);

const voids = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'param',
  'source',
  'track',
  'wbr',
]);

const blocks = new Set(
  (
    'address article aside blockquote br caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr ' +
    'legend li main ol option p pre section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

// End tags that authors leave out: the element on the left closes one of those on the right when it stands right inside it.
const paragraph = new Set(['p']);
const impliedCloses = new Map<string, Set<string>>([
  ...[...blocks].filter((name) => name !== 'br' && name !== 'option').map((name) => [name, paragraph] as const),
  ['li', new Set(['li', 'p'])],
  ['dt', new Set(['dt', 'dd', 'p'])],
  ['dd', new Set(['dt', 'dd', 'p'])],
  ['td', new Set(['td', 'th', 'p'])],
  ['th', new Set(['td', 'th', 'p'])],
  ['tr', new Set(['td', 'th', 'tr', 'p'])],
  ['option', new Set(['option'])],
]);
