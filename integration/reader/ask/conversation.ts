import type { AskContext } from '../shared/events.ts';
import { isRecord } from '../../text/json.ts';
import type { AskEvent, AskFailure, AskMessage, AskQuestion, AskSource, AskThread } from './answer.ts';

/** An answer as the screen shows it. */
export interface Answer extends StoredMessage {
  /** Still arriving. */
  busy?: boolean;
  /** How many passages the model reads. */
  reading?: number;
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
      ...(about.names.length > 0 && { about: about.names }),
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
    delete answer.reading;
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
    if (event.type === 'reading') answer.reading = event.passages;
    else if (event.type === 'text') answer.text = (answer.text + event.text).slice(0, 200_000);
    else if (event.type === 'source') (answer.sources ??= []).push(event.source);
    else if (event.type === 'thread') this.conversation.thread = { ...this.conversation.thread, ...event.thread };
    else if (event.type === 'message') answer.id = event.id;
    else answer.failure = { reason: event.reason, message: event.message, seconds: event.seconds };
  }
}

/** A message and what the screen shows with it. */
interface StoredMessage extends AskMessage {
  /** Names of its context. */
  about?: string[];
  sources?: AskSource[];
  /** Who answered. */
  by?: 'server' | 'quotes';
  /** Why it is incomplete; `stopped` by the reader. */
  fault?: string;
  rating?: 'up' | 'down';
}

export interface Conversation {
  id: string;
  messages: StoredMessage[];
  thread?: AskThread;
}

const most = 20;
const mostMessages = 100;

/**
 * The conversations of a site, latest first, in the browser's storage under a name of their own; at most twenty. Where storage is
 * blocked or full, fewer are remembered, or none.
 */
export function askHistory(storage: () => Storage, name: string) {
  const write = (conversations: Conversation[]): void => {
    try {
      if (conversations.length === 0) storage().removeItem(name);
      else storage().setItem(name, JSON.stringify(conversations));
    } catch {
      // Where storage is full, the older half is dropped; where it is blocked, nothing is stored in the end.
      if (conversations.length > 1) write(conversations.slice(0, Math.ceil(conversations.length / 2)));
    }
  };
  const read = (): Conversation[] => {
    try {
      const stored: unknown = JSON.parse(storage().getItem(name) ?? '[]');
      return Array.isArray(stored) ? stored.filter(isConversation) : [];
    } catch {
      return [];
    }
  };
  return {
    read,
    store(conversation: Conversation): void {
      const shortened = { ...conversation, messages: conversation.messages.slice(-mostMessages) };
      write([shortened, ...read().filter(({ id }) => id !== conversation.id)].slice(0, most));
    },
    clear: () => write([]),
  };
}

/** An id for a conversation, a message or a visitor: 128 random bits. `crypto.randomUUID` does not exist on plain http. */
function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Id of this browser, which separates its conversations from others; `anonymous` where nothing can be stored. */
export function fingerprint(storage: () => Storage): string {
  const name = 'carrel-ask-fp';
  try {
    const known = storage().getItem(name);
    if (known && /^[0-9a-f]{32}$/.test(known)) return known;
    const fresh = randomId();
    storage().setItem(name, fresh);
    return fresh;
  } catch {
    return 'anonymous';
  }
}

function isConversation(value: unknown): value is Conversation {
  if (!isRecord(value) || typeof value['id'] !== 'string') return false;
  return Array.isArray(value['messages']) && value['messages'].every(isMessage);
}

function isMessage(value: unknown): boolean {
  if (!isRecord(value) || typeof value['id'] !== 'string' || typeof value['text'] !== 'string') return false;
  return value['role'] === 'user' || value['role'] === 'assistant';
}
