import { candidates, candidateTokens, isCompound, isUnspaced, type Range, toTerm } from './tokenize.ts';
import { isQuestionStopWord, isStopWord } from './stop-words.ts';

/** A term of a query. */
export interface QueryTerm {
  term: string;
  /** Whether it comes from the last word, which the reader may still be typing: terms that begin with it match too. */
  unfinished: boolean;
  /** Of a compound: the terms of its words. */
  parts?: string[];
  /** Whether it is a word of a compound that the index has: the compound then counts more. */
  isPart?: boolean;
}

export interface Query {
  terms: QueryTerm[];
  /** Whether it is a whole question rather than a few words. */
  isQuestion: boolean;
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
  const isQuestion = readsAsQuestion(query, keywords.length);
  const chosen = isQuestion ? keywords : withoutStopWords.length > 0 ? withoutStopWords : found;
  const terms = new Map<string, boolean>();
  for (const { token, unfinished } of chosen.flat()) {
    const term = toTerm(token);
    if (term && (chosen === found || !isStopWord(token))) terms.set(term, unfinished);
  }
  const plain = [...terms].slice(0, maxTerms).map(([term, unfinished]) => ({ term, unfinished }));
  const compounds = new Map<string, QueryTerm>();
  for (const range of ranges.filter((range) => isCompound(textOf(range)))) {
    const within = words.filter((word) => word.start >= range.start && word.end <= range.end);
    const parts = new Set(within.flatMap(({ tokens }) => tokens.flatMap((token) => toTerm(token) ?? [])));
    const term = textOf(range).toLowerCase();
    if (plain.length + compounds.size < maxTerms)
      compounds.set(term, {
        term,
        unfinished: isLast(range),
        parts: plain.flatMap(({ term }) => (parts.has(term) ? [term] : [])),
      });
  }
  return { terms: [...compounds.values(), ...plain], isQuestion };
}

/** The query for an index: of a compound, the words alone if the index does not have it. */
export function resolved({ terms, isQuestion }: Query, index: KnownTerms): Query {
  const compounds = terms.filter(
    (term) => term.parts && (index.has(term.term) || (completes(term) && index.hasPrefix(term.term))),
  );
  const parts = new Set(compounds.flatMap(({ parts = [] }) => parts));
  const plain = terms.filter((term) => !term.parts).map((term) => ({ ...term, ...(parts.has(term.term) && { isPart: true }) }));
  return { terms: [...compounds, ...plain], isQuestion };
}

// Each term costs a file, and readers paste whole pages into search boxes.
const maxTerms = 40;

/** Whether longer terms match too: from two characters on, or from one in scripts where a character is half a word. */
export function completes({ term, unfinished }: QueryTerm): boolean {
  return unfinished && (term.length >= 2 || isUnspaced(term));
}

/** What `tolerance` needs to know about an index. */
export interface KnownTerms {
  has(term: string): boolean;
  hasPrefix(prefix: string): boolean;
}

/** How many typos are tolerated: none in a term of the index, in the beginning of one while it is typed, or in a script without spaces. */
export function tolerance(term: QueryTerm, index: KnownTerms): number {
  if (term.term.length < 4 || isUnspaced(term.term) || index.has(term.term) || (completes(term) && index.hasPrefix(term.term)))
    return 0;
  return term.term.length < 8 ? 1 : 2;
}

/**
 * Whether a query is a question: two keywords and the form of a question, or eight in any form. Titles and headings, which readers also
 * type in full, are found better without.
 */
function readsAsQuestion(query: string, keywordCount: number): boolean {
  const asks = questionForm.test(query) && /\S(?:\s+\S+){3}/.test(query);
  return keywordCount >= 8 || (keywordCount >= 2 && asks);
}

// An asking word at the beginning, a question mark, or somebody who tells what happened to them.
const questionForm =
  /[?؟？]|^\s*(?:how|what|when|where|which|why|who|whose|can|could|do|does|did|is|are|should|would)\b|\b(?:i|i'm|my|we|can't|cannot|trying)\b/i;
