import { componentMarkdown } from './markdown-version-components.ts';
import { withoutMarks } from './prepare.ts';
import { textOf, type ComponentNode, type MarkdownNode, type PropValue } from './tree.ts';

// The mirror is the page for those who read Markdown. What an author wrote as plain Markdown is cut out of the source
// as it stands, which is both faithful and cheap; only what holds components or moved addresses is written anew.

export interface MirrorOptions {
  source: string;
  address(href: unknown): string | undefined;
  imageAddress(source: unknown): string | undefined;
  /** Whether the source holds nothing but Markdown, with addresses that may stay. */
  untouched: boolean;
}

/** Writes nodes as Markdown; handed to components, which write their children with it. */
export interface MarkdownWriter {
  blocks(nodes: MarkdownNode[]): string;
  inline(nodes: MarkdownNode[]): string;
  /** Content of a prop. */
  prop(value: PropValue): string;
  address(href: unknown): string | undefined;
  imageAddress(source: unknown): string | undefined;
}

/** Markdown of expanded nodes, components spelled out, addresses root-absolute. */
export function mirror(nodes: MarkdownNode[], options: MirrorOptions): string {
  if (options.untouched) return withoutMarks(options.source.slice(nodes[0]?.position?.start.offset ?? 0)).trim();
  const rich = new Set<MarkdownNode>();
  for (const node of nodes) findRich(node, rich, options);
  return withoutMarks(writer(options, options.source, rich, 0).blocks(nodes)).trim();
}

/** Notes the nodes that cannot be cut out of the source. */
function findRich(node: MarkdownNode, rich: Set<MarkdownNode>, options: MirrorOptions): boolean {
  let isRich =
    node.type === 'component' ||
    node.type === 'fragment' ||
    node.type === 'inlineMath' ||
    node.changed === true ||
    !node.position;
  const addressOf = node.type === 'link' ? options.address : options.imageAddress;
  if (typeof node.url === 'string' && addressOf(node.url) !== node.url) isRich = true;
  for (const child of node.children ?? []) if (findRich(child, rich, options)) isRich = true;
  if (isRich) rich.add(node);
  return isRich;
}

function writer(options: MirrorOptions, source: string, rich: Set<MarkdownNode>, quotes: number): MarkdownWriter {
  const cut = (node: MarkdownNode) => cutOut(node, source, quotes);
  const self: MarkdownWriter = {
    address: options.address,
    imageAddress: options.imageAddress,
    blocks: (nodes) => joinBlocks(nodes, (node) => (rich.has(node) ? block(node) : cut(node))),
    inline: (nodes) => nodes.map((node) => (rich.has(node) ? inline(node) : cut(node))).join(''),
    prop: (value) =>
      isContent(value)
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
    const children = node.children ?? [];
    switch (node.type) {
      case 'component':
        return componentMarkdown(node as ComponentNode, node.quoted ? writer(options, source, rich, quotes + 1) : self);
      case 'fragment':
        return writer(options, node.source, rich, 0).blocks(children);
      case 'heading':
        return `${'#'.repeat(node.depth)} ${self.inline(children).trim()}`;
      case 'blockquote':
        return quote(writer(options, source, rich, quotes + 1).blocks(children));
      case 'list':
        return children
          .map((item, i) => listItem(item, node.ordered ? `${(node.start ?? 1) + i}.` : '-', self.blocks(item.children ?? [])))
          .join(node.spread ? '\n\n' : '\n');
      case 'code':
        return fenced(node.value!, [node.lang, node.meta].filter(Boolean).join(' '));
      case 'table':
        return table(node, self);
      case 'definition':
        return `[${node.label ?? node.identifier}]: ${options.imageAddress(node.url) ?? ''}${node.title ? ` "${node.title}"` : ''}`;
      case 'footnoteDefinition':
        return `[^${node.label ?? node.identifier}]: ${indent(self.blocks(children), 4)}`;
      case 'math':
        return `$$\n${node.value}\n$$`;
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
    const children = node.children ?? [];
    switch (node.type) {
      case 'component':
        return componentMarkdown(node as ComponentNode, self);
      case 'fragment':
        return writer(options, node.source, rich, 0).inline(children);
      case 'strong':
        return `**${self.inline(children)}**`;
      case 'emphasis':
        return `*${self.inline(children)}*`;
      case 'delete':
        return `~~${self.inline(children)}~~`;
      case 'inlineCode':
        return codeSpan(node.value!);
      case 'inlineMath':
        return `$${node.value}$`;
      case 'break':
        return '\n';
      case 'link':
        return linkTo(self.inline(children), options.address(node.url), node.title);
      case 'image':
        return `!${linkTo(node.alt ?? '', options.imageAddress(node.url) ?? '', node.title)}`;
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

function isContent(value: PropValue): value is import('./tree.ts').Content {
  return typeof value === 'object' && value !== null && 'nodes' in value && Array.isArray(value.nodes);
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

const wordTags = new Set('a b i em strong code kbd br span sub sup small del s u img'.split(' '));

/** Blocks with a blank line between them; words that stand among blocks are kept together. */
function joinBlocks(nodes: MarkdownNode[], write: (node: MarkdownNode) => string): string {
  const parts: string[] = [];
  let words = '';
  for (const node of nodes) {
    if (inlineTypes.has(node.type) || (node.type === 'component' && (node.inline || wordTags.has(node.name)))) {
      words += write(node);
      continue;
    }
    parts.push(words.trim(), write(node));
    words = '';
  }
  return [...parts, words.trim()].filter((part) => part.trim()).join('\n\n');
}

/** A node's own text in the source, moved to the left edge. */
function cutOut(node: MarkdownNode, source: string, quotes: number): string {
  const { start, end } = node.position!;
  const text = source.slice(start.offset, end.offset);
  if (!text.includes('\n')) return text;
  const column = (start as { column?: number }).column ?? 1;
  const [first, ...rest] = text.split('\n');
  const margin = new RegExp(`^[ \\t]{0,${column - 1}}`);
  return [
    first,
    ...rest.map((line) =>
      quotes > 0 ? line.replace(new RegExp(`^(?:[ \\t]*>[ \\t]?){0,${quotes}}`), '') : line.replace(margin, ''),
    ),
  ].join('\n');
}

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
  const rule = (node.children?.[0]?.children ?? []).map(
    (_, i) => ({ left: ':--', right: '--:', center: ':-:' })[node.align?.[i] as 'left'] ?? '---',
  );
  return [rows[0], `| ${rule.join(' | ')} |`, ...rows.slice(1)].join('\n');
}

export function quote(text: string): string {
  return text.replace(/^/gm, '> ').replace(/^> $/gm, '>');
}

export function indent(text: string, width: number): string {
  return text.replace(/\n(?!\n|$)/g, `\n${' '.repeat(width)}`);
}

export function listItem(item: MarkdownNode | undefined, marker: string, content: string): string {
  const task = typeof item?.checked === 'boolean' ? (item.checked ? '[x] ' : '[ ] ') : '';
  return `${marker} ${task}${indent(content, marker.length + 1)}`;
}

/** A fence longer than any in the code. */
export function fenced(code: string, info: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map((run) => run[0].length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${info}\n${code}\n${fence}`;
}

export function codeSpan(code: string): string {
  const fence = code.includes('`') ? '``' : '`';
  return code.includes('`') ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`;
}

export function linkTo(text: string, href: string | undefined, title?: string | null): string {
  if (href === undefined) return text;
  return `[${text}](${/[\s()]/.test(href) ? `<${href}>` : href}${title ? ` "${title.replace(/"/g, '&quot;')}"` : ''})`;
}

export { textOf };
