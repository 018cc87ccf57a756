import type { ElementContent } from 'hast';
import type { RenderContext } from '../context.ts';
import { safeTag, isRemovedWhole } from '../sanitise.ts';
import { element, type ComponentNode, type Props } from '../tree.ts';
import { callout } from './callout.ts';
import { card, columns } from './card.ts';
import { tab, tabs } from './tabs.ts';

/** A component: HTML from props and children. `children` renders them, so a component that shows none pays nothing. */
export type Component = (
  props: Props,
  children: () => ElementContent[],
  context: RenderContext,
  node: ComponentNode,
) => ElementContent | ElementContent[];

const components: Record<string, Component> = {
  Card: card,
  CardGroup: columns,
  Columns: columns,
  Note: callout('note'),
  Tip: callout('tip'),
  Info: callout('info'),
  Warning: callout('warning'),
  Check: callout('check'),
  Danger: callout('danger'),
  Tabs: tabs,
  Tab: tab,
};

export function renderComponent(node: ComponentNode, children: () => ElementContent[], context: RenderContext): ElementContent[] {
  const component = Object.hasOwn(components, node.name) ? components[node.name] : undefined;
  if (component) return [component(node.props, children, context, node)].flat();
  if (!node.name) return children();
  const tag = /^[a-z]/.test(node.name) ? safeTag(node.name) : undefined;
  if (tag) return [element(tag, {}, children())];
  if (isRemovedWhole(node.name)) return [];
  context.report(
    {
      kind: 'unknown-component',
      severity: 'warning',
      line: node.line,
      message: `<${node.name}> is not a component Carrel knows; its content is shown without it.`,
    },
    node.name,
  );
  return children();
}
