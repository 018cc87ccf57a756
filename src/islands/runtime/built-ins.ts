// The built-in components inside the JSX of components: the same markup as in pages, with plain texts where pages have Markdown. What needs the
// script of pages, such as tabs, is shown whole: it would change elements that Preact owns.
import { Children, cloneElement, createElement as h, isValidElement, type ReactNode } from 'preact/compat';
import type { VNode } from 'preact';
import { badgeClasses, calloutIcons, columnsClass, isExternalLink } from '../built-in-facts.ts';
import type { builtIns } from '../names.ts';

interface Props {
  children?: ReactNode;
  title?: ReactNode;
  icon?: ReactNode;
  [name: string]: unknown;
}
type BuiltIn = (props: Props) => ReactNode;

const text = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
const classes = (...names: unknown[]): string => names.filter((name) => typeof name === 'string').join(' ');
const box =
  (tag: string, name: string): BuiltIn =>
  ({ children }) =>
    h(tag, { class: name }, children);

/** An empty element, which the export fills with the icon of that name; Preact leaves its content as it is. */
const Icon: BuiltIn = ({ icon, src, name, iconType, color, size }) => {
  if (isValidElement(icon)) return icon;
  const wanted = text(icon ?? src ?? name);
  if (!wanted) return null;
  const [width, style] = [text(size) ?? '16', text(color) === undefined ? undefined : { color: text(color) }];
  if (/^(?:[./]|https?:)|\.(?:svg|png|jpe?g|webp|gif)$/i.test(wanted))
    return h('img', { class: 'c-icon', src: wanted, alt: '', 'aria-hidden': 'true', width, height: width });
  return h('carrel-icon', {
    'data-icon': wanted,
    'data-type': text(iconType),
    'data-size': width,
    style,
    dangerouslySetInnerHTML: { __html: '' },
  });
};

const iconIn = (name: string, { icon, iconType, color }: Props, size?: number): ReactNode =>
  icon ? h('span', { class: name }, h(Icon, { icon, iconType, color, size })) : null;

const callout =
  (given?: string): BuiltIn =>
  ({ children, title, icon, ...props }) => {
    const wanted = given ?? String(text(props['type']) ?? 'note').toLowerCase();
    const kind = Object.hasOwn(calloutIcons, wanted) ? wanted : 'note';
    return h(
      'div',
      { class: `c-callout c-callout-${kind}`, role: 'note' },
      iconIn('c-callout-icon', { ...props, icon: icon ?? calloutIcons[kind] }),
      h('div', { class: 'c-callout-body' }, title ? h('p', { class: 'c-callout-title' }, title) : null, children),
    );
  };

const Card: BuiltIn = ({ children, title, href, img, description, cta, arrow, horizontal, disabled, ...props }) => {
  const url = text(href);
  const isExternal = arrow !== false && isExternalLink(url ?? '');
  const name = title ?? url;
  return h(
    'div',
    {
      class: classes(
        'c-card',
        url !== undefined && 'c-card-linked',
        isExternal && 'c-card-external',
        horizontal && 'c-card-horizontal',
        disabled && 'c-card-disabled',
      ),
    },
    text(img) && h('img', { class: 'c-card-image', src: text(img), alt: '', 'aria-hidden': 'true' }),
    iconIn('c-card-icon', props, 24),
    h(
      'div',
      { class: 'c-card-body' },
      name && h('p', { class: 'c-card-title' }, url === undefined ? name : h('a', { class: 'c-card-target', href: url }, name)),
      children,
      text(description) && h('p', {}, text(description)),
      text(cta) && h('p', { class: 'c-card-cta' }, text(cta)),
    ),
  );
};

const Columns: BuiltIn = ({ children, cols }) => h('div', { class: columnsClass(cols) }, children);

const Tile: BuiltIn = ({ children, title, href, description }) =>
  h(
    'div',
    { class: 'c-tile c-card-linked' },
    h('div', { class: 'c-tile-media' }, children),
    h('p', { class: 'c-card-title' }, h('a', { class: 'c-card-target', href: text(href) }, title)),
    text(description) && h('p', { class: 'c-tile-description' }, text(description)),
  );

const Accordion: BuiltIn = ({ children, title, description, defaultOpen, ...props }) =>
  h(
    'details',
    { class: 'c-accordion', open: Boolean(defaultOpen) },
    h(
      'summary',
      { class: 'c-accordion-summary' },
      iconIn('c-accordion-icon', props),
      h('span', { class: 'c-accordion-title' }, title),
      text(description) && h('span', { class: 'c-accordion-description' }, text(description)),
    ),
    h('div', { class: 'c-accordion-body' }, children),
  );

const Expandable: BuiltIn = ({ children, title, defaultOpen }) =>
  h(
    'details',
    { class: 'c-expandable', open: Boolean(defaultOpen) },
    h('summary', { class: 'c-expandable-summary' }, title ?? '…'),
    h('div', { class: 'c-expandable-body' }, children),
  );

const Frame: BuiltIn = ({ children, caption, hint }) =>
  h(
    'figure',
    { class: 'c-frame' },
    text(hint) && h('p', { class: 'c-frame-hint' }, text(hint)),
    h('div', { class: 'c-frame-content' }, children),
    caption ? h('figcaption', { class: 'c-frame-caption' }, caption as ReactNode) : null,
  );

const Tooltip: BuiltIn = ({ children, tip, content, headline, cta, href }) =>
  h(
    'span',
    { class: 'c-tooltip' },
    h('span', { class: 'c-tooltip-word', tabIndex: 0 }, children),
    h(
      'span',
      { class: 'c-tooltip-tip', role: 'tooltip' },
      ' ',
      text(headline) && [h('strong', {}, text(headline)), ' '],
      (tip ?? content) as ReactNode,
      text(cta) && text(href) && [' ', h('a', { href: text(href) }, text(cta))],
    ),
  );

const Badge: BuiltIn = ({ children, color, size, shape, stroke, disabled, icon, iconType, text: label }) =>
  h(
    'span',
    {
      class: classes(
        ...badgeClasses(String(color), String(size)),
        shape === 'pill' && 'c-badge-pill',
        stroke && 'c-badge-stroke',
        disabled && 'c-badge-disabled',
      ),
    },
    icon ? h(Icon, { icon, iconType, size: 12 }) : null,
    children ?? text(label),
  );

const Steps: BuiltIn = ({ children, titleSize }) =>
  h(
    'ol',
    { class: 'c-steps' },
    Children.map(children, (step) => (isValidElement(step) ? cloneElement(step as VNode<Props>, { titleSize }) : step)),
  );

const Step: BuiltIn = ({ children, title, titleSize, ...props }) =>
  h(
    'li',
    { class: 'c-step' },
    title
      ? h(
          /^h[2-6]$/.test(String(titleSize)) ? String(titleSize) : 'p',
          { class: 'c-step-title' },
          iconIn('c-step-icon', props),
          title,
        )
      : null,
    h('div', { class: 'c-step-body' }, children),
  );

const Tab: BuiltIn = ({ children, title }) => h('section', {}, h('p', {}, h('strong', {}, title)), h('div', {}, children));

const CodeBlock: BuiltIn = ({ children, language, lang }) =>
  h('pre', {}, h('code', { class: `language-${text(language ?? lang) ?? 'text'}` }, children));

const Field: BuiltIn = ({ children, name, path, query, body, header, type, required }) => {
  const written = text(name ?? path ?? query ?? body ?? header);
  return h(
    'div',
    { class: 'c-field' },
    h(
      'div',
      { class: 'c-field-head' },
      h('code', { class: 'c-field-name' }, written),
      text(type) && h('span', { class: 'c-field-type' }, text(type)),
      required ? h('span', { class: 'c-field-required' }, 'required') : null,
    ),
    h('div', { class: 'c-field-body' }, children),
  );
};

const content: BuiltIn = ({ children }) => children;

/** By name, as components import them. */
export const builtInComponents: Record<(typeof builtIns)[number], BuiltIn> = {
  ...{ Accordion, Badge, Card, CodeBlock, Columns, Expandable, Frame, Icon, Step, Steps, Tab, Tile, Tooltip },
  AccordionGroup: box('div', 'c-accordion-group'),
  Callout: callout(),
  CardGroup: Columns,
  Check: callout('check'),
  CodeGroup: content,
  Column: box('div', 'c-column'),
  Danger: callout('danger'),
  Info: callout('info'),
  Note: callout('note'),
  Panel: box('div', 'c-panel'),
  ParamField: Field,
  ResponseField: Field,
  Snippet: content,
  Tabs: content,
  Tip: callout('tip'),
  Warning: callout('warning'),
};
