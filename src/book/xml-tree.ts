// HTML as a tree that is written as XML.
import { readHtml, voidNames } from '../../integration/html/read-html.ts';
import { escapeHtml } from '../../integration/text/escape.ts';

export interface XmlElement {
  /** In HTML lower case, in SVG and MathML as written. */
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
}

export type XmlNode = XmlElement | string;

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Names, such as those of elements. */
export const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export function xmlElement(name: string, attributes: XmlElement['attributes'], children: XmlNode[]): XmlElement {
  return { name, attributes, children };
}

/** The nodes of a text of HTML or SVG. What is open at its end is closed there. */
export function readTree(html: string): XmlNode[] {
  const root = xmlElement('', {}, []);
  const open = [root];
  readHtml(html, {
    open({ name, start, attributes }) {
      // In SVG and MathML, the case of names counts.
      const isForeign = open.some((one) => foreign.has(one.name));
      const element = xmlElement(isForeign ? html.slice(start + 1, start + 1 + name.length) : name, {}, []);
      const hasCase = isForeign || foreign.has(name);
      for (const { name: key, start: at, value } of attributes)
        element.attributes[hasCase ? html.slice(at, at + key.length) : key] ??= value;
      open.at(-1)!.children.push(element);
      if (!voidNames.has(name)) open.push(element);
    },
    close(name) {
      const at = open.findLastIndex((one) => one.name.toLowerCase() === name);
      if (at > 0) open.length = at;
    },
    text(text) {
      const { children } = open.at(-1)!;
      const last = children.length - 1;
      if (typeof children[last] === 'string') children[last] += text;
      else children.push(text);
    },
  });
  return root.children;
}

const foreign = new Set(['svg', 'math']);

/** Well-formed XML of a tree whose names are valid. Elements without content are closed as HTML and XML both read them. */
export function toXml(node: XmlNode): string {
  if (typeof node === 'string') return xmlText(node);
  const { name, attributes, children } = node;
  let text = `<${name}`;
  for (const key in attributes) text += ` ${key}="${xmlText(attributes[key]!)}"`;
  if (voidNames.has(name)) return `${text}/>`;
  text += '>';
  for (const child of children) text += toXml(child);
  return `${text}</${name}>`;
}

/** A text escaped for XML, without the characters that XML does not allow. */
export function xmlText(text: string): string {
  return escapeHtml(forbidden.test(text) ? text.replace(allForbidden, '') : text);
}

const forbidden = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const allForbidden = new RegExp(forbidden, 'gu');

/** The ID of an anchor in XML: letters, digits, `.`, `-` and `_`, whatever the anchor contains. */
export function xmlId(anchor: string): string {
  const id = anchor.replace(/[^\w.-]/gu, (character) => `_${character.codePointAt(0)!.toString(16)}`);
  return /^[a-z_]/i.test(id) ? id : `_${id}`;
}
