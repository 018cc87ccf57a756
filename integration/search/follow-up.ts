// Questions that need context: they follow up on earlier ones, or are about what the reader sees.
import { answerFrom, type DocsAnswer, type Scope, asksAboutPage, withoutPageReference } from './answer.ts';
import { contentWords } from './content-words.ts';
import type { SearchIndex } from './index.ts';
import { keywordsOf } from './keywords.ts';
import { isUnspaced } from './tokenize.ts';

/** What a question may refer to. */
export interface ReaderContext extends Pick<Scope, 'pages' | 'position'> {
  /** Earlier questions, oldest first. */
  earlier?: string[];
  /** Texts and code that the reader selected. */
  selections?: string[];
  /** Title of the page being read, `position.page`. */
  title?: string;
}

/** Quotes for a question of a reader. */
export async function answerInContext(
  index: SearchIndex,
  question: string,
  { earlier = [], selections = [], title, ...scope }: ReaderContext,
): Promise<DocsAnswer> {
  const page = scope.position?.page;
  if (page !== undefined && title !== undefined && asksAboutPage(question)) {
    const only = { ...scope, only: page };
    const byQuestion = await answerFrom(index, withoutPageReference(question), only);
    const answer = byQuestion.quotes.length > 0 ? byQuestion : await answerFrom(index, title, only);
    if (answer.quotes.length > 0) return answer;
  }
  if (selections.length === 0) return answerFollowUp(index, question, earlier, scope);
  // The selection is what "this" in the question means; a selection as long as a page would match everything.
  const both = [question, ...selections.map((text) => text.slice(0, 200))].join('\n');
  const isVague = isFollowUp(question) || countKeywords(question) < fewKeywords;
  const first = isVague ? await answerFrom(index, both, scope) : await answerFollowUp(index, question, earlier, scope);
  if (first.quotes.length > 0) return first;
  return isVague ? answerFollowUp(index, question, earlier, scope) : answerFrom(index, both, scope);
}

/** Quotes for the last of several questions; `earlier` are the others, oldest first. */
export async function answerFollowUp(
  index: SearchIndex,
  question: string,
  earlier: string[],
  scope: Scope = {},
): Promise<DocsAnswer> {
  const subject = lastSelfContained(earlier);
  if (subject === undefined || !(isFollowUp(question) || countKeywords(question) < fewKeywords))
    return answerFrom(index, question, scope);
  // Otherwise a question about something that the docs never mention would be answered with the earlier subject.
  const { keywords } = await keywordsOf(index, question);
  if (keywords.length > 0 && !keywords.some(({ isKnown }) => isKnown)) return answerFrom(index, question, scope);
  const both = `${subject} ${question}`;
  const [first, second] = isFollowUp(question) || keywords.length === 0 ? [both, question] : [question, both];
  const answer = await answerFrom(index, first, scope);
  if (answer.quotes.length > 0) return answer;
  const other = await answerFrom(index, second, scope);
  return other.quotes.length > 0 ? other : answer;
}

/** The last of several questions that names its subject; the last one where none does. */
export function lastSelfContained(questions: string[]): string | undefined {
  return [...questions].reverse().find((one) => !isFollowUp(one) && countKeywords(one) > 0) ?? questions.at(-1);
}

/** Whether a question refers to an earlier one by its words, and has few keywords of its own. */
export function isFollowUp(question: string): boolean {
  return countKeywords(question) < 6 && reference.test(question);
}

/** How many different keywords a question has; two characters of a script without spaces count as one. */
export function countKeywords(question: string): number {
  const words = new Set(contentWords(question).map(({ word }) => word.toLowerCase()));
  return [...words].reduce((sum, word) => sum + (isUnspaced(word) ? Math.ceil(word.length / 2) : 1), 0);
}

const fewKeywords = 3;

const reference = new RegExp(
  [
    '^\\s*(?:and|but|or|so|also|then|what about|how about|und|aber|oder|auch|et|mais|ou|y|pero|o|e|ma|mas|en|maar|of|и|а|но|или|і|але|або)(?=[\\s?？,]|$)',
    '\\b(?:it|its|that|this|these|those|they|them|there|same)\\b',
    '^\\s*(?:那|那么|那麼|还有|還有|而且|では|それ|그럼|그리고|그러면|و)',
  ].join('|'),
  'iu',
);
