import { candidates, candidateTokens, isUnspaced, toTerm } from './tokenize.ts';
import { isQuestionStopWord, isStopWord } from './stop-words.ts';

/** A term of a query. */
export interface QueryTerm {
  term: string;
  /** Whether it comes from the last word, which the reader may still be typing: terms that begin with it match too. */
  unfinished: boolean;
}

export interface Query {
  terms: QueryTerm[];
  /** Whether it is a whole question rather than a few words. */
  isQuestion: boolean;
}

/** Distinct terms of a query, at most forty: without stop words unless there is nothing else, a question also without those of questions. */
export function parseQuery(query: string): Query {
  const words = candidates(query)
    .map(candidateTokens)
    .filter((tokens) => tokens.length > 0);
  const found = words.map((tokens, i) => tokens.map((token) => ({ token, unfinished: i === words.length - 1 })));
  const withoutStopWords = found.filter(([first]) => first && !isStopWord(first.token));
  const keywords = withoutStopWords.filter(([first]) => first && !isQuestionStopWord(first.token));
  const isQuestion = readsAsQuestion(query, keywords.length);
  const chosen = isQuestion ? keywords : withoutStopWords.length > 0 ? withoutStopWords : found;
  const terms = new Map<string, boolean>();
  for (const { token, unfinished } of chosen.flat()) {
    const term = toTerm(token);
    if (term && (chosen === found || !isStopWord(token))) terms.set(term, unfinished);
  }
  return { terms: [...terms].slice(0, maxTerms).map(([term, unfinished]) => ({ term, unfinished })), isQuestion };
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
 * Whether a query with `keywordCount` keywords is a question: four and the form of a question, or eight in any form. Titles and headings,
 * which readers also type in full, are found better without.
 */
function readsAsQuestion(query: string, keywordCount: number): boolean {
  return keywordCount >= 8 || (keywordCount >= 4 && questionForm.test(query));
}

const questionForm = /[?؟？]|^\s*(?:how|what|when|where|which|why|who|whose|can|could|do|does|did|is|are|should|would)\b/i;
