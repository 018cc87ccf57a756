import type { Component } from './index.ts';
import { element } from '../tree.ts';

export function callout(kind: string): Component {
  return (props, children, context) =>
    element('div', { class: `c-callout c-callout-${kind}`, role: 'note' }, [
      element('span', { class: 'c-callout-icon' }),
      element('div', { class: 'c-callout-body' }, [
        props.title ? element('p', { class: 'c-callout-title' }, context.content(props.title)) : null,
        ...children(),
      ]),
    ]);
}
