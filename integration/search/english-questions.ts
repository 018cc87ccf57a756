/**
 * Whether a query with so many keywords is a question: four and the form of a question, or eight in any form. Titles and headings,
 * which readers also type in full, are found better without.
 */
export function readsAsQuestion(query: string, keywordCount: number): boolean {
  return keywordCount >= 8 || (keywordCount >= 4 && questionForm.test(query));
}

const questionForm = /[?؟？]|^\s*(?:how|what|when|where|which|why|who|whose|can|could|do|does|did|is|are|should|would)\b/i;

/** Stop words of questions. A query of two words may be about one of them, a question never is. */
export const isQuestionStopWord = (word: string) => stopWords.has(word.toLowerCase());

const stopWords = new Set(
  (
    'about all also am any anyone anything because been being could did didn doesn doing don done else every get gets getting give go ' +
    'got had her here his however isn just keep keeps let like ll make makes me more most much must my need needs never one only other ' +
    'our out please re same see should since some someone something still such t than them too trying up us ve very want wants way ' +
    'ways were while who why won would yet'
  ).split(' '),
);
