// `<use href="icons.svg#bell">`: browsers refuse it on file://, where every file is an origin of its own, so the drawing is put in its place.
import type { Edit } from '../text/edit.ts';
import { attribute, readHtml, type Attribute, type Tag } from '../html/read-html.ts';

/** A `<use>` of a drawing in another file. */
export interface SvgUse {
  start: number;
  end: number;
  /** As written. */
  address: string;
  attributes: Attribute[];
}

/** Collects them while a page is read. */
export function svgUses() {
  const found: SvgUse[] = [];
  let open: SvgUse | undefined;
  return {
    open(tag: Tag) {
      if (tag.name !== 'use') return;
      const address = attribute(tag, 'href') ?? attribute(tag, 'xlink:href') ?? '';
      open = { start: tag.start, end: tag.end, address, attributes: tag.attributes };
      if (/^[^#]+#./.test(address)) found.push(open);
    },
    close(name: string, end: number) {
      if (name !== 'use' || !open) return;
      open.end = end;
      open = undefined;
    },
    found: () => found,
  };
}

/** Puts drawings in the place of what uses them. `drawing` gives the text of an SVG file; where it has none, or it cannot stand alone, the use stays. */
export function drawnInPlace(uses: SvgUse[], drawing: (address: string) => { svg: string; id: string } | undefined): Edit[] {
  return uses.flatMap((use) => {
    const { svg, id } = drawing(use.address) ?? {};
    const part = svg === undefined || id === undefined ? undefined : partWithId(svg, id);
    return part ? [{ start: use.start, end: use.end, text: drawn(part, use) }] : [];
  });
}

interface Part {
  tag: Tag;
  /** The element itself, and what is in it. */
  outer: string;
  inner: string;
}

/** Undefined where there is none, where it needs other parts of the file, or holds what only runs when it stands in a page. */
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

function drawn({ tag, outer, inner }: Part, { attributes }: SvgUse): string {
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

// Parsers of HTML give SVG's attributes their capitals back.
function written(attributes: Attribute[]): string {
  return attributes.map(({ name, value }) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`).join('');
}
