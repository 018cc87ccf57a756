import type { AnswerEvent } from './answer-events.ts';
import type { Question } from '../request/question.ts';

/** What was found for a question, for operators only. */
interface Explanation {
  retrieved: { id: string; title: string; score: number }[];
  /** The prompt for the model; absent without a model. */
  prompt?: { instructions: string; messages: { role: string; content: string }[] };
}

/** An answer that has not begun: its first event is made when it is asked for. */
export interface OpenedAnswer {
  /** Throws on any failure but that of a model. Leaving the iteration, or the signal, ends the call to the model at once. */
  events: AsyncIterable<AnswerEvent>;
  /** The language of the text that the reader gets when the answer fails. */
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
  /** Markdown of a page; undefined when the page or the export does not exist. */
  page(domain: string, path: string): Promise<string | undefined>;
}
