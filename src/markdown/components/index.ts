import type { ElementContent } from 'hast';
import { didYouMean } from '../../../integration/diagnostics.ts';
import { each } from '../../../integration/text/each.ts';
import { nearest } from '../../../integration/text/nearest.ts';
import type { Component, RenderContext } from '../context.ts';
import { badgeColors, badgeSizes, calloutIcons } from '../../islands/built-in-facts.ts';
import { htmlElement } from '../elements.ts';
import { isHtmlName, isRemovedWhole, safeTag } from '../sanitize.ts';
import { element, type ComponentNode } from '../tree.ts';
import {
  anyCallout,
  callout,
  card,
  columns,
  linkButton,
  tile,
  accordion,
  expandable,
  frame,
  box,
  childrenOnly,
} from './boxes.ts';
import { endpoint, field } from './field.ts';
import { icon } from './props.ts';
import { codeElementOf } from './code.ts';
import { badge, latex, repository, tooltip } from './inline.ts';
import { reactDocsComponents } from './react-docs.ts';
import { codeElement, colorItem, colorRow, colors, prompt } from './specimen.ts';
import { step, steps } from './steps.ts';
import { codeGroup, example, tab, tabs, view } from './tabs.ts';
import { update } from './update.ts';
import { file, folder, tree } from './tree.ts';

/** Name of the nodes of components of the docs folder that have to run; no author can write it. */
export const codeComponent = 'carrel:code';

const components: Record<string, Component> = {
  Note: callout('note'),
  Tip: callout('tip'),
  Info: callout('info'),
  ...each(callout('warning'), 'Warning Warn'),
  ...each(callout('check'), 'Check Success'),
  ...each(callout('danger'), 'Danger Error'),
  ...each(anyCallout, 'Callout Aside Admonition'),
  ...each(card, 'Card LinkCard'),
  ...each(columns, 'CardGroup CardGrid Cards Columns'),
  Column: box('c-column'),
  Tile: tile,
  LinkButton: linkButton,
  Accordion: accordion,
  ...each(box('c-accordion-group'), 'AccordionGroup Accordions'),
  Expandable: expandable,
  Tabs: tabs,
  ...each(tab, 'Tab TabItem Tabs.Tab'),
  View: view,
  ...each(codeGroup, 'CodeGroup CodeGroups CodeBlocks'),
  ...each(codeElement, 'CodeBlock Code'),
  RequestExample: example('request'),
  ResponseExample: example('response'),
  Steps: steps,
  Step: step,
  Frame: frame,
  Panel: box('c-panel'),
  Endpoint: endpoint,
  ...each(field, 'ParamField ResponseField'),
  Icon: icon,
  Tooltip: tooltip,
  Badge: badge,
  Latex: latex,
  'GitHub.Repo': repository,
  Update: update,
  ...each(tree, 'Tree FileTree'),
  ...each(folder, 'Tree.Folder Folder'),
  ...each(file, 'Tree.File File'),
  Color: colors,
  'Color.Row': colorRow,
  'Color.Item': colorItem,
  Prompt: prompt,
  Visibility: (props, children) => (props.for === 'agents' ? [] : children()),
  Heading: (props, children) =>
    element(
      `h${Math.min(6, Math.max(1, Number(props.level ?? 2) || 2))}`,
      { id: typeof props.id === 'string' ? props.id : null },
      children(),
    ),
  Image: (props, children, context) => htmlElement('img', props, children, context),
  [codeComponent]: codeElementOf,
  ...each(childrenOnly, 'Fragment Snippet Markdown MDXContent ParamFields ResponseFields'),
  // Every page has a table of contents.
  ...each((): [] => [], 'TOCInline InlineToc'),
  Link: (props, children, context) => htmlElement('a', props, children, context),
  ...reactDocsComponents,
};

/** Whether an element's name is known: an unclosed one is then a mistake, not text in angle brackets. */
export function isKnownElement(name: string): boolean {
  return Object.hasOwn(components, name) || (isHtmlName(name) && safeTag(name) !== undefined) || isRemovedWhole(name);
}

export function renderComponent(node: ComponentNode, children: () => ElementContent[], outer: RenderContext): ElementContent[] {
  const { name, props, line, column } = node;
  if (name === '') return children();
  // What a component reports is in its tag.
  const context: RenderContext = {
    ...outer,
    report: (problem, once) => outer.report(problem.line === undefined ? { ...problem, line, column } : problem, once),
  };
  const component = Object.hasOwn(components, name) ? components[name] : undefined;
  if (component || isHtmlName(name)) reportHandlers(node, context);
  if (component) {
    reportUnknownProps(node, context);
    return [component(props, children, context, node)].flat();
  }
  const isHtml = isHtmlName(name);
  const tag = isHtml ? safeTag(name) : undefined;
  if (tag !== undefined) return [htmlElement(tag, props, children, context)].flat();
  if (isRemovedWhole(name)) {
    if (/^script$/i.test(name))
      context.report(
        {
          kind: 'script-removed',
          severity: 'note',
          message: 'A <script> was removed: nothing in a page is executed.',
        },
        name,
      );
    return [];
  }
  if (!isHtml || name.includes('-')) {
    context.report(
      {
        kind: 'unknown-component',
        message: `<${name}> is not a component that Carrel knows; only its content and texts are shown.`,
        ...didYouMean(nearest(name, componentNames)),
      },
      name,
    );
  }
  return children();
}

/** Reports the scripts in attributes, such as `onclick`. */
function reportHandlers({ name, props }: ComponentNode, context: RenderContext): void {
  for (const handler of Object.keys(props)) {
    if (name === codeComponent || !/^on[A-Z]?[a-z]+(?:[A-Z][a-z]+)*$/.test(handler)) continue;
    const message = `"${handler}" of <${name}> is removed: nothing in a page is executed.`;
    const hint = 'Use a link, or another component: what readers click does nothing.';
    context.report({ kind: 'script-removed', message, hint }, `${name} ${handler}`);
  }
}

/** Whether an author can write the name. */
function isName(name: string): boolean {
  return name !== codeComponent;
}

// Icons, colors and texts of most components; `id`, `class` and `style` are those of all elements.
const callouts = 'title icon iconType emoji';
const fields =
  'name path query body header cookie type required deprecated default description placeholder initialValue pre post id location';
const code = 'language lang filename title icon lines wrap expandable highlight focus code';
const cards = 'title href icon iconType color img description cta arrow horizontal disabled';

/** The attributes of components, to find those that are misspelled, and for editors. */
export const propNames: Record<string, string> = {
  ...each(callouts, 'Note Tip Info Warning Check Danger'),
  Callout: `${callouts} type color`,
  Card: cards,
  ...each('cols', 'CardGroup Columns'),
  Tile: 'title href description',
  Accordion: 'title icon iconType description defaultOpen id',
  Expandable: 'title defaultOpen',
  Tabs: 'defaultTabIndex sync borderBottom',
  Tab: 'title icon iconType id label value',
  View: 'title icon iconType',
  CodeBlock: code,
  Steps: 'titleSize',
  Step: 'title icon iconType stepNumber titleSize id',
  Frame: 'caption hint',
  ...each(fields, 'ParamField ResponseField'),
  Icon: 'icon iconType color size src name',
  Tooltip: 'tip headline cta href content',
  Badge: 'color size shape stroke disabled icon iconType text variant',
  Update: 'label description tags rss id',
};

/** The values of attributes that take one of a list, for editors. */
export const propValues: Record<string, string> = {
  'Callout type': Object.keys(calloutIcons).join(' '),
  'Badge color': badgeColors.join(' '),
  'Badge size': badgeSizes.join(' '),
  'Badge shape': 'pill',
  'Visibility for': 'agents humans',
};

/** The names of all components, for editors. */
export const componentNames = Object.keys(components).filter(isName);

/** Reports attributes that are spelled like one of the component. Others may be for another program, and are silently ignored. */
function reportUnknownProps({ name, props }: ComponentNode, context: RenderContext): void {
  const known = Object.hasOwn(propNames, name) ? propNames[name]!.split(' ') : undefined;
  if (!known) return;
  for (const prop of Object.keys(props)) {
    if (known.includes(prop) || /^(?:id|class|className|style|key|ref|children|data-.*|aria-.*|on[A-Z].*)$/.test(prop)) continue;
    const similar = nearest(prop, known).filter((other) => props[other] === undefined);
    if (similar.length === 0) continue;
    const message = `<${name}> does not have an attribute "${prop}". It is ignored.`;
    context.report({ kind: 'unknown-attribute', message, ...didYouMean(similar) }, `${name} ${prop}`);
  }
}
