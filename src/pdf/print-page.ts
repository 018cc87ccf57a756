// Chapters of a book as an HTML page to print.
import type { Book, ChapterText } from '../book/book.ts';
import { readTree, type XmlElement, type XmlNode, xmlText } from '../book/xml-tree.ts';

export const papers = { a4: { size: 'A4', ratio: 297 / 210 }, letter: { size: 'letter', ratio: 11 / 8.5 } };
export type Paper = keyof typeof papers;

export interface Heading {
  depth: number;
  title: string;
  id: string;
}

/** How the IDs of a chapter begin; its first place has no more than that. */
export const prefixOf = (number: number): string => `c${number}-`;

function textOf(node: XmlNode): string {
  if (typeof node === 'string') return node;
  return /^(?:svg|annotation)$/.test(node.name) ? '' : node.children.map(textOf).join(node.name === 'br' ? ' ' : '');
}

const textIn = (xml: string): string => readTree(xml).map(textOf).join('').replace(/\s+/g, ' ').trim();

/** Characters that a line of a table has room for. */
const tableWidth = 66;

/** A table whose columns are as wide as their longest words, where there is room: Chromium breaks words, or lets a table leave the page. */
function withWholeWords(xml: string): string {
  const [table] = readTree(xml) as [XmlElement];
  if (/\bc-wide\b/.test(table.attributes.class ?? '')) return xml;
  const parts = (table.children as XmlElement[]).filter(({ name }) => name !== 'caption');
  const longest: number[] = [];
  // The rows that a cell still takes of each column.
  const taken: number[] = [];
  for (const row of parts.flatMap(({ children }) => children) as XmlElement[]) {
    let column = 0;
    for (const cell of row.children as XmlElement[]) {
      const { colspan = 1, rowspan = 1 } = cell.attributes;
      while (taken[column]! > 0) column++;
      const lengths = textOf(cell)
        .split(/\s+|(?<=-)/)
        .map((word) => word.length + 1);
      if (colspan === 1) longest[column] = Math.max(longest[column] ?? 0, ...lengths);
      for (const end = column + Number(colspan); column < end; column++) taken[column] = Number(rowspan);
    }
    for (const [index, count] of taken.entries()) taken[index] = count - 1;
  }
  const total = (most: number) => longest.reduce((sum, length) => sum + Math.min(length, most), 0);
  let most = tableWidth;
  while (most > 1 && total(most) > tableWidth) most--;
  const columns = Array.from(longest.keys(), (column) => {
    const length = Math.min(longest[column] ?? 0, most);
    return length > 0 ? `<col style="min-width: calc(${length}ch + 1em)"/>` : '<col/>';
  });
  return xml.replace(
    /^<table[^>]*>(?:<caption[\s\S]*?<\/caption>)?/,
    (start) => `${start}<colgroup>${columns.join('')}</colgroup>`,
  );
}

/** A chapter as a part of a page, and its headings, each with an ID. */
export function sectionOf({ title, language, dir, body }: ChapterText, number: number): { text: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const inside = body
    .replace(/<h([1-6])((?: [^>]*)?)>([\s\S]*?)<\/h\1>/g, (all, depth: string, attributes: string, content: string) => {
      const heading = textIn(content);
      if (heading === '') return all;
      const own = / id="([^"]*)"/.exec(attributes)?.[1];
      const id = own ?? `${prefixOf(number)}.${headings.length}`;
      headings.push({ depth: Number(depth), title: heading, id });
      return own === undefined ? `<h${depth}${attributes} id="${id}">${content}</h${depth}>` : all;
    })
    .replace(/<table[ >](?:(?!<table[ >])[\s\S])*?<\/table>/g, withWholeWords)
    // The styles of a drawing are its own.
    .replace(/<style([^>]*)>([\s\S]*?)<\/style>/g, '<style$1>@scope {$2}</style>');
  const id = prefixOf(number);
  const text = `<section id="${id}" class="c-chapter" data-title="${xmlText(title)}" lang="${language}" dir="${dir}">${inside}</section>`;
  return { text, headings };
}

const link = /<pre[ >][\s\S]*?<\/pre>|<a ([^>]*?)href="page-(\d+)\.xhtml(?:#([^"]*))?"([^>]*)>([\s\S]*?)<\/a>/g;

/** The IDs that links in a text open. */
export function linkedIds(text: string): string[] {
  return [...text.matchAll(/ href="page-(\d+)\.xhtml(?:#([^"]*))?"/g)].map(([, number, id]) => id ?? prefixOf(Number(number)));
}

/** A text whose links open places of the PDF, with what `after` adds to each. */
export function printed(text: string, after: (id: string, words: string) => string): string {
  return text.replace(
    link,
    (all, before: string, number: string | undefined, id: string | undefined, rest: string, content: string) => {
      if (number === undefined)
        return all.replace(
          / href="page-(\d+)\.xhtml(?:#([^"]*))?"/g,
          (_, page: string, at?: string) => ` href="book:${at ?? prefixOf(Number(page))}"`,
        );
      const target = id ?? prefixOf(Number(number));
      return `<a ${before}href="book:${target}"${rest}>${content}${after(target, textIn(content))}</a>`;
    },
  );
}

interface PrintOptions {
  book: Book;
  paper: Paper;
  style: string;
  /** Number of the first page. */
  first: number;
  /** The IDs in the page that something opens: Chromium only says where those are that the page links to. */
  ids: string[];
}

export function printDocument(body: string, { book, paper, style, first, ids }: PrintOptions): string {
  const heads = [...body.matchAll(/<section id="(c\d+)-" class="c-chapter" data-title="([^"]*)"/g)].map(([, name, title]) =>
    pageRules(name!, { head: textIn(title!), dir: book.dir, paper }),
  );
  const policy = "default-src 'none'; img-src file: data:; font-src file:; style-src 'unsafe-inline'";
  const places = ids.map((id) => `<a href="#${id}"></a>`).join('');
  return `<!DOCTYPE html>
<html lang="${book.language}" dir="${book.dir}">
<head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}"><title>${xmlText(book.title)}</title>
<style>${style}
@page:first { counter-set: page ${first}; }
${heads.join('\n')}</style></head>
<body>${body}<div hidden>${places}</div></body>
</html>
`;
}

/** The running head of a chapter. Pages of wide tables are turned, and have it, too. */
function pageRules(name: string, { head: title, dir, paper }: { head: string; dir: Book['dir']; paper: Paper }): string {
  const head = `@top-${dir === 'rtl' ? 'left' : 'right'} { content: ${cssText(title)}; }`;
  return `@page ${name} { ${head} }
@page ${name}-wide { size: ${papers[paper].size} landscape; ${head} }
#${name}- { page: ${name}; }
#${name}- .c-turned { page: ${name}-wide; }`;
}

function cssText(text: string): string {
  return `"${text.replace(/["\\<\n\r\f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;
}

interface StyleOptions {
  book: Book;
  paper: Paper;
  /** The style of the root, and the stylesheets of the site. */
  sheets: string[];
  /** The light value of a variable. */
  color: (variable: string) => string;
  /** The rules of its fonts. */
  fonts: string;
}

/** What a book on paper has beyond the look of a book. */
export function printStyle({ book, paper, sheets, color, fonts }: StyleOptions): string {
  const all = sheets.join(';');
  const families = ['--font-sans', '--font-body', '--font-heading', '--font-code'].flatMap((name) => {
    const value = new RegExp(`${name}:([^;{}<]+)`).exec(all)?.[1];
    return value === undefined ? [] : [`${name}: ${value};`];
  });
  const { size } = papers[paper];
  const [start, end] = book.dir === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  const small = `font: 8pt var(--font-sans); color: ${color('--muted')};`;
  return `${fonts}
:root { ${families.join(' ')} print-color-adjust: exact; }
@page { size: ${size}; margin: 22mm 18mm 20mm; @top-${start} { content: ${cssText(book.title)}; ${small} } @top-${end} { ${small} } @bottom-${end} { content: counter(page); ${small} } }
@page cover { margin: 0; @top-${start} { content: none; } @bottom-${end} { content: none; } }
body { margin: 0; font: 10pt/1.5 var(--font-body); color: ${color('--text')}; orphans: 2; widows: 2; }
h1, h2, h3, h4, h5, h6 { font-family: var(--font-heading); break-inside: avoid; }
.c-step-title, .c-tab-title, .c-view-title, .c-accordion-summary, .c-code-title, .c-contents li > span { break-after: avoid; }
h1 { margin-top: 0; }
code, pre, kbd, samp { font-family: var(--font-code); font-size: 8.5pt; }
code, pre, a, td, th { overflow-wrap: anywhere; }
pre { orphans: 5; widows: 3; line-height: 1.45; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
a { text-decoration: none; }
.c-chapter { break-before: page; }
.c-cover { page: cover; }
.c-cover img { display: block; width: 100vw; max-width: none; height: 99.5vh; max-height: none; }
img, svg, figure:not(:has(pre)), .c-callout, .c-card, tr { break-inside: avoid; }
img, svg { max-height: 225mm; object-fit: contain; }
thead { display: table-header-group; }
td col, th col { min-width: 0 !important; }
.c-wide img, .c-wide svg { max-height: 140mm; }
.c-page-ref { color: ${color('--muted')}; font-size: 0.9em; white-space: nowrap; }
nav.c-contents { break-before: page; }
.c-contents ol { margin: 0; padding-inline-start: 1.2em; }
.c-contents > ol { padding: 0; }
.c-contents li > span { display: block; }
.c-contents li { break-inside: auto; margin: 0.2em 0; }
.c-contents a { display: flex; gap: 0.4em; color: inherit; }
.c-contents a::before { content: ''; order: 1; flex: 1; min-width: 2em; border-bottom: 1px dotted ${color('--border-strong')}; margin-bottom: 0.35em; }
.c-contents .c-page-ref { order: 2; font-size: inherit; font-variant-numeric: tabular-nums; }
`;
}
