import type { Element, ElementContent } from 'hast';

declare module 'hast' {
  interface Data {
    /** What stands for the node in the text of a heading. */
    text?: string;
  }
}

/** A Markdown syntax tree node: the fields of all types of mdast and MDX, which two parsers produce, and those that our steps add. */
export interface MarkdownNode {
  type: string;
  value?: string;
  children?: MarkdownNode[];
  position?: { start: { line: number; column?: number; offset?: number }; end: { line: number; offset?: number } };
  depth?: number;
  url?: string;
  title?: string | null;
  alt?: string | null;
  lang?: string | null;
  meta?: string | null;
  identifier?: string;
  label?: string | null;
  ordered?: boolean | null;
  start?: number | null;
  spread?: boolean | null;
  checked?: boolean | null;
  align?: ('left' | 'right' | 'center' | null)[] | null;
  name?: string | null;
  attributes?: JsxAttribute[];
  /** Props of a component. */
  props?: Props;
  /** Whether a component is inside a paragraph instead of between paragraphs. */
  inline?: boolean;
  /** Whether the component was written as a block quote. */
  quoted?: boolean;
  /** Whether the node differs from what the source says at its position. */
  changed?: boolean;
  /** Whether a paragraph was joined from expressions on one line. */
  isLine?: boolean;
  /** Source that the positions in a fragment refer to. */
  source?: string;
  /** Number of nodes in a fragment. */
  size?: number;
}

/** The tree of a source. Throws when the source is not valid MDX. */
export type Parser = (source: string, kind: 'mdx' | 'md') => MarkdownNode;

/** An attribute of a JSX element; a spread has no name. `nodes` is content that was not written as JSX. */
export interface JsxAttribute {
  type: string;
  name?: string;
  value?: string | { value: string } | null;
  nodes?: MarkdownNode[];
}

/** A JSX or HTML element after evaluation: `type` is 'component', its props are plain data. */
export interface ComponentNode extends MarkdownNode {
  type: 'component';
  name: string;
  props: Props;
  children: MarkdownNode[];
  inline: boolean;
  /** 1-based line in the file, and column in it. */
  line?: number;
  column?: number;
  /** Of a component of the docs folder that has to run: its name on the page and, if it is trusted, its origin. */
  code?: { name: string; origin?: { file: string; name: string } };
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

export function isComponent(node: MarkdownNode): node is ComponentNode {
  return node.type === 'component';
}

type AttributeValue = string | number | boolean | null | undefined;

/** An HTML element. Attributes have their HTML names; those that are undefined, null or false are skipped, also in a list of classes. */
export function element(
  tagName: string,
  attributes: Record<string, AttributeValue | AttributeValue[]>,
  children: (ElementContent | string | undefined | null | false)[] = [],
): Element {
  const properties: Element['properties'] = {};
  for (const [name, value] of Object.entries(attributes)) {
    const given = Array.isArray(value) ? value.filter(Boolean).join(' ') || undefined : value;
    if (given !== undefined && given !== null && given !== false) properties[name] = given;
  }
  const content = children.flatMap((child): ElementContent | [] => {
    if (typeof child === 'string') return child ? { type: 'text', value: child } : [];
    return child || [];
  });
  return { type: 'element', tagName, properties, children: content };
}

/** The elements of a content, and its text in elements, of those components that are lists of elements. */
export function elementsOf(content: ElementContent[], tagName: 'p' | 'li' = 'p'): Element[] {
  return content.flatMap((node) => {
    if (node.type === 'element') return [node];
    return node.type === 'text' && node.value.trim() ? [element(tagName, {}, [node])] : [];
  });
}

/** HTML that is already safe, for the serializer to write unchanged. `text` stands for it in the text of a heading. */
export function raw(html: string, text?: string): ElementContent {
  return { type: 'raw', value: html, ...(text !== undefined && { data: { text } }) };
}

/** The parts with a space between them. CSS separates them on the screen; search and copied text need the space. */
export function spaced(parts: (ElementContent | string | undefined | null | false)[]): (ElementContent | string)[] {
  return parts.flatMap((part) => part || []).flatMap((part, index) => (index === 0 ? [part] : [' ', part]));
}

/** The text of a tree, including that of elements and code, without what tooltips say of it. */
export function textOf(node: TextNode): string {
  if (node.type === 'raw') return node.data?.text ?? '';
  if (typeof node.value === 'string' && node.type !== 'comment') return node.value;
  if (node.properties?.role === 'tooltip') return '';
  return node.children?.map(textOf).join('') ?? '';
}

interface TextNode {
  type: string;
  data?: { text?: string };
  value?: unknown;
  properties?: { role?: unknown };
  children?: TextNode[];
}
