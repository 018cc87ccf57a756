import type { ElementContent } from 'hast';
import type { Problem } from '../../integration/problem.ts';
import type { SourcePage, SourceSnippet } from '../source/source.ts';
import type { CodeHighlighter } from './highlight.ts';
import type { MarkdownNode } from './tree.ts';

export interface RendererOptions {
  /** By path in the folder. */
  snippets: Map<string, SourceSnippet>;
  /** Values of `{{name}}`. */
  variables: Record<string, string>;
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler';
  /** Paths of all pages, to tell a link to a page from one to a file. */
  pagePaths?: Set<string>;
  highlightCache?: HighlightCache;
}

/** Highlighted blocks by content, kept between runs. */
export interface HighlightCache {
  get(key: string): string | undefined;
  set(key: string, html: string): void;
}

/** What a component may ask while it turns into HTML. */
export interface RenderContext {
  options: RendererOptions;
  page: SourcePage;
  highlighter: CodeHighlighter;
  /** Root-absolute form of an address written in this page. */
  address(href: string): string;
  /** Reports something, once for each kind and name. */
  report(problem: Omit<Problem, 'page'>, once?: string): void;
  /** Content given as a prop, or plain text, as HTML nodes. */
  content(value: unknown): ElementContent[];
  /** HTML of Markdown nodes. */
  toHtml(nodes: MarkdownNode[]): ElementContent[];
  /** An id that nothing else on this page has. */
  uniqueId(id: string): string;
}
