import { digitOf, numberOf } from './numbers.ts';
import { shardSize } from './shards.ts';

/** The texts of the `t` and `dict` files. */
export interface TermFiles {
  starts: string[];
  shards: string[];
  dictionary: string;
}

/** Distributes terms, which come in ascending order, over files. */
export function createTermWriter() {
  const starts: string[] = [];
  const shards: string[] = [];
  const dictionary: string[] = [];
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
    /** Adds a term with its record; a term with an empty record is in no section, and is omitted. */
    add(term: string, record: string): void {
      if (record === '') return;
      const coded = frontCoded(term, previous);
      dictionary.push(coded);
      previous = term;
      if (size + coded.length + record.length + 2 > shardSize) close();
      // The shortest beginning that sorts after the last term of the file before.
      if (terms.length === 0) starts.push(starts.length === 0 ? term : term.slice(0, numberOf(coded) + 1));
      terms.push(terms.length === 0 ? frontCoded(term, '') : coded);
      records.push(record);
      size += terms.at(-1)!.length + record.length + 2;
    },
    finish(): TermFiles {
      close();
      return { starts, shards, dictionary: dictionary.join(' ') };
    },
  };
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
