// Nodes of the Markdown that pages of the reference consist of.
import type { ComponentNode, MarkdownNode, Props } from '../markdown/tree.ts';
import { literal, string } from './json.ts';

export function component(name: string, props: Props, children: MarkdownNode[] = []): ComponentNode {
  return { type: 'component', name, props, children, inline: false };
}

/** A component around nodes, if there are any. */
export function around(name: string, props: Props, children: MarkdownNode[]): MarkdownNode[] {
  return children.length > 0 ? [component(name, props, children)] : [];
}

/** A heading and nodes, if there are any. */
export function section(depth: number, title: string, nodes: MarkdownNode[]): MarkdownNode[] {
  return nodes.length > 0 ? [heading(depth, title), ...nodes] : [];
}

/** Texts of a specification, which are Markdown: they are parsed where the page is rendered. Values that are not text are left out. */
export function markdown(...values: unknown[]): MarkdownNode[] {
  return values.flatMap((value) => (string(value) === undefined ? [] : [{ type: 'markdown', value: value as string }]));
}

/** A label around the node that its name in braces stands for. */
export function filled(label: string, node: MarkdownNode): MarkdownNode[] {
  const [before = '', after = ''] = label.split(/\{\w+\}/);
  return [text(before), node, text(after)].filter(({ value }) => value !== '');
}

export function paragraph(children: MarkdownNode[]): MarkdownNode {
  return { type: 'paragraph', children };
}

export function text(value: string): MarkdownNode {
  return { type: 'text', value };
}

export function code(value: string): MarkdownNode {
  return { type: 'inlineCode', value };
}

/** Values as code, with commas between them. */
export function codes(values: readonly unknown[]): MarkdownNode[] {
  return values.flatMap((value, i) => [...(i ? [text(', ')] : []), code(literal(value))]);
}

/** A list with a line for each. */
export function bulletList(lines: readonly MarkdownNode[][]): MarkdownNode {
  const children = lines.map((line): MarkdownNode => ({ type: 'listItem', spread: false, children: [paragraph(line)] }));
  return { type: 'list', ordered: false, spread: false, children };
}

export function heading(depth: number, value: string): MarkdownNode {
  return { type: 'heading', depth, children: [text(value)] };
}

export function codeBlock(language: string, filename: string, value: string): ComponentNode {
  return component('CodeBlock', { language, filename, code: value });
}

const longestExample = 20_000;

export function cut(value: string): string {
  return value.length <= longestExample ? value : `${value.slice(0, value.lastIndexOf('\n', longestExample))}\n…`;
}
