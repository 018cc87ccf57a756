// The main content of an exported page → the body of a chapter: the elements that EPUB knows, where it allows them, without what needs a script.
import { drawing, type DrawingContext } from './drawing.ts';
import { readTree, toXml, xmlElement, xmlId, type XmlElement, type XmlNode } from './xml-tree.ts';

export interface Chapter {
  body: string;
  /** IDs by the anchors of the page. */
  anchors: Map<string, string>;
  /** What the package says of the chapter. */
  properties: string[];
}

interface ChapterOptions extends Pick<DrawingContext, 'color'> {
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

const words = (text: string) => new Set(text.split(' '));
const phrasing =
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr';
const flow =
  'blockquote caption col colgroup dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section table tbody td tfoot th thead tr ul';
const kept = words(`${phrasing} ${flow}`);
const blocks = words(flow);
const transparent = words('a del ins');
/** Elements that can contain no block. */
const onlyPhrasing = words(
  'h1 h2 h3 h4 h5 h6 p pre abbr b bdi bdo cite code dfn em i kbd mark q rt ruby s samp small span strong sub sup time u var',
);
const droppedNames = words('button script style template noscript object embed source track param select textarea dialog');
const dropped = words(
  'c-anchor c-copy c-page-menu c-eyebrow c-page-end c-feed-link c-diagram-label c-only-dark katex-html c-card-icon c-code-more c-zoom-button',
);
const others: Record<string, string> = {
  ...{ summary: 'p', center: 'div', menu: 'ul', dir: 'ul', tt: 'code', strike: 's', acronym: 'abbr', address: 'div' },
  ...{
    article: 'div',
    aside: 'div',
    details: 'div',
    footer: 'div',
    header: 'div',
    main: 'div',
    nav: 'div',
    'carrel-tabs': 'div',
  },
};
/** Elements that are valid in some others only; elsewhere they become a `div`. */
const parents: Record<string, Set<string>> = {
  ...{ li: words('ul ol'), dt: words('dl'), dd: words('dl'), figcaption: words('figure'), tr: words('table thead tbody tfoot') },
  ...{ td: words('tr'), th: words('tr'), rt: words('ruby'), rp: words('ruby'), col: words('colgroup'), colgroup: words('table') },
  ...{ caption: words('table'), thead: words('table'), tbody: words('table'), tfoot: words('table') },
};
const number = /^\d{1,4}$/;
const attributesOf: Record<string, Record<string, RegExp>> = {
  '*': { dir: /^(?:ltr|rtl|auto)$/, lang: /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i, title: /./ },
  section: { 'aria-label': /./ },
  img: { width: /^[1-9]\d{0,4}$/, height: /^[1-9]\d{0,4}$/ },
  td: { colspan: /^[1-9]\d{0,2}$/, rowspan: number },
  th: { colspan: /^[1-9]\d{0,2}$/, rowspan: number, scope: /^(?:col|row)$/ },
  ol: { start: /^-?\d{1,6}$/, type: /^[1aAiI]$/ },
  li: { value: /^-?\d{1,6}$/ },
};

/** `html` is the whole page. */
export function chapterOf(html: string, options: ChapterOptions): Chapter {
  const anchors = new Map<string, string>();
  const ids = new Set<string>();
  const properties = new Set<string>();
  const idOf = (anchor: string): string | undefined => {
    if (anchor === '' || anchor.startsWith('carrel-') || anchors.has(anchor)) return undefined;
    let id = xmlId(anchor);
    while (ids.has(id)) id += '_';
    ids.add(id);
    anchors.set(anchor, id);
    return id;
  };

  function convert(node: XmlNode, place: Place): XmlNode[] {
    if (typeof node === 'string') return [node];
    const { name, attributes } = node;
    const classes = (attributes.class ?? '').split(/\s+/);
    if (droppedNames.has(name) || 'hidden' in attributes || classes.some((one) => dropped.has(one))) return [];
    if (classes.includes('hidden') && classes.some((one) => one.startsWith('dark:'))) return [];
    if (name === 'svg' || name === 'math') {
      properties.add(name === 'svg' ? 'svg' : 'mathml');
      return [drawing(node, { idOf, color: options.color })];
    }
    if (name === 'input') return attributes.type === 'checkbox' ? ['checked' in attributes ? '☑ ' : '☐ '] : [];
    if (name === 'img') return [image(node, place)].flat();
    if (name === 'video' || name === 'audio' || name === 'iframe') return [media(node, place)];
    return [fitted(converted(node, classes, place))];
  }

  function converted(node: XmlElement, classes: string[], place: Place): XmlElement {
    const { attributes } = node;
    const href = node.name === 'a' && !place.inLink && attributes.href !== undefined ? options.link(attributes.href) : undefined;
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

  function image({ attributes }: XmlElement, { inLink }: Place): XmlNode[] | XmlElement {
    const { src: url = '', alt = '' } = attributes;
    const src = options.image(url);
    if (src === undefined) {
      const href = inLink || !/^https?:/.test(url) ? undefined : options.link(url);
      if (href !== undefined) return xmlElement('a', { class: 'c-remote', href }, [alt || url]);
      return alt === '' ? [] : xmlElement('span', { class: 'c-missing' }, [`[${alt}]`]);
    }
    const sizes = Object.entries(attributesOf.img!).filter(([key, valid]) => valid.test(attributes[key] ?? ''));
    return xmlElement('img', { src, alt, ...Object.fromEntries(sizes.map(([key]) => [key, attributes[key]!])) }, []);
  }

  function media({ name, attributes }: XmlElement, { inLink }: Place): XmlElement {
    const url = attributes.src ?? '';
    const href = inLink ? undefined : options.link(url);
    const text = attributes.title ?? attributes['aria-label'] ?? (url.split(/[?#]/)[0]!.split('/').at(-1) || name);
    return xmlElement(inLink ? 'span' : 'a', { class: 'c-remote', ...(href !== undefined && { href }) }, [text]);
  }

  const main = html.slice(html.indexOf('<main id="carrel-content"'), html.lastIndexOf('</main>'));
  const nodes = readTree(main).flatMap((node) => convert(node, { parent: 'body', inLink: false, above: '' }));
  return { body: nodes.map(toXml).join(''), anchors, properties: [...properties].sort() };
}

function nameOf({ name, children }: XmlElement, classes: string[], place: Place): string {
  if (classes.includes('c-columns') && children.every((child) => isBlank(child) || isCard(child))) return 'ul';
  if (classes.includes('c-card') && place.parent === 'ul') return 'li';
  if (name === 'a' && place.inLink) return 'span';
  const known = kept.has(name) ? name : (others[name] ?? 'span');
  return parents[known] && !parents[known].has(place.parent) ? 'div' : known;
}

const isCard = (node: XmlNode) => typeof node !== 'string' && /(?:^| )c-card(?: |$)/.test(node.attributes.class ?? '');
const isBlank = (node: XmlNode) => typeof node === 'string' && node.trim() === '';

/** The examples of an operation follow its parameters; on a page they are beside them. */
function inOrder(children: XmlNode[]): XmlNode[] {
  const isExamples = (node: XmlNode) => typeof node !== 'string' && node.attributes.class === 'c-examples';
  return children.some(isExamples) ? [...children.filter((node) => !isExamples(node)), ...children.filter(isExamples)] : children;
}

function isBlock(node: XmlNode): boolean {
  if (typeof node === 'string') return false;
  return blocks.has(node.name) || (transparent.has(node.name) && node.children.some(isBlock));
}

/** The element with the content that it may have: HTML lets pages have more than XHTML is valid with. */
function fitted(element: XmlElement): XmlElement {
  const { name, children } = element;
  if (onlyPhrasing.has(name) && children.some(isBlock)) {
    if (!/^(?:h\d|pre)$/.test(name)) return { ...element, name: 'div' };
    return { ...element, children: children.flatMap(inline) };
  }
  return fits[name]?.(element) ?? element;
}

function inline(node: XmlNode): XmlNode[] {
  if (!isBlock(node)) return [node];
  const { name, children } = node as XmlElement;
  return name === 'hr' ? [] : [xmlElement('span', {}, children.flatMap(inline))];
}

const wrapping =
  (allowed: string, wrap: (node: XmlNode) => XmlElement) =>
  (element: XmlElement): XmlElement => {
    const names = words(allowed);
    const inside = element.children.filter((child) => !isBlank(child));
    return {
      ...element,
      children: inside.map((child) => (typeof child !== 'string' && names.has(child.name) ? child : wrap(child))),
    };
  };
/** Most columns of a table in letters of the usual size. */
const widest = 8;
const inCell = (node: XmlNode) => xmlElement('td', {}, [node]);
const inRow = (node: XmlNode) => xmlElement('tr', {}, [inCell(node)]);
const inItem = (node: XmlNode) => xmlElement('li', {}, [node]);

const fits: Record<string, (element: XmlElement) => XmlElement> = {
  ul: wrapping('li', inItem),
  ol: wrapping('li', inItem),
  tr: wrapping('td th', inCell),
  ...Object.fromEntries(['thead', 'tbody', 'tfoot'].map((name) => [name, wrapping('tr', inRow)])),
  colgroup: wrapping('col', () => xmlElement('col', {}, [])),
  table(element) {
    const { children } = wrapping('caption colgroup thead tbody tfoot tr', inRow)(element);
    const named = (name: string) => (children as XmlElement[]).filter((child) => child.name === name);
    const [head, ...moreHeads] = named('thead');
    const loose = named('tr');
    const bodies = [...moreHeads.map((one) => ({ ...one, name: 'tbody' })), ...named('tbody')];
    if (loose.length > 0) bodies.push(xmlElement('tbody', {}, loose));
    const parts = [named('caption')[0], ...named('colgroup'), head, ...bodies, named('tfoot')[0]];
    const rows = [...(head?.children ?? []), ...bodies.flatMap((body) => body.children)] as XmlElement[];
    const attributes = rows.some((row) => row.children.length > widest)
      ? { ...element.attributes, class: 'c-wide' }
      : element.attributes;
    return { ...element, attributes, children: parts.filter((part) => part !== undefined) };
  },
  dl(element) {
    const inside = element.children.filter((child) => !isBlank(child));
    const order = inside.map((child) => (typeof child === 'string' ? '-' : child.name)).join(' ');
    if (/^(?:(?:dt ?)+(?:dd ?)+)+$/.test(order)) return { ...element, children: inside };
    const items = inside.map((child) =>
      typeof child !== 'string' && /^d[dt]$/.test(child.name) ? { ...child, name: 'div' } : child,
    );
    return { ...element, name: 'div', children: items };
  },
  figure(element) {
    const inside = element.children.filter((child) => !isBlank(child));
    const isCaption = (child: XmlNode) => typeof child !== 'string' && child.name === 'figcaption';
    const captions = inside.filter(isCaption);
    if (captions.length === 0 || (captions.length === 1 && (isCaption(inside[0]!) || isCaption(inside.at(-1)!)))) return element;
    return {
      ...element,
      children: inside.map((child) => (isCaption(child) ? { ...(child as XmlElement), name: 'div' } : child)),
    };
  },
};
