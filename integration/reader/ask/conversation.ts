import type { AskContext } from '../shared/events.ts';
import type { AskEvent, AskFailure, AskMessage, AskQuestion } from './answer.ts';
import { randomId, type Conversation, type StoredMessage } from './history.ts';

/** An answer as the screen shows it. */
export interface Answer extends StoredMessage {
  /** Still arriving. */
  busy?: boolean;
  failure?: { reason: AskFailure | 'stopped'; message?: string; seconds?: number };
}

/** The context of a question. */
export interface About {
  context: AskContext[];
  page: string | undefined;
  /** What the reader sees of the context. */
  names: string[];
}

export type Answerer = (question: AskQuestion, signal: AbortSignal) => AsyncIterable<AskEvent>;

// The API takes more messages, but old ones cost tokens and add little.
const mostTurns = 20;

/** A conversation with one answer at a time, which can be stopped and asked for again. `changed` is called while it arrives. */
export class AskConversation {
  readonly conversation: Conversation;
  #changed: (answer: Answer) => void;
  #about = new Map<string, About>();
  #running: AbortController | undefined;

  constructor(conversation: Conversation | undefined, changed: (answer: Answer) => void) {
    this.conversation = conversation ?? { id: randomId(), messages: [] };
    this.#changed = changed;
  }

  get messages(): Answer[] {
    return this.conversation.messages;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Asks; resolves when the answer has ended, also when it failed. */
  async ask(text: string, about: About, by: 'server' | 'quotes', answerer: Answerer): Promise<void> {
    const question: StoredMessage = {
      id: randomId(),
      role: 'user',
      text,
      ...(about.names.length > 0 ? { about: about.names } : {}),
    };
    this.#about.set(question.id, about);
    this.messages.push(question);
    await this.#answer(by, answerer);
  }

  /** Asks the last question again and replaces its answer. */
  async again(by: 'server' | 'quotes', answerer: Answerer): Promise<void> {
    if (this.messages.at(-1)?.role === 'assistant') this.messages.pop();
    if (this.messages.length > 0) await this.#answer(by, answerer);
  }

  stop(): void {
    this.#running?.abort();
  }

  async #answer(by: 'server' | 'quotes', answerer: Answerer): Promise<void> {
    this.stop();
    const running = (this.#running = new AbortController());
    const { context, page } = this.#about.get(this.messages.at(-1)?.id ?? '') ?? { context: [], page: undefined };
    const messages = this.#messagesToSend();
    const answer: Answer = { id: randomId(), role: 'assistant', text: '', by, busy: true };
    this.messages.push(answer);
    this.#changed(answer);
    try {
      for await (const event of answerer({ messages, context, page, thread: this.conversation.thread }, running.signal)) {
        if (running.signal.aborted) break;
        this.#take(answer, event);
        this.#changed(answer);
      }
      if (running.signal.aborted) answer.failure = { reason: 'stopped' };
    } catch (error) {
      // The index cannot be read: the message is for the author of the export.
      answer.failure = { reason: 'refused', message: error instanceof Error ? error.message : String(error) };
    }
    delete answer.busy;
    if (answer.failure) answer.fault = answer.failure.reason;
    if (this.#running === running) this.#running = undefined;
    this.#changed(answer);
  }

  /** The messages that a server gets: those with a text. */
  #messagesToSend(): AskMessage[] {
    return this.messages
      .filter(({ text }) => text !== '')
      .slice(-mostTurns)
      .map(({ id, role, text }) => ({ id, role, text }));
  }

  #take(answer: Answer, event: AskEvent): void {
    if (event.type === 'text') answer.text = (answer.text + event.text).slice(0, 200_000);
    else if (event.type === 'source') (answer.sources ??= []).push(event.source);
    else if (event.type === 'thread') this.conversation.thread = { ...this.conversation.thread, ...event.thread };
    else if (event.type === 'message') answer.id = event.id;
    else answer.failure = { reason: event.reason, message: event.message, seconds: event.seconds };
  }
}
