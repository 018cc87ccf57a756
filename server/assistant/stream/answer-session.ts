// One answer from its first event to its last. It is generated once, recorded once, and read by the reader who asked, again after a lost
// connection.
//
// - An event is generated when the fastest reader requests it: a slow reader slows the answer down, and nothing is queued.
// - Events stay in memory for later readers, unless the answer is too long.
// - It ends with its last event, when its last reader has left, or when the server stops. Only here do exceptions become events.
import { labelsOf } from '../../../integration/texts/index.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { AnswerEvent } from '../answer/answer-event.ts';
import type { AnswerRecord, Threads } from '../threads/threads.ts';
import { orAfter } from '../../platform/timing.ts';

export interface SessionParts {
  threads: Pick<Threads, 'answered'>;
  sessions: Pick<AnswerSessions, 'begun' | 'ended' | 'forget'>;
  log: Pick<Logger, 'error'>;
  metrics: Pick<Metrics, 'questions' | 'answers' | 'firstTexts' | 'answersWithoutSources'>;
  now: () => number;
}

export interface SessionOptions {
  events: AsyncIterable<AnswerEvent>;
  /** Its signal ends what makes the events. From now on, only the session aborts it. */
  aborting: AbortController;
  domain: string;
  messageId: string;
  threadId: string;
  /** What the answer can be found by, each known to its reader alone; without any, nothing is stored for later readers. */
  slots: string[];
  /** Of the texts for its reader. */
  language: string | undefined;
  /** Whether the transport of the AI SDK asked: it gets the same form of the stream again. */
  isFromSdk?: boolean;
}

export interface AnswerReader {
  /** From the beginning. */
  events: AsyncIterable<AnswerEvent>;
  /** Leaves the answer, even while an event is pending. The last reader that leaves before the end aborts it. */
  leave(): void;
}

export class AnswerSession {
  readonly messageId: string;
  readonly threadId: string;
  readonly isFromSdk: boolean | undefined;
  readonly slots: string[];
  readonly #domain: string;
  readonly #parts: SessionParts;
  readonly #aborting: AbortController;
  readonly #language: string | undefined;
  readonly #longest: number;
  readonly #source: AsyncIterator<AnswerEvent>;
  readonly #record: AnswerRecord = { text: '', sources: [], ended: 'left', writtenBy: null };
  readonly #readers = new Set<{ at: number }>();
  /** Events from number `#first` on. */
  readonly #events: AnswerEvent[] = [];
  #first = 0;
  #length = 0;
  #isTooLong = false;
  #isOver = false;
  #coming: Promise<void> | undefined;
  /** From the first event that a reader asks for. */
  #begunAt: number | undefined;
  #firstTextAt: number | undefined;

  /** Characters stored of an answer: a longer one cannot be read again from its beginning. */
  constructor(
    parts: SessionParts,
    { events, aborting, domain, messageId, threadId, slots, language, isFromSdk }: SessionOptions,
    longest = 65_536,
  ) {
    this.messageId = messageId;
    this.threadId = threadId;
    this.isFromSdk = isFromSdk;
    this.slots = slots;
    this.#domain = domain;
    this.#parts = parts;
    this.#aborting = aborting;
    this.#language = language;
    this.#longest = slots.length > 0 ? longest : 0;
    this.#source = events[Symbol.asyncIterator]();
  }

  follow(): AnswerReader {
    const reader = { at: 0 };
    this.#readers.add(reader);
    return { events: this.#read(reader), leave: () => this.#leave(reader) };
  }

  /** Ends the answer with an event that says so to its readers. */
  stop(reason: ServerStopping): void {
    this.#aborting.abort(reason);
  }

  async *#read(reader: { at: number }): AsyncGenerator<AnswerEvent> {
    try {
      while (this.#readers.has(reader)) {
        const event = this.#events[reader.at - this.#first];
        if (event) {
          reader.at++;
          this.#trim();
          yield event;
        } else if (this.#isOver) return;
        else await (this.#coming ??= this.#make());
      }
    } finally {
      this.#leave(reader);
    }
  }

  #leave(reader: { at: number }): void {
    if (!this.#readers.delete(reader) || this.#readers.size > 0 || this.#isOver) return;
    this.#isOver = true;
    this.#parts.sessions.forget(this);
    this.#aborting.abort();
    // The abort ends a pending event, which then closes the answer.
    if (!this.#coming) void this.#close();
  }

  /** Generates one more event, once for all readers that wait for it. */
  async #make(): Promise<void> {
    this.#begin();
    const event = await this.#next();
    if (!event || event.type === 'end' || event.type === 'failed') await this.#close(event);
    else {
      if (event.type === 'source') this.#record.sources.push(event.source);
      else if (event.type === 'text') {
        this.#firstTextAt ??= this.#parts.now();
        this.#record.text += event.text;
      }
      this.#store(event);
      if (this.#isOver) await this.#close();
    }
    this.#coming = undefined;
  }

  #begin(): void {
    if (this.#begunAt !== undefined) return;
    const { sessions, metrics, now } = this.#parts;
    metrics.questions.inc();
    this.#begunAt = now();
    sessions.begun(this);
  }

  /** The next event; undefined when no more comes. What is thrown becomes an event that shows nothing from inside. */
  async #next(): Promise<AnswerEvent | undefined> {
    const { signal } = this.#aborting;
    try {
      const { value, done } = await this.#source.next();
      if (!done) return value;
    } catch (err) {
      if (!signal.aborted) {
        this.#parts.log.error({ err, domain: this.#domain, answer: this.messageId }, 'a question could not be answered');
        const hasText = this.#record.text !== '';
        return this.#failed('AnswerFailed', hasText ? 'cutOff' : 'failed');
      }
    }
    return signal.reason instanceof ServerStopping ? this.#failed('ServerStopping', 'cutOff') : undefined;
  }

  async #failed(code: string, text: 'cutOff' | 'failed'): Promise<AnswerEvent> {
    return { type: 'failed', code, message: (await labelsOf(this.#language)).server[text] };
  }

  /** Records the answer before its readers get its last event. They get it even if recording fails. */
  async #close(last?: Extract<AnswerEvent, { type: 'end' | 'failed' }>): Promise<void> {
    const { threads, sessions, log, metrics, now } = this.#parts;
    if (last?.type === 'end') Object.assign(this.#record, { ended: last.reason, writtenBy: last.by });
    else if (last) this.#record.ended = 'error';
    else if (!this.#aborting.signal.aborted) this.#record.ended = 'other';
    if (this.#begunAt !== undefined) {
      const { writtenBy, ended } = this.#record;
      const by = writtenBy ?? 'none';
      metrics.answers.observe({ by, ended }, (now() - this.#begunAt) / 1000);
      if (this.#firstTextAt !== undefined) metrics.firstTexts.observe({ by }, (this.#firstTextAt - this.#begunAt) / 1000);
      if (writtenBy && this.#record.sources.length === 0) metrics.answersWithoutSources.inc({ by });
      await threads
        .answered(this.messageId, this.#record)
        .catch((err: unknown) => log.error({ err, answer: this.messageId }, 'answer not recorded'));
    }
    this.#isOver = true;
    if (last) this.#store(last);
    await Promise.resolve(this.#source.return?.()).catch(() => undefined);
    sessions.ended(this);
  }

  #store(event: AnswerEvent): void {
    this.#events.push(event);
    this.#length += event.type === 'text' ? event.text.length : JSON.stringify(event).length;
    if (this.#isTooLong || this.#length <= this.#longest) return;
    this.#isTooLong = true;
    this.#parts.sessions.forget(this);
  }

  /** Removes what all readers have read of an answer that is too long to be stored. */
  #trim(): void {
    if (!this.#isTooLong) return;
    const least = Math.min(...[...this.#readers].map(({ at }) => at));
    this.#events.splice(0, least - this.#first);
    this.#first = least;
  }
}

/** Why an answer was aborted whose reader still waits. */
class ServerStopping extends Error {
  override name = 'ServerStopping';
}

/**
 * The answers in the memory of this process: those that run, so that none ends in silence when the server stops, and those that their
 * readers find again after a lost connection.
 */
export type AnswerSessions = ReturnType<typeof createAnswerSessions>;

export interface AnswerSessionsOptions {
  now: () => number;
  /** Milliseconds that an answer can be found after its end. @default 30_000 */
  kept?: number;
  /** Answers that have ended and can be found. @default 500 */
  most?: number;
}

/** Not an lru-cache: that one counts keys, and an answer has several. */
export function createAnswerSessions({ now, kept = 30_000, most = 500 }: AnswerSessionsOptions) {
  const running = new Set<AnswerSession>();
  const found = new Map<string, AnswerSession>();
  /** With the time of the end; those that ended first stand first. */
  const ended = new Map<AnswerSession, number>();
  let stopping: ServerStopping | undefined;
  let onNone: (() => void) | undefined;

  function forget(session: AnswerSession): void {
    ended.delete(session);
    for (const slot of session.slots) if (found.get(slot) === session) found.delete(slot);
  }

  function forgetOld(): void {
    for (const [session, endedAt] of ended) {
      if (ended.size <= most && now() < endedAt + kept) return;
      forget(session);
    }
  }

  return {
    /** Makes an answer found at its slots, instead of an earlier one. */
    add(session: AnswerSession): void {
      for (const slot of session.slots) found.set(slot, session);
    },
    /** Counts an answer as running until it has ended, and stops it when the server cannot wait for it. */
    begun(session: AnswerSession): void {
      running.add(session);
      if (stopping) session.stop(stopping);
    },
    /** An answer that has ended is found for a while. */
    ended(session: AnswerSession): void {
      running.delete(session);
      if (running.size === 0) onNone?.();
      if (session.slots.some((slot) => found.get(slot) === session)) ended.set(session, now());
      forgetOld();
    },
    forget,
    /** The answer that runs, or ended a moment ago, at a slot. */
    find(slot: string): AnswerSession | undefined {
      forgetOld();
      return found.get(slot);
    },
    /**
     * Gives running answers `milliseconds` to end, then stops them and all that begin later. Resolves when none runs, or as long
     * again after that.
     */
    async close(milliseconds: number): Promise<void> {
      const none = new Promise<void>((resolve) => {
        if (running.size === 0) resolve();
        else onNone = resolve;
      });
      await orAfter(none, milliseconds);
      stopping = new ServerStopping('The server stops.');
      for (const session of running) session.stop(stopping);
      await orAfter(none, milliseconds);
    },
  };
}
