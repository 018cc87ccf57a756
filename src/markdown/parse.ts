import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import { markdownToMdast, mdxToMdast } from 'satteri';
import { unified } from 'unified';
import { isSafeForFastParser } from './guard.ts';
import { mdxFriendly } from './normalise.ts';
import type { MarkdownNode } from './tree.ts';

export interface Parsed {
  tree: MarkdownNode;
  /** Set when the source claims to be MDX and is not: what the parser said, and the 1-based line in the body. */
  invalid?: { reason: string; line?: number };
}

export type Parser = (source: string, kind: 'mdx' | 'md') => MarkdownNode;

/** The tree of a body. MDX that is not valid is mended, and where that does not help, read as Markdown. Never throws. */
export function parseMarkdown(source: string, kind: 'mdx' | 'md', parser: Parser = parseSafely): Parsed {
  if (kind === 'md') return { tree: parser(source, 'md') };
  let reason = '';
  let line: number | undefined;
  for (const text of [source, () => mdxFriendly(source)]) {
    try {
      return { tree: parser(typeof text === 'string' ? text : text(), 'mdx') };
    } catch (error) {
      reason ||= message(error);
      line ??= lineOf(error);
    }
  }
  return { tree: parser(source, 'md'), invalid: { reason, line } };
}

/** satteri where the guard lets it, else remark, which throws where satteri would crash. */
export const parseSafely: Parser = (source, kind) =>
  isSafeForFastParser(source) ? parseFast(source, kind) : parseWithRemark(source, kind);

/** Parser in Rust: twenty times faster than remark, but deep nesting ends the process. */
export const parseFast: Parser = (source, kind) => {
  const features = { frontmatter: false, math: source.includes('$$') ? { singleDollarTextMath: false } : false };
  return (kind === 'mdx' ? mdxToMdast : markdownToMdast)(source, { features }) as MarkdownNode;
};

const markdown = unified().use(remarkParse).use(remarkGfm).freeze();
const markdownMath = unified().use(remarkParse).use(remarkGfm).use(remarkMath, { singleDollarTextMath: false }).freeze();
const mdx = unified().use(remarkParse).use(remarkGfm).use(remarkMdx).freeze();
const mdxMath = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkMdx)
  .use(remarkMath, { singleDollarTextMath: false })
  .freeze();

export const parseWithRemark: Parser = (source, kind) => {
  const math = source.includes('$$');
  const processor = kind === 'mdx' ? (math ? mdxMath : mdx) : math ? markdownMath : markdown;
  const tree = processor.parse(source) as MarkdownNode;
  if (kind === 'mdx') unravel(tree);
  return tree;
};

/** Lifts elements that stand alone in a paragraph to blocks, as satteri does. */
function unravel(parent: MarkdownNode): void {
  parent.children = parent.children?.flatMap((node) => {
    if (node.type === 'paragraph' && node.children?.every(isJsxOrBlank) && node.children.some((child) => child.type !== 'text')) {
      const lifted = node.children.filter((child) => child.type !== 'text');
      for (const child of lifted) child.type = child.type.replace('Text', 'Flow');
      for (const child of lifted) unravel(child);
      return lifted;
    }
    if (node.children) unravel(node);
    return [node];
  });
}

function isJsxOrBlank(node: MarkdownNode): boolean {
  return node.type === 'mdxJsxTextElement' || node.type === 'mdxTextExpression' || (node.type === 'text' && !node.value?.trim());
}

function message(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .replace(/\s*\((?:note|mdx-jsx)[^)]*\)?.*$/s, '')
    .replace(/^\d+:\d+(?:-\d+:\d+)?: /, '');
}

function lineOf(error: unknown): number | undefined {
  const place = (error as { place?: { line?: number; start?: { line: number } } }).place;
  const found = place?.line ?? place?.start?.line ?? Number(/^(\d+):\d+/.exec(String((error as Error).message))?.[1]);
  return found || undefined;
}
