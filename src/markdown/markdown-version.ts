import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { componentMarkdown, codeSpan, fenced, indent, linkTo, quote, type MarkdownWriter } from './component-markdown.ts';
import { withoutMarks } from './prepare.ts';
import { Content, isComponent, type MarkdownNode } from './tree.ts';

// The Markdown version of a page. What its author wrote as plain Markdown is cut out of the source unchanged, which is exact
// and fast; only nodes with components or changed URLs are generated.

export interface MarkdownVersionOptions {
  source: string;
  linkUrl(href: unknown): string | undefined;
  imageUrl(source: unknown): string | undefined;
  /** In the page's language. */
  labels: ReferenceLabels;
  /** Whether the source is plain Markdown whose URLs need no change. */
  unchanged: boolean;
}

/** Markdown of expanded nodes: components replaced by Markdown, URLs root-absolute. */
export function markdownVersion(nodes: MarkdownNode[], options: MarkdownVersionOptions): string {
  if (options.unchanged) return withoutMarks(options.source.slice(nodes[0]?.position?.start.offset ?? 0)).trim();
  const rich = new Set<MarkdownNode>();
  for (const node of nodes) findRich(node, rich, options);
  return withoutMarks(writer(options, options.source, rich, 0).blocks(nodes)).trim();
}

/** Adds the nodes to `rich` that cannot be cut out of the source. */
function findRich(node: MarkdownNode, rich: Set<MarkdownNode>, options: MarkdownVersionOptions): boolean {
  let isRich =
    isComponent(node) || node.type === 'fragment' || node.type === 'inlineMath' || node.changed === true || !node.position;
  const resolve = node.type === 'link' ? options.linkUrl : options.imageUrl;
  if (node.url !== undefined && resolve(node.url) !== node.url) isRich = true;
  for (const child of node.children ?? []) if (findRich(child, rich, options)) isRich = true;
  if (isRich) rich.add(node);
  return isRich;
}

function writer(options: MarkdownVersionOptions, source: string, rich: Set<MarkdownNode>, quotes: number): MarkdownWriter {
  const cut = (node: MarkdownNode) => cutOut(node, source, quotes);
  const self: MarkdownWriter = {
    linkUrl: options.linkUrl,
    imageUrl: options.imageUrl,
    labels: options.labels,
    blocks: (nodes) => joinBlocks(nodes, (node) => (rich.has(node) ? block(node) : cut(node))),
    inline: (nodes) => nodes.map((node) => (rich.has(node) ? inline(node) : cut(node))).join(''),
    prop: (value) =>
      value instanceof Content
        ? self.inline(marked(value.nodes))
        : typeof value === 'string' || typeof value === 'number'
          ? String(value)
          : '',
  };
  const marked = (nodes: MarkdownNode[]) => {
    for (const node of nodes) findRich(node, rich, options);
    return nodes;
  };
  const block = (node: MarkdownNode): string => {
    if (isComponent(node)) return componentMarkdown(node, node.quoted ? writer(options, source, rich, quotes + 1) : self);
    const { value = '', children = [] } = node;
    switch (node.type) {
      case 'fragment':
        return writer(options, node.source ?? '', rich, 0).blocks(children);
      case 'heading':
        return `${'#'.repeat(node.depth ?? 1)} ${self.inline(children).trim()}`;
      case 'blockquote':
        return quote(writer(options, source, rich, quotes + 1).blocks(children));
      case 'list':
        return children
          .map((item, i) => listItem(item, node.ordered ? `${(node.start ?? 1) + i}.` : '-', self.blocks(item.children ?? [])))
          .join(node.spread ? '\n\n' : '\n');
      case 'code':
        return fenced(value, [node.lang, node.meta].filter(Boolean).join(' '));
      case 'table':
        return table(node, self);
      case 'definition':
        return `[${node.label ?? node.identifier}]: ${options.imageUrl(node.url) ?? ''}${node.title ? ` "${node.title}"` : ''}`;
      case 'footnoteDefinition':
        return `[^${node.label ?? node.identifier}]: ${indent(self.blocks(children), 4)}`;
      case 'math':
        return `$$\n${value}\n$$`;
      case 'thematicBreak':
        return '---';
      case 'html':
        return '';
      case 'paragraph':
        return self.inline(children).trim();
      default:
        return inline(node).trim();
    }
  };
  const inline = (node: MarkdownNode): string => {
    if (isComponent(node)) return componentMarkdown(node, self);
    const { value = '', children = [] } = node;
    switch (node.type) {
      case 'fragment':
        return writer(options, node.source ?? '', rich, 0).inline(children);
      case 'strong':
        return `**${self.inline(children)}**`;
      case 'emphasis':
        return `*${self.inline(children)}*`;
      case 'delete':
        return `~~${self.inline(children)}~~`;
      case 'inlineCode':
        return codeSpan(value);
      case 'inlineMath':
        return `$${value}$`;
      case 'break':
        return '\n';
      case 'link':
        return linkTo(self.inline(children), options.linkUrl(node.url), node.title);
      case 'image':
        return `!${linkTo(node.alt ?? '', options.imageUrl(node.url) ?? '', node.title)}`;
      case 'linkReference':
        return `[${self.inline(children)}][${node.label ?? node.identifier}]`;
      case 'html':
        return '';
      default:
        if (node.value !== undefined) return node.value;
        return children.some((child) => child.type === 'paragraph') ? self.blocks(children) : self.inline(children);
    }
  };
  return self;
}

const inlineTypes = new Set([
  'text',
  'strong',
  'emphasis',
  'delete',
  'inlineCode',
  'inlineMath',
  'break',
  'link',
  'image',
  'linkReference',
  'imageReference',
  'footnoteReference',
]);

const inlineTags = new Set('a b i em strong code kbd br span sub sup small del s u img'.split(' '));

/** Blocks separated by blank lines; adjacent inline nodes are joined. */
function joinBlocks(nodes: MarkdownNode[], write: (node: MarkdownNode) => string): string {
  const parts: string[] = [];
  let line = '';
  for (const node of nodes) {
    if (inlineTypes.has(node.type) || (isComponent(node) && (node.inline || inlineTags.has(node.name)))) {
      line += write(node);
      continue;
    }
    parts.push(line.trim(), write(node));
    line = '';
  }
  return [...parts, line.trim()].filter((part) => part.trim()).join('\n\n');
}

/** A node's text in the source, without the indentation of its first line. */
function cutOut(node: MarkdownNode, source: string, quotes: number): string {
  const { start, end } = node.position ?? {};
  const text = source.slice(start?.offset, end?.offset);
  if (!text.includes('\n')) return text;
  const [first, ...rest] = text.split('\n');
  const margin = new RegExp(`^[ \\t]{0,${(start?.column ?? 1) - 1}}`);
  return [
    first,
    ...rest.map((line) =>
      quotes > 0 ? line.replace(new RegExp(`^(?:[ \\t]*>[ \\t]?){0,${quotes}}`), '') : line.replace(margin, ''),
    ),
  ].join('\n');
}

const rules = { left: ':--', right: '--:', center: ':-:', none: '---' };

function table(node: MarkdownNode, write: MarkdownWriter): string {
  const rows = (node.children ?? []).map(
    (row) =>
      `| ${(row.children ?? [])
        .map((cell) =>
          write
            .inline(cell.children ?? [])
            .replace(/\s*\n\s*/g, ' ')
            .trim(),
        )
        .join(' | ')} |`,
  );
  const rule = (node.children?.[0]?.children ?? []).map((_, i) => rules[node.align?.[i] ?? 'none']);
  return [rows[0], `| ${rule.join(' | ')} |`, ...rows.slice(1)].join('\n');
}

function listItem(item: MarkdownNode, marker: string, content: string): string {
  const task = typeof item.checked === 'boolean' ? (item.checked ? '[x] ' : '[ ] ') : '';
  return `${marker} ${task}${indent(content, marker.length + 1)}`;
}
