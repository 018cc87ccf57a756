import type { PageScan } from '../page/scan-page.ts';
import type { BuiltPage } from '../page/page-types.ts';
import { hasWords } from '../page/sections.ts';
import type { Problem } from '../diagnostics.ts';
import type { Guest } from './static-site.ts';
import { isMissingPage } from '../page/missing-page.ts';
import { serverProblems, type NeedsServer } from './needs-server.ts';

/** Markdown of a page's content; undefined when there is none. Throws what the conversion does, such as a `RangeError` of deep nesting. */
export type MarkdownOf = (content: string) => string | undefined;

/** A page of a guest with what only reading it tells: its Markdown, that it has no content, what would need a server. */
export function withContent(
  page: BuiltPage,
  scan: PageScan,
  needsServer: NeedsServer[],
  guest: Guest,
  markdownOf: MarkdownOf,
): BuiltPage {
  const problems = [...(page.problems ?? [])];
  if (page.searchable && !hasWords(scan)) problems.push(withoutContent(page, scan, guest));
  problems.push(...serverProblems(page.path || 'index', needsServer));
  if (guest.markdown === false || !scan.content || isMissingPage(page.path)) return { ...page, markdown: undefined, problems };
  const content = scan.content.map(([start, end]) => page.html.slice(start, end)).join('');
  try {
    return { ...page, markdown: markdownOf(content), problems };
  } catch (error) {
    return { ...page, markdown: undefined, problems: [...problems, withoutMarkdown(page, error)] };
  }
}

function withoutMarkdown({ path }: BuiltPage, error: unknown): Problem {
  return {
    kind: 'page-without-markdown',
    severity: 'warning',
    page: path || 'index',
    message: `The page's Markdown could not be made: ${error instanceof Error ? error.message : String(error)}`,
    hint: 'The page itself is exported. Most often elements stand thousands deep in each other: have them closed.',
  };
}

function withoutContent({ path }: BuiltPage, { content }: PageScan, { content: { select } }: Guest): Problem {
  const rules = select.length > 4 ? `${select.slice(0, 3).join(', ')}, …` : select.join(', ');
  return {
    kind: 'page-without-content',
    severity: 'warning',
    page: path || 'index',
    message: content
      ? 'The content of the page has no text, so search finds nothing on it.'
      : `No part of the page is content (${rules}), so search finds nothing on it.`,
    hint: 'Name its content in "content", or leave the page out of search: <meta name="carrel:searchable" content="false">.',
  };
}
