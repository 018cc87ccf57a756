// A read page on its way between threads. Thousands of small objects take longer to copy than their page takes to tokenize, so references
// and links travel as numbers, and each of their texts once.
import type { Reference } from '../html/references.ts';
import type { LinkPosition } from '../page/page-types.ts';
import type { PageScan } from '../page/scan-page.ts';
import type { ReadExistingPage } from './existing-page.ts';

export interface PackedPage extends Omit<ReadExistingPage, 'scan' | 'links'> {
  scan: Omit<PageScan, 'references'>;
  texts: string[];
  roles: Role[];
  /** Of each reference: start, end, index in `texts`, index in `roles`. */
  references: Uint32Array<ArrayBuffer>;
  /** Of each link: index in `linkPositions`, index in `texts`. */
  links: Uint32Array<ArrayBuffer>;
}

type Role = Omit<Reference, 'start' | 'end' | 'value'>;

export function packedPage({ scan: { references, ...scan }, links, ...page }: ReadExistingPage): PackedPage {
  const texts = new Map<string, number>();
  const textNumber = (text: string) => {
    let number = texts.get(text);
    if (number === undefined) texts.set(text, (number = texts.size));
    return number;
  };
  const roles: Role[] = [];
  const packed = new Uint32Array(references.length * 4);
  let at = 0;
  for (const reference of references) {
    let role = roles.findIndex((known) => isSameRole(known, reference));
    if (role < 0) {
      const { kind, load, quote, inContent } = reference;
      role = roles.push({ kind, load, quote, inContent }) - 1;
    }
    packed[at++] = reference.start;
    packed[at++] = reference.end;
    packed[at++] = textNumber(reference.value);
    packed[at++] = role;
  }
  const packedLinks = new Uint32Array(links.length * 2);
  for (const [i, [position, url]] of links.entries()) packedLinks.set([linkPositions.indexOf(position), textNumber(url)], i * 2);
  return { ...page, scan, texts: [...texts.keys()], roles, references: packed, links: packedLinks };
}

function isSameRole(one: Role, other: Role): boolean {
  return one.kind === other.kind && one.load === other.load && one.quote === other.quote && one.inContent === other.inContent;
}

const linkPositions: LinkPosition[] = ['content', 'layout', 'markdown-link', 'content-file', 'layout-file', 'markdown'];

export function unpackedPage({ scan, texts, roles, references, links, ...page }: PackedPage): ReadExistingPage {
  const found: Reference[] = [];
  for (let at = 0; at < references.length; at += 4) {
    const { kind, load, quote, inContent } = item(roles, references[at + 3]);
    const [start = 0, end = 0] = [references[at], references[at + 1]];
    found.push({ kind, load, start, end, quote, value: item(texts, references[at + 2]), inContent });
  }
  const foundLinks: ReadExistingPage['links'] = [];
  for (let at = 0; at < links.length; at += 2) foundLinks.push([item(linkPositions, links[at]), item(texts, links[at + 1])]);
  return { ...page, scan: { ...scan, references: found }, links: foundLinks };
}

function item<T>(items: T[], index: number | undefined): T {
  const found = index === undefined ? undefined : items[index];
  if (found === undefined) throw new Error('A page changed on its way between threads.');
  return found;
}
