import type { ElementContent } from 'hast';
import { toHtml } from 'hast-util-to-html';
import type { Problem } from '../../integration/diagnostics.ts';
import type { FeedEntry, LinkTargets } from '../../integration/page/page-types.ts';
import { labelsOf, type ReferenceLabels } from '../../integration/texts/index.ts';
import { isInSnippetFolder } from '../source/snippets.ts';
import { positionOfUrl, type SourcePage } from '../source/source.ts';
import { classLanguage } from './components/props.ts';
import type { RenderContext, RenderedUpdate, RendererOptions, Report } from './context.ts';
import { type ExpandContext, expandFile, mostSnippetNodes, mostSteps, nodesOf } from './expand.ts';
import { readFence, takeLineMarks } from './code-block.ts';
import { createDiagramDrawer, type Drawings } from './diagram-drawer.ts';
import { diagramElement } from './diagrams.ts';
import { createTermMarker, type TermMarker } from './glossary.ts';
import { finishHeadings, type Heading } from './headings.ts';
import { type CodeHighlighter, type CodeToHighlight, createCodeHighlighter, plainHighlighter } from './highlight/highlight.ts';
import { iconSvg } from './icons.ts';
import { renderIslands } from './islands.ts';
import { termTarget } from './links.ts';
import { markdownVersion } from './markdown-version.ts';
import { createPageUrls } from './page-urls.ts';
import { parseMarkdown } from './parse.ts';
import { prepare } from './prepare.ts';
import { mayHaveLocalUrl, reportReaderFaults } from './reader-faults.ts';
import { createSnippetLibrary, type SnippetLibrary } from './snippet-library.ts';
import { finishImages } from './images.ts';
import { reporter, reportFaults } from './reporter.ts';
import { reportRepeatedHeadings } from './repeated-headings.ts';
import { createHandlers, pageToHtml, partToHtml } from './to-html.ts';
import { Content, element, isComponent, type MarkdownNode, type Props } from './tree.ts';
import { feedEntries } from './updates.ts';
import { utilitiesOf } from './utility-classes.ts';
import { visibleSyntax } from './visible-syntax.ts';

export type { RendererOptions } from './context.ts';
export type { HighlightCache } from './highlight/highlight.ts';

export interface MarkdownRenderer {
  /** HTML and Markdown of a page in a language, English by default. Faults in its content are in `problems`; they never throw. */
  render(page: SourcePage, language?: string): Promise<RenderedMarkdown>;
}

export function createRenderer(options: RendererOptions): MarkdownRenderer {
  const { drawingProgram, highlightCache } = options;
  const highlighter = options.plainCode ? plainHighlighter : createCodeHighlighter(highlightCache);
  const draw = drawingProgram && createDiagramDrawer(drawingProgram, highlightCache);
  const library = createSnippetLibrary(options.snippets, options.variables, options.parser);
  const markTerms = options.glossary && createTermMarker(options.glossary);
  return {
    async render(page, language) {
      const { reference } = await labelsOf(language);
      return renderPage(page, reference, options, { highlighter, draw, library, markTerms });
    },
  };
}

/** Gives the bodies of pages without MDX, as the renderer reads them. Problems are left to the renderer. */
export function createBodyReader(options: RendererOptions): (page: SourcePage) => MarkdownNode[] {
  const library = createSnippetLibrary(options.snippets, options.variables, options.parser);
  return (page) => expandPage(page, options, library).nodes;
}

interface ExpandedPage {
  /** The body without MDX: its expressions and snippets are inserted. */
  nodes: MarkdownNode[];
  expansion: ExpandContext;
  found: { components: boolean; changedUrls: boolean };
  report: Report;
  problems: Problem[];
  degraded: boolean;
}

function expandPage(page: SourcePage, options: RendererOptions, library: SnippetLibrary): ExpandedPage {
  const problems: Problem[] = [];
  const report = reporter(page, problems);
  const parsed = parseMarkdown(prepare(page.body, options.variables), page.kind, options.parser);
  const { tree, source, invalid, faults = [] } = parsed;
  reportFaults(page, parsed, report);
  const found = { components: false, changedUrls: false };
  const expansion: ExpandContext = {
    options,
    library,
    report,
    file: page.file,
    source,
    lineOffset: page.bodyLine,
    kind: invalid ? 'md' : page.kind,
    // Astro gives pages their frontmatter.
    values: Object.assign(Object.create(null), { frontmatter: page.frontmatter }),
    elements: Object.create(null),
    depth: 0,
    budget: { nodes: mostSnippetNodes, steps: mostSteps },
    found,
  };
  reportRepeatedHeadings(tree.children ?? [], page, report);
  const nodes = expandFile(tree.children ?? [], expansion);
  return { nodes, expansion, found, report, problems, degraded: Boolean(invalid ?? faults[0]) };
}

interface Tools {
  highlighter: CodeHighlighter;
  draw: ReturnType<typeof createDiagramDrawer> | undefined;
  library: SnippetLibrary;
  markTerms: TermMarker | undefined;
}

async function renderPage(
  page: SourcePage,
  labels: ReferenceLabels,
  options: RendererOptions,
  { highlighter, draw, library, markTerms }: Tools,
): Promise<RenderedMarkdown> {
  const { nodes, expansion, found, report, problems, degraded } = expandPage(page, options, library);
  const { source } = expansion;
  const positionOf = (url: string) => positionOfUrl(page, url) ?? {};
  // Outside docs.json, a folder of snippets is one of pages.
  if ((found.components || mayHaveLocalUrl.test(source)) && !isInSnippetFolder(page.file))
    reportReaderFaults(nodes, { report, positionOf, source });
  const { before = [], after = [] } = options.generated?.(page, labels, nodes) ?? {};
  if (before.length + after.length > 0) found.components = true;
  nodes.unshift(...before.map((node) => withMarkdown(node, expansion)));
  nodes.push(...after.map((node) => withMarkdown(node, expansion)));
  const { code, diagrams, definitions } = scanTree(nodes);
  await highlighter.load(code);
  const drawings: Drawings = (await draw?.(diagrams)) ?? new Map();
  const { linkUrl, imageUrl, targets } = createPageUrls(page, options, report, () => (found.changedUrls = true));
  const classes = new Set<string>();
  const updates: RenderedUpdate[] = [];
  const markdown = (nodes: MarkdownNode[]) => markdownVersion(nodes, { source, linkUrl, imageUrl, labels, unchanged: false });
  const given = { highlighter, drawings, labels, linkUrl, imageUrl, markdown, classes, updates };
  const terms = new Map<string, string>();
  const handlers = handlersOf(page, options, report, given, (text, context) => markTerms?.(text, terms, context));
  const content = gatherExamples(pageToHtml(nodes, definitions, handlers));
  const headings = finishHeadings(content);
  finishImages(content);
  for (const problem of visibleSyntax(content, page)) report(problem);
  const { islands } = options;
  const iconOf = (name: string, wanted: { type?: string; size: number }) => iconSvg(name, options.iconLibrary, wanted) ?? '';
  const islandScripts = islands ? await renderIslands(content, { islands, report, classes, iconOf }) : [];
  return {
    html: toHtml({ type: 'root', children: content }, { allowDangerousHtml: true }),
    headings,
    utilities: await utilitiesOf(classes),
    islands: islandScripts,
    updates: feedEntries(updates, headings),
    markdown: markdownVersion(nodes, {
      source,
      linkUrl,
      imageUrl,
      labels,
      unchanged: !found.components && !found.changedUrls && !source.includes('$$'),
    }),
    problems,
    degraded,
    linkTargets: [...targets, ...[...terms].map(([term, definition]): [string, string] => [termTarget + term, definition])],
  };
}

function handlersOf(
  page: SourcePage,
  options: RendererOptions,
  report: Report,
  given: Pick<RenderContext, 'highlighter' | 'drawings' | 'labels' | 'linkUrl' | 'imageUrl' | 'markdown' | 'classes' | 'updates'>,
  markTerms: (text: string, context: RenderContext) => ElementContent[] | undefined,
) {
  let number = 0;
  const textNodes = (value: string): ElementContent[] => (value ? [{ type: 'text', value }] : []);
  const context: RenderContext = {
    options,
    page,
    report,
    ...given,
    content: (value) => (typeof value === 'string' ? textNodes(value) : partToHtml(nodesOf(value), handlers)),
    inlineMarkdown: (value) => {
      if (typeof value !== 'string') return context.content(value);
      if (!/[*_`[<&~]/.test(value)) return textNodes(value);
      const { tree } = parseMarkdown(value, 'md', options.parser);
      const nodes = (tree.children ?? []).filter((node) => node.type !== 'html');
      const html = partToHtml(nodes, handlers);
      const [only, ...others] = html;
      return only?.type === 'element' && only.tagName === 'p' && others.length === 0 ? only.children : html;
    },
    prose: (text) => markTerms(text, context) ?? textNodes(text),
    positionOf: (url) => positionOfUrl(page, url) ?? {},
    nextNumber: () => ++number,
  };
  const handlers = createHandlers(context);
  return handlers;
}

/** A generated node whose Markdown is parsed: plain Markdown with HTML, where braces are text. */
function withMarkdown(node: MarkdownNode, context: ExpandContext): MarkdownNode {
  if (node.type !== 'markdown')
    return node.children ? { ...node, children: node.children.map((child) => withMarkdown(child, context)) } : node;
  const { tree, source } = parseMarkdown(prepare(node.value ?? '', {}), 'md', context.options.parser);
  const children = expandFile(tree.children ?? [], { ...context, source, kind: 'md' });
  return { type: 'fragment', source, children };
}

/** The examples of requests and responses, and panels, in one element, before the first heading or field: wide screens show it beside the text. */
function gatherExamples(content: ElementContent[]): ElementContent[] {
  const isExample = (node: ElementContent) =>
    node.type === 'element' && /\bc-(?:example|panel)(?!-)\b/.test(String(node.properties.class ?? ''));
  const examples = content.filter(isExample);
  if (examples.length === 0) return content;
  const starts = (node: ElementContent) =>
    node.type === 'element' && (/^h[1-6]$/.test(node.tagName) || /\bc-field\b/.test(String(node.properties.class ?? '')));
  const at = content.findIndex((node) => starts(node) || isExample(node));
  const others = content.filter((node) => !isExample(node));
  return others.toSpliced(
    at,
    0,
    element('div', { class: 'c-examples' }, [element('div', { class: 'c-examples-body' }, examples)]),
  );
}

/** A page's body as safe HTML with root-absolute URLs, its headings, and its Markdown version. */
export interface RenderedMarkdown {
  html: string;
  headings: Heading[];
  /** Tailwind's classes in its HTML, sorted. */
  utilities: string[];
  /** Ids of the scripts of its islands, sorted. */
  islands: string[];
  /** Its entries in a changelog. */
  updates: FeedEntry[];
  /** The page as plain Markdown: components replaced by Markdown, without frontmatter and title. */
  markdown: string;
  problems: Problem[];
  /** Whether the page is rendered as Markdown because it is not valid MDX. */
  degraded: boolean;
  /** What the URLs of the page refer to: another page that comes or goes can change it. */
  linkTargets: LinkTargets;
}

/** What the renderer must know of a whole tree before it renders any part. */
interface TreeScan {
  /** The code in it: grammars are loaded on demand. */
  code: CodeToHighlight[];
  /** The sources of its diagrams. */
  diagrams: string[];
  /** Definitions of links and footnotes, which can follow their use. */
  definitions: MarkdownNode[];
}

function scanTree(nodes: MarkdownNode[], scan: TreeScan = { code: [], diagrams: [], definitions: [] }): TreeScan {
  for (const node of nodes) {
    const source = isComponent(node) ? diagramElement(node) : undefined;
    if (source !== undefined)
      Object.assign(node, { type: 'code', lang: 'mermaid', meta: '', value: source, children: undefined, changed: true });
    if (node.type === 'code') scanCode(node, scan);
    else if (node.type === 'definition' || node.type === 'footnoteDefinition') scan.definitions.push(node);
    else if (isComponent(node)) scanProps(node.props, scan);
    if (node.children) scanTree(node.children, scan);
  }
  return scan;
}

function scanCode(node: MarkdownNode, scan: TreeScan): void {
  const fence = readFence(node.lang ?? '', node.meta ?? '');
  if (fence.language === 'mermaid') scan.diagrams.push(node.value ?? '');
  else scan.code.push({ language: fence.language, code: takeLineMarks(node.value ?? '', fence) });
}

function scanProps(props: Props, scan: TreeScan): void {
  for (const value of Object.values(props)) if (value instanceof Content) scanTree(value.nodes, scan);
  for (const name of [props.language, props.lang]) if (typeof name === 'string') scan.code.push({ language: name.toLowerCase() });
  const language = classLanguage(props);
  if (language) scan.code.push({ language });
}
