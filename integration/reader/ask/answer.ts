// What the panel asks and gets, whoever answers: a server, or the quotes of the index.
import type { AskContext } from '../shared/events.ts';

export interface AskMessage {
  id: string;
  role: 'user' | 'assistant';
  text: string;
}

/** A place that an answer rests on; `number` is what `[1]` in its text means. */
export interface AskSource {
  number: number;
  /** Address `path#anchor`, where the source is a section of this site. */
  section?: string;
  /** Where it is when it is none. */
  url?: string;
  title: string;
}

/** A conversation that a server keeps. */
export interface AskThread {
  id: string;
  /** What its owner alone knows. */
  key?: string;
}

export interface AskQuestion {
  /** The conversation so far; the last message is the question. */
  messages: AskMessage[];
  context: AskContext[];
  /** Path of the page that the question is about. */
  page: string | undefined;
  thread: AskThread | undefined;
}

export type AskEvent =
  | { type: 'text'; text: string }
  | { type: 'source'; source: AskSource }
  | { type: 'thread'; thread: AskThread }
  /** The answer's own name at the server, for feedback. */
  | { type: 'message'; id: string }
  | { type: 'failed'; reason: AskFailure; message?: string; seconds?: number };

/** `lost`: nobody answered; `cut-off`: the answer has no end; `busy`: too many questions; `refused`: `message` says why. */
export type AskFailure = 'lost' | 'cut-off' | 'busy' | 'refused';

/** A section as one says it: its page's title, and its own heading where that is another. */
export function sourceTitle(title: string, headings: string[]): string {
  const heading = headings.at(-1);
  return heading === undefined || heading === title ? title : `${title} › ${heading}`;
}
