// What Mermaid drew → SVG for a page: allowed elements and attributes alone, the stylesheet's rules as attributes of the elements.
import { decodeEntities } from '../../source/entities.ts';
import type { Box } from './geometry.ts';
import { inheritedProperties, ownProperties } from './properties.ts';
import { declaredStyles, type Rule, type Styles } from './styles.ts';

export interface FinishedNode {
  name: string;
  attributes: Map<string, string>;
  children: (FinishedNode | string)[];
  /** Where the element is in the drawing, for shapes and texts. */
  box?: Box;
}

const elements: ReadonlySet<string> = new Set(
  'svg g path rect circle ellipse line polyline polygon text tspan defs marker linearGradient radialGradient stop clipPath'.split(
    ' ',
  ),
);
/** Elements whose content takes their place. */
const unwrapped: ReadonlySet<string> = new Set(['a', 'switch']);
/** Elements that can be behind a text. */
export const shapes: ReadonlySet<string> = new Set(['path', 'rect', 'circle', 'ellipse', 'polygon']);

const numberAttributes: ReadonlySet<string> = new Set(
  'x y x1 x2 y1 y2 cx cy r rx ry fx fy width height dx dy d points transform viewBox offset markerWidth markerHeight refX refY gradientTransform'.split(
    ' ',
  ),
);
const wordAttributes: ReadonlySet<string> = new Set(
  'orient markerUnits gradientUnits spreadMethod clipPathUnits preserveAspectRatio lengthAdjust textLength'.split(' '),
);
const references: readonly string[] = ['marker-start', 'marker-mid', 'marker-end', 'clip-path'];

/** Values of properties that SVG has from the start. */
const initial: Record<string, string> = {
  fill: 'black',
  stroke: 'none',
  'stroke-width': '1',
  'stroke-dasharray': 'none',
  'stroke-dashoffset': '0',
  'font-size': '16px',
  'font-weight': 'normal',
  'font-style': 'normal',
  'text-anchor': 'start',
  visibility: 'visible',
  opacity: '1',
};

export interface Drawn {
  svg: Element;
  rules: Rule[];
  outerBox(element: Element): Box;
}

/** The tree of a drawing. Throws where text would be lost. */
export function finishedTree({ svg, rules, outerBox }: Drawn): FinishedNode {
  const styleOf = declaredStyles(svg, rules);
  const names = new Map<string, string>();
  const root = finish(svg, new Map(Object.entries(initial)));
  if (!root) throw new Error('Mermaid gave an empty drawing.');
  removeUnusedDefinitions(root, usedNames(root));
  return root;

  function shortId(id: string): string {
    let name = names.get(id);
    if (name === undefined) names.set(id, (name = `m${names.size}`));
    return name;
  }

  function reference(value: string | null | undefined): string | undefined {
    const [, id] = /^url\(\s*["']?#([^"')]+)["']?\s*\)$/.exec(value ?? '') ?? [];
    return id === undefined ? undefined : `url(#${shortId(id)})`;
  }

  function finish(element: Element, inherited: Styles): FinishedNode | undefined {
    const name = element.localName;
    if (name === 'foreignObject' && element.textContent?.trim()) throw new Error('A label of it is HTML.');
    const isUnwrapped = unwrapped.has(name);
    if (!elements.has(name) && !isUnwrapped) return undefined;
    const declared = styleOf(element);
    if (declared.get('display') === 'none') return undefined;
    if (/\btoday\b/.test(element.getAttribute('class') ?? '')) return undefined;
    const attributes = new Map<string, string>();
    const id = element.getAttribute('id');
    if (id !== null && isDefinition(name)) attributes.set('id', shortId(id));
    for (const attribute of element.attributes) {
      if (numberAttributes.has(attribute.name)) attributes.set(attribute.name, rounded(attribute.value));
      else if (wordAttributes.has(attribute.name) && /^[\w\s.-]+$/.test(attribute.value))
        attributes.set(attribute.name, attribute.value);
    }
    for (const property of references) {
      const value = reference(declared.get(property) ?? element.getAttribute(property));
      if (value !== undefined) attributes.set(property, value);
    }
    const current = new Map(inherited);
    for (const property of inheritedProperties) {
      const value = valueOf(property, declared.get(property), current);
      if (value !== undefined) current.set(property, value);
    }
    for (const property of inheritedProperties) {
      const value = current.get(property);
      if (value !== undefined && value !== inherited.get(property) && property !== 'color') attributes.set(property, value);
    }
    for (const property of ownProperties) {
      const value = valueOf(property, declared.get(property), current);
      if (value !== undefined && value !== initial[property] && property !== 'display') attributes.set(property, value);
    }
    const children: FinishedNode['children'] = [];
    for (const child of element.childNodes) {
      if (child.nodeType === 3 && (name === 'text' || name === 'tspan')) children.push(decoded(child.textContent ?? ''));
      else if (child.nodeType === 1) {
        const finished = finish(child as Element, current);
        if (finished) children.push(finished);
      }
    }
    if (name === 'rect' && !(parseFloat(attributes.get('width') ?? '') > 0 && parseFloat(attributes.get('height') ?? '') > 0))
      return undefined;
    const isEmpty =
      children.length === 0 && (name === 'g' || name === 'text' || name === 'tspan' || name === 'defs' || isUnwrapped);
    if (isEmpty) return undefined;
    const node: FinishedNode = { name: isUnwrapped ? 'g' : name, attributes, children };
    if (shapes.has(name) || name === 'text') node.box = outerBox(element);
    return node;
  }

  function valueOf(property: string, value: string | undefined, current: Styles): string | undefined {
    if (value === undefined || value === 'inherit' || value === 'unset') return undefined;
    if (value.startsWith('url(')) return reference(value);
    // A function could load a file, and a backslash hides one.
    if (/[\\<>"'@]|\b(?:url|src|image|image-set|attr|var|env)\(/i.test(value) || value.length > 100) return undefined;
    if (/^currentcolor$/i.test(value)) return current.get('color') ?? initial.fill;
    if (property === 'font-size' && /em$|%$/.test(value)) return relativeSize(value, current.get('font-size'));
    if (property === 'stroke-dasharray' && !/[1-9]/.test(value)) return 'none';
    if (property === 'stroke-width') return value.replace(/px$/, '');
    return value.trim();
  }
}

/** Mermaid writes `#40;` in such signs until a browser reads its text as HTML. */
function decoded(text: string): string {
  return decodeEntities(text.replaceAll('ﬂ°°', '&#').replaceAll('ﬂ°', '&').replaceAll('¶ß', ';'));
}

function relativeSize(value: string, parent = '16px'): string {
  const base = value.endsWith('rem') ? 16 : parseFloat(parent);
  return `${Math.round(parseFloat(value) * base * (value.endsWith('%') ? 1 : 100)) / 100}px`;
}

export function isDefinition(name: string): boolean {
  return name === 'marker' || name.endsWith('Gradient') || name === 'clipPath';
}

function rounded(numbers: string): string {
  return numbers
    .replace(/-?\d+\.\d{3,}(?:e[-+]?\d+)?/g, (number) => String(Math.round(Number(number) * 100) / 100))
    .replace(/[^\w\s.,()%+-]/g, '');
}

function usedNames(root: FinishedNode): Set<string> {
  const used = new Set<string>();
  visit(root, ({ attributes }) => {
    for (const value of attributes.values()) if (value.startsWith('url(#')) used.add(value.slice(5, -1));
  });
  return used;
}

function removeUnusedDefinitions(node: FinishedNode, used: Set<string>): void {
  node.children = node.children.filter((child) => {
    if (typeof child === 'string') return true;
    removeUnusedDefinitions(child, used);
    if (isDefinition(child.name)) return used.has(child.attributes.get('id') ?? '');
    return child.children.length > 0 || (child.name !== 'defs' && child.name !== 'g');
  });
}

/** Calls a function with a node and all below it. */
export function visit(node: FinishedNode, see: (node: FinishedNode) => void): void {
  see(node);
  for (const child of node.children) if (typeof child !== 'string') visit(child, see);
}

export function toSvg({ name, attributes, children }: FinishedNode): string {
  const written = [...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
  const content = children.map((child) => (typeof child === 'string' ? escaped(child) : toSvg(child))).join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
