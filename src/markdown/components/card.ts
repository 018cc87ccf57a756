import type { Component } from './index.ts';
import { element } from '../tree.ts';

export const card: Component = (props, children, context) => {
  const href = typeof props.href === 'string' ? context.address(props.href) : undefined;
  const title = context.content(props.title);
  return element('div', { class: href ? 'c-card c-card-linked' : 'c-card' }, [
    element('div', { class: 'c-card-body' }, [
      element('p', { class: 'c-card-title' }, href ? [element('a', { class: 'c-card-target', href }, title)] : title),
      ...children(),
    ]),
  ]);
};

export const columns: Component = (props, children) => {
  const count = Math.min(4, Math.max(1, Math.round(Number(props.cols ?? 2)) || 2));
  return element('div', { class: `c-columns c-columns-${count}` }, children());
};
