import { createRequire } from 'node:module';
import type { Nodes } from 'mdast';
import type { ProblemKind } from '../../integration/diagnostics.ts';
import { lineAndColumn } from '../../integration/text/edit.ts';
import { markdownToMdast, mdxToMdast } from 'satteri';
import {
  hasCommonTags,
  hasSaneContainers,
  isSafeForFastParser,
  isSafeForRemark,
  isTooLarge,
  largestPage,
} from './parser-limits.ts';
import { isKnownElement } from './components/index.ts';
import { parseAroundFaults } from './around-faults.ts';
import { mdxFault, type MdxFault } from './mdx-fault.ts';
import type { MarkdownNode, Parser } from './tree.ts';

export interface Parsed {
  tree: MarkdownNode;
  /** Source that the positions in the tree refer to: the given one, or its repaired form. */
  source: string;
  /** Set when the page is rendered as plain Markdown or as text. */
  invalid?: Invalid;
  /** Lines that are rendered as Markdown in a page of MDX. */
  faults?: Invalid[];
}

interface Invalid {
  kind: ProblemKind;
  message: string;
  hint?: string;
  line?: number;
  column?: number;
}

/** Deepest nesting that the steps after the parser accept, because they recurse. */
const deepestTree = 500;

/** The tree of a body. Invalid MDX is repaired; when that fails the body is read as Markdown, and in the end as text. */
export function parseMarkdown(source: string, kind: 'mdx' | 'md', parser: Parser = parseSafely): Parsed {
  if (isTooLarge(source)) {
    return plain(
      source,
      'page-too-large',
      `The page has ${source.length} characters and is shown as plain text; the limit is ${largestPage}.`,
    );
  }
  if (!hasSaneContainers(source))
    return plain(source, 'page-nested-too-deep', 'The page nests quotes or lists too deeply and is shown as plain text.');
  let fault: MdxFault | undefined;
  let failure: unknown;
  // A .md file with components is MDX in all but name. When it is not valid MDX it is ordinary Markdown, which is not a fault.
  const { text: withoutImports, imports } = takeImports(source);
  const isMdx = kind === 'mdx' || imports.length > 0;
  const attempts = isMdx || isMdxInMarkdown(source) ? [() => source, () => mdxFriendly(source)] : [];
  for (const attempt of attempts) {
    try {
      const text = attempt();
      return { tree: shallow(parser(text, 'mdx')), source: text };
    } catch (error) {
      // What the second attempt repairs is not the fault.
      fault = faultOf(error, source);
      failure = error;
    }
  }
  if (fault) {
    try {
      const parse = (text: string, its: 'mdx' | 'md') => shallow(parser(text, its));
      const { faults, ...parsed } = parseAroundFaults(mdxFriendly(source), failure, faultOf, parse);
      return {
        ...parsed,
        faults: faults.map((one) => notValid(one, 'This line is')),
      };
    } catch {
      // The faults are too many, or in what holds the page together.
    }
  }
  try {
    const text = withoutComments(withoutImports);
    const tree = shallow(parser(text, 'md'));
    if (imports.length > 0) tree.children?.unshift({ type: 'mdxjsEsm', value: imports.join('\n') });
    if (kind === 'md') return { tree, source: text };
    return {
      tree,
      source: text,
      invalid: notValid(fault, 'The page is'),
    };
  } catch {
    return plain(source, 'page-nested-too-deep', 'The page nests too deeply and is shown as plain text.');
  }
}

function faultOf(error: unknown, source: string): MdxFault {
  const fault = mdxFault(error);
  return fault.isOpenBrace ? { ...fault, ...positionOfOpenBrace(source) } : fault;
}

function notValid(fault: MdxFault | undefined, what: string): Invalid {
  const message = `${what} shown as Markdown, because it is not valid MDX: ${fault?.reason}.`;
  return { kind: 'page-not-valid-mdx', message, hint: fault?.hint, line: fault?.line, column: fault?.column };
}

/** The last brace in prose that is not closed: parsers only see that the file ends. */
function positionOfOpenBrace(source: string): { line?: number; column?: number } {
  const open: number[] = [];
  const prose = withoutCode(source);
  for (const { 0: brace, index } of prose.matchAll(/(?<!\\)[{}]/g)) {
    if (brace === '{') open.push(index);
    else open.pop();
  }
  const last = open.at(-1);
  return last === undefined ? {} : lineAndColumn(source, last);
}

/** Whether a page of Markdown is one of MDX in all but name, which has components or the attributes of JSX. */
function isMdxInMarkdown(source: string): boolean {
  if (!/<[A-Z]|=\{/.test(source)) return false;
  const prose = withoutCode(source);
  return !vueSyntax.test(prose) && (hasComponents(prose) || jsxAttribute.test(prose));
}

// Vue pages are Markdown with HTML, in which braces have another meaning.
const vueSyntax = /<script\s[^<>]*\bsetup\b|<[A-Za-z][^<>]*\s(?:[:@#][\w.:-]+|v-[a-z][\w.:-]*)=["']/;
/** A value in braces that is not one of HTML. */
const jsxAttribute = /<[a-z][\w-]*\s[^<>]*?=\{[^\s"'=<>`}]*[\s"'=<>`]/;

/** Whether prose has components with closing tags; beside what pages of Vue and HTML also have, only our own count. */
function hasComponents(source: string): boolean {
  const closed = new Set(Array.from(source.matchAll(/<\/([A-Z][A-Za-z.]*)>/g), ([, name]) => name));
  const isForeign = /(?<!=)\{\{|<script/.test(source);
  return [...source.matchAll(/^[ \t]*<([A-Z][A-Za-z.]*)(?=[\s>])/gm)].some(
    ([, name = '']) => closed.has(name) && (!isForeign || isKnownElement(name)),
  );
}

// A line can have several.
const importStatement = /^(?:import\s(?:[\w$*{}\s,]{0,1000}?\sfrom\s*)?(?:"[^"\n]+"|'[^'\n]+')[ \t]*;?[ \t]*)+$/gm;

/** The import statements of a source, and the source with spaces in their place. Those in the scripts of Vue pages stay. */
function takeImports(source: string): { text: string; imports: string[] } {
  const imports: string[] = [];
  if (!/^import\s/m.test(source)) return { text: source, imports };
  if (/<script[\s>]/i.test(source) && /<script[\s>]/i.test(withoutCode(source))) return { text: source, imports };
  const text = outsideCode(source, (prose) =>
    prose.replace(importStatement, (statement) => {
      imports.push(statement);
      return blank(statement);
    }),
  );
  return { text, imports };
}

/** Comments of MDX in Markdown, which authors of both write. */
function withoutComments(source: string): string {
  return source.includes('{/*') ? outsideCode(source, (text) => text.replace(/\{\/\*[^]*?\*\/\}/g, blank)) : source;
}

/** The source with spaces for all fenced and inline code; offsets stay the same. */
export function withoutCode(source: string): string {
  return outsideCode(source, (text) => text, blank);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
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

function plain(source: string, kind: ProblemKind, message: string): Parsed {
  return {
    tree: { type: 'root', children: [{ type: 'code', lang: null, meta: 'wrap', value: source }] },
    source,
    invalid: { kind, message },
  };
}

/** The source with common constructs repaired that strict MDX rejects. Lines keep their numbers. */
function mdxFriendly(source: string): string {
  return outsideCode(source, (text) =>
    text
      .replace(/<!--[\s\S]*?(?:-->|$)/g, (comment) => comment.replace(/[^\n]/g, ''))
      .replace(/<(br|hr|img|input|source|track|wbr|col)\b((?:"[^"\n]*"|'[^'\n]*'|\{[^{}\n]*\}|[^<>"'{}])*?)\s*\/?>/gi, '<$1$2 />')
      .replace(/<\/(br|hr|img|input|source|track|wbr|col)\s*>/gi, '')
      .replace(/<((?:https?:\/\/|mailto:)[^\s<>]+)>/g, '[$1]($1)')
      .replace(/^<{7}(?= )/gm, (marks) => marks.replaceAll('<', '\\<'))
      .replace(/<(?=[\d=\-~|!?([.,;:%&*#@]|$)/gm, '\\<')
      .replace(/<(script|style)\b[^<>]*>([^]*?)(?:<\/\1>|$)/gi, withoutContent)
      .replace(/(?<!=)\{\{[^{}\n]*\}\}/g, (mustache) => mustache.replace(/[{}]/g, '\\$&')),
  );
}

/** An element whose content is not shown, without it. */
function withoutContent(element: string, name: string, content: string): string {
  const end = `</${name}>`;
  return element.endsWith(end) ? `${element.slice(0, -end.length - content.length)}${blank(content)}${end}` : element;
}

/** Applies `change` to the parts of a Markdown source that are neither fenced nor inline code, and `changeCode` to those that are. */
function outsideCode(source: string, change: (text: string) => string, changeCode = (code: string) => code): string {
  let result = '';
  let prose = '';
  let fence: RegExp | undefined;
  for (const line of source.split(/(?<=\n)/)) {
    const open: RegExpExecArray | null = fence ? null : /^[ \t>*+-]*(`{3,}(?=[^`]*$)|~{3,})/.exec(line);
    if (!fence && !open) {
      prose += line;
      continue;
    }
    if (open) {
      result += outsideInlineCode(prose, change, changeCode);
      prose = '';
      fence = new RegExp(`^[ \\t>]*${open[1]}[\`~]*\\s*$`);
    } else if (fence?.test(line)) fence = undefined;
    result += changeCode(line);
  }
  return result + outsideInlineCode(prose, change, changeCode);
}

function outsideInlineCode(text: string, change: (text: string) => string, changeCode: (code: string) => string): string {
  let result = '';
  let last = 0;
  const runs = text.includes('`') ? [...text.matchAll(/`+/g)] : [];
  // The runs of each length, last first: the next one of the same length closes a span. Unclosed runs stay linear this way.
  const later = new Map<number, RegExpExecArray[]>();
  for (const run of runs.toReversed()) {
    const same = later.get(run[0].length);
    if (same) same.push(run);
    else later.set(run[0].length, [run]);
  }
  for (const open of runs) {
    const same = later.get(open[0].length);
    same?.pop();
    const close = same?.at(-1);
    // A code span ends with its paragraph.
    if (open.index < last || !close || /\n[ \t]*\n/.test(text.slice(open.index, close.index))) continue;
    const end = close.index + close[0].length;
    result += change(text.slice(last, open.index)) + changeCode(text.slice(open.index, end));
    last = end;
  }
  return result + change(text.slice(last));
}
