import type { ElementContent } from 'hast';
import type { Component, RenderContext } from '../context.ts';
import { htmlElement } from '../elements.ts';
import { isHtmlName, isRemovedWhole, safeTag } from '../sanitize.ts';
import { element, type ComponentNode } from '../tree.ts';
import {
  anyCallout,
  callout,
  card,
  column,
  columns,
  linkButton,
  tile,
  accordion,
  accordionGroup,
  expandable,
  frame,
  panel,
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

const childrenOnly: Component = (_props, children) => children();

const components: Record<string, Component> = {
  Note: callout('note'),
  Tip: callout('tip'),
  Info: callout('info'),
  Warning: callout('warning'),
  Warn: callout('warning'),
  Check: callout('check'),
  Danger: callout('danger'),
  Callout: anyCallout,
  Aside: anyCallout,
  Admonition: anyCallout,
  Card: card,
  LinkCard: card,
  CardGroup: columns,
  CardGrid: columns,
  Columns: columns,
  Column: column,
  Tile: tile,
  LinkButton: linkButton,
  Accordion: accordion,
  AccordionGroup: accordionGroup,
  Expandable: expandable,
  Tabs: tabs,
  Tab: tab,
  TabItem: tab,
  'Tabs.Tab': tab,
  View: view,
  CodeGroup: codeGroup,
  CodeGroups: codeGroup,
  CodeBlock: codeElement,
  Code: codeElement,
  RequestExample: example('request'),
  ResponseExample: example('response'),
  Steps: steps,
  Step: step,
  Frame: frame,
  Panel: panel,
  Endpoint: endpoint,
  ParamField: field,
  ResponseField: field,
  ParamFields: childrenOnly,
  ResponseFields: childrenOnly,
  Icon: icon,
  Tooltip: tooltip,
  Badge: badge,
  Latex: latex,
  'GitHub.Repo': repository,
  Update: update,
  Tree: tree,
  FileTree: tree,
  'Tree.Folder': folder,
  'Tree.File': file,
  Folder: folder,
  File: file,
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
  Fragment: childrenOnly,
  Snippet: childrenOnly,
  // Every page has a table of contents.
  TOCInline: () => [],
  MDXContent: childrenOnly,
  Link: (props, children, context) => htmlElement('a', props, children, context),
  ...reactDocsComponents,
};

/** Whether an element's name is known: an unclosed one is then a mistake, not text in angle brackets. */
export function isKnownElement(name: string): boolean {
  return Object.hasOwn(components, name) || (isHtmlName(name) && safeTag(name) !== undefined) || isRemovedWhole(name);
}

export function renderComponent(node: ComponentNode, children: () => ElementContent[], context: RenderContext): ElementContent[] {
  const { name, props } = node;
  if (name === '') return children();
  const component = Object.hasOwn(components, name) ? components[name] : undefined;
  if (component) return [component(props, children, context, node)].flat();
  const isHtml = isHtmlName(name);
  const tag = isHtml ? safeTag(name) : undefined;
  if (tag !== undefined) return [htmlElement(tag, props, children, context)].flat();
  if (isRemovedWhole(name)) {
    if (/^script$/i.test(name))
      context.report(
        {
          kind: 'script-removed',
          severity: 'note',
          line: node.line,
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
        severity: 'warning',
        line: node.line,
        message: `<${name}> is not a component that Carrel knows; only its content and texts are shown.`,
      },
      name,
    );
  }
  return children();
}
