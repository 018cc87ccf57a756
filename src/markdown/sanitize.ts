// The allow-list for an author's HTML: elements, attributes and URLs that reach the page. The lists, in allowed-html.json, have the form of a
// hast-util-sanitize schema, but that library is not enough: it keeps `\\host\share` and `/\host`, which read from network folders
// when a page is opened from disk, and it checks neither style declarations nor `url()` in SVG attributes nor each URL of a srcset.

import { createProblem, type Problem } from '../../integration/diagnostics.ts';
import { safeUrl } from '../../integration/urls/safe-url.ts';
import allowed from './allowed-html.json' with { type: 'json' };

const words = (text: string) => text.split(/\s+/);

/** Names are lower-case, except for SVG's. */
const schema = {
  tagNames: new Set(words(allowed.tags)),
  svgTagNames: new Map(words(allowed.svgTags).map((name) => [name.toLowerCase(), name])),
  /** Elements that are removed with their content. */
  strip: new Set(words(allowed.removedWhole)),
  attributes: new Map(Object.entries(allowed.attributes).map(([tag, names]) => [tag, new Set(words(names))])),
  svgAttributes: new Set(words(allowed.svgAttributes)),
  booleanAttributes: new Set(words(allowed.booleanAttributes)),
};

/** Name of an allowed element, or undefined; the children of an element that is not allowed stay. */
export function safeTag(name: string): string | undefined {
  const lower = name.toLowerCase();
  return schema.tagNames.has(lower) ? lower : schema.svgTagNames.get(lower);
}

/** Whether a name is that of an HTML element; `<Option>` and `<Section>` are components of the author. */
export function isHtmlName(name: string): boolean {
  return /^[a-z]/.test(name) || name === name.toUpperCase();
}

/** Whether an element is removed with its content. */
export function isRemovedWhole(name: string): boolean {
  return schema.strip.has(name.toLowerCase()) && (isHtmlName(name) || /^(?:script|style|template|noscript|math)$/i.test(name));
}

/** The safe attributes of an element by their HTML names. `resolve` gets each safe URL and returns the one to write. */
export function safeAttributes(
  tag: string,
  props: Record<string, unknown>,
  resolve: (url: string) => string = (url) => url,
): Record<string, string | number | boolean> {
  const attributes: Record<string, string | number | boolean> = {};
  for (const [written, value] of Object.entries(props)) {
    const name = attributeName(written);
    const safe = isAllowed(tag, name) ? safeValue(tag, name, value, resolve) : undefined;
    if (safe !== undefined) attributes[name] = safe;
  }
  return attributes;
}

/** Attribute names in the page by those of JSX and HTML in lower case: `strokeWidth` is `stroke-width`. */
const pageNames = new Map([
  ...[...schema.svgAttributes].map((name) => [name.replaceAll('-', '').toLowerCase(), name] as const),
  ...[...schema.svgAttributes].map((name) => [name.toLowerCase(), name] as const),
  ...Object.entries({ classname: 'class', htmlfor: 'for', xlinkhref: 'href', 'xlink:href': 'href' }),
]);

function attributeName(name: string): string {
  const lower = name.toLowerCase();
  return pageNames.get(lower) ?? lower;
}

function isAllowed(tag: string, name: string): boolean {
  if (schema.attributes.get('*')?.has(name) || /^(?:aria|data)-[a-z0-9-]+$/.test(name)) return true;
  return schema.attributes.get(tag)?.has(name) ?? (schema.svgTagNames.has(tag.toLowerCase()) && schema.svgAttributes.has(name));
}

function safeValue(tag: string, name: string, value: unknown, resolve: (url: string) => string): string | boolean | undefined {
  if (value === null || value === undefined || value === false) return undefined;
  if (schema.booleanAttributes.has(name)) return value !== 'false';
  if (name === 'style') return safeStyle(value);
  if (typeof value !== 'string' && typeof value !== 'number' && value !== true) return undefined;
  const text = value === true ? '' : String(value);
  if (name === 'href' && schema.svgTagNames.has(tag.toLowerCase())) return text.startsWith('#') ? text : undefined;
  if (name === 'href' || name === 'src' || name === 'poster' || name === 'cite') {
    const safe = safeUrl(text, { data: tag === 'img' || tag === 'video' || tag === 'source', web: tag === 'iframe' });
    return safe === undefined ? undefined : resolve(safe);
  }
  if (name === 'srcset') return safeSrcset(text, resolve);
  if (name === 'target') return text === '_blank' ? text : undefined;
  if (schema.svgAttributes.has(name) && /url\s*\(/i.test(text))
    return /^\s*url\(\s*["']?#[\w-]+["']?\s*\)\s*$/i.test(text) ? text : undefined;
  return text;
}

/** The problem of a link whose URL is not safe. */
export function unsafeLink(href: string): Pick<Problem, 'kind' | 'severity' | 'message' | 'hint'> {
  const start = href.trim().slice(0, 60);
  if (/^xref:/i.test(start))
    return createProblem({
      kind: 'link-without-target',
      message: `The link to "${start}" is shown as its text: no page of the docs folder has this id.`,
      hint: 'References to the API of a library need a URL. A page has the id in "uid" of its frontmatter.',
    });
  return createProblem({
    kind: 'link-unsafe',
    message: `The link to "${start}${start.length < href.trim().length ? '…' : ''}" is removed: browsers do not follow it, or it runs code.`,
    hint: 'Link to a page, a file in the docs, or a URL.',
  });
}

function safeSrcset(srcset: string, resolve: (url: string) => string): string | undefined {
  const candidates = [];
  for (const candidate of srcset.split(/,\s+|,(?=[^\s]*\s)/)) {
    const [url, ...descriptor] = candidate.trim().split(/\s+/);
    const safe = url ? safeUrl(url) : undefined;
    if (safe === undefined || !descriptor.every((word) => /^[\d.]+[wxh]$/.test(word))) continue;
    candidates.push([resolve(safe), ...descriptor].join(' '));
  }
  return candidates.length > 0 ? candidates.join(', ') : undefined;
}

const unitless = new Set(
  words(`opacity z-index flex flex-grow flex-shrink order line-height font-weight zoom columns column-count fill-opacity stroke-opacity
  aspect-ratio grid-row grid-column orphans widows tab-size`),
);

/** Style declarations that load nothing and do not cover the page, from a string or an object with camelCase names. */
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
  const safe = declarations.filter(([name, value]) => isSafeDeclaration(name, value));
  return safe.length > 0 ? safe.map(([name, value]) => `${name}:${withinColumn(name, value)}`).join(';') : undefined;
}

/** An author's max-width replaces the rule that keeps images in their column, so it must not exceed the column's width. */
function withinColumn(name: string, value: string): string {
  return name === 'max-width' && /^\d+(?:\.\d+)?(?:px|r?em|ch|pt|cm|mm|in)$/.test(value) ? `min(100%,${value})` : value;
}

function isSafeDeclaration(name: string, value: string): boolean {
  if (!/^(?:--[\w-]+|-?[a-z][a-z-]*)$/.test(name) || value === '') return false;
  // A backslash or a comment could disguise any of the words below.
  if (/[\\<>{};]|\/\*|url\s*\(|expression|image(?:-set)?\s*\(|src\s*\(|javascript|@/i.test(value)) return false;
  if (name === 'behavior' || name.endsWith('binding')) return false;
  return !(name === 'position' && /fixed|sticky/i.test(value));
}
