// One pass over a built page: its URLs, ids and sections, and what it loads from external origins.
import { loadFinder, type PageLoads } from '../html/external-loads.ts';
import { posterMark, sizeMark } from '../html/export-marks.ts';
import { attribute, htmlPass, type HtmlReader, type Tag } from '../html/read-html.ts';
import { roleOf, type Reference } from '../html/references.ts';
import type { Section } from '../search/index-options.ts';
import type { ContentRules, PartRules } from './content-rules.ts';
import { contentParts, hasWords, readContent, ContentReader, type PageContent } from './sections.ts';
import type { SectionsOf } from './section-lines.ts';

export interface PageScan {
  /** In the order of the page. */
  references: Reference[];
  /** Targets of anchors: every `id`, and `name` of links. */
  ids: string[];
  /** Every `<base>` with a URL, of which the first applies; the range is the element, or only its `href` if it has other attributes. */
  bases: { href: string; start: number; end: number }[];
  sections: Section[];
  /** The images that get their size from their file: the range of the mark, and the attributes of the image. */
  images: { start: number; end: number; src: string; width?: string; height?: string }[];
  /** The images of videos that are described elsewhere: the ranges of the element and of the mark. */
  posters: { start: number; end: number; mark: { start: number; end: number }; url: string }[];
  /** Where the main content is in the page; undefined when it has none. */
  content: PageContent['slices'] | undefined;
  /** What it loads from external origins. */
  loads: PageLoads;
}

/** Takes the tags of a page along with the scan, as `readHtml` gives them. */
export type PageObserver = Pick<HtmlReader, 'open' | 'close'> & Partial<Pick<HtmlReader, 'text'>>;

/** A page after its one pass. Its content can be told once it is known what the page is, which the page may say itself. */
export interface TokenizedPage extends Omit<PageScan, 'sections' | 'content'> {
  /** Called once. */
  contentOf(page: SectionsOf): Pick<PageScan, 'sections' | 'content'>;
}

/** Reads a page. `content` selects its main content; without it, the page is of our own theme. */
export function scanPage(html: string, page: SectionsOf, content?: ContentRules): PageScan {
  const { contentOf, ...scan } = tokenizePage(html, { content });
  return { ...scan, ...contentOf(page) };
}

export interface TokenizeOptions {
  content?: ContentRules;
  observers?: PageObserver[];
  /** What comes between the tokenizer and the readers of the page. */
  through?: (reader: HtmlReader) => HtmlReader;
}

/** The one pass over a page. */
export function tokenizePage(html: string, options?: TokenizeOptions): TokenizedPage {
  return beginPage(html, options)();
}

/** The same, begun: up to the position `end`. The returned function does the rest, and is called once. */
export function beginPage(
  html: string,
  { content, observers = [], through = (reader) => reader }: TokenizeOptions = {},
  end = 0,
): () => TokenizedPage {
  const parts = contentParts(html, content);
  const sections = new ContentReader(parts.next().value ?? nothing);
  const textObservers = observers.flatMap(({ text }) => text ?? []);
  const references: Reference[] = [];
  const ids: string[] = [];
  const images: PageScan['images'] = [];
  const posters: PageScan['posters'] = [];
  const loads = loadFinder(html, () => sections.inContent());
  const bases: PageScan['bases'] = [];
  let style: number | undefined;

  const reader: HtmlReader = {
    open(tag) {
      sections.open(tag);
      for (const item of tag.attributes) {
        const { name, value, valueStart: start, valueEnd: end, quote } = item;
        if (name === sizeMark) {
          const [src, width, height] = ['src', 'width', 'height'].map((other) => attribute(tag, other));
          if (src) images.push({ start: item.start, end: item.end, src, width, height });
          continue;
        }
        if (name === posterMark) posters.push({ start: tag.start, end: tag.end, mark: item, url: value });
        if (name === 'class' || value === '') continue;
        if (name === 'id' || (name === 'name' && tag.name === 'a')) {
          ids.push(value);
          continue;
        }
        const role = roleOf(tag, item);
        if (role) references.push({ ...role, start, end, quote, value, inContent: sections.inContent() });
      }
      if (tag.name === 'base') bases.push(...baseOf(tag));
      if (tag.name === 'style') style = tag.end;
      loads.open(tag);
      for (const observer of observers) observer.open(tag);
    },
    text(text, start) {
      sections.text(text);
      for (const observe of textObservers) observe(text, start);
    },
    close(name, start, end) {
      sections.close(name, start, end);
      loads.close(name, start, end);
      for (const observer of observers) observer.close(name, start, end);
      if (name !== 'style' || style === undefined) return;
      const value = html.slice(style, start);
      references.push({ kind: 'css', load: 'media', start: style, end: start, quote: '', value, inContent: false });
      style = undefined;
    },
  };
  const contentOf = (page: SectionsOf) => {
    const found = sections.finish(html.length, page);
    // The content element of a theme may be empty on a home page with another layout.
    const main = content
      ? found && hasWords(found)
        ? found
        : (readContent(html, page, parts, hasWords) ?? found)
      : (found ?? readContent(html, page, parts));
    return { sections: main?.sections ?? [], content: main?.slices };
  };
  const readTo = htmlPass(html, through(reader));
  readTo(end);
  return () => {
    readTo(html.length);
    return { references, ids, bases, images, posters, loads: loads.found(), contentOf };
  };
}

// One with a `target` alone still says where links open, as in the pages of frames.
function baseOf(tag: Tag): PageScan['bases'] {
  const href = tag.attributes.find(({ name }) => name === 'href');
  if (!href) return [];
  const { start, end } = tag.attributes.some(({ name }) => name === 'target') ? href : tag;
  return [{ href: href.value, start, end }];
}

const nothing: PartRules = { isContent: () => false };
