// `<use href="icons.svg#bell">`: browsers block it on file://, where every file has its own origin, so the page contains the symbol instead.
import type { Edit } from '../text/edit.ts';
import { attribute, readHtml, type Attribute, type Tag } from '../html/read-html.ts';

/** A `<use>` of a symbol in another file. */
export interface SvgUse {
  start: number;
  end: number;
  /** Verbatim. */
  url: string;
  attributes: Attribute[];
}

/** Collects them while a page is read. */
export function svgUses() {
  const found: SvgUse[] = [];
  let open: SvgUse | undefined;
  return {
    open(tag: Tag) {
      if (tag.name !== 'use') return;
      const url = attribute(tag, 'href') ?? attribute(tag, 'xlink:href') ?? '';
      open = { start: tag.start, end: tag.end, url, attributes: tag.attributes };
      if (/^[^#]+#./.test(url)) found.push(open);
    },
    close(name: string, end: number) {
      if (name !== 'use' || !open) return;
      open.end = end;
      open = undefined;
    },
    found: () => found,
  };
}

/** Replaces each use by its symbol. `fileOf` gives the text of an SVG file and the symbol's id; a use stays if the symbol is missing or needs other parts of the file. */
export function inlineSymbols(uses: SvgUse[], fileOf: (url: string) => { svg: string; id: string } | undefined): Edit[] {
  return uses.flatMap((use) => {
    const { svg, id } = fileOf(use.url) ?? {};
    const part = svg === undefined || id === undefined ? undefined : partWithId(svg, id);
    return part ? [{ start: use.start, end: use.end, text: markupOf(part, use) }] : [];
  });
}

/**
 * The same for a page whose application compares its elements with those that it expects: each use stays and shows a copy of its symbol, which
 * is added at `position`, outside of the application.
 */
export function copySymbols(
  uses: SvgUse[],
  position: number,
  fileOf: (url: string) => { svg: string; id: string } | undefined,
): Edit[] {
  const copies = new Map<string, string>();
  const edits = uses.flatMap((use): Edit[] => {
    const { svg, id } = fileOf(use.url) ?? {};
    const part = svg === undefined || id === undefined ? undefined : partWithId(svg, id);
    if (!part) return [];
    const name = `carrel-symbol-${[...copies.keys(), use.url].indexOf(use.url)}`;
    const others = part.tag.attributes.filter(({ name }) => name !== 'id' && !name.startsWith('xmlns'));
    copies.set(use.url, `<${part.tag.name} id="${name}"${written(others)}>${part.inner}</${part.tag.name}>`);
    const given = use.attributes.filter(({ name }) => name !== 'href' && name !== 'xlink:href');
    return [{ start: use.start, end: use.end, text: `<use href="#${name}"${written(given)}></use>` }];
  });
  if (copies.size === 0) return [];
  const text = `<svg aria-hidden="true" style="position:absolute;width:0;height:0">${[...copies.values()].join('')}</svg>`;
  return [...edits, { start: position, end: position, text }];
}

interface Part {
  tag: Tag;
  /** The whole element, and its contents. */
  outer: string;
  inner: string;
}

/** Undefined if there is none, if it needs other parts of the file, or if it contains scripts or HTML. */
function partWithId(svg: string, id: string): Part | undefined {
  let tag: Tag | undefined;
  let depth = 0;
  let part: Part | undefined;
  readHtml(svg, {
    open(opened) {
      if (part) return;
      if (tag) depth += opened.name === tag.name ? 1 : 0;
      else if (attribute(opened, 'id') === id) tag = opened;
    },
    close(name, start, end) {
      if (part || name !== tag?.name || depth-- > 0) return;
      const inner = start < tag.end ? '' : svg.slice(tag.end, start);
      part = { tag, outer: svg.slice(tag.start, end), inner };
    },
    text() {},
  });
  if (!part || /<(?:script|foreignobject)\b|\son\w+\s*=/i.test(part.outer)) return undefined;
  const needed = [...part.outer.matchAll(/url\(\s*["']?#([^"')]+)|href\s*=\s*["']#([^"']+)/gi)].map(([, a, b]) => a ?? b!);
  return needed.every((name) => part!.outer.includes(`id="${name}"`) || part!.outer.includes(`id='${name}'`)) ? part : undefined;
}

function markupOf({ tag, outer, inner }: Part, { attributes }: SvgUse): string {
  const given = attributes.filter(({ name }) => name !== 'href' && name !== 'xlink:href');
  if (tag.name === 'symbol' || tag.name === 'svg') {
    const own = tag.attributes.filter(
      ({ name }) => name !== 'id' && !name.startsWith('xmlns') && given.every((other) => other.name !== name),
    );
    return `<svg${written([...own, ...given])}>${inner}</svg>`;
  }
  const [x = '0', y = '0'] = ['x', 'y'].map((name) => given.find((item) => item.name === name)?.value);
  const moved = x === '0' && y === '0' ? '' : ` transform="translate(${Number.parseFloat(x)} ${Number.parseFloat(y)})"`;
  const others = given.filter(({ name }) => !['x', 'y', 'width', 'height'].includes(name));
  return `<g${written(others)}><g${moved}>${outer}</g></g>`;
}

// HTML parsers restore the capitals of SVG attributes.
function written(attributes: Attribute[]): string {
  return attributes.map(({ name, value }) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`).join('');
}
