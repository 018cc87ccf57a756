import type { Element, ElementContent } from 'hast';
import type { NewProblem, Problem } from '../../integration/diagnostics.ts';
import type { ReferenceLabels } from '../../integration/texts/index.ts';
import type { Islands } from '../islands/islands.ts';
import type { SourcePage, SourceSnippet } from '../source/source.ts';
import type { DrawingProgram, Drawings } from './diagram-drawer.ts';
import type { CodeHighlighter, HighlightCache } from './highlight/highlight.ts';
import type { ComponentNode, MarkdownNode, Props, PropValue, Parser } from './tree.ts';

export interface RendererOptions {
  /** By path in the folder. */
  snippets: Map<string, SourceSnippet>;
  /** Values of `{{name}}`. */
  variables: Record<string, string>;
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler';
  /** Paths of all pages, which distinguish a link to a page from a link to a file. */
  pagePaths?: Set<string>;
  /** Path of each page by its file, for links to the file. */
  pageFiles?: Map<string, string>;
  /** First page of each folder without an index page, for links to the folder. */
  folderPages?: Map<string, string>;
  /** Path of each page by the `uid` in its frontmatter, for `xref:` links. */
  pageIds?: Map<string, string>;
  /** Definitions of terms, which get a tooltip where a page first has them. */
  glossary?: ReadonlyMap<string, string>;
  /** Leaves code without colors, where no one sees it. */
  plainCode?: boolean;
  highlightCache?: HighlightCache;
  /** What draws Mermaid diagrams. Without it, the reader's browser does. */
  drawingProgram?: DrawingProgram;
  /**
   * What a page shows before and after its body, such as the operation that it describes, in the page's language. `body` has no MDX any more.
   * Nodes of the type `markdown` are Markdown in their `value`.
   */
  generated?(
    page: SourcePage,
    labels: ReferenceLabels,
    body: MarkdownNode[],
  ): { before?: MarkdownNode[]; after?: MarkdownNode[] };
  /** The components of the docs folder that the author trusts. Without it, none runs. */
  islands?: Islands;
  /** Parser to use, to compare the two. @default the fast one where it is safe */
  parser?: Parser;
}

/** Reports a problem on the page, or on the file that it names; with `once`, only the first of its kind with that name. */
export type Report = (problem: NewProblem, once?: string) => void;

/** What a component can use while it is rendered. */
export interface RenderContext {
  options: RendererOptions;
  page: SourcePage;
  /** In the page's language. */
  labels: ReferenceLabels;
  highlighter: CodeHighlighter;
  /** The diagrams of the page. */
  drawings: Drawings;
  report: Report;
  /** Root-absolute form of a link's URL as written in the page; an unsafe URL is reported and gives undefined. */
  linkUrl(href: unknown): string | undefined;
  /** The same for an image, which may be a `data:` URL. */
  imageUrl(source: unknown): string | undefined;
  /** The HTML nodes of a prop that holds content or text. */
  content(value: PropValue): ElementContent[];
  /** The HTML nodes of a prop that holds content or inline Markdown. */
  inlineMarkdown(value: PropValue): ElementContent[];
  /** The HTML nodes of a text in the page's prose, which can have terms of the glossary. */
  prose(text: string): ElementContent[];
  /** The Markdown of nodes of the page. */
  markdown(nodes: MarkdownNode[]): string;
  /** Where the page's body contains a URL. */
  positionOf(url: string): Pick<Problem, 'line' | 'column'>;
  /** A number for ids that must be unique on the page. */
  nextNumber(): number;
  /** Collects the classes of the author's HTML. */
  classes: Set<string>;
  /** Collects the entries of a changelog. */
  updates: RenderedUpdate[];
}

/** An `Update` of a page with its section, whose headings get their anchors later. */
export interface RenderedUpdate {
  props: Props;
  section: Element;
}

/** Makes HTML from props and children. `children` renders them when called, so a component that ignores them costs nothing. */
export type Component = (
  props: Props,
  children: () => ElementContent[],
  context: RenderContext,
  node: ComponentNode,
) => ElementContent | ElementContent[];
