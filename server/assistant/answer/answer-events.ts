// An answer as it comes, before it is written in the form of one client or another.
import type { EndReason, ModelFault } from '../model/model-outcome.ts';
import type { Source } from '../retrieve/passages.ts';

export type AnswerEvent =
  /** Right before the text that cites the page for the first time; once for each page. */
  | { type: 'source'; source: Source }
  /** Markdown; a citation `[1]` is never cut in two, and never names a source that there is not. */
  | { type: 'text'; text: string }
  /** For the reader, without anything from inside; the answer ends with it, after whatever text came. */
  | { type: 'failed'; code: string; message: string }
  | {
      type: 'end';
      reason: EndReason;
      /** Whether a model wrote it, or the docs were quoted. */
      by: 'model' | 'quotes';
      /** Why another one had to answer: what the model that was asked first failed with. */
      modelFailure?: ModelFault;
    };
