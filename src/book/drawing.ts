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
const notKept = /^(?:on|data-|tabindex|xmlns|title$|name$|alt$)/i;

// Drawing programs write more attributes and values than the schema of EPUB allows, which is that of SVG 1.1.
const shapes = 'circle ellipse line path polygon polyline rect';
const texts = 'a defs g svg switch symbol text textPath tspan';
const graphics = `${shapes} ${texts} clipPath filter image marker mask pattern use`;
const gradients = 'linearGradient radialGradient';
const places: [attributes: RegExp, elements: ReadonlySet<string>][] = [
  [/^(?:id|xml:space)$/, drawn],
  [/^(?:class|style|aria-.*)$/, words(`${graphics} ${gradients} stop title desc`)],
  [/^role$/, words(`${shapes} g svg symbol text tspan use`)],
  [/^(?:fill|stroke)(?:$|-)|^clip-|^(?:image|shape)-rendering$|^(?:opacity|display|visibility|filter|mask)$/, words(graphics)],
  [/^color(?:-interpolation)?$/, words(`${graphics} ${gradients} stop`)],
  [/^font-(?:family|size|size-adjust|stretch|style|variant|weight)$|^text-(?:anchor|decoration|rendering)$/, words(texts)],
  [/^(?:letter|word)-spacing$|^(?:dominant|alignment)-baseline$|^(?:direction|unicode-bidi)$/, words(texts)],
  [/^color-interpolation-filters$/, words('defs filter g marker mask pattern svg switch symbol use')],
  [/^stop-/, words(`stop ${gradients}`)],
  [/^transform$/, words(`${shapes} a clipPath defs g image switch text use`)],
  [/^(?:system|required)[A-Z]/, words(`${shapes} clipPath defs g mask pattern svg switch text textPath tspan use`)],
  [/^(?:xlink:)?href$/, words(`${gradients} a filter image pattern textPath use`)],
  [/^overflow$/, words('svg marker symbol pattern')],
  [/^[xy][12]$/, words('line linearGradient')],
  [/^[xy]$/, words('svg rect image use text tspan filter mask pattern')],
  [/^(?:d[xy]|rotate|textLength|lengthAdjust)$/, words('text tspan')],
  [/^(?:startOffset|method|spacing)$/, words('textPath')],
  [/^(?:width|height)$/, words('svg rect image use filter mask pattern')],
  [/^(?:c[xy]|r)$/, words('circle ellipse radialGradient')],
  [/^r[xy]$/, words('ellipse rect')],
  [/^(?:f[xy]|gradient(?:Transform|Units)|spreadMethod)$/, words(gradients)],
  [/^(?:pattern|mask|maskContent|clipPath|filter|primitive)[A-Z]/, words('pattern mask clipPath filter')],
  [/^(?:marker[A-Z].*|ref[XY]|orient)$/, words('marker')],
  [/^marker-/, words('path line polyline polygon g svg defs marker symbol')],
  [/^(?:d|pathLength)$/, words('path')],
  [/^points$/, words('polygon polyline')],
  [/^offset$/, words('stop')],
  [/^(?:viewBox|preserveAspectRatio)$/, words('svg marker pattern symbol view image')],
];

const baselines = 'auto middle central ideographic alphabetic hanging mathematical text-before-edge text-after-edge';
const valuesOf: Record<string, string> = {
  ...{ role: 'img', 'aria-hidden': 'true false', 'xml:space': 'default preserve', 'text-anchor': 'start middle end' },
  ...{ 'font-weight': 'normal bold bolder lighter 100 200 300 400 500 600 700 800 900', 'font-variant': 'normal small-caps' },
  ...{ 'font-style': 'normal italic oblique', 'font-stretch': 'normal condensed semi-condensed semi-expanded expanded' },
  ...{ 'dominant-baseline': baselines, 'alignment-baseline': `baseline before-edge after-edge ${baselines}` },
  ...{ display: 'inline block none', visibility: 'visible hidden collapse', 'fill-rule': 'nonzero evenodd' },
  ...{ 'clip-rule': 'nonzero evenodd', 'stroke-linecap': 'butt round square', 'stroke-linejoin': 'miter round bevel' },
  ...{ 'text-rendering': 'auto optimizeSpeed optimizeLegibility geometricPrecision', 'image-rendering': 'auto optimizeSpeed' },
  ...{ 'shape-rendering': 'auto optimizeSpeed crispEdges geometricPrecision', mode: 'normal multiply screen darken lighten' },
};
const values = new Map(Object.entries(valuesOf).map(([key, all]) => [key, words(all)]));

/** Attributes of filters differ by element, but programs write the valid ones. */
function isAllowed(name: string, key: string, value: string): boolean {
  if (value.trim() === '' || values.get(key)?.has(value) === false) return false;
  return /^fe[A-Z]/.test(name)
    ? /^(?:flood|lighting|color-interpolation)-|^[a-z\d]+$/i.test(key)
    : places.some(([attributes, elements]) => attributes.test(key) && elements.has(name));
}

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
    if (!mathNames.test(name) && !isAllowed(name, key, value)) continue;
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
  const xml = toXml(drawing({ ...root, name: 'svg' }, { idOf, idFor: xmlId }));
  // Lucidchart writes spaces as the use of a symbol that it does not define.
  return `${declaration}${xml.replace(/<use [^>]*?href="#([^"]*)"[^>]*><\/use>/g, (use, id: string) => (ids.has(id) ? use : ''))}\n`;
}
