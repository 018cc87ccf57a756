// An assistant that says what a test tells it to: for what is around answers, whoever makes them.
import type { AnswerEvent } from '../../../server/assistant/answer/answer-event.ts';
import type { Assistant } from '../../../server/assistant/answer/assistant.ts';
import type { Question } from '../../../server/assistant/request/question.ts';

export interface ScriptedAssistant extends Assistant {
  /** What the questions so far were answered from: domains, with the groups of readers. */
  keys: string[];
  /** What was asked so far. */
  questions: Question[];
  /** Signals of the answers so far. */
  signals: AbortSignal[];
  /** What is answered from now on. */
  script: AnswerEvent[] | ((signal: AbortSignal) => AsyncIterable<AnswerEvent>);
}

export const shortAnswer: AnswerEvent[] = [
  { type: 'text', text: 'Run it' },
  {
    type: 'source',
    source: {
      number: 1,
      id: 'guides/install#npm',
      url: '/guides/install#npm',
      title: 'Install',
      headings: ['Install', 'With npm'],
      excerpt: 'Run npm install.',
      score: 1,
    },
  },
  { type: 'source', source: { number: 2, id: 'index', url: '/', title: '', headings: [], excerpt: 'Welcome.' } },
  { type: 'text', text: ' [1].' },
  { type: 'end', reason: 'stop', by: 'quotes' },
];

/** For the domain `docs.example.com`; other sites have no export. */
export function scriptedAssistant(): ScriptedAssistant {
  const assistant: ScriptedAssistant = {
    keys: [],
    questions: [],
    signals: [],
    script: shortAnswer,
    async answer(key, question, signal) {
      if (key.split('\0')[0] !== 'docs.example.com') return undefined;
      assistant.keys.push(key);
      assistant.questions.push(question);
      assistant.signals.push(signal);
      const { script } = assistant;
      return { events: typeof script === 'function' ? script(signal) : eventsOf(script), language: 'en' };
    },
    async explain(domain, question) {
      if (domain !== 'docs.example.com') return undefined;
      return { retrieved: [{ id: 'guides/install#npm', title: question.text, score: 1 }] };
    },
    docs: async () => undefined,
    async search(domain, { query, limit, tag }) {
      if (domain !== 'docs.example.com') return undefined;
      const section = {
        page: 'guides/install',
        title: 'Install',
        language: 'en',
        text: query,
        ...(tag !== undefined && { tag }),
      };
      return [
        { ...section, id: 'guides/install#npm', headings: ['Install', 'With npm'], score: 1, docsVersion: 'v2' },
        { ...section, id: 'guides/install', headings: ['Install'], score: 0.4 },
      ].slice(0, limit);
    },
    page: async (domain, path) => (domain === 'docs.example.com' && path === 'guides/install' ? '# Install\n' : undefined),
  };
  return assistant;
}

async function* eventsOf(events: AnswerEvent[]): AsyncGenerator<AnswerEvent> {
  yield* events;
}

/** Text without an end, as a model that hangs: ends with the signal only. */
export async function* hanging(signal: AbortSignal): AsyncGenerator<AnswerEvent> {
  yield { type: 'text', text: 'Well' };
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
