import type { Problem } from '../../integration/diagnostics.ts';

/** A page's body as safe HTML with root-absolute URLs, its headings, and its Markdown version. */
export interface RenderedMarkdown {
  html: string;
  headings: Heading[];
  /** The page as plain Markdown: components replaced by Markdown, without frontmatter and title. */
  markdown: string;
  problems: Problem[];
  /** Whether the page is rendered as Markdown because it is not valid MDX. */
  degraded: boolean;
}

export interface Heading {
  /** 2 to 6. */
  depth: number;
  id: string;
  text: string;
}
