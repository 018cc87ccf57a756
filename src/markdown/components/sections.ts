import type { Element, ElementContent } from 'hast';
import type { RenderContext } from '../context.ts';
import { headingId } from '../headings.ts';
import { element, type Props, textOf } from '../tree.ts';
import type { Component } from './index.ts';
import { iconNode, isOn, text, texts } from './props.ts';

export const steps: Component = (props, children) => {
  const items = children().filter((node) => node.type === 'element');
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

/** One entry of a changelog. */
export const update: Component = (props, children, context) => {
  const label = text(props.label) ?? '';
  const id = text(props.id) ?? headingId(label);
  const tags = texts(props.tags);
  return element('section', { class: 'c-update', 'data-anchor': id || null }, [
    element('div', { class: 'c-update-side' }, [
      element('p', { class: 'c-update-label' }, [element('a', { href: `#${id}`, 'data-own-anchor': '' }, [label])]),
      props.description ? element('p', { class: 'c-update-description' }, context.inlineMarkdown(props.description)) : null,
      tags.length > 0 &&
        element(
          'ul',
          { class: 'c-update-tags' },
          tags.map((tag) => element('li', {}, [tag])),
        ),
    ]),
    element('div', { class: 'c-update-body' }, children()),
  ]);
};

/** Tabs are consecutive sections, which the custom element shows as tabs. */
export const tabs: Component = (props, children) =>
  element(
    'carrel-tabs',
    {
      class: 'c-tabs',
      'data-default': text(props.defaultTabIndex),
      'data-sync': props.sync === false || props.sync === 'false' ? 'false' : null,
      'data-border': isOn(props.borderBottom) ? '' : null,
    },
    children().filter((node) => node.type !== 'text' || node.value.trim()),
  );

export const tab: Component = (props, children, context) => {
  const { title, name } = titled(props, context);
  return element(
    'section',
    { class: 'c-tab', 'data-anchor': text(props.id) ?? headingId(name), 'data-title': name, 'aria-label': name },
    [element('p', { class: 'c-tab-title' }, title), element('div', { class: 'c-tab-body' }, children())],
  );
};

/** One option of a switch that applies to the whole page. */
export const view: Component = (props, children, context) => {
  const { title, name } = titled(props, context);
  return element('carrel-view', { class: 'c-view', 'data-anchor': headingId(name), 'data-title': name }, [
    element('p', { class: 'c-view-title' }, title),
    element('div', { class: 'c-view-body' }, children()),
  ]);
};

function titled(props: Props, context: RenderContext) {
  const title = context.inlineMarkdown(props.title ?? props.label ?? props.value ?? 'Tab');
  const icon = iconNode(props.icon, context, { type: props.iconType });
  return { name: title.map(textOf).join('').trim(), title: icon ? [icon, ...title] : title };
}

/** Code blocks whose titles are tabs; a single block has no tabs. */
export const codeGroup: Component = (props, children) => {
  const blocks = children().filter((node) => node.type === 'element');
  return blocks.length === 1
    ? blocks
    : element('carrel-code-group', { class: 'c-code-group', 'data-dropdown': isOn(props.dropdown) ? '' : null }, blocks);
};

export const example =
  (kind: string): Component =>
  (_props, children, context, node) =>
    element('div', { class: `c-example c-example-${kind}` }, [codeGroup({}, children, context, node)].flat());
