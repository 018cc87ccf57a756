// SVG and MathML that e-readers accept: well-formed, without scripts, HTML, loads and variables of stylesheets.
import { readTree, xmlElement, xmlId, toXml, type XmlElement, type XmlNode } from './xml-tree.ts';

export interface DrawingContext {
  /** The ID of an anchor; undefined for one that is taken. */
  idOf: (anchor: string) => string | undefined;
  /** The value of a variable of the site's stylesheets. */
  color: (variable: string) => string;
}

const namespaces: Record<string, string> = {
  svg: 'http://www.w3.org/2000/svg',
  math: 'http://www.w3.org/1998/Math/MathML',
};

// Names of other vocabularies, such as `inkscape:label`, would need a declaration.
const validName = /^(?:(?:xlink|xml):)?[a-z_][\w.-]*$/i;
const notKept = /^(?:on|data-|tabindex|focusable|xmlns)/i;
const notDrawn = /^(?:script|foreignobject|iframe|animate.*|set|handler|metadata|audio|video|html|body)$/i;

const onlyOn: [attribute: RegExp, element: RegExp][] = [
  [/^font-/, /^(?:svg|g|text|tspan|textPath|symbol)$/],
  [/^(?:overflow|paint-order)$/, /^(?:svg|marker|symbol|pattern)$/],
];
const isLink = (key: string): boolean => /^(?:xlink:)?href$/.test(key);

export function drawing({ name, attributes, children }: XmlElement, context: DrawingContext): XmlElement {
  const kept: XmlElement['attributes'] = {};
  if (namespaces[name]) kept.xmlns = namespaces[name];
  if (name === 'svg') kept['xmlns:xlink'] = 'http://www.w3.org/1999/xlink';
  for (const [key, value] of Object.entries(attributes)) {
    if (!validName.test(key) || notKept.test(key) || (isLink(key) && !/^(?:#|data:image\/)/.test(value))) continue;
    // EPUB allows these only where they have an effect.
    if (onlyOn.some(([attribute, element]) => attribute.test(key) && !element.test(name))) continue;
    const given =
      key === 'id' ? context.idOf(value) : isLink(key) ? value.replace(/^#(.*)/s, (_, id: string) => `#${xmlId(id)}`) : value;
    if (given !== undefined) kept[key] = local(given, context);
  }
  if (name === 'stop') kept.offset ??= '0';
  const inside = children.flatMap((child): XmlNode[] => {
    if (typeof child === 'string') return [name === 'style' ? local(child, context) : child];
    if (!/^[a-z][\w.-]*$/i.test(child.name) || notDrawn.test(child.name)) return [];
    const drawn = drawing(child, context);
    // What it would load is not in the book.
    if (child.name === 'image' && !Object.keys(drawn.attributes).some((key) => isLink(key))) return [];
    return child.name === 'a' ? drawn.children : [drawn];
  });
  return xmlElement(name, kept, inside);
}

/** A value whose URLs name parts of the same drawing, and whose colors do not depend on a stylesheet. */
function local(value: string, { color }: DrawingContext): string {
  if (!/url\(|var\(|@import/.test(value)) return value;
  return value
    .replace(/@import[^;]*;?/g, '')
    .replace(/url\(\s*(["']?)(#?)([^)"']*)\1\s*\)/g, (whole, _quote, hash: string, id: string) =>
      hash ? `url(#${xmlId(id)})` : id.startsWith('data:') ? whole : 'none',
    )
    .replace(/var\((--[\w-]+)[^)]*\)/g, (_, variable: string) => color(variable));
}

/** The text of an SVG file as well-formed XML; undefined if there is no drawing in it. */
export function drawingFile(text: string): string | undefined {
  const body = text.replace(/<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>|<\?[^>]*\?>/gi, '').replace(/<!\[CDATA\[|\]\]>/g, '');
  const root = readTree(body).find((node) => typeof node !== 'string' && node.name.toLowerCase() === 'svg');
  if (root === undefined || typeof root === 'string') return undefined;
  const ids = new Set<string>();
  const idOf = (anchor: string) => (ids.has(xmlId(anchor)) ? undefined : (ids.add(xmlId(anchor)), xmlId(anchor)));
  return `<?xml version="1.0" encoding="UTF-8"?>\n${toXml(drawing({ ...root, name: 'svg' }, { idOf, color: () => 'currentColor' }))}\n`;
}
