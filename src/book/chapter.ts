// The main content of an exported page → the body of a chapter: the elements that EPUB and PDF know, where it allows them, without what needs a script.
import { drawing, type DrawingContext } from './drawing.ts';
import { fitted, isBlank, nameIn } from './fit.ts';
import { readTree, toXml, words, xmlElement, xmlId, type XmlElement, type XmlNode } from './xml-tree.ts';

export interface Chapter {
  body: string;
  /** IDs by the anchors of the page. */
  anchors: Map<string, string>;
  /** What the package says of the chapter. */
  properties: string[];
}

interface ChapterOptions extends Pick<DrawingContext, 'color'> {
  /** How its IDs begin, where several chapters are in one document. */
  prefix?: string;
  /** URL in the book; undefined for an image that the book cannot show. */
  image: (url: string) => string | undefined;
  /** What is written as the `href` of a link; undefined for a link that becomes text. */
  link: (url: string) => string | undefined;
}

/** Where an element is. */
interface Place {
  parent: string;
  inLink: boolean;
  /** The anchors of the accordions around it. */
  above: string;
}

const droppedNames = words(
  'button script style template noscript object embed source track param select textarea dialog col colgroup',
);
const dropped = words(
  'c-anchor c-copy c-page-menu c-eyebrow c-page-end c-feed-link c-diagram-label c-only-dark katex-html c-card-icon c-code-more c-zoom-button',
);
const size = /^[1-9]\d{0,4}$/;
const attributesOf: Record<string, Record<string, RegExp>> = {
  '*': { dir: /^(?:ltr|rtl|auto)$/, lang: /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i, title: /./ },
  section: { 'aria-label': /./ },
  td: { colspan: /^[1-9]\d{0,2}$/, rowspan: size },
  th: { colspan: /^[1-9]\d{0,2}$/, rowspan: size, scope: /^(?:col|row)$/ },
  ol: { start: /^-?\d{1,6}$/, type: /^[1aAiI]$/ },
  li: { value: /^-?\d{1,6}$/ },
};

/** `html` is the whole page. */
export function chapterOf(html: string, { prefix = '', ...options }: ChapterOptions): Chapter {
  const anchors = new Map<string, string>();
  const ids = new Set<string>();
  const properties = new Set<string>();
  const idFor = (anchor: string) => prefix + xmlId(anchor);
  const idOf = (anchor: string): string | undefined => {
    if (anchor === '' || anchor.startsWith('carrel-') || anchors.has(anchor)) return undefined;
    let id = idFor(anchor);
    while (ids.has(id)) id += '_';
    ids.add(id);
    anchors.set(anchor, id);
    return id;
  };

  function convert(node: XmlNode, place: Place): XmlNode[] {
    if (typeof node === 'string') return [node];
    const { name, attributes } = node;
    const classes = (attributes.class ?? '').split(/\s+/);
    if (droppedNames.has(name) || isHidden(attributes, classes)) return [];
    if (name === 'svg' || name === 'math') {
      properties.add(name === 'svg' ? 'svg' : 'mathml');
      return [drawing(node, { idOf, idFor, color: options.color })];
    }
    if (name === 'input') return attributes.type === 'checkbox' ? ['checked' in attributes ? '☑ ' : '☐ '] : [];
    if (name === 'img' && !attributes.src && !attributes.alt) return [];
    if (/^(?:img|video|audio|iframe)$/.test(name)) return [embedded(node, place)];
    return [fitted(converted(node, classes, place))];
  }

  function converted(node: XmlElement, classes: string[], place: Place): XmlElement {
    const { attributes } = node;
    const isLink = node.name === 'a' && !place.inLink && attributes.href !== undefined && !('data-own-anchor' in attributes);
    const href = isLink ? options.link(attributes.href!) : undefined;
    const name = nameOf(node, classes, place);
    const own: XmlElement['attributes'] = {};
    const anchor = attributes.id ?? (attributes['data-anchor'] && place.above + attributes['data-anchor']);
    const id = anchor === undefined ? undefined : idOf(anchor);
    if (id !== undefined) own.id = id;
    for (const alias of id === undefined ? [] : (attributes['data-alias']?.split(' ') ?? []))
      if (!anchors.has(alias)) anchors.set(alias, id!);
    const ours = classes.filter((one) => /^(?:c|sk)-|^prose$/.test(one)).join(' ');
    if (ours) own.class = ours;
    for (const [key, valid] of Object.entries({ ...attributesOf['*'], ...attributesOf[name] }))
      if (attributes[key] !== undefined && valid.test(attributes[key])) own[key] = attributes[key];
    // Code is written from left to right in every language.
    if (name === 'pre') own.dir = 'ltr';
    if (own.lang) own['xml:lang'] = own.lang;
    if (/^(?:left|right|center)$/.test(attributes.align ?? '')) own.style = `text-align: ${attributes.align}`;
    if (href !== undefined) own.href = href;
    const above = node.name === 'details' && anchor !== undefined ? `${anchor}:` : place.above;
    const inside = { parent: name, inLink: place.inLink || name === 'a', above };
    return xmlElement(
      name,
      own,
      inOrder(node.children).flatMap((child) => convert(child, inside)),
    );
  }

  /** An image; or a link, or its text, in place of what a book does not have. */
  function embedded({ name, attributes }: XmlElement, { inLink }: Place): XmlElement {
    const { src: url = '', alt = '', title } = attributes;
    const src = name === 'img' && url ? options.image(url) : undefined;
    if (src !== undefined) {
      const { width, height } = attributes;
      const sizes = { ...(size.test(width ?? '') && { width }), ...(size.test(height ?? '') && { height }) };
      return xmlElement('img', { src, alt, ...sizes }, []);
    }
    const href = inLink || !url ? undefined : options.link(url);
    const text = alt || title || attributes['aria-label'] || url.split(/[?#]/)[0]!.split('/').at(-1) || name;
    return xmlElement(inLink ? 'span' : 'a', { class: 'c-remote', ...(href !== undefined && { href }) }, [text]);
  }

  const main = html.slice(html.indexOf('<main id="carrel-content"'), html.lastIndexOf('</main>'));
  const nodes = readTree(main).flatMap((node) => convert(node, { parent: 'body', inLink: false, above: '' }));
  return { body: nodes.map(toXml).join(''), anchors, properties: [...properties].sort() };
}

function nameOf({ name, attributes, children }: XmlElement, classes: string[], place: Place): string {
  if (classes.includes('c-columns') && children.every((child) => isBlank(child) || isCard(child))) return 'ul';
  if (classes.includes('c-card') && place.parent === 'ul') return 'li';
  if ((name === 'a' && place.inLink) || (name === 'bdo' && !attributes.dir)) return 'span';
  return nameIn(place.parent, name);
}

function isHidden({ hidden, style = '', ...others }: XmlElement['attributes'], classes: string[]): boolean {
  // Those of terms of the glossary would be in each chapter that has the term, and those in headings in the contents.
  if (others.role === 'tooltip' && others['data-carrel-skip'] !== undefined) return true;
  if (hidden !== undefined || /(?:^|;)\s*display:\s*none/.test(style) || classes.some((one) => dropped.has(one))) return true;
  return classes.includes('hidden') && classes.some((one) => one.startsWith('dark:'));
}

const isCard = (node: XmlNode) => typeof node !== 'string' && /(?:^| )c-card(?: |$)/.test(node.attributes.class ?? '');

/** The examples of an operation follow its parameters; on a page they are beside them. */
function inOrder(children: XmlNode[]): XmlNode[] {
  const isExamples = (node: XmlNode) => typeof node !== 'string' && node.attributes.class === 'c-examples';
  return children.some(isExamples) ? [...children.filter((node) => !isExamples(node)), ...children.filter(isExamples)] : children;
}
