import type { Component } from './index.ts';
import { headingId } from '../headings.ts';
import { element, textOf } from '../tree.ts';

export const tabs: Component = (props, children) =>
  element(
    'carrel-tabs',
    {
      class: 'c-tabs',
      'data-default': props.defaultTabIndex === undefined ? null : String(props.defaultTabIndex),
      'data-sync': props.sync === false ? 'false' : null,
    },
    children(),
  );

export const tab: Component = (props, children, context) => {
  const title = context.content(props.title);
  const text = title.map(textOf).join('').trim();
  const id = typeof props.id === 'string' ? props.id : headingId(text);
  return element('section', { class: 'c-tab', id: context.uniqueId(id), 'data-title': text, 'aria-label': text }, [
    element('p', { class: 'c-tab-title' }, title),
    element('div', { class: 'c-tab-body' }, children()),
  ]);
};
