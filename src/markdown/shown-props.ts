import { isKnownElement } from './components/index.ts';
import { type ComponentNode, isComponent, type MarkdownNode, type Props } from './tree.ts';

/**
 * What readers would see of the props of a component that Carrel does not have: its title, linked, its description, its code and its
 * other sentences. Each block or, inline, each node is one of them.
 */
export function shownProps(props: Props, isEmpty: boolean, inline: boolean): MarkdownNode[] {
  const shown = new Set<string>();
  const first = (names: string[]) => {
    const name = names.find((one) => typeof props[one] === 'string' && /\p{L}/u.test(props[one]));
    if (name !== undefined) shown.add(name);
    return name === undefined ? undefined : (props[name] as string);
  };
  const url = ['href', 'to', 'url', 'link'].map((name) => props[name]).find((value) => typeof value === 'string');
  const title = first(titles) ?? (isEmpty ? (first(names) ?? url) : undefined);
  const description = first(descriptions);
  const words: MarkdownNode[] = [];
  if (typeof title === 'string') {
    const children = textNodes(title);
    words.push(typeof url === 'string' ? { type: 'link', url, children } : { type: 'strong', children });
  }
  if (description !== undefined) words.push(...textNodes(words.length > 0 ? `: ${description}` : description));
  const others = Object.entries(props).map(([name, value]) =>
    typeof value !== 'string' || shown.has(name) || settings.test(name) ? [] : otherText(name, value),
  );
  const texts = [words, ...others].filter((nodes) => nodes.length > 0);
  if (inline) return texts.flatMap((nodes, i) => (i > 0 ? [space, ...nodes] : nodes));
  return texts.map((nodes) => {
    const [node] = nodes;
    const isBlock = node?.type === 'inlineCode' && nodes.length === 1 && node.value?.includes('\n');
    return isBlock ? codeBlock(node.value ?? '') : { type: 'paragraph', children: nodes };
  });
}

/** The children of an element: in a table, a component that Carrel does not have becomes a row, and in a row it becomes a cell. */
export function inTable(parent: string, children: MarkdownNode[]): MarkdownNode[] {
  if (parent === 'tr') return children.map((child) => (isUnknown(child) && !has(child, 'td', 'th') ? cell([child]) : child));
  if (!/^(?:table|t(?:head|body|foot))$/.test(parent)) return children;
  return children.map((child) =>
    isUnknown(child) && !has(child, 'tr', 'tbody')
      ? { ...child, children: [html('tr', has(child, 'td', 'th') ? child.children : child.children.map((one) => cell([one])))] }
      : child,
  );
}

function isUnknown(node: MarkdownNode): node is ComponentNode {
  return isComponent(node) && node.children.length > 0 && /^(?:[A-Z]|$)/.test(node.name) && !isKnownElement(node.name);
}

function has(node: MarkdownNode, ...names: string[]): boolean {
  return (node.children ?? []).some((child) => names.includes(child.name ?? '') || (!child.name && has(child, ...names)));
}

const cell = (children: MarkdownNode[]) => html('td', children);

function html(name: string, children: MarkdownNode[]): ComponentNode {
  return { type: 'component', name, props: Object.create(null), children, inline: false };
}

const titles = ['title', 'heading', 'header', 'label', 'text'];
const names = ['name', 'term', 'question'];
const descriptions = ['description', 'subtitle', 'caption', 'content', 'message'];
const codes = /^(?:code|snippet|command|example)$/i;
const settings =
  /^(?:class|className|style|id|key|ref|rel|href|to|url|link|src|srcSet|sizes|alt|d|points|transform|viewBox|allow|sandbox)$|[A-Z](?:Class|ClassName|Style)$|^(?:on[A-Z]|data-)/;
const space: MarkdownNode = { type: 'text', value: ' ' };

function otherText(name: string, value: string): MarkdownNode[] {
  if (codes.test(name) && value.trim() !== '') return [{ type: 'inlineCode', value }];
  const isSentence = /\p{L}\S*\s+\S*\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{4}/u.test(value);
  return isSentence ? textNodes(value) : [];
}

function codeBlock(value: string): MarkdownNode {
  return { type: 'code', lang: '', value: value.replace(/^\n|\n\s*$/g, '') };
}

/** A text with its `code`. */
function textNodes(text: string): MarkdownNode[] {
  return text
    .split(/`([^`\n]+)`/)
    .map((value, i) => ({ type: i % 2 === 1 ? 'inlineCode' : 'text', value }))
    .filter(({ value }) => value !== '');
}
