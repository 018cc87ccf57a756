// Questions that do not say all by themselves: they go on from others, or are about what the reader sees.
import { answerFrom, type DocsAnswer, type Scope } from './answer.ts';
import { withoutAsking } from './asking-words.ts';
import type { SearchIndex } from './index.ts';
import { asksOfPage, withoutThisPage } from './near.ts';
import { questionWords } from './question-words.ts';
import { isUnspaced } from './tokenize.ts';

/** What a reader has before them when they ask. */
export interface Around extends Pick<Scope, 'pages' | 'near'> {
  /** Questions before this one, oldest first. */
  before?: string[];
  /** Texts and code that they marked. */
  marked?: string[];
  /** Title of the page being read, which is `near.page`. */
  title?: string;
}

/** Quotes for a question of a reader. */
export async function answerAround(
  index: SearchIndex,
  question: string,
  { before = [], marked = [], title, ...scope }: Around,
): Promise<DocsAnswer> {
  const page = scope.near?.page;
  if (page !== undefined && title !== undefined && asksOfPage(question)) {
    const only = { ...scope, only: page };
    const ofPage = await answerFrom(index, withoutThisPage(question), only);
    const answer = ofPage.quotes.length > 0 ? ofPage : await answerFrom(index, title, only);
    if (answer.quotes.length > 0) return answer;
  }
  if (marked.length === 0) return answerAfter(index, question, before, scope);
  // What was marked says what "this" in the question is; a whole page of it would ask for everything.
  const both = [question, ...marked.map((text) => text.slice(0, 200))].join('\n');
  const isVague = goesOn(question) || tellingWords(question) < fewWords;
  const first = isVague ? await answerFrom(index, both, scope) : await answerAfter(index, question, before, scope);
  if (first.quotes.length > 0) return first;
  return isVague ? answerAfter(index, question, before, scope) : answerFrom(index, both, scope);
}

/** Quotes for the last of several questions; `before` are those before it, oldest first. */
export async function answerAfter(
  index: SearchIndex,
  question: string,
  before: string[],
  scope: Scope = {},
): Promise<DocsAnswer> {
  const subject = lastSubject(before);
  if (subject === undefined || !(goesOn(question) || tellingWords(question) < fewWords))
    return answerFrom(index, question, scope);
  // Or what the docs never mention would be answered with what was said before.
  const { words } = await questionWords(index, question);
  if (words.length > 0 && !words.some(({ isKnown }) => isKnown)) return answerFrom(index, question, scope);
  const both = `${subject} ${question}`;
  const [first, second] = goesOn(question) || words.length === 0 ? [both, question] : [question, both];
  const answer = await answerFrom(index, first, scope);
  if (answer.quotes.length > 0) return answer;
  const other = await answerFrom(index, second, scope);
  return other.quotes.length > 0 ? other : answer;
}

/** The last of several questions that says by itself what it is about; the last one where none does. */
export function lastSubject(questions: string[]): string | undefined {
  return [...questions].reverse().find((one) => !goesOn(one) && tellingWords(one) > 0) ?? questions.at(-1);
}

/** Whether a question says by its words that it goes on from another, and has few of its own. */
export function goesOn(question: string): boolean {
  return tellingWords(question) < 6 && continues.test(question);
}

/** How many different words of a question say what it is about; two characters of a script without spaces are one. */
export function tellingWords(question: string): number {
  const words = new Set(withoutAsking(question).map(({ word }) => word.toLowerCase()));
  return [...words].reduce((sum, word) => sum + (isUnspaced(word) ? Math.ceil(word.length / 2) : 1), 0);
}

const fewWords = 3;

const continues = new RegExp(
  [
    '^\\s*(?:and|but|or|so|also|then|what about|how about|und|aber|oder|auch|et|mais|ou|y|pero|o|e|ma|mas|en|maar|of|и|а|но|или|і|але|або)(?=[\\s?？,]|$)',
    '\\b(?:it|its|that|this|these|those|they|them|there|same)\\b',
    '^\\s*(?:那|那么|那麼|还有|還有|而且|では|それ|그럼|그리고|그러면|و)',
  ].join('|'),
  'iu',
);
