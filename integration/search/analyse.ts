import { numbersText, NumberWriter } from './numbers.ts';
import { fields, fieldTexts, indexesStopWords, type Section } from './options.ts';
import { contentName, joinTexts, type PageRow, type SectionRow, type SectionText, shardScript, shardSize } from './shards.ts';
import { candidateTokens, eachCandidate, isStopWord, toTerm } from './tokenize.ts';

/** A page to index: its sections in reading order. */
export interface SearchPage {
  /** Path, '' = home. */
  page: string;
  title: string;
  /** A factor for the scores of its sections. @default 1 */
  boost?: number;
  sections: Section[];
}

/** Everything that an index needs from a page; plain JSON, so that it can be cached until the page changes. */
export interface AnalysedPage {
  page: string;
  title: string;
  boost: number;
  /** Distinct terms of the page. */
  terms: string[];
  /**
   * Numbers: for the title, then for heading, text and code of each section, the number of terms that follow, and for each its
   * index in `terms`, doubled; odd if the number of occurrences minus two follows.
   */
  postings: string;
  /** Numbers: distinct tokens of the title, then of heading, text and code of each section. */
  lengths: string;
  sections: SectionRow[];
  texts: PageRow[3];
  /** Scripts with the texts of its sections, by file name without extension. */
  files: Record<string, string>;
}

/** A function that analyses pages. It caches words from page to page, since nearly all of them occur again. */
export function createAnalyser(): (page: SearchPage) => AnalysedPage {
  const vocabulary = createVocabulary();
  const postings = new NumberWriter();
  const seenToken: number[] = [];
  const seenTerm: number[] = [];
  const occurrences: number[] = [];
  const indexInPage: number[] = [];
  const termPage: number[] = [];
  let field = 0;
  let pageNumber = 0;

  return (page) => {
    pageNumber++;
    const terms: string[] = [];
    const lengths: number[] = [];

    const addField = (text: string, stopWordsCount: boolean) => {
      field++;
      let length = 0;
      const found: number[] = [];
      eachCandidate(text, (start, end, hash) => {
        for (const token of vocabulary.tokensOf(text, start, end, hash)) {
          if (seenToken[token] !== field) length++;
          seenToken[token] = field;
          const term = vocabulary.termOf[token]!;
          if (term < 0 || (!stopWordsCount && vocabulary.isStop[token])) continue;
          if (seenTerm[term] === field) occurrences[term]!++;
          else {
            seenTerm[term] = field;
            occurrences[term] = 1;
            found.push(term);
          }
        }
      });
      lengths.push(length);
      postings.number(found.length);
      for (const term of found) {
        if (termPage[term] !== pageNumber) {
          termPage[term] = pageNumber;
          indexInPage[term] = terms.length;
          terms.push(vocabulary.terms[term]!);
        }
        const count = occurrences[term]!;
        postings.number(indexInPage[term]! * 2 + (count > 1 ? 1 : 0));
        if (count > 1) postings.number(count - 2);
      }
    };

    addField(page.title, true);
    for (const section of page.sections) {
      const texts = fieldTexts({ ...section, title: page.title });
      for (const name of fields) if (name !== 'title') addField(texts[name], indexesStopWords(name));
    }
    return {
      page: page.page,
      title: page.title,
      boost: page.boost ?? 1,
      terms,
      postings: postings.take(),
      lengths: numbersText(lengths),
      sections: page.sections.map((section) => [anchorOf(section), ...section.headings]),
      ...packTexts(page.sections),
    };
  };
}

function anchorOf(section: Section): string {
  if (section.id === section.page) return '';
  if (section.id.startsWith(`${section.page}#`)) return section.id.slice(section.page.length + 1);
  throw new Error(
    `The section "${section.id}" does not belong to the page "${section.page}": an id is the page's path, a # and an anchor.`,
  );
}

// A generated reference may have a whole book in one section. Its beginning is enough for excerpts and answers; all of it is indexed.
const maxText = 40_000;

function packTexts(sections: Section[]): Pick<AnalysedPage, 'texts' | 'files'> {
  const texts: PageRow[3] = [];
  const files: Record<string, string> = {};
  let pack: SectionText[] = [];
  let size = 0;
  const close = () => {
    if (pack.length === 0) return;
    const script = shardScript(joinTexts(pack));
    const file = `x/${contentName(script)}`;
    files[file] = script;
    texts.push([file.slice(2), pack.length]);
    pack = [];
    size = 0;
  };
  for (const section of sections) {
    const stored = { text: section.text.slice(0, maxText), code: section.code.slice(0, maxText) };
    const length = stored.text.length + stored.code.length;
    if (size + length > shardSize) close();
    pack.push(stored);
    size += length;
  }
  close();
  return { texts, files };
}

/** Numbers for tokens and terms, and a cache of the tokens of words. */
function createVocabulary() {
  // Words are found by their characters in the text, since a string for each would cost more than everything else here. Number 0 is none.
  const words = [''];
  const hashes = [0];
  const numbers: number[][] = [[]];
  let slots = slotsOf(hashes, 1 << 14);
  const tokens = new Map<string, number>();
  const termNumbers = new Map<string, number>();
  const terms: string[] = [];
  const termOf: number[] = [];
  const isStop: boolean[] = [];

  const tokenNumber = (token: string) => {
    let number = tokens.get(token);
    if (number !== undefined) return number;
    number = termOf.length;
    tokens.set(token, number);
    const term = toTerm(token);
    termOf.push(term ? termNumber(term) : -1);
    isStop.push(isStopWord(token));
    return number;
  };
  const termNumber = (term: string) => {
    let number = termNumbers.get(term);
    if (number === undefined) {
      number = terms.length;
      termNumbers.set(term, number);
      terms.push(term);
    }
    return number;
  };
  const tokensOf = (text: string, start: number, end: number, hash: number): number[] => {
    // In a script without spaces, this is a whole clause, which hardly ever occurs again.
    if (end - start > longestWord) return candidateTokens(text.slice(start, end)).map(tokenNumber);
    let slot = hash & (slots.length - 1);
    for (let word = slots[slot]!; word > 0; word = slots[slot]!) {
      const known = words[word]!;
      if (hashes[word] === hash && known.length === end - start && text.startsWith(known, start)) return numbers[word]!;
      slot = (slot + 1) & (slots.length - 1);
    }
    // A copy, since a slice would keep the whole text in memory.
    const word: string = JSON.parse(JSON.stringify(text.slice(start, end)));
    const found = candidateTokens(word).map(tokenNumber);
    slots[slot] = words.length;
    words.push(word);
    hashes.push(hash);
    numbers.push(found);
    if (words.length * 2 > slots.length) slots = slotsOf(hashes, slots.length * 2);
    return found;
  };
  return { tokensOf, terms, termOf, isStop };
}

const longestWord = 40;

/** A hash table of the numbers from 1 on, each at the first free place from its hash on. `size` is a power of two. */
function slotsOf(hashes: number[], size: number): Int32Array {
  const slots = new Int32Array(size);
  for (let number = 1; number < hashes.length; number++) {
    let slot = hashes[number]! & (size - 1);
    while (slots[slot]! > 0) slot = (slot + 1) & (size - 1);
    slots[slot] = number;
  }
  return slots;
}
