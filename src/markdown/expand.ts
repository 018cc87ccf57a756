import { foldContainers } from './containers.ts';
import type { RendererOptions, Report } from './context.ts';
import { isKnownElement } from './components/index.ts';
import { evaluate, isComment } from './evaluate.ts';
import { foldHtml } from './html-tags.ts';
import { readModule, type InlineComponent, type Module } from './modules.ts';
import { parseMarkdown } from './parse.ts';
import { moduleSource, snippetFile, type Snippet, type SnippetLibrary } from './snippet-library.ts';
import { Content, type ComponentNode, type MarkdownNode, type Props, type PropValue } from './tree.ts';

// From syntax to data: expressions become text, elements get evaluated props, snippets are put in place,
// comments go. After this step a tree holds Markdown nodes, components and fragments, nothing of MDX.

export interface ExpandContext {
  options: RendererOptions;
  library: SnippetLibrary;
  report: Report;
  /** File the nodes come from, and the source their positions count in. */
  file: string;
  source: string;
  lineOffset: number;
  kind: 'mdx' | 'md';
  /** Plain values by name: exports, and the props of a snippet. Has no prototype. */
  values: Record<string, unknown>;
  /** What an element's name stands for, where it is not a component of ours. */
  elements: Record<string, Snippet | InlineComponent>;
  /** Words replaced in code too: `{word}`, the props of a snippet. */
  words?: Record<string, string>;
  /** Whether the nodes are the body of a React component, whose braces hold code and never text. */
  isComponent?: boolean;
  depth: number;
  budget: { nodes: number };
  /** Whether anything was changed that the source does not show. */
  touched: { components: boolean };
}

const deepestSnippet = 8;
/** Nodes that snippets may add to one page: nested ones can multiply without end. */
export const mostSnippetNodes = 100_000;

/** Expands all nodes of a file, its imports and exports first. */
export function expandFile(nodes: MarkdownNode[], context: ExpandContext): MarkdownNode[] {
  const source = moduleSource(nodes);
  if (source) {
    context.touched.components = true;
    addModule(readModule(source, context.values), context);
  }
  return expand(nodes, context, false);
}

/** Makes what a module imports and exports known to `context`. */
function addModule(module: Module, context: ExpandContext): void {
  Object.assign(context.values, module.values);
  Object.assign(context.elements, module.functions);
  for (const { from, names } of module.imports) {
    if (/\.(?:png|jpe?g|gif|svg|webp|avif|mp4|webm)$/i.test(from)) {
      for (const local of Object.keys(names)) context.values[local] = from;
      continue;
    }
    const found = context.library.resolve(from, context.file);
    if ('refused' in found) {
      reportImport(from, found.refused, context);
      // What could not be read shows what stands in it; a package's names may be those of our own components.
      if (found.refused !== 'package')
        for (const local of Object.keys(names)) context.elements[local] = { parameters: [], missing: true };
    } else addImported(context.library.get(found.file), names, context);
  }
}

function addImported(snippet: Snippet, names: Record<string, string>, context: ExpandContext): void {
  const { values, functions } = snippet.module;
  for (const [local, exported] of Object.entries(names)) {
    if (exported === 'default' && snippet.nodes.length > 0) context.elements[local] = snippet;
    else if (Object.hasOwn(functions, exported)) context.elements[local] = functions[exported]!;
    else if (Object.hasOwn(values, exported)) context.values[local] = values[exported];
    else if (exported === 'default') context.elements[local] = snippet;
  }
}

function reportImport(from: string, refused: 'outside' | 'missing' | 'package', context: ExpandContext): void {
  if (refused === 'package') return;
  context.report(
    refused === 'outside'
      ? {
          kind: 'snippet-outside-folder',
          severity: 'warning',
          message: `"${from}", imported by ${context.file}, is outside the docs folder and was not read.`,
          hint: 'Move the snippet into the docs folder.',
        }
      : {
          kind: 'snippet-missing',
          severity: 'warning',
          message: `"${from}", imported by ${context.file}, is not among the snippets.`,
          hint: 'Correct the path, or add the file.',
        },
    from,
  );
}

export function expand(nodes: MarkdownNode[], context: ExpandContext, inline: boolean): MarkdownNode[] {
  let list = nodes;
  if (!inline) list = linesOf(foldContainers(list));
  if (list.some((node) => node.type === 'html')) {
    context.touched.components = true;
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

/** Blocks with expressions that stand in one line joined to the paragraph they are. */
function linesOf(nodes: MarkdownNode[]): MarkdownNode[] {
  const joined: MarkdownNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    const isExpression = node.type === 'mdxFlowExpression' && node.position !== undefined;
    if (!isExpression || last?.position?.end.line !== node.position!.start.line || !(last.isLine || last.type === node.type)) {
      joined.push(node);
      continue;
    }
    const before = last.type === node.type ? [{ ...last, type: 'mdxTextExpression' }] : last.children!;
    const children = [...before, { type: 'text', value: ' ' }, { ...node, type: 'mdxTextExpression' }];
    joined[joined.length - 1] = {
      type: 'paragraph',
      children,
      position: { start: last.position.start, end: node.position!.end },
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
      context.touched.components = true;
      return expandExpression(node, context);
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      context.touched.components = true;
      return expandElement(node, context);
    case 'code':
    case 'inlineCode':
      return context.words ? { ...node, value: replaceWords(node.value!, context.words), changed: true } : node;
    default:
      return node.children ? withChildren(node, expand(node.children, context, inlineParents.has(node.type))) : node;
  }
}

/** The node itself where nothing in it changed, so that the mirror can cut it out of the source. */
function withChildren(node: MarkdownNode, children: MarkdownNode[]): MarkdownNode {
  const same = children.length === node.children!.length && children.every((child, i) => child === node.children![i]);
  return same ? node : { ...node, children, changed: true };
}

function expandElement(node: MarkdownNode, context: ExpandContext): MarkdownNode | MarkdownNode[] {
  const name: string = node.name ?? '';
  const inline = node.type === 'mdxJsxTextElement';
  const props = propsOf(node, context);
  const children = expand(node.children ?? [], context, inline);
  const line = lineOf(node, context);
  if (Object.hasOwn(context.elements, name))
    return useElement(context.elements[name]!, name, props, children, inline, line, context);
  if (name === 'Snippet' && typeof props.file === 'string') {
    const found = context.library.resolve(snippetFile(props.file), context.file);
    if ('file' in found) return useElement(context.library.get(found.file), name, props, children, inline, line, context);
    reportImport(props.file, found.refused, context);
    return [];
  }
  return {
    type: 'component',
    name,
    props,
    children,
    inline,
    line,
    position: node.position,
    quoted: node.quoted,
  } satisfies ComponentNode;
}

function useElement(
  used: Snippet | InlineComponent,
  name: string,
  props: Props,
  children: MarkdownNode[],
  inline: boolean,
  line: number | undefined,
  context: ExpandContext,
): MarkdownNode[] {
  const isSnippet = 'nodes' in used;
  if (!isSnippet && used.missing) return children;
  if (!isSnippet && used.jsx === undefined) {
    context.report(
      {
        kind: 'inline-component',
        severity: 'warning',
        line,
        message: `<${name}> is a React component of the docs; its content is shown without it.`,
        hint: 'Code in a docs folder is never run: write the content as Markdown or with the built-in components.',
      },
      name,
    );
    return children;
  }
  const values: Record<string, unknown> = Object.create(null);
  if (!isSnippet) for (const parameter of used.parameters) values[parameter] = undefined;
  Object.assign(values, props, { children: new Content(children) });
  values.props = Object.assign(Object.create(null), values);
  const source = isSnippet ? used.source : used.jsx!;
  const nodes = isSnippet ? used.nodes : parseJsx(used.jsx!);
  context.budget.nodes -= sizeOf(nodes);
  if (context.depth >= deepestSnippet || context.budget.nodes < 0) {
    reportTooLarge(`<${name}>`, line, context);
    return [];
  }
  const inner: ExpandContext = {
    ...context,
    file: isSnippet ? used.file : context.file,
    source,
    kind: isSnippet ? used.kind : 'mdx',
    values: isSnippet ? values : Object.assign(Object.create(null), context.values, values),
    elements: isSnippet ? Object.create(null) : context.elements,
    words: wordsOf(props),
    isComponent: !isSnippet,
    // Lines of a snippet are not lines of the page: problems in it name the line of its use.
    lineOffset: NaN,
    report: (problem, once) => context.report({ ...problem, line: problem.line || line }, once),
    depth: context.depth + 1,
  };
  if (isSnippet) addModule(used.module, inner);
  const expanded = expand(nodes, inner, false);
  // A snippet of one paragraph, used among words, is words.
  const [only] = expanded;
  const content = inline && expanded.length === 1 && only!.type === 'paragraph' ? only!.children! : expanded;
  return [{ type: 'fragment', source, file: inner.file, size: sizeOf(content), children: content }];
}

function propsOf(node: MarkdownNode, context: ExpandContext): Props {
  const props: Props = Object.create(null);
  for (const attribute of node.attributes ?? []) {
    const { name, value } = attribute;
    if (attribute.type === 'mdxJsxExpressionAttribute') {
      const spread = evaluate(String(value).replace(/^\s*\.\.\./, ''), context.values);
      if ('value' in spread && typeof spread.value === 'object') Object.assign(props, spread.value);
    } else if (attribute.nodes) props[name] = new Content(expand(attribute.nodes, context, true));
    else if (value === null || value === undefined) props[name] = true;
    else if (typeof value === 'string') props[name] = value;
    else props[name] = valueOf(value.value, node, name, context);
  }
  return props;
}

function valueOf(source: string, node: MarkdownNode, name: string, context: ExpandContext): PropValue {
  const trimmed = source.trim();
  if (trimmed.startsWith('<')) return new Content([jsxFragment(trimmed, true, context)]);
  const result = evaluate(source, context.values);
  if ('value' in result) return result.value as PropValue;
  // Handlers are never kept, so nothing is lost with them.
  if (/^(?:on[A-Z]|key$|ref$)/.test(name)) return undefined;
  const isText = textProps.has(name) && !context.isComponent;
  reportExpression(`${name}={${source}}`, result.refused, isText, node, context);
  return isText ? `{${source}}` : undefined;
}

// Of these a reader sees the value itself; any other would be a link, a style or a setting that does not exist.
const textProps = new Set(
  'alt aria-label caption cta default description headline hint label name placeholder sidebarTitle tag tip title'.split(' '),
);

function expandExpression(node: MarkdownNode, context: ExpandContext): MarkdownNode[] {
  const source = node.value ?? '';
  if (source.trim() !== '' && isComment(source)) return [];
  const mustache = /^\{\s*([\w.-]+)\s*\}$/.exec(source.trim());
  if (mustache) return [{ type: 'text', value: `{{${mustache[1]}}}` }];
  const trimmed = source.trim();
  if (trimmed.startsWith('<')) return [jsxFragment(trimmed, node.type === 'mdxTextExpression', context)];
  const result = evaluate(source, context.values);
  if ('value' in result && (context.isComponent || hasText(source, result.value)))
    return placed(nodesOf(result.value as PropValue), node, context);
  // Braces in a Markdown file, read as MDX for its components, are braces.
  if (context.kind === 'md') return [{ type: 'text', value: `{${source}}` }];
  reportExpression(`{${source}}`, 'refused' in result ? result.refused : 'it has no text', !context.isComponent, node, context);
  return context.isComponent ? [] : [asWritten(node, context)];
}

/** Whether a value has text to show, or is one that JSX shows as nothing. `{}` and an object show neither. */
function hasText(source: string, value: unknown): boolean {
  return (
    source.trim() !== '' && (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof Content)
  );
}

/** An expression as its author wrote it: text, or code where it has several lines. */
function asWritten(node: MarkdownNode, context: ExpandContext): MarkdownNode {
  const { position } = node;
  const written = context.source.slice(position?.start.offset, position?.end.offset);
  const value = written.startsWith('{') ? written : `{${node.value}}`;
  const text: MarkdownNode = { type: 'text', value, position };
  if (node.type === 'mdxTextExpression') return text;
  return value.includes('\n') ? { type: 'code', lang: 'jsx', value } : { type: 'paragraph', children: [text], position };
}

/** A value's nodes, counted: one value can stand at many places, in snippets within snippets. */
function placed(nodes: MarkdownNode[], node: MarkdownNode, context: ExpandContext): MarkdownNode[] {
  if (nodes.length === 0) return [];
  const size = sizeOf(nodes);
  context.budget.nodes -= size;
  if (context.budget.nodes < 0) {
    reportTooLarge(`{${node.value}}`, lineOf(node, context), context);
    return [];
  }
  return [{ type: 'fragment', source: context.source, file: context.file, size, children: nodes }];
}

function reportTooLarge(what: string, line: number | undefined, context: ExpandContext): void {
  context.report(
    {
      kind: 'snippet-too-deep',
      severity: 'warning',
      line,
      message: `${what} was left out: snippets nest more than ${deepestSnippet} deep, include themselves, or grow too large.`,
      hint: 'Look for a snippet that imports itself.',
    },
    what,
  );
}

function reportExpression(source: string, refused: string, isShown: boolean, node: MarkdownNode, context: ExpandContext): void {
  const text = source.replace(/\s+/g, ' ');
  const line = lineOf(node, context);
  const column = line === undefined ? undefined : columnOf(node);
  context.report({
    kind: 'expression-not-evaluated',
    severity: 'warning',
    line,
    ...(column !== undefined && { column }),
    message: `${text.length > 60 ? `${text.slice(0, 59)}…` : text} ${isShown ? 'is shown as written' : 'was left out'}, because ${refused}.`,
    hint: isShown
      ? 'Nothing in a page is executed: write the value itself. If the braces are text, write \\{ or put them in `code`.'
      : 'Nothing in a page is executed: write the value itself.',
  });
}

/** JSX within an expression, which has positions of its own. */
function jsxFragment(source: string, inline: boolean, context: ExpandContext): MarkdownNode {
  const children = expand(parseJsx(source), { ...context, source, lineOffset: NaN }, inline);
  return { type: 'fragment', source, file: context.file, size: sizeOf(children), children };
}

function parseJsx(source: string): MarkdownNode[] {
  const { tree, invalid } = parseMarkdown(source, 'mdx');
  return invalid ? [] : (tree.children ?? []);
}

/** What a value shows as content. */
export function nodesOf(value: PropValue): MarkdownNode[] {
  if (value instanceof Content) return value.nodes;
  if (Array.isArray(value)) return value.slice(0, 1000).flatMap((item) => (Array.isArray(item) ? [] : nodesOf(item)));
  if (typeof value === 'string' || typeof value === 'number') return [{ type: 'text', value: String(value) }];
  return [];
}

function wordsOf(props: Props): Record<string, string> | undefined {
  const words: Record<string, string> = Object.create(null);
  let any = false;
  for (const [name, value] of Object.entries(props)) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    // A long text put in place many times would grow without bound.
    if (String(value).length > 500) continue;
    words[name] = String(value);
    any = true;
  }
  return any ? words : undefined;
}

function replaceWords(code: string, words: Record<string, string>): string {
  return code.replace(/\{\s*(?:props\.)?([A-Za-z_$][\w$]*)\s*\}/g, (whole, name: string) =>
    name in words ? words[name]! : whole,
  );
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

function columnOf(node: MarkdownNode): number | undefined {
  return node.position?.start.column;
}

function lineOf(node: MarkdownNode, context: ExpandContext): number | undefined {
  return node.position ? node.position.start.line + context.lineOffset || undefined : undefined;
}
