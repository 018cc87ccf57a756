import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Problem } from '../../integration/problem.ts';
import type { SourcePage } from '../source/source.ts';
import type { RenderContext, RendererOptions } from './context.ts';
import { expand, nodesOf } from './expand.ts';
import { headingId } from './headings.ts';
import { createCodeHighlighter, type CodeHighlighter } from './highlight.ts';
import { parseMarkdown } from './parse.ts';
import type { Heading, RenderedMarkdown } from './rendered.ts';
import { toHtmlNodes } from './to-html.ts';
import { element, textOf, type PropValue } from './tree.ts';

export type { HighlightCache, RendererOptions } from './context.ts';

export interface MarkdownRenderer {
  render(page: SourcePage): Promise<RenderedMarkdown>;
  /** Digests of the snippets that a page can use, transitively. */
  dependencies(page: SourcePage): string[];
}

export async function createRenderer(options: RendererOptions): Promise<MarkdownRenderer> {
  const highlighter = await createCodeHighlighter();
  return {
    render: (page) => renderPage(page, options, highlighter),
    dependencies: () => [],
  };
}

async function renderPage(page: SourcePage, options: RendererOptions, highlighter: CodeHighlighter): Promise<RenderedMarkdown> {
  const problems: Problem[] = [];
  const reported = new Set<string>();
  const report = (problem: Omit<Problem, 'page'>, once?: string) => {
    const key = `${problem.kind} ${once}`;
    if (once !== undefined && reported.has(key)) return;
    reported.add(key);
    problems.push({ page: page.file, ...problem });
  };
  const { tree, invalid } = parseMarkdown(page.body, page.kind);
  if (invalid) {
    report({
      kind: 'page-not-valid-mdx',
      severity: 'warning',
      line: (invalid.line ?? 1) + page.bodyLine,
      message: `The page is shown as Markdown, because it is not valid MDX: ${invalid.reason}`,
      hint: 'Correct the place named; components work only in valid MDX.',
    });
  }
  const nodes = expand(tree.children ?? [], {
    options,
    file: page.file,
    scope: Object.create(null),
    lineOffset: page.bodyLine,
    report,
  });
  const ids = new Set<string>();
  const context: RenderContext = {
    options,
    page,
    highlighter,
    report,
    address: (href) => href,
    content: (value) => toHtmlNodes(nodesOf(value as PropValue), context),
    toHtml: (some) => toHtmlNodes(some, context),
    uniqueId: (id) => {
      let unique = id;
      for (let n = 2; ids.has(unique); n++) unique = `${id}-${n}`;
      ids.add(unique);
      return unique;
    },
  };
  const content = toHtmlNodes(nodes, context);
  const headings = finishHeadings(content, context);
  return {
    html: toHtml({ type: 'root', children: content }),
    headings,
    markdown: page.body.trim(),
    problems,
    degraded: Boolean(invalid),
  };
}

function finishHeadings(nodes: ElementContent[], context: RenderContext, found: Heading[] = []): Heading[] {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const depth = /^h[1-6]$/.test(node.tagName) ? Number(node.tagName[1]) : 0;
    if (depth) found.push(finishHeading(node, depth, context));
    else finishHeadings(node.children, context, found);
  }
  return found;
}

function finishHeading(node: Element, depth: number, context: RenderContext): Heading {
  const text = textOf(node).trim();
  const id = context.uniqueId(String(node.properties.id ?? (headingId(text) || 'section')));
  node.properties.id = id;
  node.children.push(element('a', { class: 'c-anchor', href: `#${id}`, 'aria-labelledby': id }));
  return { depth: Math.max(2, depth), id, text };
}
