import type { Element, ElementContent } from 'hast';

/** A Markdown syntax tree node (mdast), loosely typed: two parsers produce it and our own steps extend it. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  position?: { start: { line: number; column?: number; offset?: number }; end: { line: number; offset?: number } };
  // Fields differ by node type and are checked where they are read.
  [field: string]: any;
}

/** A JSX or HTML element after evaluation: `type` is 'component', its props are plain data. */
export interface ComponentNode extends MarkdownNode {
  type: 'component';
  name: string;
  props: Props;
  children: MarkdownNode[];
  /** Whether it stands among words rather than among blocks. */
  inline: boolean;
  /** 1-based line in the file. */
  line?: number;
}

/** Value of a prop: plain data, or content that was written as JSX. */
export type PropValue = string | number | boolean | null | undefined | PropValue[] | { [key: string]: PropValue } | Content;
export type Props = Record<string, PropValue>;

/** Content given as a prop: `title={<b>Hi</b>}`. */
export class Content {
  readonly nodes: MarkdownNode[];
  constructor(nodes: MarkdownNode[]) {
    this.nodes = nodes;
  }
}

/** An HTML element; attributes carry their HTML names, and those that are undefined, null or false are left out. */
export function element(
  tagName: string,
  attributes: Record<string, string | number | boolean | null | undefined>,
  children: (ElementContent | string | undefined | null | false)[] = [],
): Element {
  const properties: Element['properties'] = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) properties[name] = value;
  }
  const kept: ElementContent[] = [];
  for (const child of children) {
    if (typeof child === 'string') {
      if (child) kept.push({ type: 'text', value: child });
    } else if (child) kept.push(child);
  }
  return { type: 'element', tagName, properties, children: kept };
}

/** Parts that style sets apart, with white space between them for the words of search, and of a reader who copies them. */
export function apart(parts: (ElementContent | string | undefined | null | false)[]): (ElementContent | string)[] {
  const kept = parts.flatMap((part) => part || []);
  return kept.flatMap((part, index) => (index === 0 ? [part] : [' ', part]));
}

/** The words of a tree, elements and code included. */
export function textOf(node: MarkdownNode | ElementContent | { type: string; children?: unknown[]; value?: unknown }): string {
  if ('value' in node && typeof node.value === 'string' && node.type !== 'comment' && node.type !== 'raw') return node.value;
  if (!('children' in node) || !Array.isArray(node.children)) return '';
  let text = '';
  for (const child of node.children) text += textOf(child as MarkdownNode);
  return text;
}
