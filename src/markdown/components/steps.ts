import type { Element, ElementContent } from 'hast';
import type { Component } from '../context.ts';
import { headingId } from '../headings.ts';
import { element, elementsOf, textOf } from '../tree.ts';
import { iconNode, text } from './props.ts';

export const steps: Component = (props, children) => {
  const items = elementsOf(children());
  const [list] = items;
  // Starlight's Steps hold an ordinary ordered list.
  if (items.length === 1 && list?.tagName === 'ol') {
    list.properties.class = 'c-steps';
    for (const item of list.children) {
      if (!isElement(item, 'li')) continue;
      item.properties.class = 'c-step';
      item.children = [element('div', { class: 'c-step-body' }, item.children)];
    }
    return list;
  }
  const size = text(props.titleSize);
  return element(
    'ol',
    { class: 'c-steps' },
    items.map((item) => (isElement(item, 'li') ? sized(item, size) : element('li', { class: 'c-step' }, [item]))),
  );
};

export const step: Component = (props, children, context) => {
  const title = context.inlineMarkdown(props.title);
  const icon = iconNode(props.icon, context, { type: props.iconType });
  const number = Number(text(props.stepNumber));
  const anchor = text(props.id) ?? headingId(title.map(textOf).join(''));
  return element(
    'li',
    {
      class: 'c-step',
      'data-anchor': anchor || null,
      value: Number.isInteger(number) && props.stepNumber !== undefined ? number : null,
    },
    [
      title.length > 0 &&
        element(headingTag(text(props.titleSize)), { class: 'c-step-title' }, [
          icon && element('span', { class: 'c-step-icon' }, [icon]),
          ...title,
        ]),
      element('div', { class: 'c-step-body' }, children()),
    ],
  );
};

/** A step whose title has the size set on the list, unless it has its own. */
function sized(item: Element, size: string | undefined): Element {
  const title = item.children[0];
  const tag = headingTag(size);
  if (title && isElement(title, 'p') && title.properties.class === 'c-step-title') title.tagName = tag;
  // The heading has the anchor.
  if (title && isElement(title, tag) && tag !== 'p') delete item.properties['data-anchor'];
  return item;
}

function headingTag(size: string | undefined): string {
  return size && /^h[2-4]$/.test(size) ? size : 'p';
}

function isElement(node: ElementContent, name: string): node is Element {
  return node.type === 'element' && node.tagName === name;
}
