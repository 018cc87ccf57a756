// The events of an answer, before they are written in the form of a client.
import type { EndReason, ModelFault } from '../model/model-outcome.ts';
import type { Source } from '../retrieve/passages.ts';

export type AnswerEvent =
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
      /** The failure of the first model, when another one or the docs answered instead. */
      modelFailure?: ModelFault;
    };
