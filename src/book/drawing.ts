// SVG and MathML that every reader of books accepts: well-formed, without scripts, HTML, loads and variables of stylesheets.
import { declaration, readTree, toXml, words, xmlElement, xmlId, type XmlElement, type XmlNode } from './xml-tree.ts';

export interface DrawingContext {
  /** The ID of an anchor; undefined for one that is taken. */
  idOf: (anchor: string) => string | undefined;
  /** The ID that an anchor has, taken or not. */
  idFor: (anchor: string) => string;
  /** The value of a variable of the site's stylesheets. A file has variables of its own. */
  color?: (variable: string) => string;
}

const drawn = words(
  'a circle clipPath defs desc ellipse filter g image line linearGradient marker mask path pattern polygon polyline radialGradient rect stop style svg switch symbol text textPath title tspan use view',
);
const withText = words('a desc style text textPath title tspan');
const mathNames = /^(?:m(?!ain|ap|ark|arquee|enu|et)[a-z]+|semantics|annotation|none)$/;

// Names of other vocabularies, such as `inkscape:label`, would need a declaration.
const validName = /^(?:(?:xlink|xml):)?[a-z_][\w.-]*$/i;
const notKept = /^(?:on|data-|tabindex|focusable|xmlns|title$|name$|alt$|paint-order$|isolation$|mix-blend-|transform-origin$)/i;

// Browsers ignore attributes elsewhere, and drawings of Mermaid have some; the schema of EPUB does not allow them.
const places: [attributes: RegExp, elements: ReadonlySet<string>][] = [
  [/^(?:font|text|dominant|alignment|letter|word)-/, words('a svg g text tspan textPath symbol defs switch')],
  [/^overflow$/, words('svg marker symbol pattern')],
  [/^[xy][12]$/, words('line linearGradient')],
  [/^[xy]$/, words('svg rect image use text tspan filter mask pattern')],
  [/^(?:width|height)$/, words('svg rect image use filter mask pattern')],
  [/^(?:c[xy]|r)$/, words('circle ellipse radialGradient')],
  [/^r[xy]$/, words('ellipse rect')],
  [/^marker-/, words('path line polyline polygon g svg defs marker symbol')],
  [/^d$/, words('path')],
  [/^points$/, words('polygon polyline')],
  [/^(?:viewBox|preserveAspectRatio)$/, words('svg marker pattern symbol view image')],
];
const required: Record<string, Record<string, string>> = {
  ...{ rect: { width: '0', height: '0' }, circle: { r: '0' }, ellipse: { rx: '0', ry: '0' }, path: { d: '' } },
  ...{ polygon: { points: '' }, polyline: { points: '' }, image: { width: '100%', height: '100%' }, stop: { offset: '0' } },
};
const isDrawn = (name: string, parent: string) =>
  drawn.has(name) || mathNames.test(name) || (/^fe[A-Z]/.test(name) && /^fe[A-Z]|^filter$/.test(parent));
const isLink = (key: string): boolean => /^(?:xlink:)?href$/.test(key);

export function drawing({ name, attributes, children }: XmlElement, context: DrawingContext): XmlElement {
  const kept: XmlElement['attributes'] = {};
  if (name === 'math') kept.xmlns = 'http://www.w3.org/1998/Math/MathML';
  if (name === 'svg') Object.assign(kept, { xmlns: 'http://www.w3.org/2000/svg', 'xmlns:xlink': 'http://www.w3.org/1999/xlink' });
  for (const [written, value] of Object.entries(attributes)) {
    const key = written.replace(/^[\w-]+:href$/, 'xlink:href');
    if (!validName.test(key) || notKept.test(key) || (isLink(key) && !/^(?:#|data:image\/)/.test(value))) continue;
    if (drawn.has(name) && places.some(([attributes, elements]) => attributes.test(key) && !elements.has(name))) continue;
    const given =
      key === 'id'
        ? context.idOf(value)
        : isLink(key)
          ? value.replace(/^#(.*)/s, (_, id: string) => `#${context.idFor(id)}`)
          : value;
    if (given !== undefined) kept[key] = local(given, context);
  }
  for (const [key, value] of Object.entries(required[name] ?? {})) kept[key] ??= value;
  const inside = children.flatMap((child): XmlNode[] => {
    if (typeof child === 'string' && drawn.has(name) && !withText.has(name)) return [];
    if (typeof child === 'string') return [name === 'style' ? local(child, context) : child];
    if (!isDrawn(child.name, name)) return [];
    const part = drawing(child, context);
    // What it would load is not in the book.
    if (child.name === 'image' && !Object.keys(part.attributes).some((key) => isLink(key))) return [];
    return child.name === 'a' ? part.children : [part];
  });
  return xmlElement(name, kept, inside);
}

/** A value whose URLs name parts of the same drawing, and whose colors do not depend on a stylesheet. */
function local(value: string, { color, idFor }: DrawingContext): string {
  if (!/url\(|var\(|@import/.test(value)) return value;
  return value
    .replace(/@import[^;]*;?/g, '')
    .replace(/url\(\s*(["']?)(#?)([^)"']*)\1\s*\)/g, (whole, _quote, hash: string, id: string) =>
      hash ? `url(#${idFor(id)})` : id.startsWith('data:') ? whole : 'none',
    )
    .replace(/var\((--[\w-]+)(?:,((?:[^()]|\([^()]*\))*))?\)/g, (whole, variable: string, other?: string) => {
      const found = color ? color(variable) : whole;
      return found === 'currentColor' && other ? other.trim() : found;
    });
}

/** The text of an SVG file as well-formed XML; undefined if there is no drawing in it. */
export function drawingFile(text: string): string | undefined {
  const body = text.replace(/<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>|<\?[^>]*\?>/gi, '').replace(/<!\[CDATA\[|\]\]>/g, '');
  const root = readTree(body).find((node) => typeof node !== 'string' && node.name.toLowerCase() === 'svg');
  if (root === undefined || typeof root === 'string') return undefined;
  const ids = new Set<string>();
  const idOf = (anchor: string) => (ids.has(xmlId(anchor)) ? undefined : (ids.add(xmlId(anchor)), xmlId(anchor)));
  return `${declaration}${toXml(drawing({ ...root, name: 'svg' }, { idOf, idFor: xmlId }))}\n`;
}
