// One answer from its first event to its last: it is made once, recorded once, and read by the reader who asked, also again after a
// lost connection.
//
// - An event is made when the fastest of its readers asks for it: a slow reader slows the answer down, and nothing piles up.
// - Events stay in memory for readers that come later, as long as the answer is not too long.
// - It ends with its last event, when its last reader has left, or when the server stops. What is thrown becomes an event here, and
//   only here.
import { labelsOf } from '../../../integration/search/labels/index.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { AnswerEvent } from '../answer/answer-events.ts';
import type { AnswerRecord, Threads } from '../threads/threads.ts';
import type { Replays } from './replays.ts';
import { ServerStopping, type RunningAnswers } from './running-answers.ts';

export interface SessionParts {
  threads: Pick<Threads, 'answered'>;
  running: Pick<RunningAnswers, 'begin'>;
  replays: Pick<Replays<AnswerSession>, 'ended' | 'forget'>;
  log: Pick<Logger, 'error'>;
  metrics: Pick<Metrics, 'questions' | 'answers'>;
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
  /** Lets the answer go, also while an event is awaited. The last reader that leaves before the end aborts it. */
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
  #begun: { at: number; end: () => void } | undefined;

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
    this.#parts.replays.forget(this);
    this.#aborting.abort();
    // An event that is on its way comes to its end by the abort, and closes the answer.
    if (!this.#coming) void this.#close();
  }

  /** Makes one more event, once for all readers that wait for it. */
  async #make(): Promise<void> {
    this.#begin();
    const event = await this.#next();
    if (!event || event.type === 'end' || event.type === 'failed') await this.#close(event);
    else {
      if (event.type === 'source') this.#record.sources.push(event.source);
      else this.#record.text += event.text;
      this.#store(event);
      if (this.#isOver) await this.#close();
    }
    this.#coming = undefined;
  }

  #begin(): void {
    if (this.#begun) return;
    const { running, metrics, now } = this.#parts;
    metrics.questions.inc();
    this.#begun = { at: now(), end: running.begin((reason) => this.#aborting.abort(reason)) };
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
        const hasText = this.#first + this.#events.length > 0;
        return this.#failed('AnswerFailed', hasText ? 'cutOff' : 'failed');
      }
    }
    return signal.reason instanceof ServerStopping ? this.#failed('ServerStopping', 'cutOff') : undefined;
  }

  async #failed(code: string, text: 'cutOff' | 'failed'): Promise<AnswerEvent> {
    return { type: 'failed', code, message: (await labelsOf(this.#language)).server[text] };
  }

  /** Records the answer before its readers get its last event. An answer that cannot be recorded is answered all the same. */
  async #close(last?: Extract<AnswerEvent, { type: 'end' | 'failed' }>): Promise<void> {
    const { threads, replays, log, metrics, now } = this.#parts;
    if (last?.type === 'end') Object.assign(this.#record, { ended: last.reason, writtenBy: last.by });
    else if (last) this.#record.ended = 'error';
    else if (!this.#aborting.signal.aborted) this.#record.ended = 'other';
    if (this.#begun) {
      const { writtenBy, ended } = this.#record;
      metrics.answers.observe({ by: writtenBy ?? 'none', ended }, (now() - this.#begun.at) / 1000);
      await threads
        .answered(this.messageId, this.#record)
        .catch((err: unknown) => log.error({ err, answer: this.messageId }, 'answer not recorded'));
    }
    this.#isOver = true;
    if (last) this.#store(last);
    await Promise.resolve(this.#source.return?.()).catch(() => undefined);
    this.#begun?.end();
    replays.ended(this);
  }

  #store(event: AnswerEvent): void {
    this.#events.push(event);
    this.#length += event.type === 'text' ? event.text.length : JSON.stringify(event).length;
    if (this.#isTooLong || this.#length <= this.#longest) return;
    this.#isTooLong = true;
    this.#parts.replays.forget(this);
  }

  /** Removes what all readers have read of an answer that is too long to be stored. */
  #trim(): void {
    if (!this.#isTooLong) return;
    const least = Math.min(...[...this.#readers].map(({ at }) => at));
    this.#events.splice(0, least - this.#first);
    this.#first = least;
  }
}
