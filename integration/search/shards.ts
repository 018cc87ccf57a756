/**
 * The files of an index. Each is a classic script of one call with one string, since a page on file:// may load nothing else;
 * whoever loads it knows its name. Numbers are written as in `numbers.ts`.
 *
 * - `meta`: JSON of `Meta`.
 * - `t<n>`: terms in the order of UTF-16 code units, a new line, one record a term in the same order, both joined by spaces.
 *   A term is one digit (how many characters it shares with the one before) and its rest. A record joins its fields by commas:
 *   digit of the field, how many sections, and for each the gap to the one before, doubled; odd when the count of
 *   occurrences less two follows, otherwise it occurs once.
 * - `dict`: all terms, in the same way.
 * - `d<n>`: JSON of `PageRow[]`, the sections from `n * sectionsPerTable` on.
 * - `x/<digest>`: texts of some sections of one page, named by content, so that equal pages of several versions and exports share it.
 */
import type { Field } from './options.ts';

/** Version of the files this code writes, and the only one it reads. */
export const format = 1;

/** How many sections one `d` file describes. */
export const sectionsPerTable = 64;

/** A new `t` or `x` file begins when the next record would take it past this many characters. */
export const shardSize = 8000;

/** What is loaded before the first query. */
export interface Meta {
  format: number;
  /** Sections of each page, as numbers. */
  pages: string;
  /** Score factors other than 1, by page number. */
  boosts: Record<number, number>;
  /** Distinct tokens of each section's field, as numbers; titles once a page. */
  lengths: Record<Field, string>;
  /** Mean length over all sections, in the order of `fields`. */
  averages: number[];
  /** First term of each `t` file, cut after the character in which it differs from the last term of the file before. */
  starts: string[];
}

/** A page in a `d` file: path, title, the sections that belong to this file, and the page's text files with their numbers of sections. */
export type PageRow = [path: string, title: string, sections: SectionRow[], texts: [file: string, sections: number][]];

/** Anchor ('' for the introduction) and headings from the page's first level down to its own. */
export type SectionRow = [anchor: string, ...headings: string[]];

/** The script that hands `text` to `__carrel_shard`. */
export function shardScript(text: string): string {
  const literal = JSON.stringify(text).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${opening}${literal}${closing}`;
}

/** The text in a script that `shardScript` made; throws if it is something else. */
export function shardText(script: string): string {
  if (!script.startsWith(opening) || !script.endsWith(closing))
    throw new Error('This is not a file of a search index: it does not call __carrel_shard.');
  return JSON.parse(script.slice(opening.length, -closing.length)) as string;
}

const opening = '__carrel_shard(';
const closing = ');\n';
// `<` before these could end a script element or open a comment in one; the two line separators end a string in old engines.
const unsafe = /<(?=[/!sS])|[\u2028\u2029]/g;

/** Text of a section as kept for excerpts and answers. */
export interface SectionText {
  text: string;
  code: string;
}

/** One string of several texts, to be read by `splitTexts`. */
export function joinTexts(texts: SectionText[]): string {
  return texts.map(({ text, code }) => `${text.replace(separators, ' ')}\x1f${code.replace(separators, ' ')}`).join('\x1e');
}

/** The texts that `joinTexts` joined. */
export function splitTexts(joined: string): SectionText[] {
  return joined.split('\x1e').map((entry) => {
    const [text = '', code = ''] = entry.split('\x1f');
    return { text, code };
  });
}

const separators = /[\x1e\x1f]/g;

/** A name for a content: 64 bits in base 36, lower case for disks that know no other. */
export function contentName(content: string): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (let i = 0; i < content.length; i++) {
    const code = content.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return [a ^ (b >>> 16), b ^ Math.imul(a, 0xc2b2ae35)].map((half) => (half >>> 0).toString(36).padStart(7, '0')).join('');
}
