import type { PageScan } from '../export/scan-page.ts';
import type { BuiltPage } from '../pages/built-page.ts';
import { markdownOfSlices } from '../pages/markdown-of-html.ts';
import { hasWords } from '../pages/sections.ts';
import type { Problem } from '../problem.ts';
import type { Guest } from './guest.ts';
import { serverProblems } from './needs-server.ts';

/** A page of a guest with what only reading it tells: its Markdown, that it has no content, what would need a server. */
export function withContent(page: BuiltPage, scan: PageScan, guest: Guest): BuiltPage {
  const markdown = guest.markdown === false || !scan.content ? undefined : markdownOfSlices(page.html, scan.content);
  const isEmpty = !hasWords(scan);
  const problems = page.searchable && isEmpty ? [withoutContent(page, scan, guest)] : [];
  return {
    ...page,
    markdown,
    problems: [...(page.problems ?? []), ...problems, ...serverProblems(page.path || 'index', scan.needsServer)],
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
