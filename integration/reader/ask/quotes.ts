import { answerLabels } from '../../search/answer-labels.ts';
import { quotedAnswer } from '../../search/answer.ts';
import { answerAround } from '../../search/follow-up.ts';
import type { SearchIndex } from '../../search/index.ts';
import { sourceTitle, type AskEvent, type AskQuestion } from './answer.ts';

/** Answers by quoting the docs, in the words of a language: no one is asked. Throws when the index cannot be read. */
export async function* askQuotes(
  index: SearchIndex,
  { messages, context }: AskQuestion,
  language: string,
): AsyncGenerator<AskEvent> {
  const questions = messages.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  const question = questions.pop()!;
  const marked = context.map(({ value }) => value);
  const { quotes, nearest } = await answerAround(index, question, { before: questions, marked });
  for (const [at, { id, title, headings }] of (quotes.length > 0 ? quotes : nearest).entries()) {
    yield { type: 'source', source: { number: at + 1, section: id, title: sourceTitle(title, headings) } };
  }
  yield { type: 'text', text: quotedAnswer(quotes, answerLabels(language), nearest) };
}
