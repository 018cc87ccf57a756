import type { AnswerEvent } from './answer-events.ts';
import type { Question } from '../request/question.ts';

/** What a question got, for operators: nothing of it is for readers. */
export interface Explanation {
  retrieved: { id: string; title: string; score: number }[];
  /** What the model is sent; absent when there is none. */
  prompt?: { instructions: string; messages: { role: string; content: string }[] };
}

/** An answer that nothing was asked of yet. */
export interface OpenedAnswer {
  /** Throw what fails but for models. Leaving the iteration, or the signal, ends the call to the model at once. */
  events: AsyncIterable<AnswerEvent>;
  /** Of the texts that the reader gets when it fails. */
  language: string | undefined;
}

export interface Assistant {
  /** Answers from the active export of a site; undefined when the site has none. */
  answer(domain: string, question: Question, signal: AbortSignal): Promise<OpenedAnswer | undefined>;
  explain(domain: string, question: Question): Promise<Explanation | undefined>;
  /** Sections for the public search: at most `limit`, best first. */
  search(
    domain: string,
    search: { query: string; limit: number; filter: Question['filter'] },
  ): Promise<
    | {
        id: string;
        page: string;
        title: string;
        headings: string[];
        text: string;
        language: string;
        docsVersion?: string;
        score: number;
      }[]
    | undefined
  >;
  /** Markdown of a page; undefined when there is none (or no export). */
  page(domain: string, path: string): Promise<string | undefined>;
}
