import type { ElementContent } from 'hast';
import { didYouMean } from '../../../integration/diagnostics.ts';
import { nearest } from '../../../integration/text/nearest.ts';
import { calloutIcons, columnsClass, isExternalLink } from '../../islands/built-in-facts.ts';
import type { Component, RenderContext } from '../context.ts';
import { headingId } from '../headings.ts';
import { element, type Props, spaced, textOf } from '../tree.ts';
import { color, iconNode, isOn, text } from './props.ts';

export function callout(kind: string): Component {
  return (props, children, context) => calloutOf(kind, props, children(), context);
}

const kinds = new Map([
  ['success', 'check'],
  ['caution', 'warning'],
  ['error', 'danger'],
  ['important', 'info'],
  ['warn', 'warning'],
  ['default', 'note'],
]);

/** `<Callout>` and `<Aside>`: the kind is a prop. */
export const anyCallout: Component = (props, children, context, { name }) => {
  const type = text(props.type)?.toLowerCase() ?? '';
  const known = kinds.get(type) ?? (Object.hasOwn(calloutIcons, type) ? type : color(props.color) ? 'custom' : undefined);
  const kind = known ?? 'note';
  if (known === undefined && type !== '') {
    const types = [...Object.keys(calloutIcons), ...kinds.keys()];
    const meant = didYouMean(nearest(type, types).slice(0, 1), `The types are ${types.join(', ')}.`);
    const message = `"${type}" is not a type of <${name}>, so it is shown as a note.`;
    context.report({ kind: 'unknown-attribute', message, ...meant }, `${name} ${type}`);
  }
  return calloutOf(kind, props, children(), context);
};

function calloutOf(kind: string, props: Props, children: ElementContent[], context: RenderContext): ElementContent {
  const tint = kind === 'custom' ? color(props.color) : undefined;
  const icon =
    props.icon === false
      ? undefined
      : iconNode(props.icon ?? props.emoji ?? calloutIcons[kind] ?? 'circle-info', context, { type: props.iconType });
  return element('div', { class: `c-callout c-callout-${kind}`, role: 'note', style: tint && `--callout:${tint}` }, [
    icon && element('span', { class: 'c-callout-icon' }, [icon]),
    element('div', { class: 'c-callout-body' }, [
      props.title ? element('p', { class: 'c-callout-title' }, context.inlineMarkdown(props.title)) : null,
      ...children,
    ]),
  ]);
}

/** A card. With a URL, its title is the link, which CSS stretches over the card. */
export const card: Component = (props, children, context) => {
  const href = context.linkUrl(props.href);
  const external = href !== undefined && isExternalLink(href);
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
  return element('div', { class: classes }, [
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

export const columns: Component = (props, children) => element('div', { class: columnsClass(props.cols) }, children());

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

export const expandable: Component = (props, children, context) =>
  element('details', { class: 'c-expandable', open: isOn(props.defaultOpen) }, [
    element('summary', { class: 'c-expandable-summary' }, context.inlineMarkdown(props.title ?? '…')),
    element('div', { class: 'c-expandable-body' }, children()),
  ]);

export const frame: Component = (props, children, context) => {
  const content = children();
  muteAutoplay(content);
  return element('figure', { class: 'c-frame' }, [
    text(props.hint) && element('p', { class: 'c-frame-hint' }, context.inlineMarkdown(props.hint)),
    element('div', { class: 'c-frame-content' }, content),
    props.caption ? element('figcaption', { class: 'c-frame-caption' }, context.inlineMarkdown(props.caption)) : null,
  ]);
};

/** Browsers start a video automatically only when it is muted. */
function muteAutoplay(nodes: ElementContent[]): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    if (node.tagName === 'video' && node.properties.autoplay)
      Object.assign(node.properties, { muted: true, loop: true, playsinline: true });
    muteAutoplay(node.children);
  }
}

/** A component that is a box around its content. */
export const box =
  (name: string): Component =>
  (_props, children) =>
    element('div', { class: name }, children());

export const childrenOnly: Component = (_props, children) => children();
