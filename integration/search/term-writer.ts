import { digitOf, numberOf } from './numbers.ts';
import { termsSize } from './shards.ts';

/** The texts of the `t` and `dict` files. */
export interface TermFiles {
  starts: string[];
  shards: string[];
  dictionary: Dictionary;
}

/** The first character of each `dict` file, and the files' texts. */
export interface Dictionary {
  starts: string[];
  files: string[];
}

/** Distributes terms, which come in ascending order, over files. `start` is the entry in `starts` of the first file, if it is not that of an index. */
export function createTermWriter(start?: string) {
  const starts: string[] = [];
  const shards: string[] = [];
  const all: string[] = [];
  let terms: string[] = [];
  let records: string[] = [];
  let size = 0;
  let previous = '';

  const close = () => {
    if (terms.length > 0) shards.push(`${terms.join(' ')}\n${records.join(' ')}`);
    terms = [];
    records = [];
    size = 0;
  };

  return {
    /** Adds a term with its record; a term with an empty record is in no section, and is omitted. Returns whether it is the first of a file. */
    add(term: string, record: string): boolean {
      if (record === '') return false;
      const coded = frontCoded(term, previous);
      all.push(term);
      previous = term;
      if (size + coded.length + record.length + 2 > termsSize) close();
      // The shortest beginning that sorts after the last term of the file before.
      const isFirst = terms.length === 0;
      if (isFirst) starts.push(starts.length === 0 ? (start ?? term) : term.slice(0, numberOf(coded) + 1));
      terms.push(isFirst ? frontCoded(term, '') : coded);
      records.push(record);
      size += terms.at(-1)!.length + record.length + 2;
      return isFirst;
    },
    finish(): TermFiles {
      close();
      return { starts, shards, dictionary: dictionaryOf(all) };
    },
  };
}

/** The `dict` files of all terms, which come in ascending order. */
export function dictionaryOf(terms: string[]): Dictionary {
  const dictionary: Dictionary = { starts: [], files: [] };
  for (let from = 0, to = 0; from < terms.length; from = to) {
    const first = terms[from]![0]!;
    while (terms[to]?.[0] === first) to++;
    const last = dictionary.files.at(-1);
    const text = frontEncoded(terms.slice(from, to));
    if (last !== undefined && last.length + text.length < termsSize) {
      dictionary.files[dictionary.files.length - 1] = `${last} ${text}`;
      continue;
    }
    dictionary.starts.push(first);
    dictionary.files.push(text);
  }
  return dictionary;
}

/** The text of terms that begin with the same character. The first shares none with those before it. */
function frontEncoded(terms: string[]): string {
  return terms.map((term, index) => frontCoded(term, terms[index - 1] ?? '')).join(' ');
}

/** The terms in a text of front-coded terms. */
export function frontDecoded(text: string): string[] {
  let previous = '';
  return text === '' ? [] : text.split(' ').map((entry) => (previous = previous.slice(0, numberOf(entry)) + entry.slice(1)));
}

/** The term as one digit, the number of characters that it shares with the previous term, and its rest. */
function frontCoded(term: string, previous: string): string {
  const limit = Math.min(term.length, previous.length, 61);
  let shared = 0;
  while (shared < limit && term.charCodeAt(shared) === previous.charCodeAt(shared)) shared++;
  return digitOf(shared) + term.slice(shared);
}
