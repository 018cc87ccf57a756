import { safeAddress, type SafeAddress } from './safe-url.ts';
import { readBlocks, type Block } from './blocks.ts';
import { readInline, type Inline } from './inline.ts';
import { element } from '../shared/element.ts';

export interface MarkdownOptions {
  /** Address of a page of the site by its root-absolute path. */
  ownAddress: (path: string) => string;
  /** What `[3]` leads to; undefined leaves it as text. */
  citation: (number: number) => { href: string; label: string } | undefined;
  /** Buttons for a closed `suggestions` block. */
  suggestions?: (suggestions: Suggestion[]) => Node;
}

/** A line `(label)[/path]` of a `suggestions` block. */
export interface Suggestion {
  label: string;
  path: string | undefined;
}

/**
 * Shows Markdown that comes bit by bit: each call gets the whole text so far, and only blocks that changed are made anew; all of them
 * when it knows more sources than before, which citations in earlier blocks may mean. Nodes are made one by one, never from HTML, so
 * that nothing in the text is ever run or loaded.
 */
export function markdownView(container: Element, options: MarkdownOptions): (text: string, sources?: number) => void {
  let shown: string[] = [];
  let known = 0;
  return (text, sources = 0) => {
    if (sources !== known) shown = [];
    known = sources;
    const blocks = readBlocks(text);
    const same = blocks.findIndex(({ source }, i) => source !== shown[i]);
    const kept = same === -1 ? blocks.length : same;
    while (container.childNodes.length > kept) container.lastChild!.remove();
    container.append(together(blocks.slice(kept).map((block) => blockNode(block, options))));
    shown = blocks.map(({ source }) => source);
  };
}

function blockNode(block: Block, options: MarkdownOptions): HTMLElement {
  const inline = (text: string) => inlineNodes(readInline(text), options);
  switch (block.kind) {
    case 'paragraph':
      return element('p', {}, inline(block.text));
    case 'heading':
      // Below the panel's own heading, whatever level the text asks for.
      return element(
        'p',
        { role: 'heading', 'aria-level': String(Math.min(block.level + 2, 6)), class: 'heading' },
        inline(block.text),
      );
    case 'code':
      return codeNode(block, options);
    case 'list': {
      const items = block.items.map((blocks) => element('li', {}, itemNodes(blocks, options)));
      return block.start === undefined
        ? element('ul', {}, together(items))
        : element('ol', { start: block.start === 1 ? undefined : String(block.start) }, together(items));
    }
    case 'quote':
      return element('blockquote', {}, together(block.blocks.map((inner) => blockNode(inner, options))));
    case 'table': {
      const row = (cells: string[], tag: 'th' | 'td') =>
        element('tr', {}, together(cells.map((cell) => element(tag, {}, inline(cell)))));
      const body = element('tbody', {}, together(block.rows.map((cells) => row(cells, 'td'))));
      const table = element('table', {}, element('thead', {}, row(block.head, 'th')), body);
      // Scrolls by itself, so that the panel never does sideways; by keyboard too.
      return element('div', { class: 'table', tabindex: '0' }, table);
    }
    case 'rule':
      return element('hr');
  }
}

/** A single paragraph of an item stands without the space of one. */
function itemNodes(blocks: Block[], options: MarkdownOptions): DocumentFragment {
  return together(
    blocks.map((block, i) =>
      block.kind === 'paragraph' && i === 0 ? inlineNodes(readInline(block.text), options) : blockNode(block, options),
    ),
  );
}

function codeNode({ language, text, closed }: Extract<Block, { kind: 'code' }>, options: MarkdownOptions): HTMLElement {
  if (language === 'suggestions' && options.suggestions) {
    const box = element('div', { class: 'suggestions' });
    if (closed) box.append(options.suggestions(suggestionsIn(text)));
    return box;
  }
  return element('pre', { tabindex: '0', dir: 'ltr' }, element('code', {}, text));
}

/** The suggestions of such a block, at most five; other lines are left out. */
export function suggestionsIn(text: string): Suggestion[] {
  return text
    .split('\n')
    .flatMap((line) => {
      const [, label, path] = /^\s*\(([^()]{1,200})\)\[([^\][]{0,300})\]\s*$/.exec(line) ?? [];
      return label?.trim() ? [{ label: label.trim(), path: path?.trim() || undefined }] : [];
    })
    .slice(0, 5);
}

function inlineNodes(parts: Inline[], options: MarkdownOptions): DocumentFragment {
  return together(parts.map((part) => inlineNode(part, options)));
}

function inlineNode(part: Inline, options: MarkdownOptions): Node {
  switch (part.kind) {
    case 'text':
      return document.createTextNode(part.text);
    case 'code':
      return element('code', { dir: 'ltr' }, part.text);
    case 'break':
      return element('br');
    case 'link':
      return linkNode(part.address, inlineNodes(part.content, options), options);
    case 'image':
      return linkNode(part.address, document.createTextNode(part.alt || part.address), options);
    case 'citation': {
      const cited = options.citation(part.number);
      const text = `[${part.number}]`;
      return cited
        ? element('a', { href: cited.href, class: 'citation', 'aria-label': cited.label, title: cited.label }, text)
        : document.createTextNode(text);
    }
    default:
      return element(part.kind, {}, inlineNodes(part.content, options));
  }
}

function linkNode(address: string, content: Node, options: MarkdownOptions): HTMLElement {
  const safe = safeAddress(address);
  if (!safe) return element('span', {}, content);
  const link = element('a', linkAttributes(safe, options), content);
  // A link holds none: a picture that is one gives its words.
  for (const inner of link.querySelectorAll('a')) inner.replaceWith(...inner.childNodes);
  return link;
}

function linkAttributes(safe: SafeAddress, { ownAddress }: MarkdownOptions): Record<string, string> {
  if (safe.kind === 'own') return { href: ownAddress(safe.path) };
  return { href: safe.href, target: '_blank', rel: 'noopener noreferrer nofollow' };
}

// Some hundred thousand nodes are too many arguments for a call.
function together(nodes: Node[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const node of nodes) fragment.append(node);
  return fragment;
}
