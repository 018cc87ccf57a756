import { numbersText, NumberWriter } from './numbers.ts';
import { fields, fieldTexts, indexesStopWords, type Section } from './index-options.ts';
import { contentName, joinTexts, type PageRow, type SectionRow, shardScript, textSize } from './shards.ts';
import { markedText } from './text-marks.ts';
import { asciiWord, candidateTokens, compoundsOf, toTerm } from './tokenize.ts';
import { isStopWord } from './stop-words.ts';

/** A page to index: its sections in reading order. */
export interface SearchPage {
  /** Path, '' = home. */
  page: string;
  title: string;
  /** Shown beside the title. */
  tag?: string;
  /** Names of what the page is in, such as its tab and group, as readers see them: `Guides › Get started`. */
  trail?: string;
  /** Name of the part of the site that has it, such as a tab; readers can search one alone. */
  area?: string;
  /** A factor for the scores of its sections. @default 1 */
  boost?: number;
  sections: Section[];
}

/** Everything that an index needs from a page; plain JSON, so that it can be cached until the page changes. */
export interface AnalyzedPage {
  page: string;
  title: string;
  tag?: string;
  trail?: string;
  area?: string;
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

/** A function that analyzes pages. It caches words from page to page, since nearly all of them occur again. */
export function createAnalyzer(): (page: SearchPage) => AnalyzedPage {
  const vocabulary = createVocabulary();
  const postings = new NumberWriter();
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
      const addToken = (token: number) => {
        const { tokenRows } = vocabulary;
        if (tokenRows[token * 2] !== field) length++;
        tokenRows[token * 2] = field;
        const code = tokenRows[token * 2 + 1]!;
        if (code < 0 || (!stopWordsCount && (code & 1) === 1)) return;
        const { termRows } = vocabulary;
        const row = (code >>> 1) * 4;
        if (termRows[row] === field) termRows[row + 1]!++;
        else {
          termRows[row] = field;
          termRows[row + 1] = 1;
          found.push(code >>> 1);
        }
      };
      eachCandidate(text, (start, end, hash) => {
        const token = vocabulary.tokenOf(text, start, end, hash);
        if (token >= 0) addToken(token);
        else for (const one of vocabulary.several[~token]!) addToken(one);
      });
      lengths.push(length);
      postings.number(found.length);
      const { termRows } = vocabulary;
      for (const term of found) {
        const row = term * 4;
        if (termRows[row + 2] !== pageNumber) {
          termRows[row + 2] = pageNumber;
          termRows[row + 3] = terms.length;
          terms.push(vocabulary.terms[term]!);
        }
        const count = termRows[row + 1]!;
        postings.number(termRows[row + 3]! * 2 + (count > 1 ? 1 : 0));
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
      ...(page.tag !== undefined && { tag: page.tag }),
      ...(page.trail !== undefined && { trail: page.trail }),
      ...(page.area !== undefined && { area: page.area }),
      boost: page.boost ?? 1,
      terms,
      postings: postings.take(),
      lengths: numbersText(lengths),
      sections: page.sections.map((section) => [anchorOf(section), ...section.headings]),
      ...packTexts(page.sections),
    };
  };
}

/** Calls `found` with the range of each of the `candidates` of a text and a hash of its characters; creates no strings. */
function eachCandidate(text: string, found: (start: number, end: number, hash: number) => void): void {
  const compoundFrom = compoundsOf(text);
  for (let at = 0; at < text.length; at++) {
    const start = at;
    let hash = 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code < 0x80 && asciiWord[code] === 0) break;
      hash = Math.imul(hash ^ code, 0x01000193);
    }
    if (at === start) continue;
    found(start, at, hash ^ (hash >>> 15));
    const compound = compoundFrom(start, at);
    if (compound) found(compound.start, compound.end, hashOf(text, compound.start, compound.end));
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}

function anchorOf(section: Section): string {
  if (section.id === section.page) return '';
  if (section.id.startsWith(`${section.page}#`)) return section.id.slice(section.page.length + 1);
  throw new Error(
    `The section "${section.id}" does not belong to the page "${section.page}": an id is the page's path, a # and an anchor.`,
  );
}

// A generated reference may have a whole book in one section. Its beginning is enough for excerpts and answers; all of it is indexed.
const maxText = 80_000;

function packTexts(sections: Section[]): Pick<AnalyzedPage, 'texts' | 'files'> {
  const texts: PageRow[3] = [];
  const files: Record<string, string> = {};
  let pack: string[] = [];
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
    const stored = (section.marked ?? markedText(section)).slice(0, maxText);
    if (size + stored.length > textSize) close();
    pack.push(stored);
    size += stored.length;
  }
  close();
  return { texts, files };
}

/**
 * Numbers for tokens and terms, and a cache of the tokens of words. A site can have hundreds of thousands of words: reading memory
 * is then the main cost, so there are no strings, and everything about a word, token or term is in one row of numbers.
 */
function createVocabulary() {
  const tokenNumbers = new Map<string, number>();
  const termNumbers = new Map<string, number>();
  const terms: string[] = [];
  /** Tokens of a word that has not exactly one; the first ones are those of the last word that is too long for the cache. */
  const several: number[][] = [[]];
  // A hash table of words, each in the first free row from its hash on: hash, first of its `characters`, length, result of `tokenOf`.
  let words = new Int32Array(4 << 14);
  let characters = new Int32Array(1 << 16);
  let wordCount = 0;
  let characterCount = 0;

  const tokenNumber = (token: string): number => {
    let number = tokenNumbers.get(token);
    if (number !== undefined) return number;
    number = tokenNumbers.size;
    tokenNumbers.set(token, number);
    const term = toTerm(token);
    vocabulary.tokenRows = withRoom(vocabulary.tokenRows, number * 2 + 2);
    vocabulary.tokenRows[number * 2 + 1] = term ? termNumber(term) * 2 + (isStopWord(token) ? 1 : 0) : -1;
    return number;
  };
  const termNumber = (term: string): number => {
    let number = termNumbers.get(term);
    if (number !== undefined) return number;
    number = terms.length;
    termNumbers.set(term, number);
    terms.push(term);
    vocabulary.termRows = withRoom(vocabulary.termRows, number * 4 + 4);
    return number;
  };

  const isAt = (text: string, start: number, length: number, first: number): boolean => {
    for (let i = 0; i < length; i++) if (text.charCodeAt(start + i) !== characters[first + i]) return false;
    return true;
  };
  const freeRow = (table: Int32Array, hash: number): number => {
    let row = (hash << 2) & (table.length - 1);
    while (table[row + 2]! > 0) row = (row + 4) & (table.length - 1);
    return row;
  };
  const enlarge = () => {
    const larger = new Int32Array(words.length * 2);
    for (let row = 0; row < words.length; row += 4)
      if (words[row + 2]! > 0) larger.set(words.subarray(row, row + 4), freeRow(larger, words[row]!));
    words = larger;
  };
  const addWord = (text: string, start: number, end: number, hash: number): number => {
    // A copy, since a slice would keep the whole text in memory.
    const word: string = JSON.parse(JSON.stringify(text.slice(start, end)));
    const tokens = candidateTokens(word).map(tokenNumber);
    const token = tokens.length === 1 ? tokens[0]! : ~several.length;
    if (tokens.length !== 1) several.push(tokens);
    if (++wordCount * 8 > words.length) enlarge();
    words.set([hash, characterCount, word.length, token], freeRow(words, hash));
    characters = withRoom(characters, characterCount + word.length);
    for (let i = 0; i < word.length; i++) characters[characterCount++] = word.charCodeAt(i);
    return token;
  };

  const vocabulary = {
    /** By number. */
    terms,
    several,
    /** For each token: a number of the caller, then the number of its term, doubled, odd for a stop word; -1 without a term. */
    tokenRows: new Int32Array(1 << 14),
    /** For each term: four numbers of the caller. */
    termRows: new Int32Array(1 << 14),
    /** The number of the token of a candidate; if it has none or several, the index of its tokens in `several`, inverted. */
    tokenOf(text: string, start: number, end: number, hash: number): number {
      const length = end - start;
      if (length > longestWord) {
        several[0] = candidateTokens(text.slice(start, end)).map(tokenNumber);
        return ~0;
      }
      const last = words.length - 1;
      for (let row = (hash << 2) & last; words[row + 2]! > 0; row = (row + 4) & last)
        if (words[row] === hash && words[row + 2] === length && isAt(text, start, length, words[row + 1]!))
          return words[row + 3]!;
      return addWord(text, start, end, hash);
    },
  };
  return vocabulary;
}

// In a script without spaces, a longer one is a whole clause, which hardly ever occurs again.
const longestWord = 40;

/** The numbers in an array of at least `length`. */
function withRoom(numbers: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= numbers.length) return numbers;
  const larger = new Int32Array(length * 2);
  larger.set(numbers);
  return larger;
}
