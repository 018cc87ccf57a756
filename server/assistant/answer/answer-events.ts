// An answer as it comes, before it is written in the form of one client or another.
import type { ModelFault } from '../model/model-failed.ts';

/** A page that the answer cites, at the section that it cites first; `number` is what `[1]` in its text means. */
export interface Source {
  number: number;
  /** Address `path#anchor`. */
  id: string;
  /** Absolute where the site's address is known, else relative to the site: `/guides/install#npm`. */
  url: string;
  title: string;
  /** Headings from the page's first level down to the section's own. */
  headings: string[];
  /** The words that were found, at most 300 characters. */
  excerpt: string;
  /** 0 to 1, of the best that was found; absent for a page that the model chose to read. */
  score?: number;
}

export const endReasons = ['stop', 'length', 'content-filter', 'tool-calls', 'error', 'other'] as const;
export type EndReason = (typeof endReasons)[number];

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
