import { candidateTokens, candidates, isStopWord, isUnspaced, toTerm } from './tokenize.ts';

/** A term of a query. */
export interface QueryTerm {
  term: string;
  /** Of the last word, which may still be in the typing: longer terms count too. */
  unfinished: boolean;
}

/** Distinct terms of a query, without stop words unless there is nothing else. */
export function queryTerms(query: string): QueryTerm[] {
  const words = candidates(query)
    .map(candidateTokens)
    .filter((tokens) => tokens.length > 0);
  const found = words.flatMap((tokens, i) => tokens.map((token) => ({ token, unfinished: i === words.length - 1 })));
  const telling = found.filter(({ token }) => !isStopWord(token));
  const terms = new Map<string, boolean>();
  for (const { token, unfinished } of telling.length > 0 ? telling : found) {
    const term = toTerm(token);
    if (term) terms.set(term, unfinished || terms.get(term) === true);
  }
  return [...terms].map(([term, unfinished]) => ({ term, unfinished }));
}

/** Whether the term is completed: two characters, or one where a character is half a word. */
export function completes({ term, unfinished }: QueryTerm): boolean {
  return unfinished && (term.length >= 2 || isUnspaced(term));
}

/** What has to be known of an index to decide on corrections. */
export interface KnownTerms {
  has(term: string): boolean;
  hasPrefix(prefix: string): boolean;
}

/** How many letters may differ: none for a term that is known, or begins one while it is typed. */
export function tolerance(term: QueryTerm, index: KnownTerms): number {
  if (term.term.length < 4 || index.has(term.term) || (completes(term) && index.hasPrefix(term.term))) return 0;
  return term.term.length < 8 ? 1 : 2;
}
