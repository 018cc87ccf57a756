import type { Element, ElementContent } from 'hast';
import { defaultHandlers, toHast, type Handler, type Handlers, type State } from 'mdast-util-to-hast';
import { codeBlock } from './code-block.ts';
import { renderComponent } from './components/index.ts';
import type { RenderContext } from './context.ts';
import { takeId } from './prepare.ts';
import { tableBox } from './table.ts';
import { element, textOf, type ComponentNode, type MarkdownNode } from './tree.ts';

const none: MarkdownNode[] = [];

/** HTML of expanded Markdown nodes. `definitions` are those of the whole page: of links and footnotes. */
export function toHtmlNodes(nodes: MarkdownNode[], handlers: Handlers, definitions: MarkdownNode[] = none): ElementContent[] {
  // toHast looks for definitions in all it is given, which takes a sixth of the time: so it is given only those.
  const tree = toHast(
    { type: 'root', children: [...definitions, { type: 'page', nodes, flow: definitions !== none }] } as never,
    { handlers, clobberPrefix: '' },
  );
  return 'children' in tree ? (tree.children as ElementContent[]) : [tree as ElementContent];
}

/** How each kind of node becomes HTML. What Markdown's own handlers do with addresses is done here, where they are checked. */
export function createHandlers(context: RenderContext): Handlers {
  const handlers: Record<string, Handler> = {
    component: (state: State, node: ComponentNode) => renderComponent(node, () => childrenOf(state, node), context),
    root: (state: State, node) => ({ type: 'root', children: state.all(node) }) as never,
    page: (state: State, node: MarkdownNode) => {
      const children = childrenOf(state, { type: 'root', children: node.nodes });
      return node.flow ? state.wrap(children, false) : children;
    },
    fragment: (state: State, node: MarkdownNode) => childrenOf(state, node),
    code: (_state, node) => codeBlock(node.value, node.lang ?? '', node.meta ?? '', context),
    heading: (state, node) => heading(childrenOf(state, node), node.depth),
    paragraph: (state, node) => {
      const children = childrenOf(state, node);
      if (children.every((child) => child.type === 'text' && !child.value.trim())) return undefined;
      // A block cannot stand in a paragraph: browsers would break the paragraph up.
      return element(children.some(isBlock) ? 'div' : 'p', {}, children);
    },
    table: (state, node) => tableBox(table(state, node)),
    listItem: (state, node, parent) => {
      const item = defaultHandlers.listItem(state, node, parent);
      if (typeof node.checked === 'boolean') labelBox(item);
      return item;
    },
    link: (state, node) => element('a', { href: context.address(node.url), title: node.title }, childrenOf(state, node)),
    image: (_state, node) =>
      element('img', { src: context.imageAddress(node.url), alt: node.alt ?? '', title: node.title, loading: 'lazy' }),
    linkReference: (state, node, parent) =>
      checked(defaultHandlers.linkReference(state, node) as Element, node, 'href', state, context, parent),
    imageReference: (state, node, parent) =>
      checked(defaultHandlers.imageReference(state, node) as Element, node, 'src', state, context, parent),
    math: (_state, node) => formula(node.value, context),
    inlineMath: (_state, node) => inlineFormula(node.value, context),
    html: () => undefined,
  };
  return handlers as Handlers;
}

function childrenOf(state: State, node: MarkdownNode): ElementContent[] {
  return state.all(node as never) as ElementContent[];
}

function heading(children: ElementContent[], depth: number): Element {
  const last = children.at(-1);
  const taken = last?.type === 'text' ? takeId(last.value) : undefined;
  if (taken?.id !== undefined && last?.type === 'text') last.value = taken.text;
  const id = taken?.id;
  return element(`h${depth}`, { id }, children);
}

function table(state: State, node: MarkdownNode): Element {
  const [head, ...body] = node.children ?? [];
  const row = (cells: MarkdownNode, tag: string) =>
    element(
      'tr',
      {},
      (head?.children ?? []).map((_, i) => {
        const cell = cells.children?.[i];
        return element(tag, { align: node.align?.[i] }, cell ? childrenOf(state, cell) : []);
      }),
    );
  return element('table', {}, [
    head && element('thead', {}, [row(head, 'th')]),
    body.length > 0 &&
      element(
        'tbody',
        {},
        body.map((cells) => row(cells, 'td')),
      ),
  ]);
}

/** A box is named by the words beside it. */
function labelBox(item: Element): void {
  const [first] = item.children.filter((child) => child.type === 'element');
  const line = first?.tagName === 'p' ? first.children : item.children;
  const box = line.find((child): child is Element => child.type === 'element' && child.tagName === 'input');
  const words = line.filter((child) => child !== box && !isBlock(child)).map(textOf);
  if (box) box.properties['aria-label'] = words.join('').replace(/\s+/g, ' ').trim();
}

/** A reference's element with its address checked; one without a definition is the text it was. */
function checked(
  result: Element | ElementContent[],
  node: MarkdownNode,
  attribute: 'href' | 'src',
  state: State,
  context: RenderContext,
  _parent: unknown,
) {
  const definition = state.definitionById.get(String(node.identifier).toUpperCase());
  if (!definition || Array.isArray(result) || result.type !== 'element') return result;
  const address = attribute === 'src' ? context.imageAddress(definition.url) : context.address(definition.url);
  if (address === undefined) delete result.properties[attribute];
  else result.properties[attribute] = address;
  return result;
}

function formula(source: string, context: RenderContext): Element {
  reportFormula(context);
  return element('figure', { class: 'c-formula' }, [element('pre', { tabindex: 0 }, [element('code', {}, [source])])]);
}

function inlineFormula(source: string, context: RenderContext): Element {
  reportFormula(context);
  return element('code', { class: 'c-formula-inline' }, [source]);
}

function reportFormula(context: RenderContext): void {
  context.report({ kind: 'formula-shown-as-code', severity: 'note', message: 'A formula is shown as its source.' }, '');
}

const blocks = new Set(
  `address article aside blockquote carrel-code-group carrel-tabs carrel-view center details div dl figure footer h1 h2 h3 h4 h5 h6 header
  hr iframe main nav ol p pre section table ul video`.split(/\s+/),
);
const wrappers = new Set(['a', 'span', 'b', 'i', 'em', 'strong', 'font', 'small', 'big', 'u']);

function isBlock(node: ElementContent): boolean {
  if (node.type !== 'element') return false;
  return blocks.has(node.tagName) || (wrappers.has(node.tagName) && node.children.some(isBlock));
}
