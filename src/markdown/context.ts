import type { ElementContent } from 'hast';
import type { Problem } from '../../integration/diagnostics.ts';
import type { SourcePage, SourceSnippet } from '../source/source.ts';
import type { CodeHighlighter } from './highlight.ts';
import type { Parser } from './parse.ts';

export interface RendererOptions {
  /** By path in the folder. */
  snippets: Map<string, SourceSnippet>;
  /** Values of `{{name}}`. */
  variables: Record<string, string>;
  iconLibrary: 'fontawesome' | 'lucide' | 'tabler';
  /** Paths of all pages, to tell a link to a page from one to a file. */
  pagePaths?: Set<string>;
  /** Path of each page by its file, for links that name the file. */
  pageFiles?: Map<string, string>;
  /** First page of each folder that has no page of its own, for links to the folder. */
  folderPages?: Map<string, string>;
  /** Path of each page by the `uid` in its frontmatter, for `xref:` links. */
  pageIds?: Map<string, string>;
  highlightCache?: HighlightCache;
  /** Parser to use, for comparing the two. @default the fast one where it is safe */
  parser?: Parser;
}

/** Highlighted blocks by content, kept between runs. */
export interface HighlightCache {
  get(key: string): string | undefined;
  set(key: string, html: string): void;
}

/** Tells of a problem on the page; with `once`, only the first of its kind and that name. */
export type Report = (problem: Omit<Problem, 'page'>, once?: string) => void;

/** What a component may ask while it turns into HTML. */
export interface RenderContext {
  options: RendererOptions;
  page: SourcePage;
  highlighter: CodeHighlighter;
  report: Report;
  /** Root-absolute form of a link's address as it was written; undefined, and reported, when it is not safe to follow. */
  address(href: unknown): string | undefined;
  /** The same of an image, which may be in its address (`data:`). */
  imageAddress(source: unknown): string | undefined;
  /** Content given as a prop, or text, as HTML nodes. */
  content(value: unknown): ElementContent[];
  /** Text with inline Markdown in it, as HTML nodes. */
  inlineMarkdown(value: unknown): ElementContent[];
  /** Number for ids that only need to differ within the page. */
  nextNumber(): number;
}
