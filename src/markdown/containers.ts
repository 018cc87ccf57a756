import { each } from '../../integration/text/each.ts';
import { containerMark } from './prepare.ts';
import { textOf, type JsxAttribute, type MarkdownNode } from './tree.ts';

const deepestContainers = 100;

/** Siblings with `:::name … :::` and GitHub alerts (`> [!NOTE]`) converted to elements. */
export function foldContainers(nodes: MarkdownNode[]): MarkdownNode[] {
  if (!nodes.some((node) => markOf(node) !== undefined || node.type === 'blockquote')) return nodes;
  const root: MarkdownNode[] = [];
  const open: MarkdownNode[] = [];
  let skipped = 0;
  for (const node of nodes) {
    const mark = markOf(node);
    const target = open.at(-1)?.children ?? root;
    if (mark === undefined) target.push(...(node.type === 'blockquote' ? alertsOf(node) : [node]));
    else if (mark === '/' && skipped > 0) skipped--;
    else if (mark === '/') open.pop();
    else {
      const container = containerOf(node, mark);
      target.push(container);
      // Deeper containers are siblings: the steps that follow recurse.
      if (open.length < deepestContainers) open.push(container);
      else skipped++;
    }
  }
  return root;
}

/** The name of the container that a marked heading begins; '/' ends one. */
export function markOf(node: MarkdownNode): string | undefined {
  const value = node.type === 'heading' && node.depth === 6 ? node.children?.[0]?.value : undefined;
  return value?.startsWith(containerMark) ? (/^[^\s[{]*/.exec(value.slice(1))?.[0] ?? '') : undefined;
}

const names: Record<string, string> = {
  note: 'Note',
  ...each('Info', 'info important'),
  ...each('Tip', 'tip hint'),
  ...each('Warning', 'warning warn caution'),
  ...each('Danger', 'danger error'),
  ...each('Check', 'success check'),
  details: 'Accordion',
  'code-group': 'CodeGroup',
  tabs: 'Tabs',
  tab: 'Tab',
  steps: 'Steps',
  step: 'Step',
  figure: 'Frame',
  update: 'Update',
  card: 'Card',
  cards: 'CardGroup',
};

/** The names of containers that are not only a group. */
export const containerNames = Object.keys(names);

function containerOf(node: MarkdownNode, name: string): MarkdownNode {
  const attributes: JsxAttribute[] = [];
  const title = titleOf(node.children ?? [], name);
  const kind = name.toLowerCase();
  const target = (Object.hasOwn(names, kind) && names[kind]) || '';
  const words = textOf({ type: 'root', children: title }).trim();
  if (target === 'Update') attributes.push({ type: 'mdxJsxAttribute', name: 'label', value: words });
  else if (target && words)
    attributes.push({ type: 'mdxJsxAttribute', name: target === 'Frame' ? 'caption' : 'title', nodes: title });
  else if (target === 'Accordion') attributes.push({ type: 'mdxJsxAttribute', name: 'title', value: 'Details' });
  if (/\{\s*open\s*\}\s*$/.test(node.children?.at(-1)?.value ?? ''))
    attributes.push({ type: 'mdxJsxAttribute', name: 'open', value: null });
  return { type: 'mdxJsxFlowElement', name: target, attributes, children: [], position: node.position };
}

/** The nodes of a title, which follows the name, without `[…]` around it and `{…}` after it. */
function titleOf(children: MarkdownNode[], name: string): MarkdownNode[] {
  const nodes = children.map((child) => ({ ...child }));
  const [first, last] = [nodes[0], nodes.at(-1)];
  for (const node of [first, last]) if (node?.value !== undefined) node.changed = true;
  if (first?.value !== undefined) first.value = first.value.slice(containerMark.length + name.length).trimStart();
  if (last?.value !== undefined) last.value = last.value.replace(/\s*\{[^{}]*\}\s*$/, '').replace(/\s*:{3,}\s*$/, '');
  if (first?.value?.startsWith('[') && last?.value?.endsWith(']')) {
    first.value = first.value.slice(1);
    last.value = last.value.slice(0, -1);
  }
  return nodes.filter((node) => node.value !== '');
}

const alerts = new Map([
  ['note', 'Note'],
  ['tip', 'Tip'],
  ['important', 'Info'],
  ['warning', 'Warning'],
  ['caution', 'Danger'],
  ['info', 'Info'],
  // Of Obsidian and Docsy.
  ['danger', 'Danger'],
  ['error', 'Danger'],
  ['success', 'Check'],
  ['hint', 'Tip'],
]);

/** What `> [!NOTE]` can have as its type, in lower case. */
export const alertNames = [...alerts.keys()];

/** A quotation as its alerts: in DocFX, each `[!NOTE]` in it begins another one. */
function alertsOf(node: MarkdownNode): MarkdownNode[] {
  const alerts: MarkdownNode[] = [];
  for (const child of node.children ?? []) {
    const isFirst = alerts.length === 0 || (isAlert(child) && isAlert(node.children?.[0]));
    if (isFirst) alerts.push({ ...node, children: [child] });
    else alerts.at(-1)?.children?.push(child);
  }
  return alerts.length > 0 ? alerts.map(alertOf) : [node];
}

function isAlert(node: MarkdownNode | undefined): boolean {
  const text = node?.type === 'paragraph' ? node.children?.[0] : undefined;
  const word = /^\[!([A-Za-z]+)\]/.exec((text?.type === 'text' && text.value) || '')?.[1];
  return word !== undefined && alerts.has(word.toLowerCase());
}

function alertOf(node: MarkdownNode): MarkdownNode {
  const [paragraph, ...blocks] = node.children ?? [];
  const [text, ...others] = (paragraph?.type === 'paragraph' && paragraph.children) || [];
  if (!paragraph || text?.type !== 'text' || text.value === undefined) return node;
  const [head = '', word = '', title = ''] = /^\[!([A-Za-z]+)\][+-]?[ \t]*([^\n]*)(?:\n|$)/.exec(text.value) ?? [];
  const name = alerts.get(word.toLowerCase());
  if (!name) return node;
  const rest = text.value.slice(head.length);
  const content = rest ? [{ ...text, value: rest, changed: true }, ...others] : others;
  if (content[0]?.type === 'break') content.shift();
  return {
    type: 'mdxJsxFlowElement',
    name,
    attributes: title.trim() ? [{ type: 'mdxJsxAttribute', name: 'title', value: title.trim() }] : [],
    quoted: true,
    children: content.length > 0 ? [{ ...paragraph, children: content }, ...blocks] : blocks,
    position: node.position,
  };
}
