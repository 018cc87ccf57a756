import type { Problem } from '../../integration/problem.ts';
import type { RendererOptions } from './context.ts';
import { evaluate, isComment, type Scope } from './evaluate.ts';
import { Content, type ComponentNode, type MarkdownNode, type Props, type PropValue } from './tree.ts';

// From syntax to data: expressions become text, elements get evaluated props, snippets are put in place,
// comments go. After this step a tree holds Markdown nodes and components, nothing of MDX.

export interface ExpandContext {
  options: RendererOptions;
  /** File the nodes come from. */
  file: string;
  /** Names known to expressions: exports, props of a snippet. */
  scope: Scope;
  lineOffset: number;
  report(problem: Omit<Problem, 'page'>, once?: string): void;
}

export function expand(nodes: MarkdownNode[], context: ExpandContext): MarkdownNode[] {
  return nodes.flatMap((node) => expandNode(node, context));
}

function expandNode(node: MarkdownNode, context: ExpandContext): MarkdownNode[] {
  switch (node.type) {
    case 'mdxjsEsm':
      return [];
    case 'mdxFlowExpression':
    case 'mdxTextExpression':
      return expandExpression(node, context);
    case 'mdxJsxFlowElement':
    case 'mdxJsxTextElement':
      return [expandElement(node, context)];
    default:
      return [node.children ? { ...node, children: expand(node.children, context) } : node];
  }
}

function expandElement(node: MarkdownNode, context: ExpandContext): MarkdownNode {
  const component: ComponentNode = {
    type: 'component',
    name: node.name ?? '',
    props: propsOf(node, context),
    children: expand(node.children ?? [], context),
    inline: node.type === 'mdxJsxTextElement',
    line: lineOf(node, context),
  };
  return component;
}

function propsOf(node: MarkdownNode, context: ExpandContext): Props {
  const props: Props = Object.create(null);
  for (const attribute of node.attributes ?? []) {
    if (attribute.type !== 'mdxJsxAttribute') continue;
    const { name, value } = attribute;
    if (value === null || value === undefined) props[name] = true;
    else if (typeof value === 'string') props[name] = value;
    else {
      const result = evaluate(value.value, context.scope);
      if ('value' in result) props[name] = result.value as PropValue;
    }
  }
  return props;
}

function expandExpression(node: MarkdownNode, context: ExpandContext): MarkdownNode[] {
  const source = node.value ?? '';
  if (isComment(source)) return [];
  const result = evaluate(source, context.scope);
  if ('value' in result) return nodesOf(result.value as PropValue);
  context.report({
    kind: 'expression-not-evaluated',
    severity: 'warning',
    line: lineOf(node, context),
    message: `The expression {${shorten(source)}} was left out, because ${result.refused}.`,
    hint: 'Nothing in a page is executed: write the text itself.',
  });
  return [];
}

/** What a value shows as content. */
export function nodesOf(value: PropValue): MarkdownNode[] {
  if (value instanceof Content) return value.nodes;
  if (Array.isArray(value)) return value.flatMap(nodesOf);
  if (typeof value === 'string' || typeof value === 'number') return [{ type: 'text', value: String(value) }];
  return [];
}

function lineOf(node: MarkdownNode, context: ExpandContext): number | undefined {
  return node.position && node.position.start.line + context.lineOffset;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
