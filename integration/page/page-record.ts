import type { Problem } from '../diagnostics.ts';
import type { PageLoad } from '../html/load.ts';
import { urlsIn, type Reference } from '../html/references.ts';
import type { AnalyzedPage, SearchPage } from '../search/analyze.ts';
import { decode, isElsewhere } from '../urls/parts.ts';
import { markdownUrls } from './markdown-version.ts';
import type { BuiltPage, LinkPosition, PageLink, PageRecord, PageSource, ScannedPage } from './page-types.ts';
import type { PageScan } from './scan-page.ts';

export function recordOf(
  { page, scan, links = linksOf(page, scan) }: ScannedPage,
  loads: PageLoad[],
  analyze: (page: SearchPage) => AnalyzedPage,
): PageRecord {
  const { path, html: _html, markdown, linkTargets, ...rest } = page;
  const record: PageRecord = {
    facts: {
      ...rest,
      description: page.description ?? (markdown === undefined ? undefined : firstParagraph(markdown)),
      hasMarkdown: markdown !== undefined,
      ids: scan.ids,
      sections: scan.sections.length,
      loads,
    },
    links,
    ...(linkTargets && { linkTargets }),
  };
  const { title, tag, trail, area, boost } = page;
  if (page.searchable) record.analyzed = analyze({ page: path, title, tag, trail, area, boost, sections: scan.sections });
  return record;
}

/** The distinct URLs of a page. */
export function linksOf(page: BuiltPage, { references }: Pick<PageScan, 'references'>): PageLink[] {
  const links: PageLink[] = [];
  const seen = new Map<LinkPosition, Set<string>>();
  const add = (position: LinkPosition, url: string) => {
    let known = seen.get(position);
    if (!known) seen.set(position, (known = new Set()));
    if (known.has(url)) return;
    known.add(url);
    if (!isElsewhere(url)) links.push([position, url]);
  };
  for (const reference of references) {
    if (reference.kind === 'root') continue;
    for (const url of urlsIn(reference.kind, reference.value)) add(positionOf(reference), url);
  }
  for (const url of markdownUrls(page.markdown ?? '')) add('markdown', url);
  return links;
}

export function positionOf({ kind, inContent }: Reference): LinkPosition {
  if (kind === 'markdown') return 'markdown-link';
  if (kind === 'link' || kind === 'refresh' || kind === 'meta') return inContent ? 'content' : 'layout';
  return inContent ? 'content-file' : 'layout-file';
}

/** The file and position of a problem on a page, as far as they are known. */
export function sourceLocation(source: PageSource, url: string): { page: string } & Pick<Problem, 'line' | 'column'> {
  type Found = ReturnType<NonNullable<PageSource['positionOf']>>;
  const position = spellings(url).reduce<Found>((found, spelling) => found ?? source.positionOf?.(spelling), undefined);
  const page = source.file ?? (source.path || 'index');
  return { page, ...position };
}

/** How the author may have written a URL: absolute, not encoded, relative to the page, or with the extension of its file. */
function spellings(url: string): string[] {
  const plain = decode(url);
  const end = plain.search(/[?#]|$/);
  const last = plain.slice(plain.lastIndexOf('/', end) + 1);
  const file = (extension: string) => last.replace(/(?=[?#]|$)/, extension);
  const names = [last, ...(/^[^?#.]+(?:[?#]|$)/.test(last) ? [file('.md'), file('.mdx')] : [])];
  const relative =
    last === '' ? [] : names.flatMap((name) => (name === plain ? [] : [`/${name}`, `(${name}`, `"${name}`, `'${name}`]));
  return [...new Set([url, plain, plain.replace(/^\//, ''), ...relative])].filter((spelling) => spelling !== '');
}

/** The first paragraph of a page as plain text, at most 300 characters. */
export function firstParagraph(markdown: string): string | undefined {
  // A fence is taken whole: each shorter part of it would be looked for to the end of the page.
  const bare = markdown.replace(/^(?:(`{3,}(?!`)|~{3,}(?!~)).*\n[\s\S]*?\n\1.*$|:{3,}.*$)/gm, '');
  for (const block of bare.split(/\n\s*\n/)) {
    const text = block.trim();
    if (text === '' || /^(?:[#>|<!\-*+]|\d+[.)]\s|\[[^\]]+\]:|={3}|`{3})/.test(text)) continue;
    const plain = oneLine(
      text
        .replace(/!\[[^\]]*\]\([^)]*\)/g, '')
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/\*\*|__|`/g, '')
        .replace(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1'),
    );
    if (plain !== '') return shortened(plain, 300);
  }
  return undefined;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Cut between words, where one ends in the second half. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  const space = text.lastIndexOf(' ', length - 1);
  return `${text.slice(0, space > length / 2 ? space : length - 1).replace(/\p{Surrogate}/gu, '')}…`;
}
