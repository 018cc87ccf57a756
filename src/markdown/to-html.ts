import type { Element, ElementContent } from 'hast';
import type { Nodes } from 'mdast';
import { defaultHandlers, toHast, type Handler, type Handlers, type State } from 'mdast-util-to-hast';
import { codeBlock } from './code-block.ts';
import { renderComponent } from './components/index.ts';
import type { RenderContext } from './context.ts';
import { formula, inlineFormula } from './formulas.ts';
import { mostEmptyCells } from './parser-limits.ts';
import { takeId } from './prepare.ts';
import { reportNoAlt, tableBox } from './elements.ts';
import { element, textOf, type ComponentNode, type MarkdownNode } from './tree.ts';

/** A tree for toHast: its search for definitions, which would take a sixth of the time, looks at `children` only. */
interface Page {
  type: 'page';
  nodes: MarkdownNode[];
  /** Whether the nodes are the whole page, whose blocks are separated by line breaks. */
  isWhole: boolean;
  /** Definitions of links and footnotes. */
  children: MarkdownNode[];
}

/** HTML of all nodes of a page. `definitions` are those of links and footnotes. */
export function pageToHtml(nodes: MarkdownNode[], definitions: MarkdownNode[], handlers: Handlers): ElementContent[] {
  return convert({ type: 'page', nodes, isWhole: true, children: definitions }, handlers);
}

/** HTML of nodes that are a part of a page. */
export function partToHtml(nodes: MarkdownNode[], handlers: Handlers): ElementContent[] {
  return convert({ type: 'page', nodes, isWhole: false, children: [] }, handlers);
}

function convert(page: Page, handlers: Handlers): ElementContent[] {
  const tree = toHast(asMdast(page), { handlers, clobberPrefix: '' });
  return tree.type === 'root' ? tree.children.filter((child) => child.type !== 'doctype' && child.type !== 'mdxjsEsm') : [];
}

/** A node as the type that toHast takes, which lacks our own node types; `createHandlers` has a handler for each of them. */
function asMdast(node: MarkdownNode | Page): Nodes {
  return node as Nodes;
}

/** How each type of node becomes HTML. Links and images are handled here, because their URLs are checked and resolved. */
export function createHandlers(context: RenderContext): Handlers {
  let preformatted = 0;
  let withoutTerms = 0;
  const left = { emptyCells: mostEmptyCells };
  const unmarked =
    <Given extends unknown[], Result>(make: (...given: Given) => Result) =>
    (...given: Given): Result => {
      withoutTerms++;
      const result = make(...given);
      withoutTerms--;
      return result;
    };
  const handlers: Record<string, Handler> = {
    component(state, node: ComponentNode) {
      const isPreformatted = node.name === 'pre';
      const children = () => {
        if (isPreformatted) preformatted++;
        const all = (hasNoTerms(node) ? unmarked(childrenOf) : childrenOf)(state, node);
        if (isPreformatted) preformatted--;
        return all;
      };
      return renderComponent(node, children, context);
    },
    text(state, node) {
      // The spaces at the start of lines are what `<pre>` is for.
      if (preformatted > 0) return { type: 'text', value: node.value };
      const text = defaultHandlers.text(state, node);
      return withoutTerms > 0 || text.type === 'element' ? text : context.prose(text.value);
    },
    page: (state, { nodes, isWhole }: Page) => {
      // A part of a page is a title or another attribute of a component.
      const children = (isWhole ? childrenOf : unmarked(childrenOf))(state, { type: 'root', children: nodes });
      return isWhole ? state.wrap(children, false) : children;
    },
    fragment: childrenOf,
    code: (_state, node) =>
      codeBlock(node.value, node.lang ?? '', node.meta ?? '', context, { start: node.position?.start.line }),
    inlineCode: (_state, node) => inlineCode(node.value),
    heading: unmarked((state, node) => heading(childrenOf(state, node), node.depth)),
    paragraph: (state, node) => {
      const children = childrenOf(state, node);
      if (children.every((child) => child.type === 'text' && !child.value.trim())) return undefined;
      // A block is invalid in a paragraph: browsers would end the paragraph before it.
      return element(children.some(isBlock) ? 'div' : 'p', {}, children);
    },
    table: (state, node) => tableBox(table(state, node, left)),
    listItem: (state, node, parent) => {
      if (typeof node.checked !== 'boolean') return defaultHandlers.listItem(state, node, parent);
      // The text of a task names its checkbox, to which a definition does not belong.
      const item = unmarked(defaultHandlers.listItem)(state, node, parent);
      labelBox(item);
      return item;
    },
    link: unmarked((state, node) =>
      element('a', { href: context.linkUrl(node.url), title: node.title }, childrenOf(state, node)),
    ),
    image: (_state, node) => {
      if (!node.alt) reportNoAlt(node.url, context);
      return element('img', { src: context.imageUrl(node.url), alt: node.alt ?? '', title: node.title, loading: 'lazy' });
    },
    linkReference: unmarked((state, node) => resolved(defaultHandlers.linkReference(state, node), node, 'href', state, context)),
    imageReference: (state, node) => resolved(defaultHandlers.imageReference(state, node), node, 'src', state, context),
    math: (_state, node) => formula(node.value, context, node.position?.start.line),
    inlineMath: (_state, node) => inlineFormula(node.value, context, node.position?.start.line),
    html: () => undefined,
  };
  return handlers;
}

function childrenOf(state: State, node: MarkdownNode): ElementContent[] {
  return state.all(asMdast(node));
}

/** Whether a component is a link, code, a title or another tooltip, in which a term has none. */
function hasNoTerms({ name, props }: ComponentNode): boolean {
  return props.href !== undefined || termless.test(name);
}

const termless =
  /^(?:a|button|code|h[1-6]|kbd|label|option|pre|samp|summary|svg|textarea|var|Code|CodeBlock|Heading|Latex|Link|LinkButton|Prompt|Tooltip)$/;

/** An option that stays on one line of a phone. */
const OPTION = /^--?\w\S{0,30}$/;

/** Browsers break a line after the hyphens of `--option`, which reads as two words. */
function inlineCode(value: string): Element {
  const code = value.replace(/\r?\n|\r/g, ' ');
  if (OPTION.test(code)) return element('code', { class: 'c-nowrap' }, [code]);
  if (!code.includes(' -')) return element('code', {}, [code]);
  const words = code.split(/( +)/).map((word) => (OPTION.test(word) ? element('span', { class: 'c-nowrap' }, [word]) : word));
  return element('code', {}, words);
}

function heading(children: ElementContent[], depth: number): Element {
  const last = children.at(-1);
  if (last?.type !== 'text') return element(`h${depth}`, {}, children);
  const { text, id } = takeId(last.value);
  last.value = text;
  return element(`h${depth}`, { id }, children);
}

function table(state: State, node: MarkdownNode, left: { emptyCells: number }): Element {
  const [head, ...body] = node.children ?? [];
  const columns = head?.children?.length ?? 0;
  const row = ({ children = [] }: MarkdownNode, tag: string) => {
    const cells = children.slice(0, columns).map((cell, i) => element(tag, { align: node.align?.[i] }, childrenOf(state, cell)));
    while (cells.length < columns && left.emptyCells-- > 0) cells.push(element(tag, { align: node.align?.[cells.length] }));
    return element('tr', {}, cells);
  };
  return element('table', {}, [
    head?.children?.some((cell) => cell.children?.length) && element('thead', {}, [row(head, 'th')]),
    body.length > 0 &&
      element(
        'tbody',
        {},
        body.map((cells) => row(cells, 'td')),
      ),
  ]);
}

/** The text of a task is the accessible name of its checkbox. */
function labelBox(item: Element): void {
  const [first] = item.children.filter((child) => child.type === 'element');
  const line = first?.tagName === 'p' ? first.children : item.children;
  const box = line.find((child): child is Element => child.type === 'element' && child.tagName === 'input');
  const label = line.filter((child) => child !== box && !isBlock(child)).map(textOf);
  if (box) box.properties['aria-label'] = label.join('').replace(/\s+/g, ' ').trim();
}

/** The element of a reference with its URL checked and resolved. A reference without a definition is text and stays unchanged. */
function resolved(
  result: ElementContent | ElementContent[] | undefined,
  node: MarkdownNode,
  attribute: 'href' | 'src',
  state: State,
  context: RenderContext,
) {
  const definition = state.definitionById.get(String(node.identifier).toUpperCase());
  if (!definition || !result || Array.isArray(result) || result.type !== 'element') return result;
  const url = attribute === 'src' ? context.imageUrl(definition.url) : context.linkUrl(definition.url);
  if (url === undefined) delete result.properties[attribute];
  else result.properties[attribute] = url;
  return result;
}

const blocks = new Set(
  `address article aside blockquote carrel-code-group carrel-island carrel-tabs carrel-view center details div dl figure footer h1 h2 h3 h4 h5 h6 header
  hr iframe main nav ol p pre section table ul video`.split(/\s+/),
);
const wrappers = new Set(['a', 'span', 'b', 'i', 'em', 'strong', 'font', 'small', 'big', 'u']);

function isBlock(node: ElementContent): boolean {
  if (node.type !== 'element') return false;
  return blocks.has(node.tagName) || (wrappers.has(node.tagName) && node.children.some(isBlock));
}
