// What an answer consists of, in the order in which it comes.
import { type EndReason, modelFaults } from '../model/model-outcome.ts';
import type { Source } from '../retrieve/sources.ts';

export type AnswerEvent =
  /** Before a model is asked: how many passages of the docs it gets. */
  | { type: 'reading'; passages: number }
  /** Right before the text that cites the page for the first time; once for each page. */
  | { type: 'source'; source: Source }
  /** Markdown; a citation `[1]` is never cut in two, and always has a source. */
  | { type: 'text'; text: string }
  /** For the reader, without anything from inside; the last event, also after text. */
  | { type: 'failed'; code: string; message: string }
  | {
      type: 'end';
      reason: EndReason;
      /** Whether a model wrote the answer, or it quotes the docs. */
      by: 'model' | 'quotes';
      /** Why no model wrote it, or why the first one did not. */
      why?: AnswerReason;
      /** Only of quotes: the docs do not answer, and the text at most names the closest pages. */
      isEmpty?: true;
    };

/** `NoModel`: none is set; `Budget`: it has answered as often as it may that day; `NothingFound`: there was nothing that a model could answer from; else the failure of the first model. */
export const answerReasons = ['NoModel', 'Budget', 'NothingFound', ...modelFaults] as const;
export type AnswerReason = (typeof answerReasons)[number];
