// The files of a book beside its chapters: package document, navigation.
import type { Book, ChapterText } from '../book/book.ts';
import { contentsList, type Entry } from '../book/contents.ts';
import { declaration, xmlText } from '../book/xml-tree.ts';

export interface ManifestItem {
  href: string;
  type: string;
  properties?: string[];
  /** Whether the file is a part of the reading order. */
  isRead?: boolean;
}

export const container = `${declaration}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

const idOf = (href: string) => href.replace(/\W+/g, '-');

export function packageDocument(book: Book, items: ManifestItem[]): string {
  const { identifier, title, version, description, language, dir, siteUrl, generator, modified } = book;
  const images = items.filter(({ href }) => href.startsWith('images/'));
  const has = (property: string) => items.some(({ properties }) => properties?.includes(property));
  const isVisual = images.length > 0 || has('svg');
  const access = {
    accessMode: isVisual ? 'textual visual' : 'textual',
    accessModeSufficient: isVisual ? 'textual,visual' : 'textual',
    accessibilityFeature: `tableOfContents readingOrder structuralNavigation displayTransformability${has('mathml') ? ' MathML' : ''}${isVisual ? ' alternativeText' : ''}`,
    accessibilityHazard: images.some(({ type }) => type === 'image/gif') ? 'unknown' : 'none',
  };
  const accessLines = Object.entries(access).flatMap(([name, values]) =>
    values.split(' ').map((value) => `    <meta property="schema:${name}">${value}</meta>\n`),
  );
  const line = (name: string, text: string | undefined) => (text ? `    <dc:${name}>${xmlText(text)}</dc:${name}>\n` : '');
  // What readers show that know nothing newer than EPUB 3.2, which has no WebP.
  const more = ({ type, properties }: ManifestItem) =>
    (properties?.length ? ` properties="${properties.join(' ')}"` : '') + (type === 'image/webp' ? ' fallback="cover-svg"' : '');
  const itemLines = items.map(
    (item) => `    <item id="${idOf(item.href)}" href="${item.href}" media-type="${item.type}"${more(item)}/>\n`,
  );
  return `${declaration}<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book-id" xml:lang="${language}" dir="${dir}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="book-id">${identifier}</dc:identifier>
${line('title', [title, version].filter(Boolean).join(' '))}${line('language', language)}${line('description', description)}${line('source', siteUrl)}    <meta property="dcterms:modified">${modified}</meta>
${accessLines.join('')}    <meta property="schema:accessibilitySummary" xml:lang="en">Generated from documentation: text with headings, lists, tables and code in reading order. Images have the alternative texts of their authors.</meta>
    <meta name="generator" content="${xmlText(generator)}"/>
    <meta name="cover" content="cover-svg"/>
  </metadata>
  <manifest>
${itemLines.join('')}  </manifest>
  <spine toc="toc-ncx" page-progression-direction="${dir}">
${items.flatMap(({ href, isRead }) => (isRead ? [`    <itemref idref="${idOf(href)}"/>\n`] : [])).join('')}  </spine>
</package>
`;
}

export function xhtml({ title, language, dir, body }: ChapterText): string {
  return `${declaration}<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}" dir="${dir}">
<head><title>${xmlText(title)}</title><link rel="stylesheet" type="text/css" href="book.css"/></head>
<body>${body}</body>
</html>
`;
}

/** The list of chapters. */
export function navigationDocument(book: Book, entries: Entry[], label: string): string {
  const title = xmlText(label);
  const body = `<nav epub:type="toc" id="toc" role="doc-toc" aria-label="${title}"><h1>${title}</h1>${contentsList(entries)}</nav>`;
  return xhtml({ ...book, title: label, body });
}

/** The same list for older e-readers. */
export function ncx({ identifier, title, language }: Book, entries: Entry[]): string {
  let number = 0;
  const first = ({ href, children }: Entry): string => href ?? first(children[0]!);
  const point = (entry: Entry): string =>
    `<navPoint id="point-${++number}"><navLabel><text>${xmlText(entry.title)}</text></navLabel><content src="${first(entry)}"/>${entry.children.map(point).join('')}</navPoint>\n`;
  return `${declaration}<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="${language}">
<head><meta name="dtb:uid" content="${identifier}"/></head>
<docTitle><text>${xmlText(title)}</text></docTitle>
<navMap>
${entries.map(point).join('')}</navMap>
</ncx>
`;
}
