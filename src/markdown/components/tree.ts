import type { Element, ElementContent } from 'hast';
import type { Component, RenderContext } from '../context.ts';
import { element, elementsOf, textOf } from '../tree.ts';
import { iconNode, isOn, text } from './props.ts';

/** A file tree, from its own elements or from a nested Markdown list. */
export const tree: Component = (_props, children, context) => {
  const nodes = children();
  const list = nodes.find(
    (node): node is Element => node.type === 'element' && node.tagName === 'ul' && !node.properties['data-tree'],
  );
  return element('div', { class: 'c-tree' }, [list ? fromList(list, context) : element('ul', {}, elementsOf(nodes, 'li'))]);
};

export const folder: Component = (props, children, context) =>
  folderItem(text(props.name) ?? '', elementsOf(children(), 'li'), context, {
    open: isOn(props.defaultOpen),
    highlight: isOn(props.highlight),
    comment: [{ type: 'text', value: text(props.comment) ?? '' }],
  });

export const file: Component = (props, _children, context) =>
  fileItem([{ type: 'text', value: text(props.name) ?? '' }], context, {
    highlight: isOn(props.highlight),
    comment: [{ type: 'text', value: text(props.comment) ?? '' }],
  });

interface ItemOptions {
  open?: boolean;
  highlight?: boolean;
  comment: ElementContent[];
}

function folderItem(name: string, items: ElementContent[], context: RenderContext, options: ItemOptions): Element {
  return element('li', { class: options.highlight ? 'c-tree-folder c-tree-highlight' : 'c-tree-folder' }, [
    element('details', { open: options.open }, [
      element('summary', {}, [iconNode('folder', context), ` ${name.replace(/\/$/, '')}`, ...commentOf(options.comment)]),
      element('ul', {}, items),
    ]),
  ]);
}

function fileItem(name: ElementContent[], context: RenderContext, options: ItemOptions): Element {
  return element('li', { class: options.highlight ? 'c-tree-file c-tree-highlight' : 'c-tree-file' }, [
    iconNode('file', context),
    ' ',
    ...name,
    ...commentOf(options.comment),
  ]);
}

function commentOf(comment: ElementContent[]): (ElementContent | string)[] {
  return comment.some((node) => textOf(node).trim()) ? [' ', element('span', { class: 'c-tree-comment' }, comment)] : [];
}

/** An item such as `- src/ a comment` is a folder when its name ends with a slash or it has a list; a bold name is highlighted. */
function fromList(list: Element, context: RenderContext): Element {
  const items = list.children.flatMap((item) => {
    if (item.type !== 'element' || item.tagName !== 'li') return [];
    const inner = item.children.find((node): node is Element => node.type === 'element' && node.tagName === 'ul');
    const line = item.children
      .filter((node) => node !== inner)
      .flatMap((node) => (node.type === 'element' && node.tagName === 'p' ? node.children : [node]))
      .filter((node) => node.type !== 'text' || node.value.trim());
    const [first, ...comment] = line;
    const label = first ? textOf(first).trim() : '';
    const [name = '', rest = ''] = first?.type === 'text' ? splitOnce(label) : [label];
    const options = {
      comment: [...(rest ? [{ type: 'text' as const, value: rest }] : []), ...comment],
      highlight: first?.type === 'element' && first.tagName === 'strong',
      open: true,
    };
    return inner || name.endsWith('/')
      ? folderItem(name, inner ? fromList(inner, context).children : [], context, options)
      : fileItem([{ type: 'text', value: name }], context, options);
  });
  return element('ul', {}, items);
}

function splitOnce(label: string): [string, string] {
  const blank = label.search(/\s/);
  return blank === -1 ? [label, ''] : [label.slice(0, blank), label.slice(blank).trim()];
}
