import type { Problem } from '../../integration/diagnostics.ts';

/** A page body after Markdown: safe HTML (addresses root-absolute), its headings, and its Markdown mirror. */
export interface RenderedMarkdown {
  html: string;
  headings: Heading[];
  /** The page as plain Markdown, components spelled out, without frontmatter and without the title. */
  markdown: string;
  problems: Problem[];
  /** True when the page was not valid MDX and is shown as Markdown. */
  degraded: boolean;
}

export interface Heading {
  /** 2 to 6. */
  depth: number;
  id: string;
  text: string;
}
