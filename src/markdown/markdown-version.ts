import type { ReferenceLabels } from '../../integration/texts/index.ts';
import { componentMarkdown, codeSpan, fenced, indent, linkTo, quote, type MarkdownWriter } from './component-markdown.ts';
import { withoutMarks } from './prepare.ts';
import { text } from './components/props.ts';
import { Content, isComponent, type MarkdownNode, type PropValue } from './tree.ts';

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
  return withoutMarks(new Writer(options, options.source, rich, 0).blocks(nodes)).trim();
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

/** Writes nodes of one source. */
class Writer implements MarkdownWriter {
  readonly options: MarkdownVersionOptions;
  readonly source: string;
  readonly rich: Set<MarkdownNode>;
  /** Block quotes around the nodes. */
  readonly quotes: number;

  constructor(options: MarkdownVersionOptions, source: string, rich: Set<MarkdownNode>, quotes: number) {
    this.options = options;
    this.source = source;
    this.rich = rich;
    this.quotes = quotes;
  }

  get labels() {
    return this.options.labels;
  }
  linkUrl(href: unknown) {
    return this.options.linkUrl(href);
  }
  imageUrl(source: unknown) {
    return this.options.imageUrl(source);
  }
  blocks(nodes: MarkdownNode[]) {
    return joinBlocks(nodes, (node) => (this.rich.has(node) ? this.block(node) : this.cut(node)));
  }
  inline(nodes: MarkdownNode[]) {
    return nodes.map((node) => (this.rich.has(node) ? this.phrase(node) : this.cut(node))).join('');
  }
  prop(value: PropValue) {
    if (!(value instanceof Content)) return text(value) ?? '';
    for (const node of value.nodes) findRich(node, this.rich, this.options);
    return this.inline(value.nodes);
  }
  /** For what is quoted once more. */
  quoted() {
    return new Writer(this.options, this.source, this.rich, this.quotes + 1);
  }
  of(source = '') {
    return new Writer(this.options, source, this.rich, 0);
  }

  private cut(node: MarkdownNode): string {
    return cutOut(node, this.source, this.quotes);
  }
  private block(node: MarkdownNode): string {
    if (isComponent(node)) return componentMarkdown(node, node.quoted ? this.quoted() : this);
    const write = Object.hasOwn(blocks, node.type) ? blocks[node.type] : undefined;
    return write ? write(node, this, node.children ?? []) : this.phrase(node).trim();
  }
  private phrase(node: MarkdownNode): string {
    if (isComponent(node)) return componentMarkdown(node, this);
    const { type, value, children = [] } = node;
    const write = Object.hasOwn(phrases, type) ? phrases[type] : undefined;
    if (write) return write(node, this, children);
    if (value !== undefined) return value;
    return children.some((child) => child.type === 'paragraph') ? this.blocks(children) : this.inline(children);
  }
}

type Writers = Record<string, (node: MarkdownNode, write: Writer, children: MarkdownNode[]) => string>;

const blocks: Writers = {
  fragment: ({ source }, write, children) => write.of(source).blocks(children),
  heading: ({ depth }, write, children) => `${'#'.repeat(depth ?? 1)} ${write.inline(children).trim()}`,
  blockquote: (_, write, children) => quote(write.quoted().blocks(children)),
  list: ({ ordered, start, spread }, write, children) =>
    children
      .map((item, i) => listItem(item, ordered ? `${(start ?? 1) + i}.` : '-', write.blocks(item.children ?? [])))
      .join(spread ? '\n\n' : '\n'),
  code: ({ value = '', lang, meta }) => fenced(value, [lang, meta].filter(Boolean).join(' ')),
  table,
  definition: ({ label, identifier, url, title }, write) =>
    `[${label ?? identifier}]: ${write.imageUrl(url) ?? ''}${title ? ` "${title}"` : ''}`,
  footnoteDefinition: ({ label, identifier }, write, children) =>
    `[^${label ?? identifier}]: ${indent(write.blocks(children), 4)}`,
  math: ({ value = '' }) => `$$\n${value}\n$$`,
  thematicBreak: () => '---',
  html: () => '',
  paragraph: (_, write, children) => write.inline(children).trim(),
};

const phrases: Writers = {
  fragment: ({ source }, write, children) => write.of(source).inline(children),
  strong: (_, write, children) => `**${write.inline(children)}**`,
  emphasis: (_, write, children) => `*${write.inline(children)}*`,
  delete: (_, write, children) => `~~${write.inline(children)}~~`,
  inlineCode: ({ value = '' }) => codeSpan(value),
  inlineMath: ({ value = '' }) => `$${value}$`,
  break: () => '\n',
  link: ({ url, title }, write, children) => linkTo(write.inline(children), write.linkUrl(url), title),
  image: ({ alt, url, title }, write) => `!${linkTo(alt ?? '', write.imageUrl(url) ?? '', title)}`,
  linkReference: ({ label, identifier }, write, children) => `[${write.inline(children)}][${label ?? identifier}]`,
  html: () => '',
};

const inlineTypes = new Set(
  'text strong emphasis delete inlineCode inlineMath break link image linkReference imageReference footnoteReference'.split(' '),
);

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
