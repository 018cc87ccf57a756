// What the panel sends and receives, whether a server answers or the index is quoted.
import type { AskContext } from '../shared/events.ts';

export interface AskMessage {
  id: string;
  role: 'user' | 'assistant';
  text: string;
}

/** A source of an answer; `[1]` in the text of the answer cites the source with `number` 1. */
export interface AskSource {
  number: number;
  /** `path#anchor`, where the source is a section of this site. */
  section?: string;
  /** Where any other source is. */
  url?: string;
  title: string;
}

/** A conversation that a server stores. */
export interface AskThread {
  id: string;
  /** Secret of the conversation's owner. */
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
  /** The model reads this number of passages before its first word. */
  | { type: 'reading'; passages: number }
  | { type: 'text'; text: string }
  | { type: 'source'; source: AskSource }
  | { type: 'thread'; thread: AskThread }
  /** Id of the answer at the server, for feedback. */
  | { type: 'message'; id: string }
  | { type: 'failed'; reason: AskFailure; message?: string; seconds?: number };

/** The last event of a complete answer: who has answered; `none` where the docs have no answer. */
export interface Answered {
  type: 'answered';
  by: 'model' | 'quotes' | 'none';
}

/** `lost`: no server answered; `cut-off`: the answer broke off; `busy`: too many questions; `refused`: `message` says why. */
export type AskFailure = 'lost' | 'cut-off' | 'busy' | 'refused';

/** Name of a section: its page's title, then its own heading where that differs. */
export function sourceTitle(title: string, headings: string[]): string {
  const heading = headings.at(-1);
  return heading === undefined || heading === title ? title : `${title} › ${heading}`;
}
