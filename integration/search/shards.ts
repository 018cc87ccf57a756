/**
 * The files of an index. Each is a classic script that calls one function with one string, since a page on file:// can load nothing
 * else; the loader knows the name of the file. Numbers are encoded as in `numbers.ts`.
 *
 * - `meta`: JSON of `Meta`.
 * - `t<n>`: terms in the order of UTF-16 code units, a new line, and the record of each term in the same order, both separated by
 *   spaces. A term is one digit (the number of characters that it shares with the term before) and its rest. The fields of a record
 *   are separated by commas: the digit of the field, the number of sections, and for each the gap to the one before, doubled; odd if
 *   the number of occurrences minus two follows, otherwise the term occurs once.
 * - `dict<n>`: the terms without records, encoded in the same way; all with the same first character are in one file. Format 1 has
 *   one file `dict` with all terms.
 * - `d<n>`: JSON of `PageRow[]`, the sections from `n * sectionsPerTable` on.
 * - `x/<digest>`: texts, with the marks of `text-marks.ts`, of some sections of one page, named by content, so that equal pages of several versions and exports share it.
 */
import type { Field } from './index-options.ts';
import { markedText, textAndCode } from './text-marks.ts';

/** The version of the files that this code writes. It reads the one before too. */
export const format = 2;

/** How many sections one `d` file describes. */
export const sectionsPerTable = 64;

/** An `x` file ends before the section that would make it longer than this many characters. */
export const textSize = 8000;

/** The same of a `t` file and its terms, and of a `dict` file and its first characters. A query needs few terms of each. */
export const termsSize = 4000;

/** Loaded before the first query. */
export interface Meta {
  format: number;
  /** The number of sections of each page. */
  pages: string;
  /** Score factors other than 1, by page number. */
  boosts: Record<number, number>;
  /** The number of distinct tokens in each section's field; in the title, one number for each page. */
  lengths: Record<Field, string>;
  /** Mean length of each field over all sections, in the order of `fields`. */
  averages: number[];
  /** The first term of each `t` file, cut after the character in which it differs from the last term of the file before. */
  starts: string[];
  /** The first character of the first term of each `dict` file; not in format 1. */
  dictionary?: string[];
  /** The areas of the pages, '' for none, each with the number of the next pages that are in it: in collections the paths of sites. */
  areas?: [area: string, pages: number][];
}

/** A page in a `d` file: path, title, its sections in this file, its text files, each with its number of sections, and, if it has them, its tag and what it is in. */
export type PageRow = [
  path: string,
  title: string,
  sections: SectionRow[],
  texts: [file: string, sections: number][],
  tag?: string,
  trail?: string,
];

/** Anchor ('' for the introduction) and headings, from the page's first level down to the section's own. */
export type SectionRow = [anchor: string, ...headings: string[]];

/** The script that calls `__carrel_shard` with `text`. */
export function shardScript(text: string): string {
  const literal = JSON.stringify(text).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${opening}${literal}${closing}`;
}

/** The text in a script of `shardScript`. Throws for any other text. */
export function shardText(script: string): string {
  if (!script.startsWith(opening) || !script.endsWith(closing))
    throw new Error('This is not a file of a search index: it does not call __carrel_shard.');
  return JSON.parse(script.slice(opening.length, -closing.length));
}

const opening = '__carrel_shard(';
const closing = ');\n';
// `<` before these could end a script element or open a comment in one; the two line separators end a string in old engines.
const unsafe = /<(?=[/!sS])|[\u2028\u2029]/g;

/** The text of a section, stored for excerpts and answers. */
export interface SectionText {
  text: string;
  code: string;
  /** Both with the marks of `text-marks.ts`, in the order of the page. */
  marked: string;
}

/** Joins several marked texts into one; `splitTexts` reverses it. */
export function joinTexts(texts: string[]): string {
  return texts.map((marked) => marked.replace(separators, ' ')).join('\x1e');
}

/** The texts in a result of `joinTexts`. */
export function splitTexts(joined: string): SectionText[] {
  return joined.split('\x1e').map((entry) => {
    const [text = '', code] = entry.split('\x1f');
    // Earlier versions stored the code after the text.
    const marked = code === undefined ? text : markedText({ text, code });
    return { ...textAndCode(marked), marked };
  });
}

const separators = /[\x1e\x1f]/g;

/** A file name made from a content: a 64-bit hash in base 36, lower case because some disks ignore case. */
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
