import { candidates, candidateTokens, isCompound, isUnspaced, partsOf, type Range, tokenize, toTerm } from './tokenize.ts';
import { isQuestionStopWord, isStopWord } from './stop-words.ts';

/** A term of a query. */
export interface QueryTerm {
  term: string;
  /** Whether it comes from the last word, which the reader may still be typing: terms that begin with it match too. */
  unfinished: boolean;
  /** Whether it was pasted, and is neither completed nor corrected. */
  isExact?: boolean;
  /** Of a compound or a name such as `batchTrigger`: the terms of its words. */
  parts?: string[];
  /** Whether it is a word of a compound or name that the index has, which then counts more. */
  isPart?: boolean;
}

export interface Query {
  terms: QueryTerm[];
  /** Whether it is a whole question rather than a few words. */
  isQuestion: boolean;
  /** Whether it is a line of code or of a log, as readers paste it. */
  isPasted: boolean;
  /** How many distinct tokens it has, stop words included. */
  length: number;
}

/**
 * Distinct terms of a query, at most forty: without stop words unless there is nothing else, a question also without those of questions.
 * A compound is there as well as its words; `resolved` weighs them.
 */
export function parseQuery(query: string): Query {
  const ranges = candidates(query);
  const textOf = ({ start, end }: Range) => query.slice(start, end);
  const words = ranges.flatMap((range) => {
    const tokens = isCompound(textOf(range)) ? [] : candidateTokens(textOf(range));
    return tokens.length > 0 ? [{ ...range, tokens }] : [];
  });
  const isLast = ({ end }: Range) => end === words.at(-1)?.end;
  const found = words.map((word) => word.tokens.map((token) => ({ token, unfinished: isLast(word) })));
  const withoutStopWords = found.filter(([first]) => first && !isStopWord(first.token));
  const keywords = withoutStopWords.filter(([first]) => first && !isQuestionStopWord(first.token));
  const isPasted = readsAsPasted(query);
  const exact = isPasted ? { isExact: true } : {};
  const isQuestion = !isPasted && readsAsQuestion(query, keywords.length);
  const chosen = isQuestion ? keywords : withoutStopWords.length > 0 ? withoutStopWords : found;
  const terms = new Map<string, { unfinished: boolean; parts: string[] }>();
  for (const { token, unfinished } of chosen.flat()) {
    const term = toTerm(token);
    if (term && (chosen === found || !isStopWord(token))) terms.set(term, { unfinished, parts: partsOf(token) });
  }
  const among = new Set([...terms.keys()].slice(0, maxTerms));
  const plain = Array.from(among, (term): QueryTerm => {
    const { unfinished, parts } = terms.get(term)!;
    const own = parts.flatMap((part) => toTerm(part) ?? []).filter((part) => among.has(part));
    return { term, unfinished, ...exact, ...(own.length > 0 && { parts: own }) };
  });
  const compounds = new Map<string, QueryTerm>();
  for (const range of ranges.filter((range) => isCompound(textOf(range)))) {
    const within = words.filter((word) => word.start >= range.start && word.end <= range.end);
    const parts = new Set(within.flatMap(({ tokens }) => tokens.flatMap((token) => toTerm(token) ?? [])));
    const term = textOf(range).toLowerCase();
    if (plain.length + compounds.size < maxTerms)
      compounds.set(term, {
        term,
        unfinished: isLast(range),
        ...exact,
        parts: plain.flatMap(({ term }) => (parts.has(term) ? [term] : [])),
      });
  }
  return { terms: [...compounds.values(), ...plain], isQuestion, isPasted, length: new Set(tokenize(query)).size };
}

/** The query for an index: of a compound, the words alone if the index has neither it nor, perhaps, one that it is a misspelling of. */
export function resolved({ terms, ...form }: Query, index: KnownTerms): Query {
  const isKnown = (term: QueryTerm) => index.has(term.term) || (completes(term) && index.hasPrefix(term.term));
  const known = terms.filter((term) => !isCompound(term.term) || isKnown(term) || tolerance(term, index) > 0);
  const parts = new Set(known.flatMap((term) => (term.parts && isKnown(term) ? term.parts : [])));
  return { terms: known.map((term) => ({ ...term, ...(parts.has(term.term) && { isPart: true }) })), ...form };
}

// Each term costs a file, and readers paste whole pages into search boxes.
const maxTerms = 40;

/** Whether longer terms match too: from two characters on, or from one in scripts where a character is half a word. */
export function completes({ term, unfinished, isExact }: QueryTerm): boolean {
  return unfinished && !isExact && (term.length >= 2 || isUnspaced(term));
}

/** What `tolerance` needs to know about an index. */
export interface KnownTerms {
  has(term: string): boolean;
  hasPrefix(prefix: string): boolean;
}

/**
 * How many typos are tolerated: none in a pasted line, in a term of the index, in the beginning of one while it is typed, in a
 * script without spaces, or in a compound that is short or has numbers, such as a version.
 */
export function tolerance(term: QueryTerm, index: KnownTerms): number {
  if (term.isExact || term.term.length < 4 || isUnspaced(term.term)) return 0;
  if (index.has(term.term) || (completes(term) && index.hasPrefix(term.term))) return 0;
  if (isCompound(term.term)) return term.term.length < 8 || /\d/.test(term.term) ? 0 : 1;
  return term.term.length < 8 ? 1 : 2;
}

/**
 * Whether a query is a question: two keywords and the form of a question, or eight in any form. Titles and headings, which readers also
 * type in full, are found better without.
 */
function readsAsQuestion(query: string, keywordCount: number): boolean {
  const asks = (asking.test(query) || firstPerson.test(query)) && /\S(?:\s+\S+){3}/.test(query);
  return keywordCount >= 8 || (keywordCount >= 2 && asks);
}

// An asking word at the beginning, a question mark that is not one of code, or somebody who tells what happened to them.
const asking =
  /[؟？]|[^\s$]\?(?=\s|$)|^\s*(?:how|what|when|where|which|why|who|whose|can|could|do|does|did|is|are|should|would)\b(?!\s*[:=({]|\s+not\b)/i;
const firstPerson = /\b(?:i|i'm|my|we|can't|cannot|trying)\b/i;

/** Whether a query is a line of code or of a log, by its signs. A question can be about such a line, and a title can have some of them. */
function readsAsPasted(query: string): boolean {
  // Code has variables `i`, too.
  if (asking.test(query) || /\bI(?:'m)? [a-z]/.test(query)) return false;
  const line = query.replace(signsOfTitles, ' ');
  const words = line.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0;
  const signs = line.match(/["'`:(){}[\]$\\|]/g)?.length ?? 0;
  return (words >= 2 && (codeSigns.test(line) || signs >= 2)) || (words >= 3 && logSigns.test(line));
}

const signsOfTitles = /\(\)|\s\([^()]*\)|<[\w-]+>/g;
const codeSigns = /[;{}=<>]|\s--?[A-Za-z]|\s:\s|:\s[a-z\d"']|::|->|\w\(\w|\w\($|^\s*\/\/|["']:/;
const logSigns = /\b\d\d:\d\d\b|\b0x[\da-f]{4,}|\b(?:error|warn(?:ing)?|fatal|info|debug|\w*exception|\w+error)\b\W*[:[({|-]/i;
