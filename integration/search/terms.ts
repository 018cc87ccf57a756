import { digitOf, numberOf, NumberWriter } from './numbers.ts';
import { shardSize } from './shards.ts';

/** Texts of the `t` files and of `dict`. */
export interface TermFiles {
  starts: string[];
  shards: string[];
  dictionary: string;
}

/** Takes terms in ascending order and lays them out in files. */
export function createTermWriter() {
  const starts: string[] = [];
  const shards: string[] = [];
  const dictionary: string[] = [];
  const records = new NumberWriter();
  let terms: string[] = [];
  let termsLength = 0;
  let previous = '';

  const close = () => {
    if (terms.length > 0) shards.push(`${terms.join(' ')}\n${records.take()}`);
    terms = [];
    termsLength = 0;
  };

  return {
    /** Adds a term with the record that `write` writes. */
    add(term: string, write: (writer: NumberWriter) => void): void {
      const before = records.length;
      if (before > 0) records.character(space);
      write(records);
      const coded = frontCoded(term, previous);
      const follows = terms.length > 0;
      if (follows && termsLength + coded.length + 1 + records.length > shardSize) {
        const record = records.take(before + 1);
        records.length = before;
        close();
        for (let i = 0; i < record.length; i++) records.character(record.charCodeAt(i));
      }
      if (terms.length === 0) starts.push(term);
      const entry = terms.length === 0 ? frontCoded(term, '') : coded;
      terms.push(entry);
      termsLength += entry.length + 1;
      dictionary.push(coded);
      previous = term;
    },
    finish(): TermFiles {
      close();
      return { starts, shards, dictionary: dictionary.join(' ') };
    },
  };
}

/** Terms of a text of front-coded terms. */
export function frontDecoded(text: string): string[] {
  let previous = '';
  return text === '' ? [] : text.split(' ').map((entry) => (previous = previous.slice(0, numberOf(entry)) + entry.slice(1)));
}

/** The term as one digit, how many characters it shares with the previous one, and its rest. */
function frontCoded(term: string, previous: string): string {
  const limit = Math.min(term.length, previous.length, 61);
  let shared = 0;
  while (shared < limit && term.charCodeAt(shared) === previous.charCodeAt(shared)) shared++;
  return digitOf(shared) + term.slice(shared);
}

const space = 32;
