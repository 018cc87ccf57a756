// Finds what a page loads from external origins, and the elements that load it: for pages of our own theme and of existing sites.
import { externalUrl } from '../urls/external-url.ts';
import { styleLoads } from './css.ts';
import { posterMark } from './export-marks.ts';
import { namesLoadedFile } from './media-types.ts';
import type { Load, LoadKind } from './load.ts';
import { attribute, type Attribute, readHtml, type RoleLoad, type Tag } from './read-html.ts';
import { frameOnClick, lazyFrame, refreshUrl, roleOf, urlsIn } from './references.ts';
import { type LoadingElement, loadingElements } from './loading-elements.ts';
import { jsonValue, listOf, objectOf } from '../text/json.ts';

/** A load of a page. */
export interface ElementLoad extends Load {
  /** Whether it is in the main content: an author wrote it, rather than the theme. */
  inContent: boolean;
}

/** A script in a page, or in an attribute of it. */
interface InlineScript {
  text: string;
  start: number;
  /** `script`, or a longer name for a script that the export does not change: `a onclick`, `iframe srcdoc script`. */
  element: string;
  inContent: boolean;
  /** Whether it is in a page inside an attribute: then `start` is the attribute's. */
  isInside?: true;
}

/** An SVG file of the site that a page shows in a way that lets the file load something: as a document, or as the symbol of a `<use>`. */
export interface ShownSvg {
  written: string;
  as: 'document' | 'symbol';
}

/** What the HTML of a page loads from external origins; its scripts are read later. */
export interface PageLoads {
  /** The elements that load something, wherever it comes from; nested elements come before the outer one. */
  elements: LoadingElement[];
  loads: ElementLoad[];
  scripts: InlineScript[];
  svgs: ShownSvg[];
}

/** Collects the loads of a page while it is read. */
export function loadFinder(html: string, inContent: () => boolean) {
  const loads: ElementLoad[] = [];
  const scripts: InlineScript[] = [];
  const svgs: ShownSvg[] = [];
  const elements = loadingElements();
  let raw: { name: 'script' | 'style'; type: string; start: number; inContent: boolean } | undefined;

  const add = (found: Load[]) => found.forEach((load) => loads.push({ ...load, inContent: inContent() }));

  const finishRaw = (end: number) => {
    if (!raw) return;
    const { name, type, start, inContent: within } = raw;
    raw = undefined;
    const text = html.slice(start, end);
    if (name === 'style') {
      for (const load of styleLoads(text, 'style')) loads.push({ ...load, start: start + load.start, inContent: within });
    } else if (type === 'importmap') add(importMapLoads(text, start));
    else if (type === 'speculationrules') add(speculationLoads(text, start));
    else if (scriptTypes.has(type) && /\S/.test(text))
      scripts.push({ text: withoutCdata(text), start, element: scriptName(type), inContent: within });
  };

  /** What the inner page of a frame loads, including its scripts, and which SVG file an element shows. */
  const readShown = (tag: Tag, as: ShownSvg['as'], { name, value, valueStart }: Attribute) => {
    if (name === 'href' || name === 'src' || name === 'data' || name === 'xlink:href') {
      if (value.includes('.') && /\.svg(?:[?#]|$)/i.test(value)) svgs.push({ written: value, as });
    }
    const inner = as === 'document' ? innerPage(tag, name, value) : undefined;
    if (!inner) return false;
    const { loads, scripts: own } = fixedPageLoads(inner.html);
    add(loads.map((load) => ({ ...load, element: `${inner.around} ${load.element}`, start: valueStart })));
    const isScripted = tag.name !== 'iframe' || /\ballow-scripts\b/i.test(attribute(tag, 'sandbox') ?? 'allow-scripts');
    for (const { text, element } of isScripted ? own : [])
      scripts.push({ text, start: valueStart, element: `${inner.around} ${element}`, inContent: inContent(), isInside: true });
    return true;
  };

  return {
    open(tag: Tag) {
      const lazy = lazyFrame(tag);
      if (lazy !== undefined) add(loadsOf(tag.name, 'embed', [lazy], tag.start, false));
      elements.open(tag, lazy);
      const shown = showing.get(tag.name);
      for (const item of tag.attributes) {
        if (item.value === '' || item.name === 'class' || item.name === 'id') continue;
        const isPage = shown !== undefined && readShown(tag, shown, item);
        const found = isPage ? [] : attributeLoads(tag, item);
        add(found);
        if (isPage) continue;
        if (/^on[a-z]/.test(item.name)) {
          if (item.value.includes('/'))
            scripts.push({
              text: item.value,
              start: item.valueStart,
              element: `${tag.name} ${item.name}`,
              inContent: inContent(),
            });
        }
      }
      if (tag.name === 'style' || tag.name === 'script') {
        const type = (attribute(tag, 'type') ?? '').trim().toLowerCase();
        raw = { name: tag.name, type, start: tag.end, inContent: inContent() };
      }
    },
    close(name: string, start: number, end: number) {
      elements.close(name, end);
      if (raw?.name === name) finishRaw(start);
    },
    found(): PageLoads {
      // An unclosed style element still applies, an unclosed script does not run.
      if (raw?.name === 'style') finishRaw(html.length);
      return { elements: elements.found(), loads, scripts, svgs };
    },
  };
}

// Partytown's scripts run in a worker, so they are not scripts of the page.
function scriptName(type: string): string {
  return type === 'text/partytown' ? 'script type=text/partytown' : 'script';
}

// SVG files have CDATA around scripts. Every position stays the same.
function withoutCdata(text: string): string {
  if (!text.includes('<![CDATA[')) return text;
  return text.replace(/^(\s*)<!\[CDATA\[([\s\S]*)\]\]>\s*$/, (_, before: string, code: string) => `${before}         ${code}`);
}

const showing = new Map<string, ShownSvg['as']>([
  ...['iframe', 'frame', 'embed', 'object', 'a', 'area'].map((name) => [name, 'document'] as const),
  ['use', 'symbol'],
]);

const scriptTypes = new Set([
  '',
  'module',
  'text/javascript',
  'application/javascript',
  'text/ecmascript',
  'application/ecmascript',
  'application/x-javascript',
  'text/jscript',
  'text/partytown',
]);

/** What an attribute of an element loads from external origins. */
export function attributeLoads(tag: Tag, item: Attribute): Load[] {
  const { name, value, valueStart } = item;
  const own = special.get(name);
  if (own) return own(tag, item);
  if (svgStyles.has(name)) return value.includes('(') ? styleLoads(value, tag.name).map(at(valueStart, false)) : [];
  const role = roleOf(tag, item);
  if (role?.kind === 'refresh') {
    const written = refreshUrl(value)?.url;
    return written === undefined ? [] : loadsOf('meta http-equiv=refresh', 'navigation', [written], valueStart, false);
  }
  if (!role?.load) return [];
  if (role.kind === 'css') return styleLoads(value, tag.name).map(at(valueStart, true));
  const inner = role.load === 'frame' ? innerPage(tag, name, value) : undefined;
  if (inner) return loadsInside(inner, valueStart);
  return loadsOf(elementName(tag, name), kindOf(tag, name, role.load), urlsIn(role.kind, value), valueStart, true);
}

function loadsOf(element: string, kind: LoadKind, urls: string[], start: number, isReference: boolean, isStatic = true): Load[] {
  const loads: Load[] = [];
  for (const written of urls) {
    const url = externalUrl(written);
    if (url !== undefined) loads.push({ element, kind, written, url, start, static: isStatic, rewritable: isReference });
  }
  return loads;
}

// What is inside an attribute is reported at the attribute's position: character references shift positions in the attribute's value.
function at(start: number, rewritable: boolean): (load: Load) => Load {
  return (load) => ({ ...load, start, rewritable });
}

const svgStyles = new Set([
  'fill',
  'stroke',
  'filter',
  'mask',
  'clip-path',
  'marker-start',
  'marker-mid',
  'marker-end',
  'cursor',
]);

// Attributes that the export leaves unchanged although they load something.
const special = new Map<string, (tag: Tag, item: Attribute) => Load[]>(
  Object.entries({
    srcdoc: (tag: Tag, { name, value, valueStart }: Attribute) => {
      const inner = innerPage(tag, name, value);
      return inner ? loadsInside(inner, valueStart) : [];
    },
    // Described videos: only exports that vendor request their descriptions.
    [posterMark]: (_: Tag, { value, valueStart }: Attribute) => loadsOf(framePoster, 'image', [value], valueStart, true, false),
    props: (tag: Tag, { value, valueStart }: Attribute) => (tag.name === 'astro-island' ? islandLoads(value, valueStart) : []),
    to: animated,
    from: animated,
    values: animated,
    ...Object.fromEntries(
      ['component-url', 'renderer-url', 'before-hydration-url'].map((name) => [
        name,
        (tag: Tag, { value, valueStart }: Attribute) => loadsOf(`${tag.name} ${name}`, 'script', [value], valueStart, false),
      ]),
    ),
    // Scripts of many themes make these the real attributes when the element comes into view.
    ...Object.fromEntries(
      ['src', 'srcset', 'poster', 'bg', 'background', 'background-image', 'lazy', 'lazy-src', 'original'].map((name) => [
        `data-${name}`,
        (tag: Tag, { value, valueStart }: Attribute) =>
          loadsOf(
            `${tag.name} data-${name}`,
            'image',
            urlsIn(name === 'srcset' ? 'srcset' : 'file', value),
            valueStart,
            false,
            false,
          ),
      ]),
    ),
  }),
);

function animated(tag: Tag, { value, valueStart }: Attribute): Load[] {
  if (tag.name !== 'set' && !tag.name.startsWith('animate')) return [];
  return loadsOf(tag.name, 'image', value.split(';'), valueStart, false);
}

/** Loads of a page that is exported as a plain file, so the export cannot rewrite any of them. */
export function fixedPageLoads(html: string): PageLoads {
  const reader = loadFinder(html, () => true);
  readHtml(html, { open: reader.open, text() {}, close: reader.close });
  const { loads, ...others } = reader.found();
  return { loads: loads.map((load) => ({ ...load, rewritable: false })), ...others };
}

/** Loads of the elements of a page inside an attribute or a script. */
export function nestedLoads(html: string): Load[] {
  return fixedPageLoads(html).loads.map(({ inContent: _, ...load }) => load);
}

function loadsInside({ html, around }: { html: string; around: string }, start: number): Load[] {
  return nestedLoads(html).map((load) => ({ ...load, element: `${around} ${load.element}`, start }));
}

/** The inner page in an attribute of a frame, with a name for the element that contains it. */
function innerPage(tag: Tag, name: string, value: string): { html: string; around: string } | undefined {
  if (name === 'srcdoc') return tag.name === 'iframe' ? { html: value, around: 'iframe srcdoc' } : undefined;
  if (tag.name === 'object' ? name !== 'data' : name !== 'src') return undefined;
  const html = pageInDataUrl(value);
  return html === undefined ? undefined : { html, around: `${elementName(tag, name)} data:` };
}

/** The inner page in the `data:` URL of a frame; undefined for every other URL. */
function pageInDataUrl(written: string): string | undefined {
  const parts = /^\s*data:(?:text\/html|application\/xhtml\+xml|image\/svg\+xml)([^,]*),(.*)$/is.exec(written);
  if (!parts) return undefined;
  const [, parameters, data] = parts;
  const bytes = data!.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return /;\s*base64\s*$/i.test(parameters!) ? Buffer.from(bytes, 'base64').toString('latin1') : bytes;
}

/** The image of a frame that the reader has not clicked yet, in our own theme. */
export const framePoster = 'iframe poster';

function elementName(tag: Tag, name: string): string {
  if (tag.name === 'link') return `link rel=${attribute(tag, 'rel') ?? ''}`;
  if (tag.name === 'input') return `input type=${attribute(tag, 'type') ?? ''}`;
  if (tag.name === frameOnClick) return 'iframe';
  if (attribute(tag, 'data-carrel-poster') !== undefined) return framePoster;
  const isMain = name === 'src' || name === 'href' || name === 'xlink:href' || name === 'data';
  return isMain ? tag.name : `${tag.name} ${name}`;
}

/** The kind of what an attribute loads that a script sets on a new element; undefined for one that loads nothing. */
export function attributeKind(element: string, name: string): LoadKind | undefined {
  const item: Attribute = { name, value: '', start: 0, end: 0, valueStart: 0, valueEnd: 0, quote: '"' };
  const tag: Tag = { name: element, start: 0, end: 0, attributes: [item] };
  const load = roleOf(tag, item)?.load;
  return load && kindOf(tag, name, load);
}

function kindOf(tag: Tag, name: string, load: RoleLoad): LoadKind {
  if (load === 'frame') return 'embed';
  if (load === 'hint') return 'hint';
  if (load === 'code') return tag.name === 'link' ? 'stylesheet' : 'script';
  if (tag.name === 'link') return /(?:^|\s)manifest(?:\s|$)/i.test(attribute(tag, 'rel') ?? '') ? 'manifest' : 'image';
  if (name === 'poster' || name === 'srcset' || name === 'background') return 'image';
  return mediaElements.has(tag.name) ? 'media' : 'image';
}

const mediaElements = new Set(['video', 'audio', 'source', 'track']);

type Found = Omit<Load, 'start' | 'url'>;

/** Modules that an import map loads from external origins. */
function importMapLoads(text: string, start: number): Load[] {
  const map = objectOf(jsonValue(text));
  const tables = [map.imports, ...Object.values(objectOf(map.scopes))].map(objectOf);
  const urls = tables.flatMap((table) => Object.values(table)).filter((value) => typeof value === 'string');
  return loadsIn(text, start, urls, { element: 'script type=importmap', kind: 'script', static: true });
}

/** Pages of external origins that speculation rules prefetch. */
function speculationLoads(text: string, start: number): Load[] {
  const rules = Object.values(objectOf(jsonValue(text))).flatMap((list) => (Array.isArray(list) ? list : []));
  const urls = rules.flatMap((rule) => (Array.isArray(rule?.urls) ? rule.urls : [])).filter((url) => typeof url === 'string');
  return loadsIn(text, start, urls, { element: 'script type=speculationrules', kind: 'hint', static: true });
}

/** Icons and screenshots that a web manifest loads from external origins. */
export function manifestLoads(text: string): Load[] {
  const manifest = objectOf(jsonValue(text));
  const lists = [manifest.icons, manifest.screenshots, ...listOf(manifest.shortcuts).map((shortcut) => objectOf(shortcut).icons)];
  const urls = lists.flatMap(listOf).flatMap((image) => {
    const { src } = objectOf(image);
    return typeof src === 'string' ? [src] : [];
  });
  return loadsIn(text, 0, urls, { element: 'manifest icon', kind: 'image', static: true });
}

/** Files of external origins in the properties of an island; only its code knows whether it loads them. */
function islandLoads(props: string, start: number): Load[] {
  const urls: string[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value === 'string' && namesLoadedFile(value)) urls.push(value);
    else if (typeof value === 'object' && value !== null && depth < 30)
      for (const item of Object.values(value)) walk(item, depth + 1);
  };
  if (props.includes('//')) walk(jsonValue(props), 0);
  return [...new Set(urls)].flatMap((written): Load[] => {
    const url = externalUrl(written);
    return url
      ? [{ element: 'astro-island props', kind: 'connection', written, url, start, static: false, rewritable: false }]
      : [];
  });
}

function loadsIn(text: string, start: number, urls: string[], found: Omit<Found, 'written' | 'rewritable'>): Load[] {
  return [...new Set(urls)].flatMap((written): Load[] => {
    const url = externalUrl(written);
    // If the JSON escapes the URL, its position is the start of the JSON.
    return url ? [{ ...found, written, url, rewritable: false, start: start + Math.max(0, text.indexOf(written)) }] : [];
  });
}
