import type { ElementContent } from 'hast';
import type { Component, RenderContext } from '../context.ts';
import { didYouMean } from '../../../integration/diagnostics.ts';
import { iconOfElement, iconSvg, similarIcons } from '../icons.ts';
import { safeAttributes } from '../sanitize.ts';
import { Content, element, isComponent, type MarkdownNode, type Props, type PropValue, raw } from '../tree.ts';

/** A prop as text; undefined when it is missing or not text. */
export function text(value: PropValue): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Whether a flag is set: `wrap`, `wrap={true}` and `wrap="true"` are the same. */
export function isOn(value: PropValue): boolean {
  return value === true || value === '' || value === 'true';
}

/** The items of a list prop as texts. */
export function texts(value: PropValue): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((item) => text(item) ?? []);
}

/** A color that is valid in a style: `#0af`, `rgb(…)` or a name. */
export function color(value: PropValue): string | undefined {
  const written = text(value)?.trim();
  return written && /^(?:#[\da-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl|oklch)a?\([\d\s.,%/]+\))$/i.test(written) ? written : undefined;
}

/** The language that a class of a `<code>` element names: "language-js". */
export function classLanguage(props: Props): string | undefined {
  return /language-([\w+#-]+)/.exec(texts(props.className ?? props.class).join())?.[1];
}

interface IconOptions {
  type?: PropValue;
  color?: PropValue;
  size?: PropValue;
}

/** An icon by name, path, URL or inline SVG. A name that no icon set has is reported once and gives undefined. */
export function iconNode(icon: PropValue, context: RenderContext, options: IconOptions = {}): ElementContent | undefined {
  const size = Math.min(512, Math.max(1, Number.parseFloat(text(options.size) ?? '16') || 16));
  if (icon instanceof Content)
    return elementIcon(icon.nodes, size) ?? context.content(icon).find(({ type }) => type === 'element');
  const name = text(icon)?.trim();
  if (!name) return undefined;
  if (/^(?:[./]|https?:|data:image)|\.(?:svg|png|jpe?g|webp|gif)$/i.test(name)) {
    const attributes = safeAttributes('img', { src: name, width: size, height: size }, (href) => context.imageUrl(href) ?? '');
    return attributes.src ? element('img', { class: 'c-icon', alt: '', 'aria-hidden': 'true', ...attributes }) : undefined;
  }
  const tint = color(options.color);
  const svg = iconSvg(name, context.options.iconLibrary, { size, type: text(options.type), style: tint && `color:${tint}` });
  if (svg) return raw(svg);
  context.report(
    {
      kind: 'unknown-icon',
      message: `There is no icon "${name}"; none is shown.`,
      ...didYouMean(similarIcons(name, context.options.iconLibrary).slice(0, 1)),
    },
    name,
  );
  return undefined;
}

/** The icon of content that is one element with nothing else to show: `icon={<Rocket size={20} />}`. */
function elementIcon(nodes: readonly MarkdownNode[], size: number): ElementContent | undefined {
  const [only, ...others] = nodes;
  if (only === undefined || others.length > 0) return undefined;
  const { children = [] } = only;
  if (!isComponent(only)) return elementIcon(children, size);
  const isIcon = children.length === 0 && Object.keys(only.props).every((key) => looks.test(key));
  const svg = isIcon ? iconOfElement(only.name, size) : undefined;
  return svg === undefined ? undefined : raw(svg);
}

const looks = /^(?:size|width|height|color|fill|stroke\w*|absoluteStrokeWidth|class|className|style|aria-\w+)$/;

export const icon: Component = (props, _children, context) =>
  iconNode(props.icon ?? props.src ?? props.name, context, { type: props.iconType, color: props.color, size: props.size }) ?? [];
