import type { NavigationEntry } from '../../source/docs-json.ts';
import { normalPath } from '../find-page.ts';
import type { PageFacts } from '../page-facts.ts';

/** The table of contents of a book: nested Markdown lists of links, with a heading for each part. */
const summaryFile = 'SUMMARY.md';

interface Line {
  indent: number;
  title: string;
  path?: string;
  pages: Line[];
}

/** Whether a page is the table of contents instead of content. */
export function isSummary(facts: PageFacts): boolean {
  return facts.source.file === summaryFile && linksOf(facts.source.body).length > 1;
}

/** The navigation in a SUMMARY.md. */
export function navigationFromSummary(summary: PageFacts): NavigationEntry {
  const parts: Line[] = [{ indent: -1, title: '', pages: [] }];
  let open: Line[] = [];
  for (const line of summary.source.body.split('\n')) {
    const part = /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
    if (part !== undefined) {
      parts.push({ indent: -1, title: part, pages: [] });
      open = [];
      continue;
    }
    const entry = readLine(line);
    if (!entry) continue;
    open = open.filter((above) => above.indent < entry.indent);
    (open.at(-1) ?? parts.at(-1))?.pages.push(entry);
    open.push(entry);
  }
  return { pages: parts.flatMap((part) => (part.title && part.pages.length ? [toEntry(part)] : part.pages.map(toEntry))) };
}

function toEntry(line: Line): string | NavigationEntry {
  if (line.pages.length === 0 && line.path !== undefined) return line.path || 'index';
  return { group: line.title, ...(line.path !== undefined && { root: line.path || 'index' }), pages: line.pages.map(toEntry) };
}

function readLine(line: string): Line | undefined {
  const [, indent = '', title, address = ''] = /^(\s*)(?:[-*+]\s+)?\[([^\]]+)\]\(([^)]*)\)\s*$/.exec(line) ?? [];
  if (title === undefined) return undefined;
  // A draft chapter has a title but no link.
  const path =
    address.trim() === '' ? undefined : normalPath(address.replace(/#.*$/, '').replace(/(^|\/)README\.md$/i, '$1index.md'));
  return { indent: indent.replaceAll('\t', '    ').length, title, path, pages: [] };
}

function linksOf(body: string): RegExpMatchArray[] {
  return [...body.matchAll(/\]\([^)\s]+\.md(?:#[^)]*)?\)/g)];
}
