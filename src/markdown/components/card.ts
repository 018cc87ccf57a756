import { element } from '../tree.ts';
import { iconNode } from './icon.ts';
import type { Component } from './index.ts';
import { color, isOn, text } from './props.ts';

/** A card. With a URL, its title is the link, which CSS stretches over the card. */
export const card: Component = (props, children, context) => {
  const href = context.linkUrl(props.href);
  const external = href !== undefined && /^(?:[a-z]+:)?\/\//i.test(href);
  const title = context.inlineMarkdown(props.title);
  const icon = iconNode(props.icon, context, { type: props.iconType, color: props.color, size: 24 });
  const image = context.imageUrl(props.img);
  const classes = [
    'c-card',
    href !== undefined && 'c-card-linked',
    external && props.arrow !== false && 'c-card-external',
    isOn(props.horizontal) && 'c-card-horizontal',
    isOn(props.disabled) && 'c-card-disabled',
  ];
  const target =
    href === undefined
      ? title
      : [element('a', { class: 'c-card-target', href, 'aria-label': title.length > 0 ? null : href }, title)];
  return element('div', { class: classes.filter(Boolean).join(' ') }, [
    image && element('img', { class: 'c-card-image', src: image, alt: '', 'aria-hidden': 'true', loading: 'lazy' }),
    icon && element('span', { class: 'c-card-icon', style: color(props.color) && `color:${color(props.color)}` }, [icon]),
    element('div', { class: 'c-card-body' }, [
      target.length > 0 && element('p', { class: 'c-card-title' }, target),
      ...children(),
      text(props.description) && element('p', {}, context.inlineMarkdown(props.description)),
      text(props.cta) && element('p', { class: 'c-card-cta' }, [text(props.cta)]),
    ]),
  ]);
};

export const columns: Component = (props, children) => {
  const count = Math.min(4, Math.max(1, Math.round(Number(props.cols ?? 2)) || 2));
  return element('div', { class: `c-columns c-columns-${count}` }, children());
};

export const column: Component = (_props, children) => element('div', { class: 'c-column' }, children());

export const tile: Component = (props, children, context) => {
  const href = context.linkUrl(props.href);
  return element('div', { class: 'c-tile c-card-linked' }, [
    element('div', { class: 'c-tile-media' }, children()),
    element('p', { class: 'c-card-title' }, [
      element('a', { class: 'c-card-target', href }, context.inlineMarkdown(props.title)),
    ]),
    text(props.description) && element('p', { class: 'c-tile-description' }, context.inlineMarkdown(props.description)),
  ]);
};

/** Starlight's link that looks like a button. */
export const linkButton: Component = (props, children, context) => {
  const variant = text(props.variant);
  return element(
    'a',
    {
      class: variant && /^(?:secondary|minimal)$/.test(variant) ? `c-button c-button-${variant}` : 'c-button',
      href: context.linkUrl(props.href),
    },
    [...children(), iconNode(props.icon, context)],
  );
};
