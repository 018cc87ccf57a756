import { errorMessage } from '../errors.ts';
import type { PageScan } from '../page/scan-page.ts';
import type { BuiltPage } from '../page/page-types.ts';
import { hasWords } from '../page/sections.ts';
import { createProblem, type Problem } from '../diagnostics.ts';
import type { StaticSite } from './static-site.ts';
import { isMissingPage } from '../page/not-found-page.ts';
import { serverProblems, type NeedsServer } from './needs-server.ts';

/** Markdown of a page's content; undefined when there is none. Throws what the conversion throws, such as a `RangeError` for deep nesting. */
export type MarkdownOf = (content: string) => string | undefined;

/** Adds what is known once a page is read: its Markdown, and problems about missing content and server features. */
export function withContent(
  page: BuiltPage,
  scan: PageScan,
  needsServer: NeedsServer[],
  site: StaticSite,
  markdownOf: MarkdownOf,
): BuiltPage {
  const problems = [...(page.problems ?? [])];
  if (page.searchable && !hasWords(scan)) problems.push(noContentProblem(page, scan, site));
  problems.push(...serverProblems(page.path || 'index', needsServer));
  if (site.markdown === false || !scan.content || isMissingPage(page.path)) return { ...page, markdown: undefined, problems };
  const content = scan.content.map(([start, end]) => page.html.slice(start, end)).join('');
  try {
    return { ...page, markdown: markdownOf(content), problems };
  } catch (error) {
    return { ...page, markdown: undefined, problems: [...problems, noMarkdownProblem(page, error)] };
  }
}

function noMarkdownProblem({ path }: BuiltPage, error: unknown): Problem {
  return createProblem({
    kind: 'page-without-markdown',
    page: path || 'index',
    message: `The Markdown version could not be generated: ${errorMessage(error)}`,
    hint: 'The page itself is exported. The usual cause is thousands of elements that are never closed. Close them.',
  });
}

function noContentProblem({ path }: BuiltPage, { content }: PageScan, { content: { select } }: StaticSite): Problem {
  const rules = select.length > 4 ? `${select.slice(0, 3).join(', ')}, …` : select.join(', ');
  return createProblem({
    kind: 'page-without-content',
    page: path || 'index',
    message: content
      ? 'The content of the page has no text, so search finds nothing on it.'
      : `No part of the page is content (${rules}), so search finds nothing on it.`,
    hint: 'Name its content in "content", or exclude the page from search: <meta name="carrel:searchable" content="false">.',
  });
}
