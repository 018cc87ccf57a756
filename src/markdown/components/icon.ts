import type { ElementContent } from 'hast';
import type { RenderContext } from '../context.ts';
import { iconSvg } from '../icons.ts';
import { safeAttributes } from '../sanitise.ts';
import { Content, element, raw, type PropValue } from '../tree.ts';
import type { Component } from './index.ts';
import { color, text } from './props.ts';

interface IconOptions {
  type?: PropValue;
  color?: PropValue;
  size?: PropValue;
}

/** An icon by name, path, URL or inline SVG. A name that no icon set has is reported once and gives undefined. */
export function iconNode(icon: PropValue, context: RenderContext, options: IconOptions = {}): ElementContent | undefined {
  if (icon instanceof Content) return context.content(icon).find((node) => node.type === 'element');
  const name = text(icon)?.trim();
  if (!name) return undefined;
  const size = Math.min(512, Math.max(1, Number.parseFloat(text(options.size) ?? '16') || 16));
  if (/^(?:[./]|https?:|data:image)|\.(?:svg|png|jpe?g|webp|gif)$/i.test(name)) {
    const attributes = safeAttributes('img', { src: name, width: size, height: size }, (href) => context.imageUrl(href) ?? '');
    return attributes.src ? element('img', { class: 'c-icon', alt: '', 'aria-hidden': 'true', ...attributes }) : undefined;
  }
  const tint = color(options.color);
  const svg = iconSvg(name, context.options.iconLibrary, { size, type: text(options.type), style: tint && `color:${tint}` });
  if (svg) return raw(svg);
  context.report({ kind: 'unknown-icon', severity: 'note', message: `There is no icon "${name}"; none is shown.` }, name);
  return undefined;
}

export const icon: Component = (props, _children, context) =>
  iconNode(props.icon ?? props.src ?? props.name, context, { type: props.iconType, color: props.color, size: props.size }) ?? [];
