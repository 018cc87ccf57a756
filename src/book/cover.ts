// The cover of a book.
import type { Book } from './book.ts';
import { declaration, xmlText } from './xml-tree.ts';

interface CoverOptions {
  color: string;
  /** A `data:` URL. */
  logo: string | undefined;
  /** Where the width is 1200. */
  height?: number;
}

/** Name, color and logo of the site. */
export function cover({ title, version, language, dir }: Book, { color, logo, height = 1600 }: CoverOptions): string {
  const lines = linesOf(title);
  const isRtl = dir === 'rtl';
  const place = isRtl ? 'x="1080" text-anchor="end"' : 'x="120" text-anchor="start"';
  const text = (content: string, y: number, size: number, fill: string) =>
    `<text ${place} y="${y}" font-family="sans-serif" font-size="${size}" font-weight="bold" fill="${fill}">${xmlText(content)}</text>\n`;
  const image = logo
    ? `<image x="${isRtl ? 600 : 120}" y="200" width="480" height="160" preserveAspectRatio="x${isRtl ? 'Max' : 'Min'}YMid meet" xlink:href="${logo}"/>\n`
    : '';
  return `${declaration}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xml:lang="${language}" viewBox="0 0 1200 ${height}" width="1200" height="${height}">
<path fill="#ffffff" d="M0 0h1200v${height}H0z"/>
<path fill="${color}" d="M0 0h1200v80H0zM0 ${height - 80}h1200v80H0z"/>
${image}${lines.map((line, index) => text(line, 620 + index * 106, 80, '#111111')).join('')}${version ? text(version, 640 + lines.length * 106, 64, color) : ''}</svg>
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
