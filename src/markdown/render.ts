import type { Element, ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Problem } from '../../integration/diagnostics.ts';
import type { SourcePage } from '../source/source.ts';
import type { RenderContext, RendererOptions, Report } from './context.ts';
import { expandFile, mostSnippetNodes, nodesOf } from './expand.ts';
import { finishHeadings } from './headings.ts';
import { createCodeHighlighter, type CodeHighlighter } from './highlight.ts';
import { pageById, resolveAddress } from './links.ts';
import { mirror } from './markdown-version.ts';
import { parseMarkdown } from './parse.ts';
import { prepare } from './prepare.ts';
import type { RenderedMarkdown } from './rendered.ts';
import { safeAddress, unsafeLink } from './sanitise.ts';
import { createSnippetLibrary, type SnippetLibrary } from './snippet-library.ts';
import { survey } from './survey.ts';
import { createHandlers, toHtmlNodes } from './to-html.ts';
import { textOf, type MarkdownNode, type PropValue } from './tree.ts';

export type { HighlightCache, RendererOptions } from './context.ts';

export interface MarkdownRenderer {
  /** HTML and Markdown of a page. What is wrong with the page is in `problems`; it never throws for content. */
  render(page: SourcePage): Promise<RenderedMarkdown>;
}

export async function createRenderer(options: RendererOptions): Promise<MarkdownRenderer> {
  const highlighter = await createCodeHighlighter(options.highlightCache);
  const library = createSnippetLibrary(options.snippets, options.variables, options.parser);
  return { render: (page) => renderPage(page, options, highlighter, library) };
}

async function renderPage(
  page: SourcePage,
  options: RendererOptions,
  highlighter: CodeHighlighter,
  library: SnippetLibrary,
): Promise<RenderedMarkdown> {
  const problems: Problem[] = [];
  const report = reporter(page.file, problems);
  const { tree, source, invalid } = parseMarkdown(prepare(page.body, options.variables), page.kind, options.parser);
  if (invalid) {
    report({
      kind: invalid.kind,
      severity: 'warning',
      line: (invalid.line ?? 1) + page.bodyLine,
      message: invalid.message,
      hint: invalid.hint,
    });
  }
  const touched = { components: false, addresses: false };
  const nodes = expandFile(withoutTitle(tree.children ?? [], page), {
    options,
    library,
    report,
    file: page.file,
    source,
    lineOffset: page.bodyLine,
    kind: invalid ? 'md' : page.kind,
    values: Object.create(null),
    elements: Object.create(null),
    depth: 0,
    budget: { nodes: mostSnippetNodes },
    touched,
  });
  const { languages, definitions } = survey(nodes);
  await highlighter.load(languages);
  const addressOf = (href: unknown, allow: { data?: boolean }): string | undefined => {
    const named = typeof href === 'string' ? pageById(href, options.pageIds) : undefined;
    const safe = typeof href === 'string' ? safeAddress(named ?? href, allow) : undefined;
    if (safe === undefined) return undefined;
    const resolved = resolveAddress(safe, page.file, options);
    if (resolved !== href) touched.addresses = true;
    return resolved;
  };
  const imageAddress = (source: unknown) => addressOf(source, { data: true });
  const address = (href: unknown) => {
    const found = addressOf(href, {});
    if (found === undefined && typeof href === 'string') {
      touched.addresses = true;
      report(unsafeLink(href), href);
    }
    return found;
  };
  const context = createContext(page, options, highlighter, report, { address, imageAddress });
  const content = toHtmlNodes(nodes, context.handlers, definitions);
  const headings = finishHeadings(content);
  return {
    html: toHtml({ type: 'root', children: content }, { allowDangerousHtml: true }),
    headings,
    markdown: mirror(nodes, {
      source,
      address,
      imageAddress,
      untouched: !touched.components && !touched.addresses && !source.includes('$$'),
    }),
    problems,
    degraded: Boolean(invalid),
  };
}

function reporter(file: string, problems: Problem[]): Report {
  const reported = new Set<string>();
  return (problem, once) => {
    const key = `${problem.kind} ${once}`;
    if (once !== undefined && reported.has(key)) return;
    reported.add(key);
    problems.push({ page: file, ...problem });
  };
}

function createContext(
  page: SourcePage,
  options: RendererOptions,
  highlighter: CodeHighlighter,
  report: Report,
  addresses: Pick<RenderContext, 'address' | 'imageAddress'>,
) {
  let number = 0;
  const words = (value: string): ElementContent[] => (value ? [{ type: 'text', value }] : []);
  const context: RenderContext = {
    options,
    page,
    highlighter,
    report,
    ...addresses,
    content: (value) => (typeof value === 'string' ? words(value) : toHtmlNodes(nodesOf(value as PropValue), handlers)),
    inlineMarkdown: (value) => {
      if (typeof value !== 'string') return context.content(value);
      if (!/[*_`[<&~]/.test(value)) return words(value);
      const { tree } = parseMarkdown(value, 'md', options.parser);
      const html = toHtmlNodes(
        (tree.children ?? []).filter((node) => node.type !== 'html'),
        handlers,
      );
      return html.length === 1 && (html[0] as Element).tagName === 'p' ? (html[0] as Element).children : html;
    },
    nextNumber: () => ++number,
  };
  const handlers = createHandlers(context);
  return Object.assign(context, { handlers });
}

/** The nodes without a first heading that is shown as the page's title already. */
function withoutTitle(nodes: MarkdownNode[], page: SourcePage): MarkdownNode[] {
  const at = nodes.findIndex((node) => node.type !== 'mdxjsEsm' && node.type !== 'html' && node.type !== 'definition');
  const first = nodes[at];
  if (first?.type !== 'heading' || first.depth !== 1) return nodes;
  const { title } = page.frontmatter;
  const isTitle = typeof title !== 'string' || title.trim().toLowerCase() === textOf(first).trim().toLowerCase();
  return isTitle ? nodes.toSpliced(at, 1) : nodes;
}
