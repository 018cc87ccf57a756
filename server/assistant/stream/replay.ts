// One answer for as many readers as follow it: the one who asked, and the same one again after a lost connection.
//
// The answer is made as fast as its fastest reader reads, and not ahead of that: a slow reader slows it down. What was made stays in
// memory for readers who come later, while it runs and for a short time after; it lives in this process only.
import type { AnswerEvent } from '../answer/answer-events.ts';

export interface SharedAnswer {
  /** From the beginning. */
  follow(): Following;
}

export interface Following {
  events: AsyncIterable<AnswerEvent>;
  /** Lets the answer go, also while an event is awaited; when nobody follows it any more, it is aborted. */
  leave(): void;
}

export interface Found {
  answer: SharedAnswer;
  messageId: string;
  threadId: string;
  /** Whether the transport of the AI SDK asked: it gets the same form of the stream again. */
  isFromSdk?: boolean;
}

export interface Replays {
  /**
   * Begins an answer. `slots` are what it can be found by, each known to nobody but its reader; a later answer takes the slots of an
   * earlier one. `abort` is called once, when the last reader left before the end.
   */
  share(events: AsyncIterable<AnswerEvent>, shared: Omit<Found, 'answer'> & { slots: string[]; abort: () => void }): SharedAnswer;
  /** What runs, or ended a moment ago, at a slot. */
  find(slot: string): Found | undefined;
}

export interface ReplaysOptions {
  now: () => number;
  /** Milliseconds that an answer can be found after its end. @default 30_000 */
  kept?: number;
  /** Characters kept of an answer; of a longer one nothing is found. @default 65_536 */
  longest?: number;
  /** Ended answers that are kept. @default 500 */
  most?: number;
}

interface Entry extends Found {
  endedAt?: number;
  slots: string[];
}

export function createReplays({ now, kept = 30_000, longest = 65_536, most = 500 }: ReplaysOptions): Replays {
  const entries = new Map<string, Entry>();
  const ended = new Set<Entry>();

  function forget(entry: Entry): void {
    ended.delete(entry);
    for (const slot of entry.slots) if (entries.get(slot) === entry) entries.delete(slot);
  }

  /** Those that ended first stand first. */
  function forgetOld(): void {
    for (const entry of ended) {
      if (ended.size <= most && now() < entry.endedAt! + kept) return;
      forget(entry);
    }
  }

  return {
    share(events, { slots, messageId, threadId, isFromSdk, abort }) {
      const answer = shareEvents(events, {
        // What nobody can find is not kept.
        longest: slots.length > 0 ? longest : 0,
        onEnd() {
          entry.endedAt = now();
          if (entry.slots.some((slot) => entries.get(slot) === entry)) ended.add(entry);
          forgetOld();
        },
        onTooLong: () => forget(entry),
        onLeft() {
          forget(entry);
          abort();
        },
      });
      const entry: Entry = { answer, messageId, threadId, isFromSdk, slots };
      for (const slot of slots) entries.set(slot, entry);
      return answer;
    },

    find(slot) {
      forgetOld();
      return entries.get(slot);
    },
  };
}

interface ShareOptions {
  longest: number;
  onEnd: () => void;
  /** Nobody can begin at the beginning any more. */
  onTooLong: () => void;
  onLeft: () => void;
}

function shareEvents(events: AsyncIterable<AnswerEvent>, { longest, onEnd, onTooLong, onLeft }: ShareOptions): SharedAnswer {
  const source = events[Symbol.asyncIterator]();
  /** Events from number `first` on. */
  const made: AnswerEvent[] = [];
  let first = 0;
  let length = 0;
  let isTooLong = false;
  let isOver = false;
  let next: Promise<void> | undefined;
  const readers = new Set<{ at: number }>();

  /** Makes one more event, once for all who wait for it. */
  function make(): Promise<void> {
    next ??= (async () => {
      try {
        const { value, done } = await source.next();
        if (done) return end();
        made.push(value);
        length += value.type === 'text' ? value.text.length : JSON.stringify(value).length;
        if (length > longest && !isTooLong) {
          isTooLong = true;
          onTooLong();
        }
        if (value.type === 'end' || value.type === 'failed') {
          // Whoever writes the answer stops at its last event, which is no leaving.
          await source.return?.();
          end();
        }
      } catch (error) {
        end();
        throw error;
      } finally {
        next = undefined;
      }
    })();
    return next;
  }

  function end(): void {
    isOver = true;
    onEnd();
  }

  /** Of what is too long to keep, what all have read goes. */
  function trim(): void {
    if (!isTooLong) return;
    const least = Math.min(...[...readers].map(({ at }) => at));
    if (least > first && least !== Infinity) made.splice(0, least - first);
    if (least !== Infinity) first = Math.max(first, least);
  }

  return {
    follow() {
      const reader = { at: 0 };
      readers.add(reader);
      let isGone = false;

      function leave(): void {
        if (isGone) return;
        isGone = true;
        readers.delete(reader);
        if (readers.size > 0 || isOver) return;
        isOver = true;
        onLeft();
        // It may be waiting for a model that only the abort ends.
        void Promise.resolve(source.return?.()).catch(() => undefined);
      }

      async function* read(): AsyncGenerator<AnswerEvent> {
        try {
          while (!isGone) {
            const event = made[reader.at - first];
            if (event) {
              reader.at++;
              trim();
              yield event;
            } else if (isOver) return;
            else await make();
          }
        } finally {
          leave();
        }
      }

      return { events: read(), leave };
    },
  };
}
