import type { AskContext } from '../shared/events.ts';
import type { AskEvent, AskFailure, AskMessage, AskQuestion } from './answer.ts';
import { randomName, type Conversation, type KeptMessage } from './history.ts';

/** An answer as it stands on the screen. */
export interface Answer extends KeptMessage {
  /** Still coming. */
  busy?: boolean;
  failure?: { reason: AskFailure | 'stopped'; message?: string; seconds?: number };
}

/** What a question is about besides its words. */
export interface About {
  context: AskContext[];
  page: string | undefined;
  /** What the reader sees of it. */
  names: string[];
}

export type Answerer = (question: AskQuestion, signal: AbortSignal) => AsyncIterable<AskEvent>;

// The API takes more, but what was said long ago only costs.
const mostTurns = 20;

/** A conversation with its life: one answer at a time, which can be stopped, asked for again, and is told of as it comes. */
export class AskConversation {
  readonly conversation: Conversation;
  #changed: (answer: Answer) => void;
  #about = new Map<string, About>();
  #running: AbortController | undefined;

  constructor(conversation: Conversation | undefined, changed: (answer: Answer) => void) {
    this.conversation = conversation ?? { id: randomName(), messages: [] };
    this.#changed = changed;
  }

  get messages(): Answer[] {
    return this.conversation.messages;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Asks; resolves when the answer has ended, whichever way. */
  async ask(text: string, about: About, by: 'server' | 'quotes', answerer: Answerer): Promise<void> {
    const question: KeptMessage = {
      id: randomName(),
      role: 'user',
      text,
      ...(about.names.length > 0 ? { about: about.names } : {}),
    };
    this.#about.set(question.id, about);
    this.messages.push(question);
    await this.#answer(by, answerer);
  }

  /** Asks the last question again, in place of its answer. */
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
    const { context, page } = this.#about.get(this.messages.at(-1)!.id) ?? { context: [], page: undefined };
    const messages = this.#sent();
    const answer: Answer = { id: randomName(), role: 'assistant', text: '', by, busy: true };
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
      // An index that cannot be read: the words of the error are for whoever made the copy.
      answer.failure = { reason: 'refused', message: error instanceof Error ? error.message : String(error) };
    }
    delete answer.busy;
    if (answer.failure) answer.fault = answer.failure.reason;
    if (this.#running === running) this.#running = undefined;
    this.#changed(answer);
  }

  /** What is told to a server: questions with answers that said something. */
  #sent(): AskMessage[] {
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
