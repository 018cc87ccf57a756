import type { Element, ElementContent } from 'hast';
import { badgeClasses } from '../../islands/built-in-facts.ts';
import type { Component, RenderContext } from '../context.ts';
import { inlineFormula } from '../formulas.ts';
import { element, textOf } from '../tree.ts';
import { iconNode, isOn, text } from './props.ts';

/** A term with an explanation that shows on hover and on keyboard focus. */
export const tooltip: Component = (props, children, context) => {
  const href = context.linkUrl(props.href);
  const tip = [
    text(props.headline) && element('strong', {}, [text(props.headline)]),
    text(props.headline) && ' ',
    ...context.inlineMarkdown(props.tip ?? props.content),
    href !== undefined && text(props.cta) && ' ',
    href !== undefined && text(props.cta) && element('a', { href }, [text(props.cta)]),
  ];
  return withTip(children(), tip, context);
};

/** A word with its tooltip, which has the attributes. */
export function withTip(
  word: ElementContent[],
  tip: Parameters<typeof element>[2] & {},
  context: RenderContext,
  attributes: Record<string, string> = {},
): Element {
  const id = `tip-${context.nextNumber()}`;
  return element('span', { class: 'c-tooltip' }, [
    element('span', { class: 'c-tooltip-word', tabindex: 0, 'aria-describedby': id }, word),
    // The space is inside the element: before it, the space would show between the term and a period.
    element('span', { class: 'c-tooltip-tip', role: 'tooltip', id, ...attributes }, [' ', ...tip]),
  ]);
}

const variants: Record<string, string> = {
  note: 'blue',
  tip: 'purple',
  caution: 'yellow',
  danger: 'red',
  success: 'green',
  default: 'gray',
};

export const badge: Component = (props, children, context) => {
  const wanted = text(props.color) ?? variants[text(props.variant) ?? ''] ?? 'gray';
  const classes = [
    ...badgeClasses(wanted, text(props.size) ?? 'sm'),
    props.shape === 'pill' && 'c-badge-pill',
    isOn(props.stroke) && 'c-badge-stroke',
    isOn(props.disabled) && 'c-badge-disabled',
  ];
  const content = children();
  return element('span', { class: classes }, [
    iconNode(props.icon, context, { type: props.iconType, size: 12 }),
    ...(content.length > 0 ? content : context.content(props.text)),
  ]);
};

export const latex: Component = (props, children, context) =>
  inlineFormula(text(props.children) ?? children().map(textOf).join(''), context);

/** A plain link: the live figures of a repository would need the network. */
export const repository: Component = (props, _children, context) => {
  const name = text(props.repo) ?? '';
  const href = context.linkUrl(/^https?:/.test(name) ? name : `https://github.com/${name}`);
  return element('a', { class: 'c-repository', href }, [iconNode('github', context), ` ${name}`]);
};
