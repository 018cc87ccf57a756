// The allow-list: what of an author's HTML reaches the page. Names are compared in lower case, attributes are
// kept only where they are known to be harmless, and each address is checked after all that browsers ignore is taken out.

import type { Problem } from '../../integration/diagnostics.ts';

const words = (text: string) => text.trim().split(/\s+/);

/** Name under which an element is written, or undefined when it is not allowed (its children stay). */
export function safeTag(name: string): string | undefined {
  const lower = name.toLowerCase();
  return tags.has(lower) ? lower : svgTags.get(lower);
}

/** Whether an element goes with all that it holds. */
export function isRemovedWhole(name: string): boolean {
  return removedTags.has(name.toLowerCase());
}

const tags = new Set(
  words(`a abbr address article aside audio b bdi bdo big blockquote br button caption center cite code col colgroup dd del details dfn div dl dt em
  figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd li main mark nav ol p picture pre q rp rt ruby s samp
  section small source span strike strong sub summary sup table tbody td tfoot th thead time tr track tt u ul var video wbr`),
);
const svgTags = new Map(
  words(`svg g path circle ellipse line polyline polygon rect text tspan defs symbol use clipPath mask linearGradient radialGradient stop
  pattern marker desc`).map((name) => [name.toLowerCase(), name]),
);
const removedTags = new Set(
  words(`script style template noscript object embed applet form math base link meta head title frame frameset noembed noframes plaintext
  xmp listing textarea select option datalist dialog animate animatemotion animatetransform set foreignobject portal`),
);

/** Attributes that are safe on an element, by their HTML names. `address` maps a safe address to the one to write. */
export function safeAttributes(
  tag: string,
  props: Record<string, unknown>,
  address: (href: string) => string = (href) => href,
): Record<string, string | number | boolean> {
  const attributes: Record<string, string | number | boolean> = {};
  for (const [written, value] of Object.entries(props)) {
    const name = canonical(written);
    if (!isAllowed(tag, name)) continue;
    const kept = safeValue(tag, name, value, address);
    if (kept !== undefined) attributes[name] = kept;
  }
  return attributes;
}

const renamed: Record<string, string> = {
  classname: 'class',
  htmlfor: 'for',
  xlinkhref: 'href',
  'xlink:href': 'href',
  viewbox: 'viewBox',
  preserveaspectratio: 'preserveAspectRatio',
  gradientunits: 'gradientUnits',
  gradienttransform: 'gradientTransform',
  patternunits: 'patternUnits',
  patterntransform: 'patternTransform',
  clippathunits: 'clipPathUnits',
  maskunits: 'maskUnits',
  markerwidth: 'markerWidth',
  markerheight: 'markerHeight',
  refx: 'refX',
  refy: 'refY',
  strokewidth: 'stroke-width',
  strokelinecap: 'stroke-linecap',
  strokelinejoin: 'stroke-linejoin',
  strokemiterlimit: 'stroke-miterlimit',
  strokedasharray: 'stroke-dasharray',
  strokedashoffset: 'stroke-dashoffset',
  strokeopacity: 'stroke-opacity',
  fillopacity: 'fill-opacity',
  fillrule: 'fill-rule',
  cliprule: 'clip-rule',
  'clip-path': 'clip-path',
  clippath: 'clip-path',
  stopcolor: 'stop-color',
  stopopacity: 'stop-opacity',
  textanchor: 'text-anchor',
  fontsize: 'font-size',
  fontfamily: 'font-family',
  fontweight: 'font-weight',
  dominantbaseline: 'dominant-baseline',
};

function canonical(name: string): string {
  const lower = name.toLowerCase();
  return renamed[lower] ?? lower;
}

const globalAttributes = new Set(words('id class title lang dir role tabindex hidden style translate'));
const tagAttributes: Record<string, Set<string>> = Object.fromEntries(
  Object.entries({
    a: 'href target name download',
    img: 'src srcset sizes alt width height loading decoding align',
    source: 'src srcset sizes type media width height',
    video: 'src poster controls autoplay loop muted playsinline preload width height',
    audio: 'src controls autoplay loop muted preload',
    track: 'src kind srclang label default',
    iframe: 'src width height allow allowfullscreen',
    table: 'align width border cellpadding cellspacing',
    td: 'align valign colspan rowspan width height headers',
    th: 'align valign colspan rowspan width height headers scope abbr',
    col: 'span width',
    colgroup: 'span',
    tr: 'align valign',
    ol: 'start reversed type',
    ul: 'type',
    li: 'value',
    details: 'open name',
    time: 'datetime',
    del: 'cite datetime',
    ins: 'cite datetime',
    q: 'cite',
    blockquote: 'cite',
    input: 'type checked disabled',
    div: 'align',
    p: 'align',
    h1: 'align',
    h2: 'align',
    h3: 'align',
    h4: 'align',
    font: 'color',
    hr: 'width align',
    br: 'clear',
  }).map(([tag, names]) => [tag, new Set(words(names))]),
);
const svgAttributes = new Set(
  words(`viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx ry fx fy d points fill stroke transform opacity color xmlns href
  gradientUnits gradientTransform patternUnits patternTransform clipPathUnits maskUnits markerWidth markerHeight refX refY offset orient
  stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset stroke-opacity fill-opacity fill-rule clip-rule
  clip-path mask stop-color stop-opacity text-anchor font-size font-family font-weight dominant-baseline dx dy`),
);

function isAllowed(tag: string, name: string): boolean {
  if (globalAttributes.has(name) || /^(?:aria|data)-[a-z0-9-]+$/.test(name)) return true;
  if (Object.hasOwn(tagAttributes, tag)) return tagAttributes[tag]!.has(name);
  return svgTags.has(tag.toLowerCase()) && svgAttributes.has(name);
}

const booleans = new Set(
  words('controls autoplay loop muted playsinline allowfullscreen checked disabled open reversed default hidden'),
);

function safeValue(tag: string, name: string, value: unknown, address: (href: string) => string): string | boolean | undefined {
  if (value === null || value === undefined || value === false) return undefined;
  if (booleans.has(name)) return value !== 'false';
  if (name === 'style') return safeStyle(value);
  if (typeof value === 'object') return undefined;
  const text = value === true ? '' : String(value);
  if (name === 'href' && svgTags.has(tag.toLowerCase())) return text.startsWith('#') ? text : undefined;
  if (name === 'href' || name === 'src' || name === 'poster' || name === 'cite') {
    const safe = safeAddress(text, { data: tag === 'img' || tag === 'video' || tag === 'source', web: tag === 'iframe' });
    return safe === undefined ? undefined : address(safe);
  }
  if (name === 'srcset') return safeSrcset(text, address);
  if (name === 'target') return text === '_blank' ? text : undefined;
  if (svgAttributes.has(name) && /url\s*\(/i.test(text))
    return /^\s*url\(\s*["']?#[\w-]+["']?\s*\)\s*$/i.test(text) ? text : undefined;
  return text;
}

// Schemes that hand over to a program or another site; none of them runs script in the page.
const schemes = new Set(
  words(`http https mailto tel sms ftp ftps irc ircs xmpp geo matrix magnet git ssh slack discord vscode vscode-insiders cursor windsurf zed
  jetbrains claude goose lmstudio raycast spotify steam obsidian figma`),
);
// Browsers drop control characters and blanks when they read a scheme.
const ignored = /[\u0000-\u0020\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]/g;

/** The address without blanks around it, or undefined when it is not one to follow. */
export function safeAddress(address: string, allow: { data?: boolean; web?: boolean } = {}): string | undefined {
  const bare = address.replace(ignored, '');
  // Browsers read a backslash as a slash: a path that begins so names a host, and from file:// a network folder.
  if (/^(?:\\[\\/]|\/\\)/.test(bare)) return undefined;
  const scheme = /^([^/?#:]*):/.exec(bare)?.[1]?.toLowerCase();
  if (allow.web) return scheme === 'http' || scheme === 'https' || bare.startsWith('//') ? address.trim() : undefined;
  if (scheme === undefined) return address.trim();
  if (scheme === 'data')
    return allow.data && /^data:image\/(?:png|jpe?g|gif|webp|avif|bmp|x-icon|svg\+xml)[;,]/i.test(bare) ? bare : undefined;
  // A path such as `12:30` or `foo:bar` is no scheme to a reader, but it is one to a browser.
  return schemes.has(scheme) ? address.trim() : undefined;
}

/** The problem of a link that has no safe address. */
export function unsafeLink(href: string): Pick<Problem, 'kind' | 'severity' | 'message' | 'hint'> {
  const start = href.trim().slice(0, 60);
  return {
    kind: 'link-unsafe',
    severity: 'warning',
    message: `The link to "${start}${start.length < href.trim().length ? '…' : ''}" is removed: browsers do not follow it, or it runs code.`,
    hint: 'Link to a page, a file of the docs, or a web address.',
  };
}

function safeSrcset(srcset: string, address: (href: string) => string): string | undefined {
  const candidates = [];
  for (const candidate of srcset.split(/,\s+|,(?=[^\s]*\s)/)) {
    const [url, ...descriptor] = candidate.trim().split(/\s+/);
    const safe = url ? safeAddress(url) : undefined;
    if (safe === undefined || !descriptor.every((word) => /^[\d.]+[wxh]$/.test(word))) continue;
    candidates.push([address(safe), ...descriptor].join(' '));
  }
  return candidates.length > 0 ? candidates.join(', ') : undefined;
}

const unitless = new Set(
  words(`opacity z-index flex flex-grow flex-shrink order line-height font-weight zoom columns column-count fill-opacity stroke-opacity
  aspect-ratio grid-row grid-column orphans widows tab-size`),
);

/** Style declarations that neither load anything nor leave their place; from a string or an object of camelCase names. */
export function safeStyle(style: unknown): string | undefined {
  const declarations: [string, string][] =
    typeof style === 'string'
      ? style.split(';').flatMap((part) => {
          const colon = part.indexOf(':');
          return colon === -1 ? [] : [[part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim()]];
        })
      : typeof style === 'object' && style !== null
        ? Object.entries(style).flatMap(([key, value]) => {
            if (typeof value !== 'string' && typeof value !== 'number') return [];
            const name = key.startsWith('--') ? key : key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
            return [
              [
                name,
                typeof value === 'number' && value !== 0 && !unitless.has(name) && !name.startsWith('--')
                  ? `${value}px`
                  : String(value),
              ],
            ];
          })
        : [];
  const kept = declarations.filter(([name, value]) => isSafeDeclaration(name, value));
  return kept.length > 0 ? kept.map(([name, value]) => `${name}:${withinColumn(name, value)}`).join(';') : undefined;
}

/** A largest width stays one on a narrow screen: on its own it would replace the rule that keeps images in their column. */
function withinColumn(name: string, value: string): string {
  return name === 'max-width' && /^\d+(?:\.\d+)?(?:px|r?em|ch|pt|cm|mm|in)$/.test(value) ? `min(100%,${value})` : value;
}

function isSafeDeclaration(name: string, value: string): boolean {
  if (!/^(?:--[\w-]+|-?[a-z][a-z-]*)$/.test(name) || value === '') return false;
  // A backslash or a comment could spell any of the words below in another way.
  if (/[\\<>{};]|\/\*|url\s*\(|expression|image(?:-set)?\s*\(|src\s*\(|javascript|@/i.test(value)) return false;
  if (name === 'behavior' || name.endsWith('binding')) return false;
  return !(name === 'position' && /fixed|sticky/i.test(value));
}
