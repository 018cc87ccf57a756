import { candidateTokens, isStopWord, toTerm } from './tokenize.ts';

/** Numbers for tokens and terms, and a cache of the tokens of words. */
export function createVocabulary() {
  const words = new Map<string, number[]>();
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
  const tokensOf = (candidate: string) => {
    let numbers = words.get(candidate);
    if (numbers) return numbers;
    numbers = candidateTokens(candidate).map(tokenNumber);
    // In a script without spaces, this is a whole clause, which hardly ever occurs again.
    if (candidate.length <= 40) words.set(candidate, numbers);
    return numbers;
  };
  return { tokensOf, terms, termOf, isStop };
}
