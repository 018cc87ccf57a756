import { shortened } from '../../integration/text/beginning.ts';
import { createProblem, didYouMean, type Problem } from '../../integration/diagnostics.ts';
import { lineAndColumn } from '../../integration/text/edit.ts';
import { nearest } from '../../integration/text/nearest.ts';
import { foldContainers } from './containers.ts';
import type { RendererOptions, Report } from './context.ts';
import { componentParts } from './component-blocks.ts';
import { codeComponent, isKnownElement } from './components/index.ts';
import { text } from './components/props.ts';
import { evaluate, isComment, longestList, type EvaluationOptions, type Scope } from './evaluate.ts';
import { foldHtml } from './html-tags.ts';
import { readModule, type InlineComponent, type Module } from './modules.ts';
import { parseMarkdown } from './parse.ts';
import { moduleSource, type Snippet, type SnippetLibrary } from './snippet-library.ts';
import { escapeHtml } from '../../integration/text/escape.ts';
import { objectOf } from '../../integration/text/json.ts';
import { isHtmlName } from './sanitize.ts';
import { inTable, shownProps } from './shown-props.ts';
import { resolvePath } from './snippet-uses.ts';
import { snippetFile } from '../source/snippets.ts';
import { titleTabs } from './components/tabs.ts';
import { Content, type ComponentNode, type MarkdownNode, type Props, type PropValue } from './tree.ts';
import { escapePattern } from '../../integration/text/path-patterns.ts';

// From syntax to data: expressions become text, the props of elements are evaluated, snippets are inserted and comments
// removed. After this step a tree has Markdown nodes, components and fragments, and no MDX.

export interface ExpandContext {
  options: RendererOptions;
  library: SnippetLibrary;
  report: Report;
  /** File of the nodes, and the source that their positions refer to. */
  file: string;
  source: string;
  lineOffset: number;
  kind: 'mdx' | 'md';
  /** Plain values by name: exports, and the props of a snippet. Has no prototype. */
  values: Record<string, unknown>;
  /** Imported and exported elements by name. */
  elements: Record<string, Snippet | InlineComponent>;
  /** The props of a snippet, which replace `{name}` in code as well. */
  codeVariables?: Map<string, string>;
  /** Whether the nodes are the body of a React component, where braces contain code and never text. */
  isComponent?: boolean;
  depth: number;
  /** Number of blocks of HTML around the nodes, each with components. */
  blockDepth?: number;
  /** What is left for the page: nodes that snippets and lists add, and steps of expressions. */
  budget: { nodes: number; steps: number };
  /** Set when the tree has something that is not plain Markdown. */
  found: { components: boolean };
}

const deepestSnippet = 8;
const deepestBlock = 16;
/** Limit of nodes that snippets add to one page: nested snippets can multiply without end. */
export const mostSnippetNodes = 100_000;
/** Limit of steps of all expressions of a page. */
export const mostSteps = 200_000;

/** Expands all nodes of a file, after its imports and exports. */
export function expandFile(nodes: MarkdownNode[], context: ExpandContext): MarkdownNode[] {
  const source = moduleSource(nodes);
  if (source) {
    context.found.components = true;
    addModule(readModule(source, context.values), context);
  }
  return expand(nodes, context, false);
}

/** Adds the imports and exports of a module to `context`. */
function addModule(module: Module, context: ExpandContext): void {
  Object.assign(context.values, module.values);
  for (const [name, component] of Object.entries(module.functions))
    context.elements[name] = { ...component, origin: { file: context.file, name } };
  for (const { from, names } of module.imports) {
    if (/\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm)$/i.test(from)) {
      for (const local of Object.keys(names)) context.values[local] = from;
      continue;
    }
    const found = context.library.resolve(from, context.file);
    if ('refused' in found) {
      reportImport(from, found.refused, context);
      // An element whose file could not be read becomes its children. A package can export names of our own components.
      if (found.refused !== 'package')
        for (const local of Object.keys(names)) context.elements[local] = { parameters: [], missing: true };
    } else addImported(context.library.get(found.file), names, context);
  }
}

function addImported(snippet: Snippet, names: Record<string, string>, context: ExpandContext): void {
  const { values, functions } = snippet.module;
  for (const [local, exported] of Object.entries(names)) {
    if (exported === 'default' && snippet.nodes.length > 0) context.elements[local] = snippet;
    else if (functions[exported])
      context.elements[local] = { ...functions[exported], origin: { file: snippet.file, name: exported } };
    else if (Object.hasOwn(values, exported)) context.values[local] = values[exported];
    else if (exported === 'default') context.elements[local] = snippet;
  }
}

function reportImport(from: string, refused: 'outside' | 'missing' | 'package', context: ExpandContext): void {
  if (refused === 'package') return;
  const position = positionOfText(from, context);
  context.report(
    refused === 'outside'
      ? createProblem({
          kind: 'snippet-outside-folder',
          ...position,
          message: `"${from}", imported by ${context.file}, is outside the docs folder and was not read.`,
          hint: 'Move the snippet into the docs folder.',
        })
      : createProblem({
          kind: 'snippet-missing',
          ...position,
          message: `"${from}", imported by ${context.file}, was not found among the snippets.`,
          ...didYouMean(similarSnippets(from, context), 'Correct the path, or add the file.'),
        }),
    from,
  );
}

/** The snippets that are spelled like an import, as it is written: with its extension or without. */
function similarSnippets(from: string, { options }: ExpandContext): string[] {
  const hasExtension = /\.\w+$/.test(from);
  const paths = [...options.snippets.keys()].map((file) => `/${hasExtension ? file : file.replace(/\.\w+$/, '')}`);
  return nearest(from, paths);
}

/** Of a text in the source of the file; not of one in a snippet, whose lines are not those of the page. */
function positionOfText(text: string, { source, lineOffset }: ExpandContext): Pick<Problem, 'line' | 'column'> {
  const at = Number.isNaN(lineOffset) ? -1 : source.indexOf(text);
  if (at < 0) return {};
  const { line, column } = lineAndColumn(source, at);
  return { line: line + lineOffset, column };
}

function expand(nodes: MarkdownNode[], context: ExpandContext, inline: boolean): MarkdownNode[] {
  let list = nodes;
  if (!inline) list = joinLines(foldContainers(list));
  if (list.some((node) => node.type === 'html')) {
    context.found.components = true;
    if (!inline) list = list.flatMap((node) => withContentOfComponents(node, context));
    list = foldHtml(list, inline, (name) => isKnownElement(name) || name in context.elements);
  }
  const expanded: MarkdownNode[] = [];
  for (const node of list) {
    const result = expandNode(node, context);
    if (Array.isArray(result)) expanded.push(...result);
    else expanded.push(result);
  }
  return expanded;
}

/** A block of HTML as the tags of its components, and nodes for their content, which is Markdown. */
function withContentOfComponents(node: MarkdownNode, context: ExpandContext): MarkdownNode[] {
  const isComponentName = (name: string) => (isKnownElement(name) && !isHtmlName(name)) || Object.hasOwn(context.elements, name);
  const blockDepth = (context.blockDepth ?? 0) + 1;
  const parts = node.type === 'html' && blockDepth <= deepestBlock ? componentParts(node, isComponentName) : undefined;
  if (!parts) return [node];
  return parts.map(({ kind, value, linesBefore }) => {
    const html = { ...node, value };
    if (kind === 'tag') return html;
    const { tree, source } = parseMarkdown(value, 'md', context.options.parser);
    const nodes = tree.children ?? [];
    // Elements can begin in one part and end in another.
    if (nodes.some(({ type }) => type === 'html')) return html;
    const lineOffset = context.lineOffset + (node.position?.start.line ?? NaN) - 1 + linesBefore;
    return { type: 'fragment', source, children: expand(nodes, { ...context, source, lineOffset, blockDepth }, false) };
  });
}

/** Blocks of expressions on the same line joined to one paragraph. */
function joinLines(nodes: MarkdownNode[]): MarkdownNode[] {
  const joined: MarkdownNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    const { type, position } = node;
    const isExpression = type === 'mdxFlowExpression' && position !== undefined;
    if (!isExpression || last?.position?.end.line !== position.start.line || !(last.isLine || last.type === type)) {
      joined.push(node);
      continue;
    }
    const before = last.type === type ? [{ ...last, type: 'mdxTextExpression' }] : (last.children ?? []);
    const children = [...before, { type: 'text', value: ' ' }, { ...node, type: 'mdxTextExpression' }];
    joined[joined.length - 1] = {
      type: 'paragraph',
      children,
      position: { start: last.position.start, end: position.end },
      isLine: true,
    };
  }
  return joined;
}

const inlineParents = new Set(['paragraph', 'heading', 'link', 'linkReference', 'emphasis', 'strong', 'delete', 'tableCell']);

function expandNode(node: MarkdownNode, context: ExpandContext): MarkdownNode | MarkdownNode[] {
  switch (node.type) {
    case 'mdxjsEsm':
      return [];
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      context.found.components = true;
      return expandExpression(node, context);
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      context.found.components = true;
      return expandElement(node, context);
    case 'code':
    case 'inlineCode':
      return context.codeVariables
        ? { ...node, value: replaceVariables(node.value ?? '', context.codeVariables), changed: true }
        : node;
    default:
      return node.children ? withChildren(node, node.children, context) : node;
  }
}

/** The node itself when its children are unchanged, so that the Markdown version can cut it out of the source. */
function withChildren(node: MarkdownNode, before: MarkdownNode[], context: ExpandContext): MarkdownNode {
  const children = expand(before, context, inlineParents.has(node.type));
  const isSame = children.length === before.length && children.every((child, i) => child === before[i]);
  return isSame ? node : { ...node, children, changed: true };
}

function expandElement(node: MarkdownNode, context: ExpandContext): MarkdownNode | MarkdownNode[] {
  const name = node.name ?? '';
  const inline = node.type === 'mdxJsxTextElement';
  const props = propsOf(node, context);
  const written = inTable(name, expand(node.children ?? [], context, inline));
  const html = takeHtml(props);
  const children =
    html === undefined ? written : expand([{ type: 'html', value: html }], { ...context, lineOffset: NaN }, inline);
  const line = lineOf(node, context);
  const used = Object.hasOwn(context.elements, name) ? context.elements[name] : undefined;
  const { column } = positionOf(node, context);
  const use: Use = { name, props, children, inline, line, column };
  if (used) return useElement(used, use, context);
  const legacy = name === 'Snippet' ? props.file : name === 'Markdown' ? props.src : undefined;
  if (typeof legacy === 'string') {
    const found = context.library.resolve(snippetFile(legacy), context.file);
    if ('file' in found) return useElement(context.library.get(found.file), use, context);
    reportImport(legacy, found.refused, context);
    return [];
  }
  const { position, quoted } = node;
  const isUnknown = /^[A-Z]/.test(name) && !isKnownElement(name);
  const content = isUnknown ? [...shownProps(props, children.length === 0, inline), ...children] : children;
  if (name === 'Tabs') titleTabs(props, content);
  const component: ComponentNode = { type: 'component', name, props, children: content, inline, line, column, position, quoted };
  return component;
}

/** The content that an element has as HTML in an attribute of Astro or React. */
function takeHtml(props: Props): string | undefined {
  const { 'set:html': html, 'set:text': text, dangerouslySetInnerHTML: inner } = props;
  if (typeof html === 'string') return html;
  if (typeof text === 'string') return escapeHtml(text);
  const value: unknown = objectOf(inner).__html;
  return typeof value === 'string' ? value : undefined;
}

/** An element that stands for a snippet or a component of the docs. */
type Use = Pick<ComponentNode, 'name' | 'props' | 'children' | 'inline' | 'line' | 'column'>;

function useElement(used: Snippet | InlineComponent, use: Use, context: ExpandContext): MarkdownNode[] {
  if ('nodes' in used) return insertElement(used, use, context);
  if (used.missing) {
    const { props, children, inline } = use;
    return [
      { ...use, type: 'component', name: '', children: [...shownProps(props, children.length === 0, inline), ...children] },
    ];
  }
  const { name } = use;
  const island: ComponentNode = { ...use, type: 'component', name: codeComponent };
  island.code = { name, ...(used.origin && context.options.islands?.has(used.origin.file) && { origin: used.origin }) };
  if (used.jsx === undefined) return [island];
  const shown = { ...used, jsx: used.jsx };
  if (!island.code.origin) return insertElement(shown, use, context);
  // What only shows data needs no script.
  const reports: Parameters<Report>[] = [];
  const trial = { ...context, report: (...given: Parameters<Report>) => void reports.push(given) };
  const nodes = insertElement(shown, use, trial);
  if (/\son[A-Z]\w*=/.test(shown.jsx) || reports.some(([{ kind }]) => kind === 'expression-not-evaluated')) return [island];
  for (const given of reports) context.report(...given);
  return nodes;
}

function insertElement(
  used: Snippet | (InlineComponent & { jsx: string }),
  { name, props, children, inline, line, column }: Use,
  context: ExpandContext,
): MarkdownNode[] {
  const isSnippet = 'nodes' in used;
  const source = isSnippet ? used.source : used.jsx;
  const values: Record<string, unknown> = Object.create(null);
  if (!isSnippet) for (const parameter of used.parameters) values[parameter] = undefined;
  Object.assign(values, props, { children: contentOf(children, context) });
  values.props = Object.assign(Object.create(null), values);
  const nodes = isSnippet ? used.nodes : parseJsx(source);
  context.budget.nodes -= sizeOf(nodes);
  const isTooDeep = context.depth >= deepestSnippet;
  if (isTooDeep || context.budget.nodes < 0) {
    reportRemoved(`<${name}>`, isTooDeep ? limits.depth : limits.size, line, context);
    return [];
  }
  const inner: ExpandContext = {
    ...context,
    file: isSnippet ? used.file : context.file,
    source,
    kind: isSnippet ? used.kind : 'mdx',
    values: isSnippet ? values : Object.assign(Object.create(null), context.values, values),
    elements: isSnippet ? Object.create(null) : context.elements,
    codeVariables: codeVariables(props),
    isComponent: !isSnippet,
    // Lines of a snippet are not lines of the page: a problem in it has the line of the element that uses it.
    lineOffset: NaN,
    report: (problem, once) => context.report(problem.line ? problem : { ...problem, line, column }, once),
    depth: context.depth + 1,
  };
  if (isSnippet) {
    for (const problem of used.problems) context.report(problem, JSON.stringify(problem));
    addModule(used.module, inner);
  }
  const own = expand(nodes, inner, false);
  const expanded = isSnippet ? withOwnLinks(own, used.file, context.options.pageFiles) : own;
  const [only, ...others] = expanded;
  // A snippet of one paragraph that is used inline is inline content.
  const content = (inline && only?.type === 'paragraph' && others.length === 0 && only.children) || expanded;
  return [{ type: 'fragment', source, size: sizeOf(content), children: content }];
}

/** Docusaurus resolves links of an imported file to other files (`../a.md`) from this file, which can be in another folder than the page. */
function withOwnLinks(nodes: MarkdownNode[], file: string, pageFiles: RendererOptions['pageFiles']): MarkdownNode[] {
  return nodes.map((node) => {
    const children = node.children && withOwnLinks(node.children, file, pageFiles);
    const [, path, rest = ''] =
      (/link|definition/.test(node.type) && /^([^?#:/][^?#:]*\.mdx?)(#.*)?$/.exec(node.url ?? '')) || [];
    const target = path === undefined ? undefined : resolvePath(path, file);
    const url = target !== undefined && pageFiles?.has(target) ? `/${target}${rest}` : node.url;
    const isSame = url === node.url && (children?.every((child, i) => child === node.children?.[i]) ?? true);
    return isSame ? node : { ...node, ...(url !== undefined && { url }), ...(children && { children }) };
  });
}

/** Content that an element hands on. It keeps its source, which its positions refer to wherever it is inserted. */
function contentOf(nodes: MarkdownNode[], { source }: ExpandContext): Content {
  return new Content(nodes.length === 0 ? [] : [{ type: 'fragment', source, size: sizeOf(nodes), children: nodes }]);
}

function propsOf(node: MarkdownNode, context: ExpandContext): Props {
  const props: Props = Object.create(null);
  for (const { type, name = '', value, nodes } of node.attributes ?? []) {
    if (type === 'mdxJsxExpressionAttribute') {
      const spread = evaluate(typeof value === 'string' ? value.replace(/^\s*\.\.\./, '') : '', context.values, {
        fuel: context.budget,
      });
      if ('value' in spread && typeof spread.value === 'object') Object.assign(props, spread.value);
    } else if (nodes) props[name] = contentOf(expand(nodes, context, true), context);
    else if (value === null || value === undefined) props[name] = true;
    else if (typeof value === 'string') props[name] = value;
    else props[name] = valueOf(withIndentation(value.value, node, context), node, name, context);
  }
  return props;
}

function valueOf(source: string, node: MarkdownNode, name: string, context: ExpandContext): PropValue {
  const trimmed = source.trim();
  if (trimmed.startsWith('<')) return new Content([jsxFragment(trimmed, true, context)]);
  if (name === 'set:html' && trimmed.startsWith('"')) return stringOf(trimmed);
  const result = evaluate(source, context.values, withJsx(true, context));
  if ('value' in result) return result.value as PropValue;
  // Event handlers never reach the page, and every page has a table of contents, so their loss needs no report.
  if (/^(?:on[A-Z]|key$|ref$|toc$)/.test(name)) return undefined;
  const isText = textProps.has(name) && !context.isComponent;
  reportExpression(`${name}={${source}}`, result.refused, isText, node, context);
  return isText ? `{${source}}` : undefined;
}

/** A string in backticks, which is often code, with the indentation of its lines: parsers remove two spaces of each. */
function withIndentation(value: string, { position }: MarkdownNode, { source }: ExpandContext): string {
  if (!position || value.length > longestString || !/^\s*`[^`]*\n[^`]*`\s*$/.test(value)) return value;
  const lines = value.split('\n').map((line) => escapePattern(line.trimStart()));
  const [written] = new RegExp(lines.join('\\n[ \\t]*')).exec(source.slice(position.start.offset, position.end.offset)) ?? [];
  return written?.replace(new RegExp(`\\n[ \\t]{0,${(position.start.column ?? 1) - 1}}`, 'g'), '\n') ?? value;
}

const longestString = 100_000;

/** The text of a string in double quotes. Generators of pages write HTML as such, longer than an expression can be. */
function stringOf(source: string): string | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

// Readers see the values of these props. Any other prop would become a link, a style or a setting that does not exist.
const textProps = new Set(
  'alt aria-label caption cta default description headline hint label name placeholder sidebarTitle tag tip title'.split(' '),
);

function expandExpression(node: MarkdownNode, context: ExpandContext): MarkdownNode[] {
  const source = withIndentation(node.value ?? '', node, context);
  if (source.trim() !== '' && isComment(source)) return [];
  if (/^\{\s*[\w.-]+\s*\}$/.test(source.trim())) return [{ type: 'text', value: `{${source.trim()}}` }];
  const trimmed = source.trim();
  if (trimmed.startsWith('<')) return [jsxFragment(trimmed, node.type === 'mdxTextExpression', context)];
  const result = evaluate(source, context.values, withJsx(node.type === 'mdxTextExpression', context));
  const left = { items: longestList };
  const nodes = 'value' in result ? nodesOf(result.value as PropValue, left) : [];
  const why = 'refused' in result ? result.refused : left.items < 0 ? `it has more than ${longestList} items` : 'it has no text';
  if ('value' in result && left.items >= 0 && (context.isComponent || hasText(source, result.value)))
    return insert(nodes, node, context);
  // Braces in a Markdown file, read as MDX for its components, are braces.
  if (context.kind === 'md') return [{ type: 'text', value: `{${source}}` }];
  reportExpression(`{${source}}`, why, !context.isComponent, node, context);
  return context.isComponent ? [] : [verbatim(node, context)];
}

function withJsx(inline: boolean, context: ExpandContext): EvaluationOptions {
  const jsx = (source: string, values: Scope) => {
    const content = jsxFragment(source, inline, { ...context, values });
    context.budget.nodes -= content.size ?? 0;
    return context.budget.nodes < 0 ? undefined : new Content([content]);
  };
  return { jsx, fuel: context.budget };
}

/** Whether JSX can show a value, as text or as nothing. `{}` and an object are errors in JSX. */
function hasText(source: string, value: unknown): boolean {
  return (
    source.trim() !== '' && (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Content)
  );
}

/** An expression verbatim: as text, or as code when it has several lines. */
function verbatim(node: MarkdownNode, context: ExpandContext): MarkdownNode {
  const { position } = node;
  const written = context.source.slice(position?.start.offset, position?.end.offset);
  const value = written.startsWith('{') ? written : `{${node.value}}`;
  const words: MarkdownNode = { type: 'text', value, position };
  if (node.type === 'mdxTextExpression') return words;
  return value.includes('\n') ? { type: 'code', lang: 'jsx', value } : { type: 'paragraph', children: [words], position };
}

/** The nodes of a value, counted: snippets within snippets can insert one value many times. */
function insert(nodes: MarkdownNode[], node: MarkdownNode, context: ExpandContext): MarkdownNode[] {
  if (nodes.length === 0) return [];
  const size = sizeOf(nodes);
  context.budget.nodes -= size;
  if (context.budget.nodes < 0) {
    reportRemoved(`{${node.value}}`, limits.size, lineOf(node, context), context);
    return [];
  }
  return [{ type: 'fragment', source: context.source, size, children: nodes }];
}

const limits = {
  depth: [`snippets may nest at most ${deepestSnippet} levels deep`, 'Look for a snippet that imports itself.'],
  size: [
    "the page's snippets and lists are too large in total",
    'Use fewer or smaller ones, and look for a snippet that imports itself.',
  ],
} as const;

function reportRemoved(
  what: string,
  [why, hint]: readonly [string, string],
  line: number | undefined,
  context: ExpandContext,
): void {
  context.report(
    {
      kind: 'snippet-too-deep',
      line,
      message: `${what} was removed: ${why}.`,
      hint,
    },
    what,
  );
}

function reportExpression(source: string, refused: string, isShown: boolean, node: MarkdownNode, context: ExpandContext): void {
  const shown = source.replace(/\s+/g, ' ');
  context.report({
    kind: 'expression-not-evaluated',
    ...positionOf(node, context),
    message: `${shortened(shown, 60)} ${isShown ? 'is shown verbatim' : 'was removed'}, because ${refused}.`,
    hint: isShown
      ? 'Nothing in a page is executed: write the value itself. If the braces are text, write \\{ or put them in `code`.'
      : 'Nothing in a page is executed: write the value itself.',
  });
}

/** JSX within an expression, whose positions refer to the expression. */
function jsxFragment(source: string, inline: boolean, context: ExpandContext): MarkdownNode {
  const children = expand(parseJsx(source), { ...context, source, lineOffset: NaN }, inline);
  return { type: 'fragment', source, size: sizeOf(children), children };
}

function parseJsx(source: string): MarkdownNode[] {
  const { tree, invalid } = parseMarkdown(source, 'mdx');
  return invalid ? [] : (tree.children ?? []);
}

/** The content that a value shows: of a list, also of lists in it, that of at most as many items as a list can have. */
export function nodesOf(value: PropValue, left = { items: longestList }): MarkdownNode[] {
  if (value instanceof Content) return value.nodes;
  if (Array.isArray(value)) return value.flatMap((item) => (left.items-- > 0 ? nodesOf(item, left) : []));
  if (typeof value === 'string' || typeof value === 'number') return [{ type: 'text', value: String(value) }];
  return [];
}

function codeVariables(props: Props): Map<string, string> | undefined {
  const variables = new Map<string, string>();
  for (const [name, prop] of Object.entries(props)) {
    const value = text(prop);
    // A long text inserted many times would grow without bound.
    if (value !== undefined && value.length <= 500) variables.set(name, value);
  }
  return variables.size > 0 ? variables : undefined;
}

function replaceVariables(code: string, variables: Map<string, string>): string {
  return code.replace(/\{\s*(?:props\.)?([A-Za-z_$][\w$]*)\s*\}/g, (whole, name: string) => variables.get(name) ?? whole);
}

function sizeOf(nodes: MarkdownNode[]): number {
  let size = nodes.length;
  for (const node of nodes) {
    if (node.size !== undefined) size += node.size;
    else if (node.children) size += sizeOf(node.children);
    else if (node.value) size += node.value.length >> 6;
  }
  return size;
}

function positionOf(node: MarkdownNode, context: ExpandContext): Pick<Problem, 'line' | 'column'> {
  const line = lineOf(node, context);
  const column = node.position?.start.column;
  return line === undefined ? {} : { line, ...(column !== undefined && { column }) };
}

function lineOf(node: MarkdownNode, context: ExpandContext): number | undefined {
  return node.position ? node.position.start.line + context.lineOffset || undefined : undefined;
}
