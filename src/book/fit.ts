// Which element may be in which: pages have more than XHTML is valid with.
import { words, xmlElement, type XmlElement, type XmlNode } from './xml-tree.ts';

const phrasing =
  'a abbr b bdi bdo br cite code del dfn em i img ins kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr';
const flow =
  'blockquote caption dd div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section table tbody td tfoot th thead tr ul';
const kept = words(`${phrasing} ${flow}`);
const blocks = words(flow);
const transparent = words('a del ins');
/** Elements that can contain no block. */
const onlyPhrasing = words(
  'h1 h2 h3 h4 h5 h6 p pre abbr b bdi bdo cite code dfn em i kbd mark q rt ruby s samp small span strong sub sup time u var',
);
const others: Record<string, string> = {
  ...{ summary: 'p', menu: 'ul', dir: 'ul', tt: 'code', strike: 's', acronym: 'abbr' },
  ...Object.fromEntries('address article aside center details footer header main nav'.split(' ').map((name) => [name, 'div'])),
};
/** Elements that are valid in some others only; elsewhere they become a `div`. */
const parents: Record<string, string> = {
  ...{ li: 'ul ol', dt: 'dl', dd: 'dl', figcaption: 'figure', td: 'tr', th: 'tr', tr: 'table thead tbody tfoot' },
  ...{ rt: 'ruby', rp: 'ruby', caption: 'table', thead: 'table', tbody: 'table', tfoot: 'table' },
};

/** The name in XHTML of an element in another. */
export function nameIn(parent: string, name: string): string {
  const known = kept.has(name) ? name : (others[name] ?? 'span');
  return parents[known]?.split(' ').includes(parent) === false ? 'div' : known;
}

/** An element with the content that it may have. Its children have theirs. */
export function fitted(element: XmlElement): XmlElement {
  const { name, children } = element;
  if (!onlyPhrasing.has(name) || !children.some(isBlock)) return fits[name]?.(element) ?? element;
  return /^(?:h\d|pre)$/.test(name) ? { ...element, children: children.flatMap(inline) } : { ...element, name: 'div' };
}

export const isBlank = (node: XmlNode): boolean => typeof node === 'string' && node.trim() === '';

function isBlock(node: XmlNode): boolean {
  if (typeof node === 'string') return false;
  return blocks.has(node.name) || (transparent.has(node.name) && node.children.some(isBlock));
}

function inline(node: XmlNode): XmlNode[] {
  if (!isBlock(node)) return [node];
  const { name, children } = node as XmlElement;
  return name === 'hr' ? [] : [xmlElement('span', {}, children.flatMap(inline))];
}

const nameOf = (node: XmlNode): string => (typeof node === 'string' ? '-' : node.name);
const without = ({ children }: XmlElement): XmlNode[] => children.filter((child) => !isBlank(child));
const orderOf = (element: XmlElement): string =>
  without(element)
    .map((child) => `${nameOf(child)} `)
    .join('');

/** Children of other names are wrapped. */
const wrapping = (allowed: string, wrap: (node: XmlNode) => XmlElement) => {
  const names = words(allowed);
  const wrapped = (child: XmlNode) => (names.has(nameOf(child)) ? child : wrap(child));
  return (element: XmlElement): XmlElement => ({ ...element, children: without(element).map(wrapped) });
};

/** Children of these names become a `div`. */
function withDivs(element: XmlElement, names: RegExp): XmlElement {
  const divs = element.children.map((child) => (names.test(nameOf(child)) ? { ...(child as XmlElement), name: 'div' } : child));
  return { ...element, children: divs };
}

/** Most columns of a table in letters of the usual size, and of one that is on an upright page. */
const [wide, widest] = [8, 14];
const inCell = (node: XmlNode) => xmlElement('td', {}, [node]);
const inRow = (node: XmlNode) => xmlElement('tr', {}, [inCell(node)]);
const list = wrapping('li', (node) => xmlElement('li', {}, [node]));
const rows = wrapping('tr', inRow);
const asTable = wrapping('caption thead tbody tfoot tr', inRow);

const fits: Record<string, (element: XmlElement) => XmlElement> = {
  ...{ ul: list, ol: list, thead: rows, tbody: rows, tfoot: rows, tr: wrapping('td th', inCell) },
  table(element) {
    const children = asTable(element).children as XmlElement[];
    const named = (name: string) => children.filter((child) => child.name === name);
    const [head, ...moreHeads] = named('thead');
    const bodies = [...moreHeads.map((one) => ({ ...one, name: 'tbody' })), ...named('tbody')];
    const loose = named('tr');
    if (loose.length > 0) bodies.push(xmlElement('tbody', {}, loose));
    const parts = [named('caption')[0], head, ...bodies, named('tfoot')[0]].filter((part) => part !== undefined);
    const columns = parts.flatMap((part) => part.children.map((row) => (typeof row === 'string' ? 0 : row.children.length)));
    const most = columns.reduce((a, b) => Math.max(a, b), 0);
    const size = most > widest ? 'c-wide c-turned' : most > wide ? 'c-wide' : undefined;
    return { ...element, attributes: { ...element.attributes, ...(size && { class: size }) }, children: parts };
  },
  dl: (element) =>
    /^(?:(?:dt )+(?:dd )+)+$/.test(orderOf(element))
      ? { ...element, children: without(element) }
      : { ...withDivs(element, /^d[dt]$/), name: 'div' },
  figure: (element) =>
    /figcaption .*figcaption |^(?!figcaption ).*figcaption (?=.)/.test(orderOf(element))
      ? withDivs(element, /^figcaption$/)
      : element,
};
