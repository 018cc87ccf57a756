import { headingId } from '../headings.ts';
import { spaced, element, textOf } from '../tree.ts';
import { iconNode } from './icon.ts';
import type { Component } from './index.ts';
import { isOn, text } from './props.ts';

/** An accordion. Its anchor is its id or title, prefixed with the anchors of the accordions around it: `outer:inner`. */
export const accordion: Component = (props, children, context) => {
  const title = context.inlineMarkdown(props.title);
  const icon = iconNode(props.icon, context, { type: props.iconType });
  const id = text(props.id) ?? headingId(title.map(textOf).join(''));
  return element('details', { class: 'c-accordion', 'data-anchor': id, open: isOn(props.defaultOpen) || isOn(props.open) }, [
    element(
      'summary',
      { class: 'c-accordion-summary' },
      spaced([
        icon && element('span', { class: 'c-accordion-icon' }, [icon]),
        element('span', { class: 'c-accordion-title' }, title),
        text(props.description) &&
          element('span', { class: 'c-accordion-description' }, context.inlineMarkdown(props.description)),
      ]),
    ),
    element('div', { class: 'c-accordion-body' }, children()),
  ]);
};

export const accordionGroup: Component = (_props, children) => element('div', { class: 'c-accordion-group' }, children());

export const expandable: Component = (props, children, context) =>
  element('details', { class: 'c-expandable', open: isOn(props.defaultOpen) }, [
    element('summary', { class: 'c-expandable-summary' }, context.inlineMarkdown(props.title ?? '…')),
    element('div', { class: 'c-expandable-body' }, children()),
  ]);
