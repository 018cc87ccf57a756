import { slug } from 'github-slugger';
import type { Element, ElementContent } from 'hast';
import { element, textOf } from './tree.ts';

export interface Heading {
  /** 2 to 6. */
  depth: number;
  id: string;
  text: string;
}

/** Anchor of a heading's text, by the rules of docs.json sites: "Config.json options" → "config-json-options". */
export function headingId(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/'/g, '’')
    .replace(/[.\s]+/g, '-')
    .replace(/[()[\]{},:;?!"`*<>=|\\^~#@%]/g, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
}

/** All anchors that authors link to for a heading's text; the first is the one that it gets. */
export function headingIds(text: string): string[] {
  return [...new Set([headingId(text), ...otherIds(text)])].filter((id) => id !== '');
}

/** Other forms of the anchor: GitHub's, words joined by hyphens, with a straight apostrophe, without plus, with the colon or at sign, GitBook's. */
function otherIds(text: string): string[] {
  const joined = (separators: RegExp) =>
    text
      .toLowerCase()
      .replace(separators, '-')
      .replace(/^-+|-+$/g, '');
  const ids = [slug(text), joined(/[^\p{L}\p{N}\p{M}]+/gu)];
  if (/['’+]/.test(text)) ids.push(headingId(text).replaceAll('’', "'"), headingId(text.replaceAll('+', '')));
  if (/^\d/.test(text)) ids.push(gitbookId(text));
  return [...ids, ...[':', '@'].flatMap((sign) => (text.includes(sign) ? withSign(text, sign) : []))];
}

function withSign(text: string, sign: string): string {
  return headingId(text.replaceAll(sign, kept)).replaceAll(kept, sign);
}

/** GitBook keeps the periods of a heading, and lets no anchor begin with a digit: "1. Start here" → "id-1.-start-here". */
function gitbookId(text: string): string {
  return `id-${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}._\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')}`;
}

// From Unicode's private use area, which `headingId` does not change.
const kept = '\uE003';

/**
 * Gives every heading its anchor and its link, and every element with `data-anchor` its id. Returns the headings.
 * Headings come first, so an accordion of the same name does not get a heading's anchor.
 */
export function finishHeadings(nodes: ElementContent[]): Heading[] {
  const found: Anchors = { headings: [], anchored: [], ids: new Set(), linked: new Set() };
  collect(nodes, found, '', false);
  const headings: Heading[] = [];
  const aliases: [Element, string][] = [];
  const repeats = new Map<string, number>();
  for (const node of found.headings) {
    node.children = withoutPlaceholders(node.children);
    skipTips(node);
    const text = textOf(node).replace(/\s+/g, ' ').trim();
    const own = node.properties.id;
    const id = typeof own === 'string' && own ? own : unique(headingId(text) || 'section', found.ids);
    found.ids.add(id);
    node.properties.id = id;
    if (node.tagName === 'h1') node.tagName = 'h2';
    headings.push({ depth: Number(node.tagName[1]), id, text });
    const plain = textOf(withoutBadges(node)).replace(/\s+/g, ' ').trim();
    for (const alias of [...otherIds(text), ...(plain === text ? [] : headingIds(plain))]) aliases.push([node, alias]);
    // GitHub drops no-break spaces, which French has before a colon.
    const written = textOf(node).trim();
    if (/[\u00a0\u202f]/.test(written)) aliases.push([node, slug(written.replace(/[\u00a0\u202f]/g, ''))]);
    // GitHub numbers repeated headings from 1.
    const base = slug(plain);
    const repeat = repeats.get(base) ?? 0;
    repeats.set(base, repeat + 1);
    if (repeat > 0) aliases.push([node, `${base}-${repeat}`]);
  }
  for (const node of found.anchored) {
    const wanted = String(node.properties['data-anchor']);
    delete node.properties['data-anchor'];
    if (!wanted) continue;
    const id = unique(wanted, found.ids);
    node.properties.id = id;
    relink(node, id);
    const alias = node.properties['data-alias'];
    delete node.properties['data-alias'];
    if (typeof alias === 'string') aliases.push(...alias.split(' ').map((one): [Element, string] => [node, one]));
  }
  for (const [node, alias] of aliases) {
    if (!alias || found.ids.has(alias)) continue;
    found.ids.add(alias);
    node.children.unshift(element('span', { id: alias }));
  }
  for (const node of found.headings) {
    const id = String(node.properties.id);
    // A link within a link would end the outer one.
    if (node.properties['data-no-anchor'] === undefined && !found.linked.has(node))
      node.children.push(element('a', { class: 'c-anchor', href: `#${encodeURI(id)}`, 'aria-labelledby': id }));
    else delete node.properties['data-no-anchor'];
  }
  return headings;
}

/** In a heading, of a component that is not shown only its content stays. */
function withoutPlaceholders(nodes: ElementContent[]): ElementContent[] {
  const left = nodes.flatMap((node) => {
    if (node.type !== 'element' || node.properties.class !== 'c-component') return node;
    return node.children.filter((child) => child.type !== 'element' || child.properties.class !== 'c-component-name');
  });
  return left.length > 0 ? left : nodes;
}

/** The text of a tooltip is no part of the heading's name, which search reads. */
function skipTips({ children }: Element): void {
  for (const child of children) {
    if (child.type !== 'element') continue;
    if (child.properties.role === 'tooltip') child.properties['data-carrel-skip'] = '';
    else skipTips(child);
  }
}

/** VitePress leaves badges out of anchors. */
function withoutBadges(node: Element): Element {
  const children = node.children.filter(
    (child) => child.type !== 'element' || !/(?:^|\s)c-badge(?:\s|$)/.test(String(child.properties.class ?? '')),
  );
  return children.length === node.children.length ? node : { ...node, children };
}

interface Anchors {
  headings: Element[];
  anchored: Element[];
  ids: Set<string>;
  /** Headings inside a link. */
  linked: Set<Element>;
}

function collect(nodes: ElementContent[], found: Anchors, above: string, inLink: boolean): void {
  for (const node of nodes) {
    if (node.type !== 'element') continue;
    const { properties } = node;
    let inner = above;
    const isHeading = /^h[1-6]$/.test(node.tagName) && properties.id !== 'footnote-label';
    if (typeof properties.id === 'string') found.ids.add(properties.id);
    if (properties['data-anchor'] !== undefined) {
      if (node.tagName === 'details') inner = properties['data-anchor'] = above + String(properties['data-anchor']);
      if (inner !== above) inner += ':';
      found.anchored.push(node);
    }
    if (isHeading) {
      found.headings.push(node);
      if (inLink) found.linked.add(node);
    } else collect(node.children, found, inner, inLink || node.tagName === 'a');
  }
}

/** Sets a component's link to itself to the id that the component got. */
function relink(node: Element, id: string): void {
  for (const child of node.children) {
    if (child.type !== 'element') continue;
    if (child.properties['data-own-anchor'] !== undefined) {
      delete child.properties['data-own-anchor'];
      child.properties.href = `#${encodeURI(id)}`;
    } else if (child.tagName === 'div' || child.tagName === 'p') relink(child, id);
  }
}

function unique(id: string, ids: Set<string>): string {
  let result = id;
  for (let n = 2; ids.has(result); n++) result = `${id}-${n}`;
  ids.add(result);
  return result;
}
