import { isAskingWord, readsAsQuestion } from './question.ts';
import { candidateTokens, candidates, isStopWord, isUnspaced, toTerm } from './tokenize.ts';

/** A term of a query. */
export interface QueryTerm {
  term: string;
  /** Of the last word, which may still be in the typing: longer terms count too. */
  unfinished: boolean;
}

/** What is asked of an index. */
export interface Query {
  terms: QueryTerm[];
  /** Whether it is a whole question rather than a few words. */
  isQuestion: boolean;
}

/** Distinct terms of a query, at most forty: without stop words unless there is nothing else, a question without words of asking. */
export function parseQuery(query: string): Query {
  const words = candidates(query)
    .map(candidateTokens)
    .filter((tokens) => tokens.length > 0);
  const found = words.map((tokens, i) => tokens.map((token) => ({ token, unfinished: i === words.length - 1 })));
  const withoutStopWords = found.filter((word) => !isStopWord(word[0]!.token));
  const telling = withoutStopWords.filter((word) => !isAskingWord(word[0]!.token));
  const isQuestion = readsAsQuestion(query, telling.length);
  const chosen = isQuestion ? telling : withoutStopWords.length > 0 ? withoutStopWords : found;
  const terms = new Map<string, boolean>();
  for (const { token, unfinished } of chosen.flat()) {
    const term = toTerm(token);
    if (term && (chosen === found || !isStopWord(token))) terms.set(term, unfinished || terms.get(term) === true);
  }
  return { terms: [...terms].slice(0, mostTerms).map(([term, unfinished]) => ({ term, unfinished })), isQuestion };
}

// Each term costs a file; whole pages are pasted into search boxes, too.
const mostTerms = 40;

/** Whether the term is completed: two characters, or one where a character is half a word. */
export function completes({ term, unfinished }: QueryTerm): boolean {
  return unfinished && (term.length >= 2 || isUnspaced(term));
}

/** What has to be known of an index to decide on corrections. */
export interface KnownTerms {
  has(term: string): boolean;
  hasPrefix(prefix: string): boolean;
}

/** How many slips are forgiven: none in a term that is known, or begins one while it is typed, or is cut from a script without spaces. */
export function tolerance(term: QueryTerm, index: KnownTerms): number {
  if (term.term.length < 4 || isUnspaced(term.term) || index.has(term.term) || (completes(term) && index.hasPrefix(term.term)))
    return 0;
  return term.term.length < 8 ? 1 : 2;
}
