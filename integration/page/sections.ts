// Splits the main content of a page at its headings: the introduction, then one section for each heading with an id.
import type { Section } from '../search/index-options.ts';
import { partsOf, type ContentRules, type PartRules } from './content-rules.ts';
import { attribute, readHtml, voidNames, type HtmlReader, type Tag } from '../html/read-html.ts';
import { blocks, sectionDrafts } from './section-drafts.ts';
import type { SectionsOf } from './section-lines.ts';

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
    const reader = new ContentReader(part);
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

/** Reads the content of a page, as one of its parts, while its elements are read. */
export class ContentReader implements HtmlReader {
  readonly #part: PartRules;
  readonly #open: OpenElement[] = [];
  readonly #slices: PageContent['slices'] = [];
  readonly #drafts = sectionDrafts();
  #found = false;
  /** How many elements are open that are the content, and that are left out of it. */
  #content = 0;
  #skipped = 0;
  #sliceStart = 0;
  /** How deep the open link is that only links to the open heading. */
  #headingLink = 0;
  #textSinceWrapper = false;

  constructor(part: PartRules) {
    this.#part = part;
  }

  /** Whether the next text is in the main content, which excludes `data-carrel-skip` elements. */
  inContent(): boolean {
    return this.#content > 0 && this.#skipped === 0;
  }

  open(tag: Tag): void {
    const { name } = tag;
    const open = this.#open;
    const closes = impliedCloses.get(name);
    if (closes && open.length > 0 && closes.has(open.at(-1)!.name)) this.#closeFrom(open.length - 1, tag.start, tag.start);
    const separates = blocks.has(name);
    if (separates && this.inContent()) this.#drafts.separate(name);
    if (voidNames.has(name)) return;
    const kind = this.#kindOf(tag);
    const within = this.inContent();
    const id = within ? attribute(tag, 'id') || undefined : undefined;
    if (within && this.#drafts.inHeading()) {
      if (name === 'a' && isHeadingLink(tag)) this.#headingLink ||= open.length + 1;
      this.#drafts.nameHeading(id ?? (name === 'a' ? attribute(tag, 'name') : undefined));
    }
    this.#enter(kind, tag, id, within);
    open.push({ name, tag, kind, id: kind === 'plain' ? id : undefined });
  }

  close(name: string, start: number, end: number): void {
    let index = this.#open.length - 1;
    while (index >= 0 && this.#open[index]!.name !== name) index--;
    if (index < 0) return;
    this.#closeFrom(index, start, end);
    if (blocks.has(name) && this.inContent()) this.#drafts.separate(name);
  }

  text(text: string): void {
    if (!this.inContent()) return;
    if (!this.#textSinceWrapper && !this.#drafts.inHeading()) this.#textSinceWrapper = text.trim() !== '';
    this.#drafts.text(text, this.#headingLink > 0);
  }

  /** What was read from a page of this length, once it is known what the page is; undefined without main content. Called once. */
  finish(end: number, page: SectionsOf): PageContent | undefined {
    this.#closeFrom(0, end, end);
    if (this.#content > 0) this.#endSlice(end);
    return this.#found ? { sections: this.#drafts.sections(page), slices: this.#slices } : undefined;
  }

  #kindOf(tag: Tag): OpenElement['kind'] {
    const { isContent, isOpenEnded, isIgnored } = this.#part;
    if (this.#content === 0) {
      if (!isContent(tag, this.#open)) return 'plain';
      if (!isOpenEnded) return 'content';
      this.#begin(tag.start);
    }
    if (this.#skipped > 0) return 'plain';
    const isLeftOut =
      isSkipped(tag, this.#open.at(-1)?.name) ||
      (isIgnored?.(tag, this.#open) && !(this.#drafts.inHeading() && isHeadingLink(tag)));
    if (isLeftOut) return 'skip';
    if (tag.attributes.some(isDiagramSource)) return 'diagram';
    if (tag.name === 'pre') return 'code';
    return headingLevels.has(tag.name) ? 'heading' : 'plain';
  }

  #begin(start: number): void {
    this.#content++;
    this.#found = true;
    this.#sliceStart = start;
  }

  #enter(kind: OpenElement['kind'], tag: Tag, id: string | undefined, within: boolean): void {
    if (kind === 'plain') {
      if (id) this.#textSinceWrapper = false;
      if (within && !this.#drafts.inHeading()) this.#drafts.mark(tag);
    } else if (kind === 'content') this.#begin(tag.end);
    else if (kind === 'skip') {
      this.#skipped++;
      this.#endSlice(tag.start);
    } else if (kind === 'diagram') this.#skipped++;
    else if (kind === 'code') this.#drafts.beginCode();
    else {
      const wrapper = this.#textSinceWrapper ? undefined : this.#open.findLast((element) => element.id);
      this.#drafts.beginHeading(headingLevels.get(tag.name)!, id ?? wrapper?.id);
      this.#headingLink = 0;
      if (wrapper) wrapper.id = undefined;
    }
  }

  /** `start` and `end` are those of the tag that ends it. */
  #leave({ kind, name }: OpenElement, start: number, end: number): void {
    if (kind === 'plain') {
      if (this.inContent() && !this.#drafts.inHeading()) this.#drafts.endMark(name);
    } else if (kind === 'content') {
      this.#content--;
      if (this.#skipped === 0) this.#endSlice(start);
      this.#drafts.endBlock();
    } else if (kind === 'skip') {
      this.#skipped--;
      this.#sliceStart = end;
    } else if (kind === 'diagram') this.#skipped--;
    else if (kind === 'code') this.#drafts.endCode();
    else {
      this.#drafts.endHeading();
      this.#headingLink = 0;
    }
    if (this.#headingLink > this.#open.length) this.#headingLink = 0;
  }

  // Elements that are open inside the closed one end where its end tag begins.
  #closeFrom(index: number, start: number, end: number): void {
    while (this.#open.length > index) this.#leave(this.#open.pop()!, start, this.#open.length === index ? end : start);
  }

  #endSlice(end: number): void {
    if (end > this.#sliceStart) this.#slices.push([this.#sliceStart, end]);
  }
}

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

const headingLevels = new Map([1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, level]));

const skippedNames = new Set(['script', 'style', 'nav', 'svg', 'template', 'button', 'noscript', 'iframe', 'select', 'dialog']);

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
