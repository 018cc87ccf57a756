import type { Nodes } from 'mdast';
import { createRequire } from 'node:module';
import { markdownToMdast, mdxToMdast } from 'satteri';
import { hasCommonTags, hasSaneContainers, isSafeForFastParser, isSafeForRemark, largestPage } from './guard.ts';
import { mdxFriendly } from './normalise.ts';
import type { MarkdownNode } from './tree.ts';

export interface Parsed {
  tree: MarkdownNode;
  /** Source that the positions in the tree refer to: the given one, or its repaired form. */
  source: string;
  /** Set when the page is rendered as plain Markdown or as text. */
  invalid?: { kind: string; message: string; hint?: string; line?: number };
}

/** The tree of a source. Throws when the source is not valid MDX. */
export type Parser = (source: string, kind: 'mdx' | 'md') => MarkdownNode;

/** Deepest nesting that the steps after the parser accept, because they recurse. */
const deepestTree = 500;

/** The tree of a body. Invalid MDX is repaired; when that fails the body is read as Markdown, and in the end as text. */
export function parseMarkdown(source: string, kind: 'mdx' | 'md', parser: Parser = parseSafely): Parsed {
  if (source.length > largestPage) {
    return plain(
      source,
      'page-too-large',
      `The page has ${source.length} characters and is shown as plain text; the limit is ${largestPage}.`,
    );
  }
  if (!hasSaneContainers(source))
    return plain(source, 'page-nested-too-deep', 'The page nests quotes or lists too deeply and is shown as plain text.');
  let reason = '';
  let line: number | undefined;
  // A .md file with components is MDX in all but name. When it is not valid MDX it is ordinary Markdown, which is not a fault.
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
        hint: 'Correct that line: text that MDX cannot parse may be rendered differently than you meant.',
        line,
      },
    };
  } catch {
    return plain(source, 'page-nested-too-deep', 'The page nests too deeply and is shown as plain text.');
  }
}

function hasComponents(source: string): boolean {
  // Vue pages are Markdown with HTML, in which braces have another meaning.
  if (/\{\{|<script|\s[:@][a-z-]+="/.test(source)) return false;
  const name = /^[ \t]*<([A-Z][A-Za-z.]*)(?:[ \t][^>\n]*)?>/m.exec(source)?.[1];
  return name !== undefined && source.includes(`</${name}>`);
}

/** Parses with satteri if the guard allows it, else or when satteri fails with remark, if remark finishes in time. */
const parseSafely: Parser = (source, kind) => {
  const forRemark = isSafeForRemark(source);
  // When both can parse the page, the one that follows CommonMark does.
  const isPlain = kind === 'mdx' || hasCommonTags(source) || !forRemark;
  if (isPlain && isSafeForFastParser(source, kind)) {
    try {
      return parseFast(source, kind);
    } catch (error) {
      // remark may succeed, and reports better positions when it fails.
      if (!forRemark) throw error;
    }
  }
  if (!forRemark) throw new Error('it nests too deeply, or repeats one character too often');
  return parseWithRemark(source, kind);
};

/** The parser in Rust: twenty times faster than remark, but deep nesting crashes the process. */
export const parseFast: Parser = (source, kind) => {
  const features = { frontmatter: false, math: source.includes('$$') ? { singleDollarTextMath: false } : false };
  return fromMdast((kind === 'mdx' ? mdxToMdast : markdownToMdast)(source, { features }));
};

const processors = new Map<string, { parse(source: string): Nodes }>();

export const parseWithRemark: Parser = (source, kind) => {
  const math = source.includes('$$');
  const processor = processors.get(kind + math) ?? createRemark(kind, math);
  processors.set(kind + math, processor);
  const tree = fromMdast(processor.parse(source));
  if (kind === 'mdx') unravel(shallow(tree));
  return tree;
};

const require = createRequire(import.meta.url);

/** remark and its hundred modules are loaded only for a page that satteri cannot parse. */
function createRemark(kind: 'mdx' | 'md', math: boolean): { parse(source: string): Nodes } {
  const { unified }: typeof import('unified') = require('unified');
  const { default: remarkParse }: typeof import('remark-parse') = require('remark-parse');
  const { default: remarkGfm }: typeof import('remark-gfm') = require('remark-gfm');
  const { default: remarkMdx }: typeof import('remark-mdx') = require('remark-mdx');
  const { default: remarkMath }: typeof import('remark-math') = require('remark-math');
  const processor = unified().use(remarkParse).use(remarkGfm);
  if (kind === 'mdx') processor.use(remarkMdx);
  if (math) processor.use(remarkMath, { singleDollarTextMath: false });
  return processor.freeze();
}

/** mdast lists the fields of each type of node; `MarkdownNode` has them all as optional fields. */
function fromMdast(tree: Nodes): MarkdownNode {
  return tree as MarkdownNode;
}

/** Turns elements that are alone in a paragraph into blocks, as satteri does. */
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

/** The tree itself. Throws when it is too deep for recursive functions. */
function shallow(tree: MarkdownNode): MarkdownNode {
  let level: MarkdownNode[] = [tree];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > deepestTree) throw new Error('it nests too deeply');
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
    .replace(tagPosition, '');
}

// The position of the tag that is not closed; the position of the error itself is the start of its paragraph.
const tagPosition = / \((\d+):\d+-\d+:\d+\)/;

function lineOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const tag = tagPosition.exec(error.message)?.[1];
  if (tag) return Number(tag);
  if ('line' in error && typeof error.line === 'number') return error.line;
  return Number(/^(\d+):\d+/.exec(error.message)?.[1]) || undefined;
}
