import type { Question } from '../../../server/assistant/request/question.ts';

/** A question with everything that a test does not speak of. */
export function questionOf(question: string | Partial<Question>): Question {
  const given = typeof question === 'string' ? { text: question } : question;
  return { text: 'How?', turns: [], context: [], files: [], filter: {}, pages: 5, ...given };
}
