import type { ElementContent } from 'hast';
import type { RenderContext } from '../context.ts';
import { element, type Props } from '../tree.ts';
import { iconNode } from './icon.ts';
import type { Component } from './index.ts';
import { color, text } from './props.ts';

const icons = new Map([
  ['note', 'circle-info'],
  ['tip', 'lightbulb'],
  ['info', 'circle-info'],
  ['warning', 'triangle-exclamation'],
  ['check', 'circle-check'],
  ['danger', 'circle-exclamation'],
]);

export function callout(kind: string): Component {
  return (props, children, context) => calloutOf(kind, props, children(), context);
}

const kinds = new Map([
  ['success', 'check'],
  ['caution', 'warning'],
  ['error', 'danger'],
  ['important', 'info'],
]);

/** `<Callout>` and `<Aside>`: the kind is a prop. */
export const anyCallout: Component = (props, children, context) => {
  const type = text(props.type)?.toLowerCase() ?? '';
  const kind = kinds.get(type) ?? (icons.has(type) ? type : color(props.color) ? 'custom' : 'note');
  return calloutOf(kind, props, children(), context);
};

function calloutOf(kind: string, props: Props, children: ElementContent[], context: RenderContext): ElementContent {
  const tint = kind === 'custom' ? color(props.color) : undefined;
  const icon =
    props.icon === false
      ? undefined
      : iconNode(props.icon ?? props.emoji ?? icons.get(kind) ?? 'circle-info', context, { type: props.iconType });
  return element('div', { class: `c-callout c-callout-${kind}`, role: 'note', style: tint && `--callout:${tint}` }, [
    icon && element('span', { class: 'c-callout-icon' }, [icon]),
    element('div', { class: 'c-callout-body' }, [
      props.title ? element('p', { class: 'c-callout-title' }, context.inlineMarkdown(props.title)) : null,
      ...children,
    ]),
  ]);
}
