// What readers cannot use although it is valid: components without the one that they belong in or without a title, and links to the computer of
// their author.
import { nearest } from '../../integration/text/nearest.ts';
import type { RenderContext, Report } from './context.ts';
import { Content, type ComponentNode, isComponent, type MarkdownNode, textOf } from './tree.ts';
import { codeComponent, isKnownElement } from './components/index.ts';

const inTabs = ['Tabs'];
const inTree = ['Tree', 'FileTree', 'Folder', 'Tree.Folder'];

/** The components that hold another one. */
const holders: Record<string, string[]> = {
  Step: ['Steps'],
  Tab: inTabs,
  TabItem: inTabs,
  'Tabs.Tab': inTabs,
  Folder: inTree,
  File: inTree,
  'Tree.Folder': inTree,
  'Tree.File': inTree,
  'Color.Item': ['Color', 'Color.Row'],
  'Color.Row': ['Color'],
};

/** What a component needs, by any of these attributes, and what readers see without it. */
const needs: Record<string, [what: string, attributes: string, without: string]> = {
  Accordion: ['a title', 'title', 'the line that opens it is empty'],
  Card: ['a title', 'title', 'it is empty'],
  Tile: ['a title', 'title', 'its link has no text'],
  Update: ['a label', 'label', 'nothing links to it'],
  ParamField: ['a name', 'path query body header cookie name', 'readers do not see which parameter it is'],
  Tooltip: ['a text', 'tip headline content', 'it is empty'],
  Icon: ['a name', 'icon name src', 'none is shown'],
  LinkButton: ['a URL', 'href', 'it links to nothing'],
};

/** A URL of this computer, as the host of a preview writes it. */
const localUrl = /^https?:\/\/(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[::1\])(?::\d+)?(?:[/?#]|$)/i;

/** Of a source without it, only the components can have faults. */
export const mayHaveLocalUrl = /\/\/(?:localhost|127\.|0\.0\.0\.0|\[::1)/i;

interface FaultContext extends Pick<RenderContext, 'report' | 'positionOf'> {
  /** What the positions of the components refer to. */
  source: string;
  /** The texts of links by the label of their definition. */
  texts: Map<string, string>;
}

/** Reports the faults in the nodes of a page. */
export function reportReaderFaults(nodes: MarkdownNode[], given: Omit<FaultContext, 'texts'>): void {
  const context = { ...given, texts: new Map<string, string>() };
  visit(nodes, [], context);
  for (const node of nodes) if (node.type === 'definition') reportLocal(node, context);
}

/** `around` are the names of the components around the nodes. */
function visit(nodes: MarkdownNode[], around: readonly string[], context: FaultContext): void {
  for (const node of nodes) {
    const { type, children, identifier = '' } = node;
    if (isComponent(node)) {
      reportHolder(node, around, context);
      reportNeed(node, context.report);
      reportLocalProps(node, context);
      for (const value of Object.values(node.props)) if (value instanceof Content) visit(value.nodes, around, context);
    } else if (type === 'linkReference') context.texts.set(identifier, `${context.texts.get(identifier) ?? ''} ${textOf(node)}`);
    else if (type !== 'definition') reportLocal(node, context);
    if (children) visit(children, isComponent(node) ? [...around, node.name] : around, context);
  }
}

function reportLocalProps(node: ComponentNode, context: FaultContext): void {
  const { href, src, img, title } = node.props;
  for (const url of [src, img]) if (typeof url === 'string') reportLocal({ type: 'image', url }, context);
  if (typeof href === 'string')
    reportLocal({ type: 'link', url: href, value: `${typeof title === 'string' ? title : ''} ${textOf(node)}` }, context);
}

/** Reports a link to this computer, unless its text says so, and an image from there. */
function reportLocal(node: MarkdownNode, { report, positionOf, texts }: FaultContext): void {
  const { type, url, identifier = '' } = node;
  if (url === undefined || !localUrl.test(url) || !URL.canParse(url)) return;
  const { hostname, port, pathname, hash } = new URL(url);
  const text = texts.get(identifier) ?? textOf(node);
  const isImage = type === 'image';
  if (!isImage && [hostname, ...(port ? [port] : [])].some((name) => text.includes(name))) return;
  const message = `"${url}" is on the computer of the reader: ${isImage ? 'the image is not shown' : 'the link opens nothing there'}.`;
  const hint = `If it is a part of these docs, write ${pathname}${hash}. If readers run a server there, show its URL as the text.`;
  report({ kind: 'link-to-localhost', ...positionOf(url), message, hint }, url);
}

function reportHolder(node: ComponentNode, around: readonly string[], { report, source }: FaultContext): void {
  const { name, line, column, position } = node;
  // Containers that are translated from the syntax of another generator are not tags.
  if (line === undefined || source[position?.start.offset ?? 0] !== '<') return;
  const wanted = Object.hasOwn(holders, name) ? holders[name] : undefined;
  // A component of the docs can bring the one that is needed.
  if (!wanted || around.some((one) => wanted.includes(one) || one === codeComponent || !isKnownElement(one))) return;
  const [holder] = wanted;
  const message = `<${name}> is not in <${holder}>, so it is not shown as one.`;
  const hint = `Write <${holder}> before the first and </${holder}> after the last of them.`;
  report({ kind: 'component-incomplete', line, column, message, hint });
}

function reportNeed({ name, props, children, line, column }: ComponentNode, report: Report): void {
  const [what, attributes = '', without] = Object.hasOwn(needs, name) ? needs[name]! : [];
  const names = attributes.split(' ');
  if (what === undefined || line === undefined || names.some((one) => one in props && props[one] !== '')) return;
  // A misspelled attribute is reported as such. A card can be of its content alone.
  if (Object.keys(props).some((prop) => !names.includes(prop) && nearest(prop, names).length > 0)) return;
  if (name === 'Card' && children.length > 0) return;
  const message = `<${name}> does not have ${what}: ${without}.`;
  report({ kind: 'component-incomplete', line, column, message, hint: `Write <${name} ${names[0]}="…">.` });
}
