import type { ElementContent } from 'hast';
import type { Component, RenderContext } from '../context.ts';
import { headingId } from '../headings.ts';
import { isRecord } from '../../../integration/text/json.ts';
import { Content, element, elementsOf, isComponent, type MarkdownNode, type Props, type PropValue, textOf } from '../tree.ts';
import { iconNode, isOn, text } from './props.ts';

/** Tabs are consecutive sections, which the custom element shows as tabs; the stylesheet shows the initial one until then. */
export const tabs: Component = (props, children) => {
  const panels = children().filter((node) => node.type !== 'text' || node.value.trim());
  const initial = text(props.defaultTabIndex);
  const shown = initial === undefined ? undefined : panels[Number(initial)];
  if (shown?.type === 'element') shown.properties['data-carrel-initial'] = '';
  return element(
    'carrel-tabs',
    {
      class: 'c-tabs',
      'data-carrel-default': initial,
      'data-carrel-sync': props.sync === false || props.sync === 'false' ? 'false' : null,
      'data-carrel-border': isOn(props.borderBottom) ? '' : null,
    },
    panels,
  );
};

export const tab: Component = (props, children, context) => {
  const { title, name } = titled(props, context, 'Tab');
  return element(
    'section',
    { class: 'c-tab', 'data-anchor': text(props.id) ?? headingId(name), 'data-carrel-title': name, 'aria-label': name },
    [element('p', { class: 'c-tab-title' }, title), element('div', { class: 'c-tab-body' }, children())],
  );
};

/** The names of components that are tabs. */
const tabNames = ['Tab', 'TabItem', 'Tabs.Tab'];

/**
 * Gives tabs without a title the one that their group lists: in `items` by the order of the tabs (Fumadocs, Nextra), in `values` by the value of the tab
 * (Docusaurus).
 */
export function titleTabs(group: Props, children: readonly MarkdownNode[]): void {
  const [items, values] = [listOf(group.items), listOf(group.values)];
  const tabs = children.filter(isComponent).filter(({ name }) => tabNames.includes(name));
  for (const [index, { props }] of tabs.entries()) {
    if (props.title !== undefined || props.label !== undefined) continue;
    const named = values.find((one) => isRecord(one) && one.value !== undefined && one.value === props.value);
    const title = labelOf(named) ?? (props.value === undefined ? labelOf(items[index]) : undefined);
    if (title !== undefined) props.title = title;
  }
}

function listOf(value: PropValue): PropValue[] {
  return Array.isArray(value) ? value : [];
}

function labelOf(item: PropValue): PropValue {
  if (typeof item === 'string' || typeof item === 'number' || item instanceof Content) return item;
  return isRecord(item) ? labelOf(item.label) : undefined;
}

/** One option of a switch that applies to the whole page. */
export const view: Component = (props, children, context) => {
  const { title, name } = titled(props, context, 'View');
  return element('carrel-view', { class: 'c-view', 'data-anchor': headingId(name), 'data-carrel-title': name }, [
    element('p', { class: 'c-view-title' }, title),
    element('div', { class: 'c-view-body' }, children()),
  ]);
};

function titled(props: Props, context: RenderContext, component: string) {
  if (props.title === undefined && props.label === undefined && props.value === undefined)
    context.report({
      kind: 'tab-without-title',
      message: `<${component}> does not have a title: readers see "Tab".`,
      hint: `Write <${component} title="…">.`,
    });
  const title = context.inlineMarkdown(props.title ?? props.label ?? props.value ?? 'Tab');
  const icon = iconNode(props.icon, context, { type: props.iconType });
  return { name: title.map(textOf).join('').trim(), title: icon ? [icon, ...title] : title };
}

/** Code blocks whose titles are tabs or the options of a `<select>`; a single block has neither. */
export const codeGroup: Component = (props, children, { labels }) => {
  const blocks = elementsOf(children());
  return blocks.length === 1
    ? blocks
    : element(
        'carrel-code-group',
        { class: 'c-code-group', 'data-carrel-dropdown': isOn(props.dropdown) ? labels.example : null },
        blocks,
      );
};

export const example =
  (kind: string): Component =>
  (props, children, context, node) => {
    // More languages are generated than a row has room for.
    const group = [codeGroup({ dropdown: props.dropdown ?? props.generated }, children, context, node)].flat();
    // The languages of generated samples are the same on each page: they say nothing about one.
    if (isOn(props.generated)) group.forEach(skipTitles);
    return element('div', { class: `c-example c-example-${kind}` }, group);
  };

/** Keeps the titles of code blocks out of the index. */
function skipTitles(node: ElementContent): void {
  if (node.type !== 'element') return;
  if (node.tagName === 'figcaption') node.properties['data-carrel-skip'] = true;
  else if (node.tagName !== 'pre') node.children.forEach(skipTitles);
}
