/** Words that are not searched in running text: they say nothing about its subject. */
export function isStopWord(token: string): boolean {
  return stopWords.has(token.toLowerCase());
}

/** Stop words of questions. A query of two words may be about one of them, a question never is. */
export function isQuestionStopWord(word: string): boolean {
  return questionStopWords.has(word.toLowerCase());
}

const stopWords = new Set(
  (
    'a an and are as at be but by for from has have how i if in into is it its of on or so that the their then there these they ' +
    'this to was we what when where which will with you your can do does not no'
  ).split(' '),
);

const questionStopWords = new Set(
  (
    'about all also am any anyone anything because been being could did didn doesn doing don done else every get gets getting give go ' +
    'got had her here his however isn just keep keeps let like ll make makes me more most much must my need needs never one only other ' +
    'our out please re same see should since some someone something still such t than them too trying up us ve very want wants way ' +
    'ways were while who why won would yet'
  ).split(' '),
);
