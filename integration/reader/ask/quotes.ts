import { answerInContext } from '../../search/follow-up.ts';
import type { SearchIndex } from '../../search/index.ts';
import type { Labels } from '../../search/labels/labels.ts';
import { quotedAnswer } from '../../search/quoted-answer.ts';
import { sourceTitle, type AskEvent, type AskQuestion } from './answer.ts';

/** Answers by quoting the docs; no request is sent. Throws when the index cannot be read. */
export async function* askQuotes(
  index: SearchIndex,
  { messages, context }: AskQuestion,
  labels: Labels['quotes'],
): AsyncGenerator<AskEvent> {
  const questions = messages.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
  const question = questions.pop()!;
  const selections = context.map(({ value }) => value);
  const { quotes, nearest } = await answerInContext(index, question, { earlier: questions, selections });
  for (const [at, { id, title, headings }] of (quotes.length > 0 ? quotes : nearest).entries()) {
    yield { type: 'source', source: { number: at + 1, section: id, title: sourceTitle(title, headings) } };
  }
  yield { type: 'text', text: quotedAnswer(quotes, labels, nearest) };
}
