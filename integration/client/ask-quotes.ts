import { answerLabels } from '../search/answer-labels.ts';
import { answerFrom, quotedAnswer } from '../search/answer.ts';
import { answerAfter } from '../search/follow-up.ts';
import type { SearchIndex } from '../search/index.ts';
import { sourceTitle, type AskEvent, type AskQuestion } from './ask-answer.ts';

/** Answers by quoting the docs, in the words of a language: no one is asked. Throws when the index cannot be read. */
export async function* askQuotes(
  index: SearchIndex,
  { messages, context }: AskQuestion,
  language: string,
): AsyncGenerator<AskEvent> {
  const questions = messages.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  const question = questions.pop()!;
  let { quotes, nearest } = await answerAfter(index, question, questions);
  if (quotes.length === 0 && context.length > 0) {
    // What was marked says what "this" in the question is; a whole page of it would ask for everything.
    const marked = context.map(({ value }) => value.slice(0, 200));
    ({ quotes, nearest } = await answerFrom(index, [question, ...marked].join('\n')));
  }
  for (const [at, { id, title, headings }] of (quotes.length > 0 ? quotes : nearest).entries()) {
    yield { type: 'source', source: { number: at + 1, section: id, title: sourceTitle(title, headings) } };
  }
  yield { type: 'text', text: quotedAnswer(quotes, answerLabels(language), nearest) };
}
