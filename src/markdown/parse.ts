import remarkGfm from 'remark-gfm';
import remarkMath from 'remark-math';
import remarkMdx from 'remark-mdx';
import remarkParse from 'remark-parse';
import { markdownToMdast, mdxToMdast } from 'satteri';
import { unified } from 'unified';
import { hasCommonTags, hasSaneContainers, isSafeForFastParser, isSafeForRemark, largestPage } from './guard.ts';
import { mdxFriendly } from './normalise.ts';
import type { MarkdownNode } from './tree.ts';

export interface Parsed {
  tree: MarkdownNode;
  /** What the tree's positions count in: the given source, mended where it had to be. */
  source: string;
  /** Set when the page is shown as less than it claims to be. */
  invalid?: { kind: string; message: string; hint?: string; line?: number };
}

/** A tree for a source; throws where the source is not valid MDX. */
export type Parser = (source: string, kind: 'mdx' | 'md') => MarkdownNode;

/** Levels of nesting that the steps after the parser, which recurse, are given. */
const deepestTree = 500;

/** The tree of a body. MDX that is not valid is mended; where that does not help it is read as Markdown, and as text in the end. */
export function parseMarkdown(source: string, kind: 'mdx' | 'md', parser: Parser = parseSafely): Parsed {
  if (source.length > largestPage) {
    return plain(
      source,
      'page-too-large',
      `The page has ${source.length} characters and is shown as plain text; ${largestPage} are the most.`,
    );
  }
  if (!hasSaneContainers(source))
    return plain(source, 'page-nested-too-deep', 'The page nests quotes or lists too deep and is shown as plain text.');
  let reason = '';
  let line: number | undefined;
  // A .md file with components in it is MDX by another name; where it is not, it is Markdown and nothing is wrong.
  const attempts = kind === 'mdx' ? [() => source, () => mdxFriendly(source)] : hasComponents(source) ? [() => source] : [];
  for (const attempt of attempts) {
    try {
      const text = attempt();
      return { tree: shallow(parser(text, 'mdx')), source: text };
    } catch (error) {
      reason ||= messageOf(error);
      line ??= lineOf(error);
    }
  }
  try {
    const tree = shallow(parser(source, 'md'));
    if (kind === 'md') return { tree, source };
    return {
      tree,
      source,
      invalid: {
        kind: 'page-not-valid-mdx',
        message: `The page is shown as Markdown, because it is not valid MDX: ${reason}`,
        hint: 'Correct the place named: what MDX cannot read may look different from what you meant.',
        line,
      },
    };
  } catch {
    return plain(source, 'page-nested-too-deep', 'The page nests too deep and is shown as plain text.');
  }
}

function hasComponents(source: string): boolean {
  // Vue's pages are Markdown with HTML, and braces in them are not MDX's.
  if (/\{\{|<script|\s[:@][a-z-]+="/.test(source)) return false;
  const name = /^[ \t]*<([A-Z][A-Za-z.]*)(?:[ \t][^>\n]*)?>/m.exec(source)?.[1];
  return name !== undefined && source.includes(`</${name}>`);
}

/** satteri where the guard lets it; else, and for what satteri cannot read, remark where that ends in time. */
const parseSafely: Parser = (source, kind) => {
  const forRemark = isSafeForRemark(source);
  // Where both could read the page, the one that keeps to CommonMark does.
  const isPlain = kind === 'mdx' || hasCommonTags(source) || !forRemark;
  if (isPlain && isSafeForFastParser(source, kind)) {
    try {
      return parseFast(source, kind);
    } catch (error) {
      // remark may know better, and names the place better where it does not.
      if (!forRemark) throw error;
    }
  }
  if (!forRemark) throw new Error('it nests too deep, or repeats one sign too often');
  return parseWithRemark(source, kind);
};

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
  if (kind === 'mdx') unravel(shallow(tree));
  return tree;
};

/** Lifts elements that stand alone in a paragraph to blocks, as satteri does. */
function unravel(parent: MarkdownNode): void {
  parent.children = parent.children?.flatMap((node) => {
    if (node.type === 'paragraph' && node.children?.every(isJsxOrBlank) && node.children.some((child) => child.type !== 'text')) {
      const lifted = node.children.filter((child) => child.type !== 'text');
      for (const child of lifted) {
        child.type = child.type.replace('Text', 'Flow');
        unravel(child);
      }
      return lifted;
    }
    if (node.children) unravel(node);
    return [node];
  });
}

function isJsxOrBlank(node: MarkdownNode): boolean {
  return node.type === 'mdxJsxTextElement' || node.type === 'mdxTextExpression' || (node.type === 'text' && !node.value?.trim());
}

/** The tree itself; throws when it is too deep to be walked by functions that call themselves. */
function shallow(tree: MarkdownNode): MarkdownNode {
  let level: MarkdownNode[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestTree) throw new Error('it nests too deep');
    level = level.flatMap((node) => node.children ?? []);
  }
  return tree;
}

function plain(source: string, kind: string, message: string): Parsed {
  return {
    tree: { type: 'root', children: [{ type: 'code', lang: null, meta: 'wrap', value: source }] },
    source,
    invalid: { kind, message },
  };
}

function messageOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error)
    .replace(/\s*\((?:note|mdx-jsx)[^)]*\)?.*$/s, '')
    .replace(/^\d+:\d+(?:-\d+:\d+)?: /, '')
    .replace(tagPlace, '');
}

// Where the tag that is never closed stands; the place of the error itself is where its paragraph begins.
const tagPlace = / \((\d+):\d+-\d+:\d+\)/;

function lineOf(error: unknown): number | undefined {
  const { place, message } = error as { place?: { line?: number; start?: { line: number } }; message?: unknown };
  const text = String(message);
  const tag = tagPlace.exec(text)?.[1];
  if (tag) return Number(tag);
  return place?.line ?? place?.start?.line ?? (Number(/^(\d+):\d+/.exec(text)?.[1]) || undefined);
}
