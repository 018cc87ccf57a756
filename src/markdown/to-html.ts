import type { ElementContent } from 'hast';
import { toHast, type Handler, type Handlers, type State } from 'mdast-util-to-hast';
import { codeBlock } from './code-block.ts';
import { renderComponent } from './components/index.ts';
import type { RenderContext } from './context.ts';
import { element, textOf, type ComponentNode, type MarkdownNode } from './tree.ts';

/** HTML of expanded Markdown nodes. */
export function toHtmlNodes(nodes: MarkdownNode[], context: RenderContext): ElementContent[] {
  const tree = toHast({ type: 'root', children: nodes } as never, { handlers: handlersFor(context), clobberPrefix: '' });
  return 'children' in tree ? (tree.children as ElementContent[]) : [tree as ElementContent];
}

function handlersFor(context: RenderContext): Handlers {
  const handlers: Record<string, Handler> = {
    component: (state: State, node: ComponentNode) =>
      renderComponent(node, () => state.all(node as never) as ElementContent[], context),
    code: (_state, node) => codeBlock(node.value, node.lang ?? '', node.meta ?? '', context),
    paragraph: (state, node) => {
      const children = state.all(node) as ElementContent[];
      if (children.every((child) => child.type === 'text' && !child.value.trim())) return [];
      // A block cannot stand in a paragraph: browsers would break the paragraph up.
      return element(children.some(isBlock) ? 'div' : 'p', {}, children);
    },
    table: (state, node, parent) => {
      const table = defaultTable(state, node, parent);
      return element('div', { class: 'c-table', tabindex: 0 }, [table]);
    },
    link: (state, node) =>
      element('a', { href: context.address(node.url), title: node.title }, state.all(node) as ElementContent[]),
    image: (_state, node) =>
      element('img', { src: context.address(node.url), alt: node.alt ?? '', title: node.title, loading: 'lazy' }),
    math: (_state, node) =>
      element('figure', { class: 'c-formula' }, [element('pre', { tabindex: 0 }, [element('code', {}, [node.value])])]),
    inlineMath: (_state, node) => element('code', { class: 'c-formula-inline' }, [node.value]),
    html: () => undefined,
  };
  return handlers as Handlers;
}

function defaultTable(state: State, node: any, _parent: unknown) {
  const [head, ...body] = node.children as MarkdownNode[];
  const row = (cells: MarkdownNode, tag: string) =>
    element(
      'tr',
      {},
      (node.align ?? cells.children).map((_: unknown, i: number) => {
        const cell = cells.children?.[i];
        const align = node.align?.[i];
        return element(tag, { align }, cell ? (state.all(cell as never) as ElementContent[]) : []);
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

const blocks = new Set(
  'address article aside blockquote carrel-code-group carrel-tabs carrel-view center details div dl figure footer h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul'.split(
    ' ',
  ),
);

export function isBlock(node: ElementContent): boolean {
  return node.type === 'element' && (blocks.has(node.tagName) || (phrasing.has(node.tagName) && node.children.some(isBlock)));
}
const phrasing = new Set(['a', 'span', 'b', 'i', 'em', 'strong', 'font', 'small']);

export { textOf };
