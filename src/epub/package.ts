// The files of a book beside its chapters: package document, navigation, cover.
import { hash } from 'node:crypto';
import type { Entry } from './contents.ts';
import { xmlText } from './xml-tree.ts';

export interface Book {
  title: string;
  description?: string;
  language: string;
  dir: 'ltr' | 'rtl';
  /** Public URL of the site. */
  siteUrl?: string;
  version?: string;
  generator: string;
  /** ISO date without milliseconds. */
  modified: string;
}

export interface ManifestItem {
  href: string;
  type: string;
  properties?: string[];
  /** Whether the file is a part of the reading order. */
  isRead?: boolean;
  /** The file that readers show who do not know its type. */
  fallback?: string;
}

export const container = `<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="EPUB/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
`;

/** The same for each edition of a book. */
function identifierOf({ siteUrl, title, language, version }: Book): string {
  const digest = hash('sha256', JSON.stringify([siteUrl ?? title, language, version ?? '']));
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `a${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}

const idOf = (href: string) => href.replace(/\W+/g, '-');

export function packageDocument(book: Book, items: ManifestItem[]): string {
  const has = (property: string) => items.some(({ properties }) => properties?.includes(property));
  const images = items.filter(({ href }) => href.startsWith('images/'));
  const isVisual = images.length > 0 || has('svg');
  const access = [
    ['accessMode', 'textual'],
    ...(isVisual ? [['accessMode', 'visual']] : []),
    ['accessModeSufficient', isVisual ? 'textual,visual' : 'textual'],
    ...['tableOfContents', 'readingOrder', 'structuralNavigation', 'displayTransformability'].map((one) => [
      'accessibilityFeature',
      one,
    ]),
    ...(has('mathml') ? [['accessibilityFeature', 'MathML']] : []),
    ...(isVisual ? [['accessibilityFeature', 'alternativeText']] : []),
    ['accessibilityHazard', images.some(({ type }) => type === 'image/gif') ? 'unknown' : 'none'],
  ];
  const line = (name: string, text: string | undefined) => (text ? `    <dc:${name}>${xmlText(text)}</dc:${name}>\n` : '');
  const { title, version, description, language, dir, siteUrl, generator, modified } = book;
  const summary =
    'Generated from documentation: text with headings, lists, tables and code in reading order. Images have the alternative texts of their authors.';
  return `<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="book-id" xml:lang="${language}" dir="${dir}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="book-id">${identifierOf(book)}</dc:identifier>
${line('title', [title, version].filter(Boolean).join(' '))}${line('language', language)}${line('description', description)}${line('source', siteUrl)}    <meta property="dcterms:modified">${modified}</meta>
${access.map(([name, value]) => `    <meta property="schema:${name}">${value}</meta>\n`).join('')}    <meta property="schema:accessibilitySummary" xml:lang="en">${summary}</meta>
    <meta name="generator" content="${xmlText(generator)}"/>
    <meta name="cover" content="${idOf('cover.svg')}"/>
  </metadata>
  <manifest>
${items.map(itemLine).join('')}  </manifest>
  <spine toc="${idOf('toc.ncx')}" page-progression-direction="${dir}">
${items.flatMap(({ href, isRead }) => (isRead ? [`    <itemref idref="${idOf(href)}"/>\n`] : [])).join('')}  </spine>
</package>
`;
}

function itemLine({ href, type, properties = [], fallback }: ManifestItem): string {
  const more =
    (properties.length > 0 ? ` properties="${properties.join(' ')}"` : '') + (fallback ? ` fallback="${idOf(fallback)}"` : '');
  return `    <item id="${idOf(href)}" href="${href}" media-type="${type}"${more}/>\n`;
}

export function xhtml({ title, language, dir, body }: { title: string; language: string; dir: string; body: string }): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="${language}" xml:lang="${language}" dir="${dir}">
<head><title>${xmlText(title)}</title><link rel="stylesheet" type="text/css" href="book.css"/></head>
<body>${body}</body>
</html>
`;
}

/** The list of chapters, whose files are in `files`. */
export function navigationDocument(book: Book, entries: Entry[], label: string, files: ReadonlyMap<Entry, string>): string {
  const list = (level: Entry[]): string => `<ol>\n${level.map(item).join('')}</ol>`;
  const item = (entry: Entry): string => {
    const file = files.get(entry);
    const title = xmlText(entry.title);
    const name = file === undefined ? `<span>${title}</span>` : `<a href="${file}">${title}</a>`;
    return `<li>${name}${entry.children.length > 0 ? list(entry.children) : ''}</li>\n`;
  };
  const title = xmlText(label);
  return xhtml({
    ...book,
    title: label,
    body: `<nav epub:type="toc" id="toc" role="doc-toc" aria-label="${title}"><h1>${title}</h1>${list(entries)}</nav>`,
  });
}

/** The same list for older e-readers. */
export function ncx(book: Book, entries: Entry[], files: ReadonlyMap<Entry, string>): string {
  let number = 0;
  const first = (entry: Entry): string => files.get(entry) ?? first(entry.children[0]!);
  const depth = (level: Entry[]): number =>
    level.length === 0 ? 0 : 1 + Math.max(...level.map(({ children }) => depth(children)));
  const point = (entry: Entry): string =>
    `<navPoint id="point-${++number}"><navLabel><text>${xmlText(entry.title)}</text></navLabel><content src="${first(entry)}"/>${entry.children.map(point).join('')}</navPoint>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="${book.language}">
<head><meta name="dtb:uid" content="${identifierOf(book)}"/><meta name="dtb:depth" content="${depth(entries)}"/></head>
<docTitle><text>${xmlText(book.title)}</text></docTitle>
<navMap>
${entries.map(point).join('')}</navMap>
</ncx>
`;
}

interface CoverOptions {
  color: string;
  /** A `data:` URL. */
  logo?: string;
}

/** Name, color and logo of the site. */
export function cover({ title, version, language, dir }: Book, { color, logo }: CoverOptions): string {
  const lines = linesOf(title);
  const [x, anchor] = dir === 'rtl' ? [1080, 'end'] : [120, 'start'];
  const text = (content: string, y: number, size: number, fill: string) =>
    `<text x="${x}" y="${y}" text-anchor="${anchor}" font-family="sans-serif" font-size="${size}" font-weight="bold" fill="${fill}">${xmlText(content)}</text>\n`;
  const image = logo
    ? `<image x="120" y="200" width="480" height="160" preserveAspectRatio="xMinYMid meet" href="${logo}" xlink:href="${logo}"/>\n`
    : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="${language}" viewBox="0 0 1200 1600" width="1200" height="1600">
<rect width="1200" height="1600" fill="#ffffff"/>
<rect width="1200" height="80" fill="${color}"/>
<rect y="1520" width="1200" height="80" fill="${color}"/>
${image}${lines.map((line, index) => text(line, 620 + index * 130, 104, '#111111')).join('')}${version ? text(version, 660 + lines.length * 130, 64, color) : ''}</svg>
`;
}

/** At most five lines. Longer words, and texts without spaces, are cut. */
function linesOf(title: string): string[] {
  const lines: string[] = [];
  for (const word of title.match(/[\u1100-\uffff]{1,9}|[^\s\u1100-\uffff]{1,18}/g) ?? []) {
    const longer = `${lines.at(-1) ?? ''} ${word}`.trim();
    if (lines.length > 0 && longer.length <= 18 && !/[\u1100-\uffff]/.test(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.slice(0, 5);
}
