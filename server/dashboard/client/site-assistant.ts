// What readers ask: questions without an answer, all questions, ratings and conversations.
import type { z } from '@hono/zod-openapi';
import type { QuestionAnswer } from '../../analytics/report-routes.ts';
import type { feedbackListSchema, threadListSchema, transcriptSchema } from '../../assistant/threads/read-threads.ts';
import type { SiteAnswer } from '../../sites/site-routes.ts';
import { button, element, type Child, muted } from './element.ts';
import { count, time } from './format.ts';
import { icon } from './icons.ts';
import { failureNotices, readFailures } from './model-failures.ts';
import { chip, dialog, emptyState, faultMessage, section, table, tableRow } from './parts.ts';
import { tabLink, type Session } from './session.ts';
import { countsVisits } from './site-analytics.ts';

type Feedback = z.infer<typeof feedbackListSchema>['feedback'][number];
type Thread = z.infer<typeof threadListSchema>['threads'][number];

export async function assistantTab(session: Session, domain: string, body: Element, signal: AbortSignal): Promise<void> {
  const { client } = session;
  const name = encodeURIComponent(domain);
  const get = <Answer>(path: string) => client.call<Answer>('GET', `/v1/${path}`, { signal });
  const [{ features }, unanswered, asked, { feedback }, { threads }, failures] = await Promise.all([
    get<SiteAnswer>(`sites/${name}`),
    get<{ questions: QuestionAnswer[] }>(`analytics/${name}/questions?withoutAnswer=true&limit=20`),
    get<{ questions: QuestionAnswer[] }>(`analytics/${name}/questions?limit=20`),
    get<{ feedback: Feedback[] }>(`assistant/${name}/feedback?limit=20`),
    get<{ threads: Thread[] }>(`assistant/${name}/threads?limit=20`),
    readFailures(session, signal),
  ]);
  const settings = tabLink(session, domain, 'settings', 'settings');
  const check = tabLink(session, domain, 'settings', 'Check the model');
  const notices = failureNotices(failures, domain, check);
  if (asked.questions.length + feedback.length + threads.length === 0) {
    body.replaceChildren(
      ...notices,
      emptyState(
        'No questions yet',
        'What readers ask appears here, with the answers, their ratings, and what the docs do not answer.',
        [
          ['Turn on the panel', 'It is on by default: readers press Ask on any page of the site.'],
          ['Choose what answers', 'Quotes of the docs, or a language model of yours.'],
          ['Improve the docs', 'Write the pages that questions without an answer ask for.'],
        ],
        element('p', 'The mode of the assistant is in the ', settings, '.'),
      ),
    );
    return;
  }
  const questions = (label: string, { questions }: { questions: QuestionAnswer[] }) =>
    questions.length > 0 || countsVisits(features)
      ? questionsTable(label, questions)
      : muted('Questions are counted when Analytics is set to “Carrel” in the ', settings.cloneNode(true), '.');
  body.replaceChildren(
    ...notices,
    section('unanswered', 'Without an answer', undefined, questions('Questions without an answer', unanswered)),
    section('questions', 'Questions of the past 30 days', undefined, questions('Questions', asked)),
    section('ratings', 'Ratings', undefined, ratings(feedback)),
    section('conversations', 'Conversations', undefined, conversations(session, domain, threads, signal)),
  );
}

function questionsTable(label: string, questions: QuestionAnswer[]): HTMLElement {
  if (questions.length === 0) return muted('None in the past 30 days.');
  const head = ['Question', 'Asked', 'Answers', 'Asked most on', 'Last asked'];
  const row = ({ query, asked, model, quotes, none, topPage, lastAskedAt }: QuestionAnswer) =>
    tableRow(
      head,
      query,
      element('td.number', { 'data-label': 'Asked' }, asked),
      answersText(model, quotes, none),
      topPage ?? '–',
      time(lastAskedAt),
    );
  return table(label, head, element('tbody', ...questions.map(row)));
}

function answersText(model: number, quotes: number, none: number): string {
  const parts = [model > 0 && `${model} by the model`, quotes > 0 && `${quotes} with quotes`, none > 0 && `${none} without`];
  return parts.filter(Boolean).join(', ') || '–';
}

function thumb(rating: 'up' | 'down'): HTMLElement {
  const made = chip(rating === 'up' ? 'completed' : 'failed', rating === 'up' ? 'Helpful' : 'Not helpful');
  made.prepend(icon(rating));
  made.classList.add('with-icon');
  return made;
}

function ratings(feedback: Feedback[]): HTMLElement {
  if (feedback.length === 0) return muted('No ratings yet.');
  const row = ({ rating, question, answer, comment, givenAt }: Feedback) =>
    element(
      'li',
      element(
        'div',
        element('p.strong', question),
        element('p.excerpt.muted', answer),
        comment !== null && comment !== '' && element('p', `“${comment}”`),
        element('p.hint', time(givenAt)),
      ),
      thumb(rating),
    );
  return element('ul.rows', ...feedback.map(row));
}

function conversations(session: Session, domain: string, threads: Thread[], signal: AbortSignal): HTMLElement {
  if (threads.length === 0) return muted('No conversations yet.');
  const row = ({ threadId, question, answers, updatedAt }: Thread) =>
    element(
      'li',
      element('div', element('p.strong', question), element('p.hint', count(answers, 'answer'), ' · ', time(updatedAt))),
      button('Read', () => void readThread(session, domain, threadId, signal), {
        'aria-label': `Read the conversation ${question}`,
      }),
    );
  return element('ul.rows', ...threads.map(row));
}

async function readThread({ client }: Session, domain: string, threadId: string, signal: AbortSignal): Promise<void> {
  const content = element('div.transcript');
  const close = button('Close', () => shown.close(), { autofocus: true });
  const shown = dialog('Conversation', content, element('div.actions', close));
  shown.classList.add('wide');
  try {
    const path = `/v1/assistant/${encodeURIComponent(domain)}/threads/${encodeURIComponent(threadId)}`;
    const { messages } = await client.call<z.infer<typeof transcriptSchema>>('GET', path, { signal });
    const parts = messages.flatMap(({ question, answer, sources, rating, comment }): Child[] => [
      element('p.question', question),
      element('p.answer', answer === '' ? 'There is no answer.' : answer),
      sources.length > 0 &&
        element('p.hint', 'Sources: ', sources.map(({ number, title }) => `[${number}] ${title}`).join(' · ')),
      rating !== null && thumb(rating),
      comment !== null && comment !== '' && element('p', `“${comment}”`),
    ]);
    content.replaceChildren(...parts.filter((part) => part instanceof Node));
  } catch (error) {
    content.replaceChildren(faultMessage(error));
  }
}
