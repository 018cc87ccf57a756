import { element } from '../shared/elements.ts';
import { type Block, readBlocks } from './blocks.ts';
import { type Inline, readInline } from './inline.ts';

export interface MarkdownOptions {
  /** URL of a page of the site by its root-absolute path. */
  pageUrl: (path: string) => string;
  /** The link for `[3]`; undefined leaves it as text. */
  citation: (number: number) => { href: string; label: string } | undefined;
  /** The button that copies a block of code. */
  copyButton?: (code: string) => Node;
  /** Buttons for a closed `suggestions` block. */
  suggestions?: (suggestions: Suggestion[]) => Node;
}

/** A line `(label)[/path]` of a `suggestions` block. */
export interface Suggestion {
  label: string;
  path: string | undefined;
}

/**
 * Shows Markdown while it arrives: each call gets the whole text so far and replaces only blocks that changed; all of them when there
 * are more sources than before, since earlier blocks may cite them. Nodes are created one by one, never from HTML, so that nothing in
 * the text can run or load anything.
 */
export function markdownView(container: Element, options: MarkdownOptions): (text: string, sources?: number) => void {
  let shown: string[] = [];
  let known = 0;
  return (text, sources = 0) => {
    if (sources !== known) shown = [];
    known = sources;
    const blocks = readBlocks(text);
    const changed = blocks.findIndex(({ source }, i) => source !== shown[i]);
    const unchanged = changed === -1 ? blocks.length : changed;
    while (container.childNodes.length > unchanged) container.lastChild?.remove();
    container.append(together(blocks.slice(unchanged).map((block) => blockNode(block, options))));
    shown = blocks.map(({ source }) => source);
  };
}

function blockNode(block: Block, options: MarkdownOptions): HTMLElement {
  const inline = (text: string) => inlineNodes(readInline(text), options);
  switch (block.kind) {
    case 'paragraph':
      return element('p', {}, inline(block.text));
    case 'heading':
      // Always below the panel's own heading.
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
      // The table scrolls, also by keyboard, so that the panel never scrolls sideways.
      return element('div', { class: 'table', tabindex: '0' }, table);
    }
    case 'rule':
      return element('hr');
  }
}

/** The first paragraph of an item is shown without the space around a paragraph. */
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
  const code = element('pre', { tabindex: '0', dir: 'ltr' }, element('code', {}, text));
  if (!options.copyButton) return code;
  const head = element('div', { class: 'code-head' }, element('span', {}, language), options.copyButton(text));
  return element('div', { class: 'code' }, head, code);
}

/** The suggestions of a block, at most five; other lines are ignored. */
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
      return linkNode(part.url, inlineNodes(part.content, options), options);
    case 'image':
      return linkNode(part.url, document.createTextNode(part.alt || part.url), options);
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

function linkNode(url: string, content: Node, options: MarkdownOptions): HTMLElement {
  const safe = safeUrl(url);
  if (!safe) return element('span', {}, content);
  const link = element('a', linkAttributes(safe, options), content);
  // A link cannot contain links: an image in it becomes its text.
  for (const inner of link.querySelectorAll('a')) inner.replaceWith(...inner.childNodes);
  return link;
}

function linkAttributes(safe: SafeUrl, { pageUrl }: MarkdownOptions): Record<string, string> {
  if (safe.kind === 'own') return { href: pageUrl(safe.path) };
  return { href: safe.href, target: '_blank', rel: 'noopener noreferrer nofollow' };
}

// A hundred thousand nodes are too many arguments for one call.
function together(nodes: Node[]): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const node of nodes) fragment.append(node);
  return fragment;
}

/** A URL that a link of an answer may have: a page of this site, by root-absolute path, or another site. */
type SafeUrl = { kind: 'own'; path: string } | { kind: 'other'; href: string };

// `.invalid` exists nowhere: a URL with this origin was relative.
const base = 'https://carrel.invalid';

/**
 * The target of a link in an answer: http(s), mailto, or a path of this site. Null for everything else (`javascript:`, `data:`,
 * `file:`, scheme-relative URLs), in any spelling.
 */
export function safeUrl(text: string): SafeUrl | null {
  // Browsers remove these characters, so "java\nscript:" is a scheme too.
  const plain = text.replace(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, '');
  if (plain === '' || !URL.canParse(plain, base)) return null;
  const url = new URL(plain, base);
  const hasScheme = /^[a-z][a-z0-9+.-]*:/i.test(plain);
  if (!hasScheme) return url.origin === base ? { kind: 'own', path: url.pathname + url.search + url.hash } : null;
  if (url.username !== '' || url.password !== '') return null;
  return /^(?:https?|mailto):$/.test(url.protocol) && !url.href.startsWith(base) ? { kind: 'other', href: url.href } : null;
}
